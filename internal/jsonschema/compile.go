package jsonschema

import (
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/source"
)

// Document is a JSON Schema of ours, in draft 7 and without references to
// others.
type Document struct {
	Name string // for users: cardwright schema NAME
	What string // what it describes, as a message calls it
	Text []byte
	// Rule returns the id of the rule about a fault in a definition of the
	// schema, and a hint if there is one for all such faults. Nil is no rule.
	Rule func(c Class, definition string) (id, hint string)
}

// Validator is a kept schema.
type Validator struct {
	Document
	schema *jsonschema.Schema
	text   *source.Node // the schema as it is spelled, for what the errors do not carry
	effort effort       // of a policy
}

// Compile makes the validator of any document. It panics where the schema is
// wrong, which a test rules out.
func Compile(d Document) Validator { return compile(d, parse(d), nil) }

// kept holds what of each schema is compiled: a run checks its configuration twice, and
// one that watches checks it again and again.
var kept struct {
	sync.Mutex
	parts map[string]*part
}

// part is what a schema says of documents with some of its names.
type part struct {
	text       *source.Node
	all, names map[string]bool // in the schema, and in what is compiled
	compiled   Validator
}

// validator returns the validator of documents with the members of one document, and
// of those that were checked before.
func (d Document) validator(doc *source.Node) Validator {
	kept.Lock()
	defer kept.Unlock()
	p := kept.parts[d.Name]
	if p == nil {
		p = &part{text: parse(d), names: map[string]bool{}}
		p.all = names(p.text)
		if kept.parts == nil {
			kept.parts = map[string]*part{}
		}
		kept.parts[d.Name] = p
	}
	known := len(p.names)
	for name := range names(doc) {
		if p.all[name] {
			p.names[name] = true
		}
	}
	if p.compiled.schema == nil || len(p.names) > known {
		p.compiled = compile(d, p.text, p.names)
	}
	return p.compiled
}

// parse returns the schema as it is spelled.
func parse(d Document) *source.Node {
	parsed, found := source.ParseJSON(d.Name, d.Text, source.Limits{})
	if len(found) > 0 {
		panic(found[0])
	}
	return parsed
}

// compile makes the validator of documents in which no member has a name that is
// not among those given, nil for all.
func compile(d Document, parsed *source.Node, names map[string]bool) Validator {
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	c.AssertFormat()
	for _, f := range formats {
		f.register(c)
	}
	url := "memory:///schema/" + d.Name
	if names != nil {
		url = "https://json-schema.org/" + d.Name // which spares the check against the metaschema, half of the work
	}
	if err := c.AddResource(url, extract(parsed, names)); err != nil {
		panic(err)
	}
	return Validator{Document: d, schema: c.MustCompile(url), text: parsed}
}

// nothing loads no schema: the default of jsonschema reads files.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema %q is not embedded", url)
}

// names returns the names of all members of a document, wherever they are.
func names(doc *source.Node) map[string]bool {
	all := map[string]bool{}
	var collect func(*source.Node)
	collect = func(n *source.Node) {
		if n == nil {
			return
		}
		for _, m := range n.Members {
			all[m.Key] = true
			collect(m.Value)
		}
		for _, item := range n.Items {
			collect(item)
		}
	}
	collect(doc)
	return all
}

// extract returns what a schema says of documents in which every member has one
// of those names, nil for any name. What it says of a member counts only where
// there is one, and descriptions never count. Compiling is most of what a small
// run costs, and a configuration has a fraction of what it could have.
func extract(schema *source.Node, names map[string]bool) any {
	e := extraction{names: names}
	root := e.object(schema)
	kept := map[string]any{}
	for len(e.refs) > 0 {
		name, defined := strings.CutPrefix(e.refs[0], "#/definitions/")
		e.refs = e.refs[1:]
		// Another reference leads to a property of the same name, which is kept.
		if _, done := kept[name]; defined && !done {
			kept[name] = e.object(schema.Get("definitions").Get(name))
		}
	}
	root["definitions"] = kept
	return root
}

// extraction is one run of [extract].
type extraction struct {
	names map[string]bool
	refs  []string // from what is kept to definitions
}

func (e *extraction) object(schema *source.Node) map[string]any {
	out := make(map[string]any, len(schema.Members))
	for _, m := range schema.Members {
		switch m.Key {
		case "description", "definitions":
		case "properties":
			out[m.Key] = e.properties(m.Value)
		case "$ref":
			e.refs = append(e.refs, m.Value.Text)
			out[m.Key] = m.Value.Text
		default:
			out[m.Key] = e.value(m.Value)
		}
	}
	return out
}

func (e *extraction) properties(n *source.Node) map[string]any {
	out := map[string]any{}
	for _, m := range n.Members {
		if e.names == nil || e.names[m.Key] {
			out[m.Key] = e.value(m.Value)
		}
	}
	return out
}

func (e *extraction) value(n *source.Node) any {
	switch n.Kind {
	case source.Object:
		return e.object(n)
	case source.Array:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = e.value(item)
		}
		return out
	}
	return n.Any(number)
}
