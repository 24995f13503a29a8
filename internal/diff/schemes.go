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
		case is == nil:
			c.gone(diag.SchemeRemoved, at, string(was.Type), what)
		case was == nil:
			c.added(diag.SchemeAdded, at, string(is.Type), what)
		default:
			c.scheme(at, was, is, what)
		}
	})
}

// scheme compares two definitions, member by member.
func (c *comparison) scheme(at where, older, newer *schema.SecurityScheme, name string) {
	if older.Type != newer.Type {
		c.text(diag.SchemeChanged, "", at.child("type"), string(older.Type), string(newer.Type), "\"type\" of "+name)
		return
	}
	if older.In == schema.HeaderName && newer.In == older.In && schema.Equivalent(newer.In, older.Name, newer.Name) {
		c.text(0, newer.In, at.child("name"), older.Name, newer.Name, `"name" of `+name)
		same := *newer
		same.Name = older.Name
		newer = &same
	}
	c.members(older.Type.Message(), at, older, newer, name)
	for _, m := range schema.Members(schema.FlowsMessage) {
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
		c.gone(diag.SchemeChanged, at, string(older.Type), name)
	case older == nil:
		c.added(diag.SchemeExtended, at, string(newer.Type), name)
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
			c.gone(diag.SchemeChanged, at, scope, what)
		case was == nil:
			c.added(diag.SchemeExtended, at, scope, what)
		default:
			c.text(diag.SchemeDescriptionChanged, "", at, *was, *is, "the description of "+what)
		}
	})
}

// split returns two cards as far as they can be compared: where the one has a scheme
// of several OAuth flows for which the other has a scheme each, as 1.0 demands
// (4.5.5), both have a scheme each. A dual card has that for the clients of 0.3 too.
func split(older, newer *schema.Card) (o, n *schema.Card) {
	if list := splitIn(older, newer); len(list) > 0 {
		older = older.SplitFlows(list)
	}
	if list := splitIn(newer, older); len(list) > 0 {
		newer = newer.SplitFlows(list)
	}
	return older, newer
}

// splitIn returns the OAuth schemes of a card that the other one lacks, but of
// whose flows it has one by the name that a split gives it.
func splitIn(card, other *schema.Card) map[string]bool {
	split := map[string]bool{}
	for name, s := range card.SecuritySchemes {
		if _, same := other.SecuritySchemes[name]; same {
			continue
		}
		for _, f := range s.Flows {
			if part, ok := other.SecuritySchemes[name+"-"+string(f.Type)]; ok && len(part.Flows) == 1 &&
				part.Flows[0].Type == f.Type {
				split[name] = true
			}
		}
	}
	return split
}

// typedChanges compares the security schemes of two cards of 1.0 that have a "type" too,
// for the libraries that then read them as 0.3 does.
func typedChanges(older, newer *source.Node) []Change {
	c := comparison{forms: [2]schema.Protocol{schema.Flat, schema.Flat}}
	was, is := typedSchemes(older), typedSchemes(newer)
	for _, name := range sortedKeys(was) {
		before, after := older.Get("securitySchemes").Get(name), newer.Get("securitySchemes").Get(name)
		if after != nil && (before.Get("type") != nil || after.Get("type") != nil) {
			c.scheme(the("securitySchemes").child(name), was[name], is[name], "the security scheme "+diag.Quote(name))
		}
	}
	for i := range c.changes {
		c.changes[i].Message += " for clients of " + diag.Enumerate(typed(), "and")
	}
	return c.changes
}

// typedSchemes returns the schemes of a card of 1.0, as 0.3 reads those that have a type.
func typedSchemes(document *source.Node) map[string]*schema.SecurityScheme {
	schemes := map[string]*schema.SecurityScheme{}
	listed, _, _ := schema.Read(document, schema.Listed)
	flat, _, _ := schema.Read(document, schema.Flat)
	for name, s := range listed.SecuritySchemes {
		if typed := flat.SecuritySchemes[name]; typed.Type != "" {
			s = typed
		}
		schemes[name] = &s
	}
	return schemes
}

// sayable reports whether the forms of both cards have words for a member.
func (c *comparison) sayable(m schema.Member) bool {
	return m.Moved || m.In.Has(c.forms[0]) && m.In.Has(c.forms[1])
}
