package diff

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// card gathers the facts in the order in which a card is written.
func (c *comparison) card() {
	older, newer := c.old, c.new
	c.text("name-changed", the("name"), older.Name, newer.Name, "the name of the agent")
	c.text("description-changed", the("description"), older.Description, newer.Description, "the description of the agent")
	c.interfaces()
	c.provider()
	c.text("version-changed", the("version"), older.Version, newer.Version, "the version of the agent")
	c.text("icon-changed", the("iconUrl"), older.IconURL, newer.IconURL, "the URL of the icon")
	c.text("documentation-changed", the("documentationUrl"), older.DocumentationURL, newer.DocumentationURL, "the URL of the documentation")
	c.capabilities()
	c.extensions()
	c.schemes()
	c.requirements(the("securityRequirements"), older.Security, newer.Security, "")
	c.modes(input, the("defaultInputModes"), older.InputModes, newer.InputModes, "")
	c.modes(output, the("defaultOutputModes"), older.OutputModes, newer.OutputModes, "")
	c.skills()
	c.signatures()
	c.extra(where{}, older.Extra, newer.Extra, "the card")
}

// text tells of a text that changed.
func (c *comparison) text(rule string, at where, older, newer, what string) {
	switch {
	case older == newer:
	case older == "":
		c.tell(rule, at, nil, text(newer), "%s is new", what)
	case newer == "":
		c.tell(rule, at, text(older), nil, "%s is gone", what)
	default:
		c.tell(rule, at, text(older), text(newer), "%s changed", what)
	}
}

func (c *comparison) provider() {
	var older, newer schema.Provider
	if c.old.Provider != nil {
		older = *c.old.Provider
	}
	if c.new.Provider != nil {
		newer = *c.new.Provider
	}
	at := the("provider")
	c.text("provider-changed", at.child("organization"), older.Organization, newer.Organization, "the organization of the provider")
	c.text("provider-changed", at.child("url"), older.URL, newer.URL, "the URL of the provider")
	c.extra(at, older.Extra, newer.Extra, "the provider")
}

func (c *comparison) signatures() {
	same := slices.EqualFunc(c.old.Signatures, c.new.Signatures, func(a, b schema.Signature) bool {
		return a.Protected == b.Protected && a.Signature == b.Signature && a.Header.Equal(b.Header)
	})
	if !same {
		c.tell("signature-changed", the("signatures"), signatures(c.old), signatures(c.new), "the signatures changed")
	}
}

func signatures(c *schema.Card) *source.Node {
	var out []string
	for _, s := range c.Signatures {
		out = append(out, s.Signature)
	}
	return list(out)
}

// extra compares members that A2A does not define.
func (c *comparison) extra(at where, older, newer *source.Node, of string) {
	if older == nil && newer == nil {
		return
	}
	p := match(members(older), members(newer), func(m *source.Member) string { return m.Key })
	told := func(m source.Member, older, newer *source.Node, how string) {
		c.tell("unknown-member-changed", at.child(m.Key), older, newer, "the member %s of %s, which A2A does not define, %s", diag.Quote(m.Key), of, how)
	}
	for _, i := range p.gone {
		told(older.Members[i], older.Members[i].Value, nil, "is gone")
	}
	for _, both := range p.both {
		if a, b := older.Members[both[0]], newer.Members[both[1]]; !a.Value.Equal(b.Value) {
			told(a, a.Value, b.Value, "changed")
		}
	}
	for _, i := range p.added {
		told(newer.Members[i], nil, newer.Members[i].Value, "is new")
	}
}

func members(n *source.Node) []source.Member {
	if n == nil {
		return nil
	}
	return n.Members
}
