package lint

import (
	"cmp"
	"strings"
	"sync"

	"cardwright/internal/source"
	"cardwright/schema"
)

// shape is the entry of a value in the table of members: which members it has, and
// which it has to have. What their values must be, the JSON Schemas say.
type shape struct {
	in       versions // that know the value
	required bool
	message  string // "" for a value without members of its own
	kind     source.Kind
	members  map[string]*shape
	folded   map[string]string // the names of the members by their folded form
	entry    *shape            // of the items of an array or the values of a map
	byType   map[string]*shape // of a scheme of 0.3
}

// cardShape is the shape of a card of any version.
var cardShape = sync.OnceValue(func() *shape {
	return shapeOf(schema.Member{In: both, Kind: source.Object, Of: schema.CardMessage}, both)
})

// shapeOf returns the shape of the value of a member in some versions.
func shapeOf(m schema.Member, in versions) *shape {
	s := &shape{in: in & m.In, required: m.Required, kind: m.Kind}
	switch {
	case m.Elem != source.Invalid:
		s.entry = shapeOf(schema.Member{In: s.in, Kind: m.Elem, Of: m.Of}, s.in)
	case m.Of == schema.RequirementMessage && !s.in.Has(v10): // {NAME: [SCOPE]}
		s.message = m.Of
		s.entry = shapeOf(schema.Member{In: s.in, Kind: source.Array, Elem: source.String}, s.in)
	case m.Of != "":
		s.add(m.Of, s.in)
	}
	if m.Of == schema.SchemeMessage && s.entry == nil {
		s.byType = map[string]*shape{}
		for _, t := range schema.SchemeTypes() {
			typed := &shape{in: s.in, kind: s.kind}
			typed.add(m.Of, s.in)
			typed.add(t.Message(), s.in&v03)
			s.byType[string(t)] = typed
		}
	}
	return s
}

// add adds the members of a message.
func (s *shape) add(message string, in versions) {
	s.message = message
	for _, m := range schema.Members(message) {
		if !m.In.Has(in) {
			continue
		}
		if s.members == nil {
			s.members, s.folded = map[string]*shape{}, map[string]string{}
		}
		s.members[m.Name] = shapeOf(m, in)
		s.folded[fold(m.Name)] = m.Name
	}
}

// known reports whether one of the versions knows the value; nil means unknown.
func (s *shape) known(v versions) bool { return s != nil && s.in.Has(v) }

// of returns the shape that a value of several kinds has by its type member.
func (s *shape) of(n *source.Node) *shape {
	if s == nil || s.byType == nil {
		return s
	}
	return cmp.Or(s.byType[n.Get("type").Word()], s)
}

// name returns what messages call an object.
func (s *shape) name() string {
	switch s.message {
	case schema.CardMessage, schema.RequirementMessage, schema.FlowsMessage:
		return "the " + s.message
	case schema.SkillMessage, schema.SignatureMessage, schema.InterfaceMessage, schema.ExtensionMessage,
		schema.ProviderMessage, schema.CapabilitiesMessage:
		return schema.Noun(s.message)
	case "scopes":
		return "the requirement"
	}
	if strings.HasSuffix(s.message, "Flow") {
		return "the flow"
	}
	return "the scheme"
}
