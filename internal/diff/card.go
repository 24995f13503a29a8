package diff

import (
	"cmp"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// card gathers the facts in the order in which a card is written.
func (c *comparison) card() {
	older, newer := c.old, c.new
	structure := map[string]func(){
		"supportedInterfaces":  c.interfaces,
		"provider":             c.provider,
		"capabilities":         c.capabilities,
		"securitySchemes":      c.schemes,
		"securityRequirements": func() { c.requirements(the("securityRequirements"), older.Security, newer.Security, "") },
		"defaultInputModes":    func() { c.modes(input, the(input.member), older.InputModes, newer.InputModes, "") },
		"defaultOutputModes":   func() { c.modes(output, the(output.member), older.OutputModes, newer.OutputModes, "") },
		"skills":               c.skills,
		"signatures":           c.signatures,
	}
	for _, m := range schema.Members(schema.CardMessage) {
		if compare, ok := structure[m.Name]; ok {
			compare()
		} else {
			c.member(m, where{}, older, newer, "the card")
		}
	}
	c.extra(where{}, older.Extra, newer.Extra, "the card")
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
	if m.Change.ID == "" || !m.Plain() || m.Same(older, newer) || !c.sayable(m) {
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

// text reports a text that changed, the value of a member. Another spelling
// of the same is [diag.FormChanged].
func (c *comparison) text(rule diag.RuleID, member string, at where, older, newer, what string) {
	switch {
	case older == newer:
	case older != "" && newer != "" && schema.Equivalent(member, older, newer):
		c.tell(diag.FormChanged, at, text(older), text(newer), "%s is stated in another form, which means the same", what)
	default:
		c.value(rule, at, text(older), text(newer), what)
	}
}

func (c *comparison) provider() {
	none := &schema.Provider{}
	at, older, newer := the("provider"), cmp.Or(c.old.Provider, none), cmp.Or(c.new.Provider, none)
	c.members(schema.ProviderMessage, at, older, newer, "the provider")
}

func (c *comparison) signatures() {
	same := slices.EqualFunc(c.old.Signatures, c.new.Signatures, func(a, b schema.Signature) bool {
		return a.Protected == b.Protected && a.Signature == b.Signature && a.Header.Equal(b.Header)
	})
	if !same {
		c.tell(diag.SignatureChanged, the("signatures"), signatures(c.old), signatures(c.new), "the signatures changed")
	}
}

// signatures spells each signature as a compact JWS without its payload (RFC 7515,
// appendix F).
func signatures(c *schema.Card) *source.Node {
	var texts []string
	for _, s := range c.Signatures {
		texts = append(texts, s.Protected+".."+s.Signature)
	}
	return list(texts)
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

// value reports a value that differs as a whole.
func (c *comparison) value(rule diag.RuleID, at where, older, newer *source.Node, what string) {
	switch {
	case older == nil:
		c.tell(rule, at, nil, newer, "%s is new", what)
	case newer == nil:
		c.tell(rule, at, older, nil, "%s is gone", what)
	default:
		c.tell(rule, at, older, newer, "%s changed", what)
	}
}
