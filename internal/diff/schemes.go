package diff

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) schemes() {
	entries(c.old.SecuritySchemes, c.new.SecuritySchemes, func(name string, was, is *schema.SecurityScheme) {
		at, what := the("securitySchemes").child(name), "the security scheme "+diag.Quote(name)
		switch {
		case c.unsayable(was) || c.unsayable(is):
		case is == nil:
			c.gone("scheme-removed", at, string(was.Type), schemePart(was), what)
		case was == nil:
			c.added("scheme-added", at, string(is.Type), schemePart(is), what)
		default:
			c.scheme(at, was, is, what)
		}
	})
}

// scheme compares two definitions, member by member.
func (c *comparison) scheme(at where, older, newer *schema.SecurityScheme, name string) {
	if older.Type != newer.Type {
		c.text("scheme-changed", "", at.child("type"), string(older.Type), string(newer.Type), "\"type\" of "+name)
		return
	}
	if older.In == schema.HeaderName && newer.In == older.In && schema.Equivalent(newer.In, older.Name, newer.Name) {
		c.text("", newer.In, at.child("name"), older.Name, newer.Name, `"name" of `+name)
		same := *newer
		same.Name = older.Name
		newer = &same
	}
	c.members(older.Type.Message(), at, older, newer, name)
	for _, m := range c.flows() {
		at, was, is := at.child("flows").child(m.Name), flowOf(older, m.Name), flowOf(newer, m.Name)
		c.flow(at, was, is, "the flow "+diag.Quote(m.Name)+" of "+name)
	}
}

// flowOf returns the flow of the given type, nil where the scheme has none.
func flowOf(s *schema.SecurityScheme, name string) *schema.Flow {
	for i := range s.Flows {
		if string(s.Flows[i].Type) == name {
			return &s.Flows[i]
		}
	}
	return nil
}

func (c *comparison) flow(at where, older, newer *schema.Flow, name string) {
	switch {
	case older == nil && newer == nil:
	case newer == nil:
		c.gone("scheme-changed", at, string(older.Type), flowPart(older), name)
	case older == nil:
		c.added("scheme-extended", at, string(newer.Type), flowPart(newer), name)
	default:
		c.members(older.Type.Message(), at, older, newer, name)
		c.scopes(at.child("scopes"), older.Scopes, newer.Scopes, name)
	}
}

func (c *comparison) scopes(at where, older, newer map[string]string, of string) {
	entries(older, newer, func(scope string, was, is *string) {
		at, what := at.child(scope), "the scope "+diag.Quote(scope)+" of "+of
		switch {
		case is == nil:
			c.gone("scheme-changed", at, scope, nil, what)
		case was == nil:
			words := source.NewObject(1)
			words.SetText("description", *is)
			c.added("scheme-extended", at, scope, words, what)
		default:
			c.text("scheme-description-changed", "", at, *was, *is, "the description of "+what)
		}
	})
}
