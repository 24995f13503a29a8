package jsonschema

import (
	"slices"

	"cardwright/internal/source"
)

// NonEmpty writes a schema that [Vet] accepts without null, "", [] and {}, which readers of a
// card drop, so that it allows the same values: {} becomes true, an empty value of enum or
// const a type and a length. It counts the defaults and examples that it leaves out. The
// schema is nil where it cannot be written so.
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
	var choices *source.Node // the values that are allowed, where some are empty
	for _, m := range n.Members {
		_, empties := m.Value.Pruned()
		switch {
		case (m.Key == "enum" || m.Key == "const") && empties > 0:
			choices = w.choices(m)
			continue
		case slices.Contains(plainValues, m.Key) && empties > 0:
			w.lost++
			continue
		}
		if m.Value = w.keyword(m); m.Value != nil && !m.Value.Empty() {
			out.Members = append(out.Members, m)
		}
	}
	switch all := out.Get("allOf"); {
	case choices != nil && out.Get("anyOf") == nil:
		out.Set("anyOf", choices)
	case choices != nil && all == nil:
		out.Set("allOf", source.ArrayOf(source.ObjectOf("anyOf", choices)))
	case choices != nil:
		all.Items = append(all.Items, source.ObjectOf("anyOf", choices))
	case out.Empty():
		return &source.Node{Kind: source.Bool, Text: "true", Span: n.Span}
	}
	return out
}

// keyword writes the value of a keyword, nil where it says nothing.
func (w *nonEmpty) keyword(m source.Member) *source.Node {
	v := m.Value
	switch {
	case slices.Contains(namedSchemas, m.Key):
		named := *v
		named.Members = slices.Clone(v.Members)
		for i := range named.Members {
			named.Members[i].Value = w.schema(v.Members[i].Value)
		}
		named.Members = slices.DeleteFunc(named.Members, func(m source.Member) bool { return m.Value.Empty() })
		return &named
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

// choices are the schemas of the values that enum or const allow.
func (w *nonEmpty) choices(m source.Member) *source.Node {
	values := m.Value.Items
	if m.Key == "const" {
		values = []*source.Node{m.Value}
	}
	full, list := &source.Node{Kind: source.Array}, &source.Node{Kind: source.Array}
	for _, v := range values {
		_, empties := v.Pruned()
		switch {
		case v.Empty():
			length := map[source.Kind]string{
				source.String: "maxLength", source.Array: "maxItems", source.Object: "maxProperties",
			}[v.Kind]
			empty := source.ObjectOf("type", v.Kind.String())
			if length != "" {
				empty.Set(length, source.NewInt(0))
			}
			list.Items = append(list.Items, empty)
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

// plainValues are the keywords whose values are values of the instance.
var plainValues = []string{"const", "enum", "default", "example", "examples"}
