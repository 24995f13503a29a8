package dialect

import (
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// unwrap finds the card in a document, and returns false when there is none.
func (r *reader) unwrap(root place) (place, bool) {
	if root.Is(source.Array) {
		return r.choose(root)
	}
	if !root.Is(source.Object) {
		r.refuse("card-json", root, "a card must be one JSON object", "the document is %s, not a card",
			root.Kind.Article())
		return place{}, false
	}
	if what := Foreign(root.Node); what != "" {
		r.refuse("card-foreign", root, "an agent card has a name, skills and a url or supportedInterfaces",
			"not an agent card: looks like %s", what)
		return place{}, false
	}
	key := Wrapper(root.Node)
	inner := root.At(key)
	switch {
	case key == "": // though a member may have that name
		return root, r.chosen(root)
	case inner.Is(source.Array):
		return r.choose(inner)
	}
	var others []string
	for i := range root.Members {
		m := &root.Members[i]
		if m.Key == key {
			continue
		}
		others = append(others, diag.Quote(m.Key))
		if asksByName(m.Key) && !AsksNothing(m.Value) && !inner.HasAny("security", "securityRequirements") {
			r.open(root.Named(m), diag.Quote(m.Key)+" beside the card")
		}
	}
	r.wrapped = true
	r.repair(inner, "the card is wrapped in %s; the inner object is read", diag.Quote(key))
	if len(others) > 0 {
		r.drop(root, "members beside the card are left out: %s", strings.Join(firstFew(others), ", "))
	}
	return inner, r.chosen(inner)
}

// chosen reports whether a card is the one that was asked for, if one was.
func (r *reader) chosen(card place) bool {
	if r.Agent == "" || isCalled(card, r.Agent) {
		return true
	}
	r.refuse(ruleAgent, card, "", "the agent has the name %s, not %s", diag.Quote(r.Agent),
		diag.Quote(card.At("name").Word()))
	return false
}

func isCalled(card place, name string) bool {
	return card.At("name").Word() == name || card.At("id").Word() == name
}

// choose takes one card from a list: the one that was asked for, or the only
// one.
func (r *reader) choose(list place) (place, bool) {
	r.wrapped = true
	var names []string
	for p := range list.List() {
		if !p.Is(source.Object) {
			continue
		}
		name := p.At("name").Word()
		if r.Agent == "" && len(list.Items) == 1 || r.Agent != "" && isCalled(p, r.Agent) {
			r.repair(p, "the document is a list of agents; %s is read", diag.Quote(name))
			return p, true
		}
		names = append(names, diag.Quote(name))
	}
	switch {
	case len(names) == 0:
		r.refuse("card-json", list, "a card must be one JSON object", "the document is a list without an agent in it")
	case r.Agent == "":
		r.refuse(ruleAgent, list, "choose one of "+strings.Join(firstFew(names), ", "),
			"the document has %d agents, but a card describes one", len(names))
	default:
		r.refuse(ruleAgent, list, "the document lists "+strings.Join(firstFew(names), ", "),
			"no agent in the document has the name %s", diag.Quote(r.Agent))
	}
	return place{}, false
}

// refuse reports why the document holds no card.
func (r *reader) refuse(rule string, at place, hint, format string, args ...any) {
	r.add(diag.New(rule, at.Where(), format, args...).WithPointer(at.Pointer()).WithHint(hint))
}
