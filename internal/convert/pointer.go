package convert

import (
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Pointer returns where a value of the card stands in the document, or where it would
// have to. The pointer given is a pointer of [Reading.Place]; of several members that it can
// mean, the one with the value counts.
func (r *Reading) Pointer(pointer string, value *source.Node) string {
	if r.form == 0 { // which takes as long as the card is
		r.form = r.Card.Protocol()
	}
	w := walk{node: r.root, form: r.form, value: value}
	return w.to(pointer, func(at string) string { return r.places[at].Pointer() })
}

// Span returns where the value at a pointer into the document stands, or what it stands
// in.
func (r *Reading) Span(pointer string) diag.Span { return r.root.Below(pointer, r.root.Span) }

// PointerIn is [Reading.Pointer] for a card that [schema.Read] read from a document in one
// form, with the pointers of interfaces and skills there.
func PointerIn(
	document *source.Node, form schema.Protocol, places map[string]string, pointer string, value *source.Node,
) string {
	w := walk{node: document, form: form, value: value}
	return w.to(pointer, func(at string) string { return places[at] })
}

// extended and flatExtended are where 1.0 and 0.3 say that there is an extended card.
const (
	extended     = "/capabilities/extendedAgentCard"
	flatExtended = "/supportsAuthenticatedExtendedCard"
)

// walk is a way down a document.
type walk struct {
	node    *source.Node // nil where the document ends
	form    schema.Protocol
	value   *source.Node
	pointer string
}

// to goes to what a pointer into a card names; places has the pointers of its parts.
func (w *walk) to(pointer string, places func(at string) string) string {
	_, listed := w.node.Find(extended)
	if pointer == extended && w.form.Has(schema.Flat) && (!listed || !w.form.Has(schema.Listed)) {
		pointer = flatExtended
	}
	for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if base := places(at); base != "" {
			for token := range source.Tokens(base) {
				w.step(token)
			}
			pointer = pointer[len(at):]
			break
		}
	}
	for token := range source.Tokens(pointer) {
		w.below(token)
	}
	return w.pointer
}

// twoNames are the members that 1.0 and 0.3 call differently.
var twoNames = [][2]string{
	{"supportedInterfaces", "additionalInterfaces"},
	{"securityRequirements", "security"},
	{"protocolBinding", "transport"},
	{"location", "in"},
}

// below goes to a member as the form of the card has it.
func (w *walk) below(token string) {
	body, wrapper := w.node, "" // of a scheme of 1.0
	for _, t := range schema.SchemeTypes() {
		if inner := w.node.Get(t.Wrapper()); inner != nil && w.form.Has(schema.Listed) {
			body, wrapper = inner, t.Wrapper()
		}
	}
	for _, names := range twoNames {
		if names[0] == token || names[1] == token {
			token = names[1]
			if !w.form.Has(schema.Flat) || w.form.Has(schema.Listed) && body.Get(names[0]) != nil {
				token = names[0]
			}
		}
	}
	switch {
	case w.node.Scalar() && token == "transport": // of the endpoint that 0.3 has in url
		w.pointer = "/preferredTransport"
	case w.node.Scalar():
	case wrapper != "" && (body.Get(token) != nil || w.node.Get(token) == nil):
		if w.step(wrapper); token != "type" {
			w.step(token)
		}
	default:
		w.step(token)
	}
}

// step goes to a member or an item, as spelled there.
func (w *walk) step(token string) {
	if key := w.member(token); key != "" {
		token = key
	}
	w.pointer = source.Pointer(w.pointer, token)
	next, ok := w.node.Find(source.Pointer("", token))
	if w.node = next; !ok {
		w.node = nil
	}
}

// member returns how an object spells a member, "" where it has none: unchanged, in the
// way of the protocol buffers, or in another case.
func (w *walk) member(name string) string {
	exact := w.node.Get(name)
	if exact != nil && (w.value == nil || exact.Equal(w.value)) || !memberNames()[name] {
		if exact == nil {
			return ""
		}
		return name
	}
	found, snake := "", schema.SnakeName(name)
	if exact != nil {
		found = name
	}
	for _, m := range w.node.Fields() {
		if (strings.EqualFold(m.Key, name) || m.Key == snake) && (found == "" || m.Value.Equal(w.value)) {
			found = m.Key
		}
	}
	return found
}

// memberNames are the member names of all messages.
var memberNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			names[m.Name] = true
		}
	}
	return names
})
