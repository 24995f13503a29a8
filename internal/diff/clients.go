package diff

import (
	"cmp"
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// answers returns what each library makes of the document of some views. None can use what
// clients of its version refuse.
func answers(views []view, binding string) []Answer {
	list := Answers(views[0].document, binding)
	for i := range list {
		for _, v := range views {
			if a := &list[i]; v.form == a.Form && v.why != "" {
				a.Interface, a.Why = Interface{Pointer: v.at}, v.why
			}
		}
	}
	return list
}

// move is what happens to the clients of some libraries in the same way.
type move struct {
	rule    diag.RuleID
	was, is Answer // of the first
	sdks    []string
}

// clientChanges reports which URL the clients of each library call. There is one change
// for each pair of URLs, with the names of the libraries. Clients that are set to one
// binding count where they move, and by themselves where all others stay.
func (u *union) clientChanges(older, newer []view) {
	var list []*move
	for _, binding := range append([]string{""}, Bindings()...) {
		was, is := answers(older, binding), answers(newer, binding)
		for i := range was {
			m := &move{moveRule(was[i], is[i]), was[i], is[i], nil}
			if m.rule == 0 || binding != "" && m.rule != diag.ClientMoved {
				continue
			}
			same := slices.IndexFunc(list, m.same)
			if same < 0 {
				same, list = len(list), append(list, m)
			}
			name := was[i].SDK
			if slices.Contains(list[same].sdks, name) {
				continue
			}
			if binding != "" {
				name += " set to " + binding
			}
			list[same].sdks = append(list[same].sdks, name)
		}
	}
	for _, m := range list {
		u.move(m)
	}
}

// moveRule returns what happens to a client, zero for nothing.
func moveRule(was, is Answer) diag.RuleID {
	switch {
	case was.URL == "" && is.URL == "":
		return 0
	case was.URL == "":
		return diag.ClientGained
	case is.URL == "":
		return diag.ClientLost
	case schema.PlainURL(was.URL) != schema.PlainURL(is.URL):
		return diag.ClientMoved
	}
	return 0
}

func (m *move) same(n *move) bool {
	return m.rule == n.rule && m.was.URL == n.was.URL && m.is.URL == n.is.URL && m.is.Why == n.is.Why
}

// move reports a change at the interface that the clients call.
func (u *union) move(m *move) {
	was, is := m.was, m.is
	at := where{old: was.Pointer, new: is.Pointer, key: "/clients/" + cmp.Or(is.URL, was.URL)}
	who := diag.Enumerate(m.sdks, "and")
	switch m.rule {
	case diag.ClientMoved:
		u.add(m.rule, at, text(was.URL), text(is.URL), "clients of %s call another URL", who)
	case diag.ClientGained:
		u.add(m.rule, at, nil, text(is.URL), "clients of %s can use the card, with the URL %s", who, diag.Quote(is.URL))
	default:
		at.old = cmp.Or(is.Pointer, at.old) // the reason
		u.add(m.rule, at, text(was.URL), nil, "clients of %s can no longer call %s: %s", who, diag.Quote(was.URL), is.Why)
	}
}
