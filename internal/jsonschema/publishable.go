package jsonschema

import (
	"fmt"
	"slices"

	"cardwright/internal/source"
)

const ruleSchemaLoss = "source-schema-loss"

// Publishable writes a JSON Schema that [Vet] has found no fault with so that
// nothing in it is empty, and that it says the same: readers of a card drop
// null, "", [] and {} at any depth. A schema that allows everything, {}, becomes
// true; keywords that say nothing, such as "required": [], are left out; null
// and "" in enum and const become types and lengths.
//
// The faults tell what is lost: defaults and examples. A schema that cannot be
// written so, or says nothing at all, gives nil and the reason.
func Publishable(n *source.Node) (*source.Node, []Fault) {
	w := rewriting{draft4: draftOf(n) == draft4}
	out := w.schema(n, "")
	kept, empties := out.Pruned()
	switch {
	case w.refused != nil:
	case !out.Is(source.Object):
		w.refuse("", "it says nothing but "+out.Text)
	case empties > 0 || len(vetMeaning(kept)) > 0:
		w.refuse("", "it does not survive that nothing empty is written on a card")
	}
	if w.refused != nil {
		return nil, []Fault{*w.refused}
	}
	return kept, w.lost
}

// rewriting is one run of [Publishable].
type rewriting struct {
	draft4  bool
	lost    []Fault
	refused *Fault
}

func (w *rewriting) refuse(pointer, message string) {
	if w.refused == nil {
		w.refused = new(faultAt(pointer, "write the schema otherwise, or leave the skill out", "%s", message))
		w.refused.Rule = ruleSchemaLoss
	}
}

func (w *rewriting) lose(what string, n *source.Node, pointer string) {
	is := "holds an empty value"
	if n.Empty() {
		is = "is empty"
	}
	f := faultAt(pointer, "", "%s %s and is left out", what, is)
	f.Rule = ruleSchemaLoss
	w.lost = append(w.lost, f)
}

// schema rewrites a schema or a part of one that is a schema.
func (w *rewriting) schema(n *source.Node, pointer string) *source.Node {
	if n.Kind != source.Object {
		return n
	}
	out := &source.Node{Kind: source.Object, Span: n.Span}
	var allOf []*source.Node
	for _, m := range n.Members {
		at := source.Pointer(pointer, m.Key)
		switch value := w.member(m, at); {
		case m.Key == "allOf" && value != nil:
			allOf = append(value.Items, allOf...)
		case value != nil:
			out.Members = append(out.Members, source.Member{Key: m.Key, KeySpan: m.KeySpan, Value: value})
		case m.Key == "enum" || m.Key == "const":
			values := m.Value.Items
			if m.Key == "const" {
				values = []*source.Node{m.Value}
			}
			choice := w.oneOfValues(values, at)
			if anyOf := choice.Get("anyOf"); anyOf != nil && n.Get("anyOf") == nil && out.Get("anyOf") == nil {
				out.Set("anyOf", anyOf)
				continue
			}
			allOf = append(allOf, choice)
		}
	}
	if len(allOf) > 0 {
		out.Set("allOf", &source.Node{Kind: source.Array, Items: allOf})
	}
	if len(out.Members) > 0 {
		return out
	}
	if w.draft4 {
		w.refuse(pointer, "draft 4 can write a schema that allows everything only as {}, which readers of a card drop")
	}
	return &source.Node{Kind: source.Bool, Text: "true", Span: n.Span}
}

// member rewrites the value of a keyword, nil when it has to go.
func (w *rewriting) member(m source.Member, pointer string) *source.Node {
	switch holdingOf(m) {
	case one:
		return w.schema(m.Value, pointer)
	case each:
		return w.list(m.Value, pointer)
	case named:
		return w.named(m.Value, pointer)
	case none:
	}
	switch m.Key {
	case "enum", "const":
		if holdsEmpty(m.Value) {
			return nil
		}
	case "default", "example":
		if holdsEmpty(m.Value) {
			w.lose("the "+m.Key, m.Value, pointer)
			return nil
		}
	case "examples":
		if m.Value.Is(source.Array) {
			return w.examples(m.Value, pointer)
		}
	}
	value, _ := m.Value.Pruned()
	return value
}

func (w *rewriting) list(n *source.Node, pointer string) *source.Node {
	out := &source.Node{Kind: source.Array, Span: n.Span}
	for i, item := range n.Items {
		out.Items = append(out.Items, w.schema(item, fmt.Sprintf("%s/%d", pointer, i)))
	}
	return out
}

// named rewrites a map of schemas. That of dependencies may hold lists of names
// as well.
func (w *rewriting) named(n *source.Node, pointer string) *source.Node {
	out := &source.Node{Kind: source.Object, Span: n.Span}
	for _, m := range n.Members {
		m.Value = w.schema(m.Value, source.Pointer(pointer, m.Key))
		if !m.Value.Empty() {
			out.Members = append(out.Members, m)
		}
	}
	if out.Empty() {
		return nil
	}
	return out
}

func (w *rewriting) examples(n *source.Node, pointer string) *source.Node {
	out := &source.Node{Kind: source.Array, Span: n.Span}
	for i, item := range n.Items {
		if holdsEmpty(item) {
			w.lose("an example", item, fmt.Sprintf("%s/%d", pointer, i))
			continue
		}
		out.Items = append(out.Items, item)
	}
	if out.Empty() {
		return nil
	}
	return out
}

// oneOfValues is a schema that allows just the given values, of which some are
// empty.
func (w *rewriting) oneOfValues(values []*source.Node, pointer string) *source.Node {
	var full, choices []*source.Node
	for _, v := range values {
		switch {
		case v.Empty():
			choices = append(choices, emptyOf(v.Kind))
		case holdsEmpty(v):
			w.refuse(pointer, "a value that is allowed holds an empty one, which readers of a card drop")
		default:
			full = append(full, v)
		}
	}
	if len(full) > 0 {
		enum := source.NewObject(1)
		enum.Set("enum", &source.Node{Kind: source.Array, Items: full})
		choices = slices.Insert(choices, 0, enum)
	}
	switch len(choices) {
	case 0:
		return source.NewBool(false)
	case 1:
		return choices[0]
	}
	out := source.NewObject(1)
	out.Set("anyOf", &source.Node{Kind: source.Array, Items: choices})
	return out
}

// emptyOf is a schema that allows only what is empty and of that kind.
func emptyOf(kind source.Kind) *source.Node {
	out := source.NewObject(2)
	out.SetText("type", kind.String())
	switch kind {
	case source.String:
		out.Set("maxLength", source.NewInt(0))
	case source.Array:
		out.Set("maxItems", source.NewInt(0))
	case source.Object:
		out.Set("maxProperties", source.NewInt(0))
	default: // null has but one value
	}
	return out
}

// holdsEmpty reports whether a value is empty or holds one that is, at any depth.
func holdsEmpty(n *source.Node) bool {
	_, empties := n.Pruned()
	return empties > 0
}
