package lint

import (
	"strings"
	"sync"

	"cardwright/internal/source"
	"cardwright/schema"
)

// shape is what a JSON Schema of the card says about the members of a value:
// which there are, and which are required. What their values must be, the
// schema package judges.
type shape struct {
	in       versions // the one that the schema is for
	name     string   // of the definition, "" for the card itself
	kind     string   // JSON type
	members  map[string]*shape
	folded   map[string]string // the names of the members by their folded form
	required []string
	entry    *shape            // of the items of an array or the values of a map
	byType   map[string]*shape // of a scheme of 0.3
}

// shapes holds the shape of one value in each protocol version, the newest
// first, nil where the version does not know it.
type shapes [schema.Known]*shape

// cardShapes is the shape of a card in each version.
var cardShapes = sync.OnceValue(func() shapes {
	var s shapes
	for i, v := range both.Versions() {
		text, _ := schema.Document(v.Document())
		doc, _ := source.ParseJSON(v.Document(), text, source.Limits{})
		s[i] = shapeReader{v, doc}.read(doc, "")
	}
	return s
})

// shapeReader reads the JSON Schema of cards of one version.
type shapeReader struct {
	in  versions
	doc *source.Node
}

func (r shapeReader) read(n *source.Node, name string) *shape {
	if ref := n.Get("$ref"); ref != nil {
		pointer := strings.TrimPrefix(ref.Text, "#")
		n, _ = r.doc.Find(pointer)
		name = pointer[strings.LastIndexByte(pointer, '/')+1:]
	}
	s := &shape{in: r.in, name: name, kind: rootPlace(n).At("type").Word()}
	for m := range rootPlace(n).At("properties").Entries() {
		if s.members == nil {
			s.members, s.folded = map[string]*shape{}, map[string]string{}
		}
		s.members[m.Key] = r.read(m.Value, name)
		s.folded[fold(m.Key)] = m.Key
	}
	for p := range rootPlace(n).At("required").List() {
		s.required = append(s.required, p.Word())
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if entry := n.Get(key); entry.Is(source.Object) {
			s.entry = r.read(entry, name)
		}
	}
	for p := range rootPlace(n).At("allOf").List() {
		if s.byType == nil {
			s.byType = map[string]*shape{}
		}
		kind := p.At("if").At("properties").At("type").At("const").Word()
		s.byType[kind] = r.read(p.Get("then"), name)
	}
	return s
}

// each applies a step to the shape in each version, and leaves out the versions
// that have none.
func (s shapes) each(step func(*shape) *shape) shapes {
	for i := range s {
		if s[i] != nil {
			s[i] = step(s[i])
		}
	}
	return s
}

func (s shapes) member(key string) shapes {
	return s.each(func(s *shape) *shape { return s.members[key] })
}

func (s shapes) entry() shapes { return s.each(func(s *shape) *shape { return s.entry }) }

// of returns the shapes that a value of several kinds has by its type member.
func (s shapes) of(n *source.Node) shapes {
	return s.each(func(s *shape) *shape {
		if t := n.Get("type"); s.byType != nil && t.Is(source.String) && s.byType[t.Text] != nil {
			return s.byType[t.Text]
		}
		return s
	})
}

// has reports whether one of the versions holds what test asks for.
func (s shapes) has(v versions, test func(*shape) bool) bool {
	for i := range s {
		if s[i] != nil && s[i].in.Has(v) && test(s[i]) {
			return true
		}
	}
	return false
}

func (s shapes) known(v versions) bool { return s.has(v, func(*shape) bool { return true }) }

func (s shapes) closed(v versions) bool {
	return s.has(v, func(s *shape) bool { return s.members != nil })
}

// kind returns the JSON type of the value in the versions that know it, "" where
// they disagree.
func (s shapes) kind() string {
	kind := ""
	for _, s := range s {
		switch {
		case s == nil:
		case kind != "" && s.kind != kind:
			return ""
		default:
			kind = s.kind
		}
	}
	return kind
}

// spelledLike returns the member that a name is another spelling of.
func (s shapes) spelledLike(name string) (string, bool) {
	folded := fold(name)
	for _, s := range s {
		if s != nil && s.folded[folded] != "" {
			return s.folded[folded], true
		}
	}
	return "", false
}

// name returns what messages call the value.
func (s shapes) name() string {
	for _, s := range s {
		if s == nil {
			continue
		}
		switch s.name {
		case "":
			return "the card"
		case "skill", "signature":
			return "a " + s.name
		case "interface", "extension":
			return "an " + s.name
		case "provider", "capabilities", "flows", "requirement":
			return "the " + s.name
		}
		if strings.HasSuffix(s.name, "Flow") {
			return "the flow"
		}
		return "the scheme"
	}
	return "the value"
}
