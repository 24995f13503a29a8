package schema

import (
	"cmp"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Member is a member of a message of the card. Whatever knows about members
// follows from this table, or is held against it by a test: the wire forms,
// tolerant reading, the keys of the configuration, --set, what sources bring,
// differences, the payload of signatures, and the JSON Schemas.
type Member struct {
	Message  string // that it belongs to, the card where none is given
	Name     string // on the card
	In       Protocol
	Kind     source.Kind // JSON type
	Elem     source.Kind // of the entries of a list of texts, or of a map
	Of       string      // message that its value or the entries of it are, "" for none
	Required bool
	Lax      bool // the protocol's own definition does not require it
	Optional bool // there, absent and default are distinguished
	Moved    bool // the versions that do not have it say it elsewhere
	Settable bool // by convert --set
	Unshown  bool // knowingly not on the page about the agents
	// Config is what the configuration calls it, "" where it is the same, and -
	// where the configuration has none.
	Config string
	Change Change

	plain field // for texts, flags and lists of texts
	// write returns the value of any other member, nil for none.
	write func(w *wiring, of any, at spot) *source.Node
}

// Class is what a change means to the clients of an agent.
type Class uint8

// The classes, in rising order.
const (
	None     Class = iota // nothing that a client could notice
	Cosmetic              // what people and models read about the agent
	Additive              // clients can do more than before
	Breaking              // what clients do may no longer work
)

// String returns the name that flags and every output format use.
func (c Class) String() string {
	return [...]string{"none", "cosmetic", "additive", "breaking"}[c]
}

// Change says what a change of a member is.
type Change struct {
	ID     string // of the rule, "" for a member that is compared as a part of something
	Mirror string // the rule of the opposite change, "" where both directions are one kind
	Class  Class  // of a rule that is about this member only
	What   string // what changes: the URL of the icon
}

// Rule returns the rule about the change, zero for none.
func (c Change) Rule() diag.RuleID {
	rule, _ := diag.ParseRuleID(c.ID)
	return rule
}

// Reverse returns the rule about the opposite change.
func (c Change) Reverse() diag.RuleID {
	if mirror, ok := diag.ParseRuleID(c.Mirror); ok {
		return mirror
	}
	return c.Rule()
}

// field finds a plain member in its message. One of the functions is set.
type field struct {
	text  func(message any) *string
	flag  func(message any) **bool
	yes   func(message any) *bool // absent is false
	texts func(message any) *[]string
}

// as returns a message of the model as what it is. The table calls a function
// for the messages that it names only, so that it is never another one.
func as[M any](message any) *M {
	m, _ := message.(*M)
	return m
}

func text[M any](of func(*M) *string) field {
	return field{text: func(m any) *string { return of(as[M](m)) }}
}

func flag[M any](of func(*M) **bool) field {
	return field{flag: func(m any) **bool { return of(as[M](m)) }}
}

func yes[M any](of func(*M) *bool) field {
	return field{yes: func(m any) *bool { return of(as[M](m)) }}
}

func texts[M any](of func(*M) *[]string) field {
	return field{texts: func(m any) *[]string { return of(as[M](m)) }}
}

// table is [members] by message.
var table = func() map[string][]Member {
	all := map[string][]Member{}
	for _, m := range members {
		m.Message = cmp.Or(m.Message, CardMessage)
		switch {
		case m.plain.text != nil:
			m.Kind = source.String
		case m.plain.flag != nil, m.plain.yes != nil:
			m.Kind = source.Bool
		case m.plain.texts != nil:
			m.Kind, m.Elem = source.Array, source.String
		case m.Kind == source.Array && m.Of != "":
			m.Elem = source.Object
		}
		all[m.Message] = append(all[m.Message], m)
	}
	return all
}()

// Members returns the members of a message in the order in which they are
// written. Do not changes them.
func Members(message string) []Member { return table[message] }

// Messages returns the names of all messages, sorted.
func Messages() []string { return sortedKeys(table) }

// Plain reports whether a member is a text, a flag or a list of texts, which can
// be read from a message of the model and set there.
func (m Member) Plain() bool {
	return m.plain.text != nil || m.plain.flag != nil || m.plain.yes != nil || m.plain.texts != nil
}

// Key is what the configuration calls the member, "" where it has none.
func (m Member) Key() string {
	if m.Config == "-" {
		return ""
	}
	return cmp.Or(m.Config, m.Name)
}

// Text returns a text of a message, "" for a member of another kind.
func (m Member) Text(of any) string {
	if m.plain.text == nil {
		return ""
	}
	return *m.plain.text(of)
}

// Texts returns a list of texts of a message, nil for a member of another kind.
func (m Member) Texts(of any) []string {
	if m.plain.texts == nil {
		return nil
	}
	return *m.plain.texts(of)
}

// Flag returns a flag of a message, nil where it is absent and for a member of
// another kind.
func (m Member) Flag(of any) *bool {
	switch {
	case m.plain.flag != nil:
		return *m.plain.flag(of)
	case m.plain.yes != nil && *m.plain.yes(of):
		return m.plain.yes(of)
	}
	return nil
}

// Given reports whether a message has the plain member.
func (m Member) Given(of any) bool {
	return m.Text(of) != "" || m.Flag(of) != nil || len(m.Texts(of)) > 0
}

// says reports whether a message has the plain member, and not as false.
func (m Member) says(of any) bool {
	flag := m.Flag(of)
	return m.Text(of) != "" || len(m.Texts(of)) > 0 || flag != nil && *flag
}

// Said spells what an interface says, but for members that no version knows: two
// that say the same are one.
func (i *Interface) Said() string {
	var said []byte
	for _, m := range Members(InterfaceMessage) {
		said = strconv.AppendQuote(said, m.Text(i))
		for _, text := range m.Texts(i) {
			said = strconv.AppendQuote(said, text)
		}
		if flag := m.Flag(i); flag != nil {
			said = strconv.AppendBool(said, *flag)
		}
		said = append(said, ' ')
	}
	return string(said)
}

// SetText sets a text of a message.
func (m Member) SetText(of any, text string) { *m.plain.text(of) = text }

// SetTexts sets a list of texts of a message.
func (m Member) SetTexts(of any, texts []string) { *m.plain.texts(of) = texts }

// SetFlag sets a flag of a message.
func (m Member) SetFlag(of any, flag *bool) {
	if m.plain.yes != nil {
		*m.plain.yes(of) = flag != nil && *flag
		return
	}
	*m.plain.flag(of) = flag
}

// Set sets a plain member to the value of a node. What is of another kind counts
// as absent, but that a scalar can stand for a text.
func (m Member) Set(of any, n *source.Node) {
	switch m.Kind {
	case source.Bool:
		var flag *bool
		if n.Is(source.Bool) {
			flag = new(n.Text == "true")
		}
		m.SetFlag(of, flag)
	case source.Array:
		var list []string
		for _, item := range n.Elements() {
			list = append(list, item.ScalarText())
		}
		m.SetTexts(of, list)
	default:
		m.SetText(of, n.ScalarText())
	}
}

// Fill sets the plain members of a message from an object that spells
// them as the configuration does.
func Fill(message string, of any, n *source.Node) {
	for _, m := range Members(message) {
		if v := n.Get(m.Key()); v != nil && m.Plain() {
			m.Set(of, v)
		}
	}
}

// Copy sets a plain member to the value that another message has for it.
func (m Member) Copy(to, from any) {
	switch m.Kind {
	case source.Bool:
		m.SetFlag(to, m.Flag(from))
	case source.Array:
		m.SetTexts(to, m.Texts(from))
	default:
		m.SetText(to, m.Text(from))
	}
}

// Same reports whether two messages have the same value of a plain member, or
// neither has one.
func (m Member) Same(a, b any) bool {
	switch m.Kind {
	case source.Bool:
		x, y := m.Flag(a), m.Flag(b)
		return x == nil && y == nil || x != nil && y != nil && *x == *y
	case source.Array:
		return slices.Equal(m.Texts(a), m.Texts(b))
	default:
		return m.Text(a) == m.Text(b)
	}
}

// Settable returns the members that a text can be given for beside a document:
// a member of the card by its name, one of the provider behind a dot.
func Settable() []string {
	var names []string
	for _, message := range []string{CardMessage, ProviderMessage} {
		for _, m := range Members(message) {
			if m.Settable && message == CardMessage {
				names = append(names, m.Name)
			} else if m.Settable {
				names = append(names, message+"."+m.Name)
			}
		}
	}
	return names
}

// Noun names any message of a kind.
func Noun(message string) string {
	switch message {
	case SkillMessage:
		return "a skill"
	case InterfaceMessage, ExtensionMessage:
		return "an " + message
	case SignatureMessage:
		return "a " + message
	case ProviderMessage, CapabilitiesMessage:
		return "the " + message
	}
	return "a security scheme"
}
