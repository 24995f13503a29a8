package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Side is one side of a comparison.
type Side struct {
	// Card is what pages, registries and whoever else makes sense of a document
	// read in it.
	Card *schema.Card
	// Document is what the card was read from, nil where only the meaning counts.
	Document *source.Node
	// Path is the directory of the card in the tree that publishes it, "" for one that
	// is in none.
	Path string
}

// Documents tells what differs between two documents for any of their readers:
// each reads both of them, and the differences that it sees are judged. One that
// not all clients see names those that do.
func Documents(older, newer Side) []Change {
	u := union{clients: dialect.Clients(), older: older.Card, newer: newer.Card, both: map[int]bool{}}
	u.add(pages, Cards(older.Card, newer.Card))
	was, is := older.Document, newer.Document
	if was != nil && is != nil && (!was.Equal(is) || was.Twice() || is.Twice()) {
		for i := range u.clients {
			u.read(i, was, is)
		}
		u.name()
		if len(u.changes) == 0 {
			c := comparison{}
			c.form(was, is)
			u.changes = c.changes
		}
	}
	return judged(u.changes)
}

// union gathers what the readers see.
type union struct {
	clients      []dialect.Client
	older, newer *schema.Card // of the pages
	changes      []Change
	seen         []map[int]bool // by whom, for each change
	both         map[int]bool   // readers that can use both cards
	done         []seen
}

// pages stands for whoever makes sense of a document, where readers are counted.
const pages = -1

// seen is what a reader takes of two cards, and what differs for it.
type seen struct {
	was, is dialect.View
	changes []Change
}

// add adds what a reader sees.
func (u *union) add(reader int, changes []Change) {
	for i := range changes {
		change := &changes[i]
		at := slices.IndexFunc(u.changes, func(c Change) bool { return c.same(change) })
		switch {
		case at < 0:
			at = len(u.changes)
			u.changes, u.seen = append(u.changes, *change), append(u.seen, map[int]bool{})
		case len(u.seen[at]) == 1 && u.seen[at][pages]:
			u.changes[at].Part = change.Part // as it stands, where pages repair
		}
		u.seen[at][reader] = true
	}
}

// read adds what differs between two documents for a reader.
func (u *union) read(reader int, older, newer *source.Node) {
	was, is := u.clients[reader].Take(older), u.clients[reader].Take(newer)
	if was.Card == nil && is.Card == nil {
		return
	}
	u.both[reader] = was.Card != nil && is.Card != nil
	for _, s := range u.done { // most readers take the same
		if sameView(was, s.was) && sameView(is, s.is) {
			u.add(reader, s.changes)
			return
		}
	}
	changes := u.differing(was, is, older, newer)
	u.done = append(u.done, seen{was, is, changes})
	u.add(reader, changes)
}

func sameView(v, w dialect.View) bool {
	return v.Why == w.Why && v.Where == w.Where && v.Form == w.Form && v.Says == w.Says && v.Took.Equal(w.Took)
}

func (u *union) differing(was, is dialect.View, older, newer *source.Node) []Change {
	c := comparison{
		forms: [2]schema.Protocol{was.Form, is.Form},
		at:    [2][]string{u.pointers(was, u.older), u.pointers(is, u.newer)},
	}
	switch {
	case was.Card == nil:
		c.readable(u.older, is)
	case is.Card == nil:
		c.unlisted(endpoints(was.Card, c.at[0]), endpoints(u.newer, nil), c.interfaceGone, c.versionGone)
		if len(c.changes) == 0 {
			c.unreadable(was, is, older, newer)
		}
	default:
		c.compare(was.Card, is.Card)
		if was.Form == schema.Flat && is.Form == schema.Flat {
			const name = "protocolVersion"
			claim := func(v dialect.View) string { return cmp.Or(v.Took.Get(name).Word(), v.Form.String()) }
			c.text("protocol-version-changed", name, the(name), claim(was), claim(is), "the protocol version of the card")
		}
	}
	return c.changes
}

// pointers are those of the interfaces of a dialect.View: as the pages count them, else as
// the document does.
func (u *union) pointers(v dialect.View, card *schema.Card) []string {
	if v.Card == nil {
		return nil
	}
	list := slices.Clone(v.At)
	for i, e := range v.Card.Interfaces {
		at := slices.IndexFunc(card.Interfaces, func(p schema.Interface) bool {
			return p.URL == e.URL && p.Binding == e.Binding && p.Version == e.Version
		})
		if at >= 0 {
			list[i] = fmt.Sprintf("/supportedInterfaces/%d", at)
		}
	}
	return list
}

// readable reports where clients find the agent that could not use its old card:
// the interfaces that this did not list for anybody, else that they can now.
func (c *comparison) readable(older *schema.Card, is dialect.View) {
	c.unlisted(endpoints(is.Card, c.at[1]), endpoints(older, nil), c.interfaceNew, c.versionNew)
	if url := is.Card.Interfaces[0].URL; len(c.changes) == 0 {
		c.tell("card-readable", where{}, nil, source.NewText(url), "the card becomes readable, with the URL %s",
			diag.Quote(url))
	}
}

// unreadable reports why clients cannot use the new document: what they refuse in it,
// and what was there before.
func (c *comparison) unreadable(was, is dialect.View, older, newer *source.Node) {
	at, before, after := where{new: is.Where}, older, newer
	for token := range source.Tokens(is.Where) {
		name := token
		if after.Is(source.Array) {
			after, _ = after.Find("/" + token)
			name = cmp.Or(after.Get("id").Word(), after.Get("uri").Word(), after.Get("url").Word(), token)
			token, before = itemOf(before, name)
		} else {
			after, before = after.Get(token), before.Get(token)
		}
		at.key = source.Pointer(at.key, name)
		if before != nil {
			at.old = source.Pointer(at.old, token)
		}
	}
	if after = is.Odd; before == nil && after == nil {
		after, _ = newer.Find(is.Where) // what lacks it
	}
	if before.Equal(after) { // the reason is beside it
		before, after = source.NewText(was.Card.Interfaces[0].URL), nil
	}
	c.tell("card-unreadable", at, before, after, "%s, which makes the card unreadable", is.Why)
}

// itemOf returns the index and the item of a list that has a name, or that index.
func itemOf(list *source.Node, name string) (string, *source.Node) {
	for i, item := range list.Elements() {
		names := []string{item.Get("id").Word(), item.Get("uri").Word(), item.Get("url").Word(), strconv.Itoa(i)}
		if slices.Contains(names, name) {
			return strconv.Itoa(i), item
		}
	}
	return "", nil
}

// unlisted reports the endpoints that are in none of the others, and the versions of
// those that are.
func (c *comparison) unlisted(
	list, others []endpoint, report func(*endpoint), version func(e *endpoint, i int, other *endpoint),
) {
	for n := range list {
		e := &list[n]
		at := slices.IndexFunc(others, func(o endpoint) bool { return o.url == e.url && o.binding == e.binding })
		if at < 0 {
			report(e)
			continue
		}
		for i, speaks := range e.speaks {
			if !others[at].in(speaks.Version) {
				version(e, i, &others[at])
			}
		}
	}
}

// name adds to each change who sees it, where that is not every client that can
// use both cards.
func (u *union) name() {
	for i := range u.changes {
		who := u.who(u.seen[i])
		if said := &u.changes[i].Message; !strings.HasSuffix(*said, strings.TrimPrefix(who, " for clients of ")) {
			*said += who
		}
	}
}

// who names the readers that see a change: all of a version, or some by name.
func (u *union) who(saw map[int]bool) string {
	var names []string
	everybody := true
	for _, form := range schema.All.Versions() {
		var some []string
		all := true
		for i, r := range u.clients {
			switch {
			case r.Form != form:
			case !saw[i]:
				all = all && !u.both[i]
			case !slices.Contains(some, r.Name):
				some = append(some, r.Name)
			}
		}
		everybody = everybody && all
		if all && len(some) > 0 {
			some = []string{"clients of A2A " + form.String()}
		}
		names = append(names, some...)
	}
	if everybody || len(names) == 0 {
		return ""
	}
	return " for " + diag.Enumerate(names, "and")
}

// form reports that two documents differ in what no reader sees.
func (c *comparison) form(older, newer *source.Node) {
	older, newer = older.Settled(), newer.Settled()
	for _, name := range fields(older, newer) {
		if was, is := older.Get(name), newer.Get(name); !was.Equal(is) {
			c.tell(formChanged, the(name), was, is, "%s is stated in another form, which means the same", diag.Quote(name))
		}
	}
}
