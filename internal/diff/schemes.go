package diff

import (
	"cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) schemes() {
	entries(c.old.SecuritySchemes, c.new.SecuritySchemes, func(name string, was, is *schema.SecurityScheme) {
		at, what := the("securitySchemes").child(name), "the security scheme "+diag.Quote(name)
		if c.present(at, was != nil, is != nil, string(cmp.Or(is, was).Type), what, diag.SchemeRemoved, diag.SchemeAdded) {
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
	entries(flowsOf(older), flowsOf(newer), func(kind string, was, is *schema.Flow) {
		at, what := at.child("flows").child(kind), "the flow "+diag.Quote(kind)+" of "+name
		if c.present(at, was != nil, is != nil, kind, what, diag.SchemeChanged, diag.SchemeExtended) {
			c.members(was.Type.Message(), at, was, is, what)
			c.scopes(at.child("scopes"), was.Scopes, is.Scopes, what)
		}
	})
}

// flowsOf are the flows of a scheme, by their types.
func flowsOf(s *schema.SecurityScheme) map[string]schema.Flow {
	flows := map[string]schema.Flow{}
	for _, f := range s.Flows {
		if _, twice := flows[string(f.Type)]; !twice {
			flows[string(f.Type)] = f
		}
	}
	return flows
}

func (c *comparison) scopes(at where, older, newer map[string]string, of string) {
	entries(older, newer, func(scope string, was, is *string) {
		at, what := at.child(scope), "the scope "+diag.Quote(scope)+" of "+of
		if c.present(at, was != nil, is != nil, scope, what, diag.SchemeChanged, diag.SchemeExtended) {
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
			if _, ok := other.SecuritySchemes[name+"-"+string(f.Type)]; ok {
				split[name] = true
			}
		}
	}
	return split
}

// typedChanges reports the security schemes of two cards of 1.0 that have a "type" too and
// say something else, for the libraries that then read them as 0.3 does.
func (u *union) typedChanges(older, newer *source.Node) {
	entries(typedSchemes(older), typedSchemes(newer), func(name string, a, b *schema.SecurityScheme) {
		was, is := older.Get("securitySchemes").Get(name), newer.Get("securitySchemes").Get(name)
		if a == nil || b == nil || was.Get("type") == nil && is.Get("type") == nil {
			return
		}
		if a.Description, b.Description = "", ""; a.Type != b.Type || !schema.SameScheme(*a, *b) {
			u.add(diag.SchemeChanged, the("securitySchemes").child(name), was, is,
				"the security scheme %s changed for clients of %s", diag.Quote(name), typedSDKs())
		}
	})
}

// typedSchemes returns the schemes of a card of 1.0, as 0.3 reads those that have a type.
func typedSchemes(document *source.Node) map[string]schema.SecurityScheme {
	listed, _ := schema.Read(document, schema.Listed)
	flat, _ := schema.Read(document, schema.Flat)
	for name, s := range flat.SecuritySchemes {
		if s.Type != "" {
			listed.SecuritySchemes[name] = s
		}
	}
	return listed.SecuritySchemes
}
