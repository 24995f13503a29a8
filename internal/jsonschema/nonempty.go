package jsonschema

import (
	"slices"

	"cardwright/internal/source"
)

// NonEmpty writes a schema that [Vet] accepts without null, "", [] and {}, which readers of a
// card drop, so that it allows the same values: {} becomes true, an empty value of enum or
// const a type. It counts the defaults and examples that it leaves out. The schema is nil where
// it cannot be written so.
func NonEmpty(n *source.Node) (schema *source.Node, lost int) {
	var w nonEmpty
	if schema = w.schema(n); w.refused || len(Vet(schema)) > 0 {
		return nil, 0
	}
	return schema, w.lost
}

type nonEmpty struct {
	lost    int
	refused bool
}

func (w *nonEmpty) schema(n *source.Node) *source.Node {
	if !n.Is(source.Object) {
		return n
	}
	out := &source.Node{Kind: source.Object, Span: n.Span}
	for _, m := range n.Members {
		if _, empties := m.Value.Pruned(); empties > 0 {
			switch m.Key {
			case "enum", "const":
				w.refused = w.refused || n.Get("anyOf") != nil
				m.Key, m.Value = "anyOf", w.choices(m.Value)
			case "default", "example", "examples":
				w.lost++
				continue
			}
		}
		if m.Value = w.keyword(m); m.Value != nil && !m.Value.Empty() {
			out.Members = append(out.Members, m)
		}
	}
	if out.Empty() {
		return &source.Node{Kind: source.Bool, Text: "true", Span: n.Span}
	}
	return out
}

// keyword writes the value of a keyword, nil where it says nothing.
func (w *nonEmpty) keyword(m source.Member) *source.Node {
	v := m.Value
	switch {
	case slices.Contains(namedSchemas, m.Key):
		var named []source.Member
		for _, m := range v.Members {
			if m.Value = w.schema(m.Value); !m.Value.Empty() {
				named = append(named, m)
			}
		}
		return v.WithMembers(named)
	case !slices.Contains(schemaKeywords, m.Key):
		kept, _ := v.Pruned()
		w.refused = w.refused || m.Key == "required" && slices.Contains(v.Words(), "")
		return kept
	case v.Is(source.Array):
		list := *v
		list.Items = nil
		for _, item := range v.Items {
			list.Items = append(list.Items, w.schema(item))
		}
		return &list
	}
	return w.schema(v)
}

// schemaKeywords are the keywords whose value is a schema, or a list of schemas.
var schemaKeywords = []string{
	"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "additionalProperties",
	"unevaluatedProperties", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contentSchema",
}

// choices are the schemas of the value that const allows, or of those that enum allows.
func (w *nonEmpty) choices(allowed *source.Node) *source.Node {
	values := allowed.Items
	if !allowed.Is(source.Array) {
		values = []*source.Node{allowed}
	}
	full, list := &source.Node{Kind: source.Array}, &source.Node{Kind: source.Array}
	for _, v := range values {
		_, empties := v.Pruned()
		switch {
		case v.Is(source.Null):
			list.Items = append(list.Items, source.ObjectOf("type", "null"))
		case v.Is(source.String) && empties > 0:
			list.Items = append(list.Items, source.ObjectOf("type", "string", "maxLength", 0))
		case empties > 0:
			w.refused = true
		default:
			full.Items = append(full.Items, v)
		}
	}
	if len(full.Items) > 0 {
		list.Items = append([]*source.Node{source.ObjectOf("enum", full)}, list.Items...)
	}
	w.refused = w.refused || len(list.Items) == 0
	return list
}

// namedSchemas are the keywords whose values have members that are schemas.
var namedSchemas = []string{
	"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
}
