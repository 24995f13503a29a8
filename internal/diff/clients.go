package diff

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// side is a document and its views.
type side struct {
	document *source.Node
	views    []view
}

// answers returns what each library makes of the document. None can use what clients
// of its version refuse.
func (s side) answers(binding string) []Answer {
	list := Answers(s.document, binding)
	for i := range list {
		for _, v := range s.views {
			if a := &list[i]; v.form == a.Form && v.why != "" {
				a.Interface, a.Why = Interface{Pointer: v.at}, v.why
			}
		}
	}
	return list
}

// clientChange is what happens to the clients of some libraries in the same way.
type clientChange struct {
	rule    diag.RuleID
	was, is Answer // of the first
	sdks    []string
}

// clientChanges compares which URL the clients of each library call. There is one change
// for each pair of URLs, with the names of the libraries. Clients that are set to one
// binding count where they move, and by themselves where all others stay.
func clientChanges(older, newer side) []Change {
	var list []*clientChange
	for _, binding := range append([]string{""}, Bindings()...) {
		was, is := older.answers(binding), newer.answers(binding)
		for i := range was {
			rule := clientRule(was[i], is[i])
			if rule == 0 || binding != "" && rule != diag.ClientMoved {
				continue
			}
			name := was[i].SDK
			if binding != "" {
				name += " set to " + binding
			}
			list = addClient(list, &clientChange{rule, was[i], is[i], []string{name}})
		}
	}
	c := comparison{}
	for _, change := range list {
		c.client(change)
	}
	return c.changes
}

// clientRule returns what happens to a client, zero for nothing.
func clientRule(was, is Answer) diag.RuleID {
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

// addClient adds a change, or its library to one that is the same.
func addClient(list []*clientChange, change *clientChange) []*clientChange {
	same := func(c *clientChange) bool {
		return c.rule == change.rule && c.was.URL == change.was.URL && c.is.URL == change.is.URL && c.is.Why == change.is.Why
	}
	i := slices.IndexFunc(list, same)
	if i < 0 {
		return append(list, change)
	}
	base, _, _ := strings.Cut(change.sdks[0], " set to ")
	if !slices.Contains(list[i].sdks, base) {
		list[i].sdks = append(list[i].sdks, change.sdks...)
	}
	return list
}

// client reports a change at the interface that the clients call.
func (c *comparison) client(change *clientChange) {
	was, is := change.was, change.is
	at := where{old: was.Pointer, new: is.Pointer, key: "/clients/" + cmp.Or(is.URL, was.URL)}
	who := diag.Enumerate(change.sdks, "and")
	switch change.rule {
	case diag.ClientMoved:
		c.tell(change.rule, at, text(was.URL), text(is.URL), "clients of %s call another URL", who)
	case diag.ClientGained:
		c.tell(change.rule, at, nil, text(is.URL), "clients of %s can use the card, with the URL %s", who, diag.Quote(is.URL))
	default:
		at.old = cmp.Or(is.Pointer, at.old) // the reason
		c.tell(change.rule, at, text(was.URL), nil, "clients of %s can no longer call %s: %s", who, diag.Quote(was.URL),
			is.Why)
	}
}

// otherHost reports whether clients move to another host.
func otherHost(c *Change) bool {
	return c.Rule == diag.ClientMoved && schema.Host(c.Old.Word()) != schema.Host(c.New.Word())
}
