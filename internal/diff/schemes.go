package diff

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) schemes() {
	at := the("securitySchemes")
	for _, name := range sortedKeys(c.old.SecuritySchemes) {
		older, quoted := c.old.SecuritySchemes[name], diag.Quote(name)
		if newer, ok := c.new.SecuritySchemes[name]; ok {
			c.scheme(at.child(name), older, newer, "the security scheme "+quoted)
		} else {
			c.tell("scheme-removed", at.child(name), source.NewText(string(older.Type)), nil, "the security scheme %s is gone",
				quoted)
		}
	}
	for _, name := range sortedKeys(c.new.SecuritySchemes) {
		if _, ok := c.old.SecuritySchemes[name]; !ok {
			c.tell("scheme-added", at.child(name), nil, source.NewText(string(c.new.SecuritySchemes[name].Type)),
				"the security scheme %s is new", diag.Quote(name))
		}
	}
}

// scheme compares two definitions, member by member.
func (c *comparison) scheme(at where, older, newer schema.SecurityScheme, name string) {
	if older.Type != newer.Type {
		c.text("scheme-changed", at.child("type"), string(older.Type), string(newer.Type), "\"type\" of "+name)
		return
	}
	c.members(older.Type.Message(), at, &older, &newer, name)
	for _, t := range schema.FlowTypes() {
		c.flow(at.child("flows").child(string(t)), flowOf(older, t), flowOf(newer, t), "the flow \""+string(t)+"\" of "+name)
	}
	c.extra(at, older.Extra, newer.Extra, name)
}

// flowOf returns the flow of the given type, nil where the scheme has none.
func flowOf(s schema.SecurityScheme, t schema.FlowType) *schema.Flow {
	for i := range s.Flows {
		if s.Flows[i].Type == t {
			return &s.Flows[i]
		}
	}
	return nil
}

func (c *comparison) flow(at where, older, newer *schema.Flow, name string) {
	switch {
	case older == nil && newer == nil:
		return
	case older == nil:
		c.tell("scheme-extended", at, nil, source.NewText(string(newer.Type)), "%s is new", name)
		return
	case newer == nil:
		c.tell("scheme-changed", at, source.NewText(string(older.Type)), nil, "%s is gone", name)
		return
	}
	c.members(older.Type.Message(), at, older, newer, name)
	c.scopes(at.child("scopes"), older.Scopes, newer.Scopes, name)
	c.extra(at, older.Extra, newer.Extra, name)
}

func (c *comparison) scopes(at where, older, newer map[string]string, of string) {
	for _, scope := range sortedKeys(older) {
		if meaning, ok := newer[scope]; !ok {
			c.tell("scheme-changed", at.child(scope), source.NewText(scope), nil, "the scope %s of %s is gone",
				diag.Quote(scope), of)
		} else {
			c.text("scheme-description-changed", at.child(scope), older[scope], meaning,
				"the description of the scope "+diag.Quote(scope)+" of "+of)
		}
	}
	for _, scope := range sortedKeys(newer) {
		if _, ok := older[scope]; !ok {
			c.tell("scheme-extended", at.child(scope), nil, source.NewText(scope), "the scope %s of %s is new",
				diag.Quote(scope), of)
		}
	}
}
