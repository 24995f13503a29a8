package diff

import (
	"cmp"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// comparison gathers the facts about two cards.
type comparison struct {
	facts

	old, new *schema.Card
	forms    [2]schema.Protocol // in which each is read
}

// compareCards gathers the facts in the order in which a card is written.
func compareCards(older, newer *schema.Card, forms ...schema.Protocol) []Change {
	c := comparison{forms: [2]schema.Protocol(forms)}
	c.old, c.new = split(older, newer)
	structure := map[string]func(){
		"supportedInterfaces": c.interfaces,
		"provider": func() {
			none := &schema.Provider{}
			c.members(schema.ProviderMessage, the("provider"), cmp.Or(c.old.Provider, none), cmp.Or(c.new.Provider, none),
				"the provider")
		},
		"capabilities":         c.capabilities,
		"securitySchemes":      c.schemes,
		"securityRequirements": func() { c.requirements(the("securityRequirements"), c.old.Security, c.new.Security, "") },
		"defaultInputModes":    func() { c.modes(input, the(input.member), c.old.InputModes, c.new.InputModes, "") },
		"defaultOutputModes":   func() { c.modes(output, the(output.member), c.old.OutputModes, c.new.OutputModes, "") },
		"skills":               c.skills,
		"signatures":           c.signatures,
	}
	for _, m := range schema.Members(schema.CardMessage) {
		if compare, ok := structure[m.Name]; ok {
			compare()
		} else {
			c.member(m, where{}, c.old, c.new, "the card")
		}
	}
	c.extra(where{}, c.old.Extra, c.new.Extra, "the card")
	return c.changes
}

// members compares the members of a message that are a text, a flag or a list of
// texts, but for those that the caller compares in a way of its own, and those that A2A
// does not define.
func (c *comparison) members(message string, at where, older, newer any, of string, but ...string) {
	for _, m := range schema.Members(message) {
		if !slices.Contains(but, m.Name) {
			c.member(m, at, older, newer, of)
		}
	}
	c.extra(at, schema.Extra(older), schema.Extra(newer), of)
}

// member compares one such member. The table says what a change of it
// is. What the form of one of the cards cannot say does not count.
func (c *comparison) member(m schema.Member, at where, older, newer any, of string) {
	sayable := m.Moved || m.In.Has(c.forms[0]) && m.In.Has(c.forms[1])
	if m.Change.ID == "" || !m.Plain() || m.Same(older, newer) || !sayable {
		return
	}
	what := m.Change.What
	switch {
	case what == "":
		what = strconv.Quote(m.Name) + " of " + of
	case of != "the card" && of != "the provider":
		what += " of " + of
	}
	at = at.child(m.Name)
	switch m.Kind {
	case source.Bool:
		c.flag(m, at, m.Flag(older), m.Flag(newer), what)
	case source.Array:
		c.words(m.Change.Rule(), at, m.Texts(older), m.Texts(newer), what)
	default:
		c.text(m.Change.Rule(), m.Name, at, m.Text(older), m.Text(newer), what)
	}
}

// signatures compares the signatures, each as a compact JWS without its payload (RFC 7515,
// appendix F) and its unprotected header.
func (c *comparison) signatures() {
	spelled := func(card *schema.Card) *source.Node {
		var texts []string
		for _, s := range card.Signatures {
			texts = append(texts, s.Protected+".."+s.Signature+Compact(s.Header))
		}
		return list(texts)
	}
	if was, is := spelled(c.old), spelled(c.new); !was.Equal(is) {
		c.add(diag.SignatureChanged, the("signatures"), was, is, "the signatures changed")
	}
}

// extra compares members that A2A does not define.
func (c *comparison) extra(at where, older, newer *source.Node, of string) {
	for _, name := range fields(older, newer) {
		was, is := older.Get(name), newer.Get(name)
		if was.Equal(is) {
			continue
		}
		what := "the member " + diag.Quote(name) + " of " + of + ", which A2A does not define,"
		c.value(diag.UnknownMemberChanged, at.child(name), was, is, what)
	}
}
