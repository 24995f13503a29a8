package schema

import (
	"cmp"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Member is a member of a message of the card. Whatever knows about members
// follows from this table, or is held against it by a test: the wire forms,
// tolerant reading, the keys of the configuration, --set, what sources bring,
// differences, the payload of signatures, and the JSON Schemas.
type Member struct {
	Message  string      // that it belongs to
	Name     string      // on the card
	In       Protocol    // versions that have it
	Kind     source.Kind // JSON type
	Elem     source.Kind // of the entries of a list of texts, or of a map
	Of       string      // message that its value or the entries of it are, "" for none
	Required bool
	Lax      bool // the protocol's own definition does not require it
	Optional bool // there, absent and default are distinguished
	Moved    bool // the versions that do not have it say it elsewhere
	Settable bool // by convert --set
	// Config is what the configuration calls it, "" where it is the same, and -
	// where the configuration has none.
	Config string
	Change Change

	// plain returns a pointer to a text, a flag or a list of texts in its message.
	plain func(message any) any
	// write returns the value of any other member, nil for none.
	write func(w *wiring, of any, at string) *source.Node
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

// Change says what a change of a member is. The ids are texts, from which the constants
// of package diag are made.
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
	rule, _ := diag.ParseRuleID(cmp.Or(c.Mirror, c.ID))
	return rule
}

// as returns a message of the model as what it is. The table calls a function
// for the messages that it names only; any other value stands for an empty one.
func as[M any](message any) *M {
	if m, ok := message.(*M); ok {
		return m
	}
	return new(M)
}

// at finds a plain member in its message.
func at[M any, T string | bool | *bool | []string](of func(*M) *T) func(message any) any {
	return func(m any) any { return of(as[M](m)) }
}

// table is [messages] by name.
var table = func() map[string][]Member {
	all := map[string][]Member{}
	for _, message := range messages {
		for _, m := range message.members {
			m.Message, m.In = message.name, cmp.Or(m.In, All)
			all[m.Message] = append(all[m.Message], m.typed())
		}
	}
	return all
}()

// typed returns a plain member with its JSON type, and a list of messages with the type of
// its entries.
func (m Member) typed() Member {
	switch m.find(nil).(type) {
	case *string:
		m.Kind = source.String
	case *bool, **bool:
		m.Kind = source.Bool
	case *[]string:
		m.Kind, m.Elem = source.Array, source.String
	default:
		if m.Kind == source.Array && m.Of != "" {
			m.Elem = source.Object
		}
	}
	return m
}

// Members returns the members of a message in the order in which they are
// written. Do not changes them.
func Members(message string) []Member { return table[message] }

// Messages returns the names of all messages, sorted.
func Messages() []string { return sortedKeys(table) }

// Plain reports whether a member is a text, a flag or a list of texts, which can
// be read from a message of the model and set there.
func (m Member) Plain() bool { return m.plain != nil }

// find returns a pointer to a plain member of a message, nil for any other member.
func (m Member) find(of any) any {
	if m.plain == nil {
		return nil
	}
	return m.plain(of)
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
	if text, ok := m.find(of).(*string); ok {
		return *text
	}
	return ""
}

// Texts returns a list of texts of a message, nil for a member of another kind.
func (m Member) Texts(of any) []string {
	if texts, ok := m.find(of).(*[]string); ok {
		return *texts
	}
	return nil
}

// Flag returns a flag of a message, nil where it is absent and for a member of
// another kind.
func (m Member) Flag(of any) *bool {
	switch flag := m.find(of).(type) {
	case **bool:
		return *flag
	case *bool: // absent is false
		if *flag {
			return flag
		}
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
	return m.Given(of) && (flag == nil || *flag)
}

// Put sets a plain member to a string, a *bool or a []string, as its kind is.
func (m Member) Put(of, value any) {
	switch p := m.find(of).(type) {
	case *string:
		*p, _ = value.(string)
	case *[]string:
		*p, _ = value.([]string)
	case **bool:
		*p, _ = value.(*bool)
	case *bool:
		flag, _ := value.(*bool)
		*p = flag != nil && *flag
	}
}

// Copy sets a plain member to the value that another message has for it.
func (m Member) Copy(to, from any) {
	switch m.Kind {
	case source.Bool:
		m.Put(to, m.Flag(from))
	case source.Array:
		m.Put(to, m.Texts(from))
	default:
		m.Put(to, m.Text(from))
	}
}

// Set sets a plain member to the value of a node. What is of another kind counts
// as absent, but that a scalar can stand for a text.
func (m Member) Set(of any, n *source.Node) {
	switch {
	case m.Kind == source.Bool && n.Is(source.Bool):
		m.Put(of, new(n.Text == "true"))
	case m.Kind == source.Array:
		var list []string
		for _, item := range n.Elements() {
			list = append(list, item.ScalarText())
		}
		m.Put(of, list)
	default:
		m.Put(of, n.ScalarText())
	}
}

// Same reports whether two messages have the same value of a plain member, or
// neither has one.
func (m Member) Same(a, b any) bool {
	x, y := m.Flag(a), m.Flag(b)
	return m.Text(a) == m.Text(b) && slices.Equal(m.Texts(a), m.Texts(b)) && (x == y || x != nil && y != nil && *x == *y)
}

// Said spells what an interface says, but for members that no version knows: two
// that say the same are one.
func (i *Interface) Said() string {
	var said []byte
	for _, m := range Members(InterfaceMessage) {
		said = fmt.Appendf(said, "%q%q%t ", m.Text(i), m.Texts(i), m.says(i) && m.Kind == source.Bool)
	}
	return string(said)
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
