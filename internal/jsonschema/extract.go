package jsonschema

import (
	"strings"

	"cardwright/internal/source"
)

// names returns the names of all members of a document, at any depth.
func names(doc *source.Node) map[string]bool {
	all := map[string]bool{}
	var collect func(*source.Node)
	collect = func(n *source.Node) {
		for _, m := range n.Fields() {
			all[m.Key] = true
			collect(m.Value)
		}
		for _, item := range n.Elements() {
			collect(item)
		}
	}
	collect(doc)
	return all
}

// extraction collects what a schema says of documents in which every member has
// one of some names. What it says of another member never applies.
type extraction struct {
	names map[string]bool
	refs  []string // from what is kept to definitions
}

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

func (e *extraction) object(schema *source.Node) map[string]any {
	out := make(map[string]any, len(schema.Members))
	for _, m := range schema.Members {
		switch m.Key {
		case "description", "definitions":
		case "properties":
			properties := map[string]any{}
			for _, p := range m.Value.Members {
				if e.names[p.Key] {
					properties[p.Key] = e.value(p.Value)
				}
			}
			out[m.Key] = properties
		case "$ref":
			e.refs = append(e.refs, m.Value.Text)
			out[m.Key] = m.Value.Text
		default:
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
