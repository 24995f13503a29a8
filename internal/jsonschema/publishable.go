package jsonschema

import (
	"strconv"

	"cardwright/internal/source"
)

const ruleSchemaLoss = "source-schema-loss"

// Publishable writes a JSON Schema that [Vet] has found no fault with so that
// nothing in it is empty, and that it allows the same: readers of a card drop
// null, "", [] and {} at any depth. A schema that allows everything, {}, becomes
// true; keywords that say nothing, such as "required": [], are left out; null
// and "" in enum and const become types and lengths.
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
		at := source.Pointer(pointer, m.Key)
		if _, empties := m.Value.Pruned(); empties > 0 && (m.Key == "enum" || m.Key == "const") {
			if n.Get("anyOf") != nil || out.Get("anyOf") != nil {
				w.refuse(at, "a value that is allowed is empty, which readers of a card drop")
			}
			m.Key, m.Value = "anyOf", w.choices(m, at)
		} else {
			m.Value = w.keyword(m, at)
		}
		if m.Value != nil && !m.Value.Empty() {
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
	case "default", "example", "examples":
		lost := faultAt(pointer, "", "%q is empty or holds an empty value, so it is left out", m.Key)
		lost.Rule = ruleSchemaLoss
		w.lost = append(w.lost, lost)
		return nil
	}
	return kept
}

// choices are the schemas of the values that enum or const allow, of which some are
// empty: those become a type and a length.
func (w *rewriting) choices(m source.Member, pointer string) *source.Node {
	values := m.Value.Items
	if m.Key == "const" {
		values = []*source.Node{m.Value}
	}
	full := &source.Node{Kind: source.Array}
	list := &source.Node{Kind: source.Array, Items: []*source.Node{source.NewObject(1).With("enum", full)}}
	lengths := map[source.Kind]string{
		source.String: "maxLength", source.Array: "maxItems", source.Object: "maxProperties",
	}
	for _, v := range values {
		switch _, empties := v.Pruned(); {
		case v.Empty():
			empty := source.NewObject(2)
			empty.SetText("type", v.Kind.String())
			if length := lengths[v.Kind]; length != "" {
				empty.Set(length, source.NewInt(0))
			}
			list.Items = append(list.Items, empty)
		case empties > 0:
			w.refuse(pointer, "a value that is allowed holds an empty one, which readers of a card drop")
		default:
			full.Items = append(full.Items, v)
		}
	}
	if len(full.Items) == 0 {
		list.Items = list.Items[1:]
	}
	if len(list.Items) == 0 {
		w.refuse(pointer, "it allows no value")
	}
	return list
}
