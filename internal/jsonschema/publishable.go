package jsonschema

import (
	"strconv"

	"cardwright/internal/source"
)

const ruleSchemaLoss = "source-schema-loss"

// Publishable writes a JSON Schema that [Vet] has found no fault with so that
// nothing in it is empty, and that it allows the same: readers of a card drop
// null, "", [] and {} at any depth. A schema that allows everything, {}, becomes
// true, and keywords that say nothing, such as "required": [], are left out.
//
// The faults tell what is lost: defaults and examples. A schema that cannot be
// written so, or says nothing at all, gives nil and the reason.
func Publishable(n *source.Node) (*source.Node, []Fault) {
	var w rewriting
	out := w.schema(n, "")
	_, empties := out.Pruned()
	switch {
	case w.refused != nil:
	case !out.Is(source.Object):
		w.refuse("", "it says nothing but "+out.Text)
	case empties > 0 || len(vetMeaning(out)) > 0:
		w.refuse("", "it does not survive that nothing empty is written on a card")
	}
	if w.refused != nil {
		return nil, []Fault{*w.refused}
	}
	return out, w.lost
}

// rewriting is one run of [Publishable].
type rewriting struct {
	lost    []Fault
	refused *Fault
}

func (w *rewriting) refuse(pointer, message string) {
	if w.refused == nil {
		w.refused = new(faultAt(pointer, "write the schema otherwise, or leave the skill out", "%s", message))
		w.refused.Rule = ruleSchemaLoss
	}
}

// schema rewrites a schema, or the list of names that dependencies may hold instead.
func (w *rewriting) schema(n *source.Node, pointer string) *source.Node {
	if !n.Is(source.Object) {
		return n
	}
	out := &source.Node{Kind: source.Object, Span: n.Span}
	for _, m := range n.Members {
		if m.Value = w.keyword(m, source.Pointer(pointer, m.Key)); m.Value != nil && !m.Value.Empty() {
			out.Members = append(out.Members, m)
		}
	}
	if out.Empty() {
		return &source.Node{Kind: source.Bool, Text: "true", Span: n.Span}
	}
	return out
}

// keyword rewrites the value of a keyword, nil when it has to go.
func (w *rewriting) keyword(m source.Member, pointer string) *source.Node {
	out := *m.Value
	switch holdingOf(m) {
	case one:
		return w.schema(m.Value, pointer)
	case each:
		out.Items = nil
		for i, item := range m.Value.Items {
			out.Items = append(out.Items, w.schema(item, source.Pointer(pointer, strconv.Itoa(i))))
		}
		return &out
	case named:
		out.Members = nil
		for _, e := range m.Value.Members {
			if e.Value = w.schema(e.Value, source.Pointer(pointer, e.Key)); !e.Value.Empty() {
				out.Members = append(out.Members, e)
			}
		}
		return &out
	case none:
	}
	kept, empties := m.Value.Pruned()
	if empties == 0 {
		return kept
	}
	switch m.Key {
	case "enum", "const":
		w.refuse(pointer, "a value that is allowed is empty or holds an empty one, which readers of a card drop")
	case "default", "example", "examples":
		lost := faultAt(pointer, "", "%q is empty or holds an empty value, so it is left out", m.Key)
		lost.Rule = ruleSchemaLoss
		w.lost = append(w.lost, lost)
		return nil
	}
	return kept
}
