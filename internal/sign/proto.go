package sign

import (
	"slices"
	"strings"
	"sync"

	"cardwright/internal/source"
	"cardwright/schema"
)

// message is a message of a2a.proto, version 1.0, as its JSON form shows it.
type message struct {
	fields []field
	oneof  bool     // at most one of the fields, the first that is set
	names  []string // of the members in any version, as folded makes them
}

// field is a member of a message: a string, a bool, or an array or object of
// what of and elem say.
type field struct {
	name string
	kind source.Kind
	// elem is the kind of the entries of an array or a map, Invalid for a
	// message and for a google.protobuf.Struct, which holds anything.
	elem     source.Kind
	of       *message // the message that the member or its entries are, nil for scalars and a Struct
	required bool     // field_behavior REQUIRED
	presence bool     // absent and default differ: optional, and all messages
}

// field returns the field named key, nil when there is none.
func (m *message) field(key string) *field {
	if i := slices.IndexFunc(m.fields, func(f field) bool { return f.name == key }); i >= 0 {
		return &m.fields[i]
	}
	return nil
}

// cardMessage returns the AgentCard of A2A 1.0 (a2a.proto at v1.0.1), without
// its signatures, which no signature covers.
var cardMessage = sync.OnceValue(func() *message {
	card := messages{}.of(schema.CardMessage)
	card.fields = slices.DeleteFunc(card.fields, func(f field) bool { return f.name == "signatures" })
	return card
})

// messages are those that the table of members describes, by name.
type messages map[string]*message

// of returns a message as listed versions of the protocol define it.
func (all messages) of(name string) *message {
	if m, ok := all[name]; ok {
		return m
	}
	m := &message{oneof: name == schema.SchemeMessage || name == schema.FlowsMessage}
	all[name] = m
	for _, row := range schema.Members(name) {
		m.names = append(m.names, folded(row.Name))
		if !row.In.Has(schema.Listed) {
			continue
		}
		f := field{name: row.Name, kind: row.Kind, elem: row.Elem, required: row.Required && !row.Lax, presence: row.Optional}
		if row.Of != "" {
			f.of = all.of(row.Of)
		}
		m.fields = append(m.fields, f)
	}
	return m
}

// folded makes a name of the spellings that some client takes for one member: in
// Go letter case does not count, and ProtoJSON reads snake_case as well.
func folded(name string) string { return schema.FoldName(strings.ReplaceAll(name, "_", "")) }
