package diff

import (
	"cmp"
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
	// Document is what the card was read from, nil where only the meaning counts, and
	// Pointer where a value of the card stands in it.
	Document *source.Node
	Pointer  func(pointer string, value *source.Node) string
	// Path is the directory of the card in the tree that publishes it, "" for one that
	// is in none.
	Path string
}

// Documents tells what differs between two documents for any of their readers:
// each reads both of them, and the differences that it sees are judged. One that
// not all clients see names those that do.
func Documents(older, newer Side) []Change {
	u := union{
		clients: dialect.Clients(), older: older, newer: newer, index: map[string]int{}, both: map[int]bool{},
	}
	u.add(pages, placed(Cards(older.Card, newer.Card), older.Pointer, newer.Pointer))
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
	older, newer Side // as pages read them
	changes      []Change
	index        map[string]int // of the changes, by identity
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
		at, known := u.index[change.identity()]
		switch {
		case !known:
			at = len(u.changes)
			u.index[change.identity()] = at
			u.changes, u.seen = append(u.changes, *change), append(u.seen, map[int]bool{})
		case len(u.seen[at]) == 1 && u.seen[at][pages]:
			part := u.changes[at].Part
			u.changes[at] = *change // as it stands, where pages repair
			for _, m := range part.Fields() {
				if change.Part != nil && change.Part.Get(m.Key) == nil { // of use to pages alone
					change.Part.Set(m.Key, m.Value)
				}
			}
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
	return v.Why == w.Why && v.Where == w.Where && v.Form == w.Form && v.Words == w.Words && v.Says == w.Says &&
		v.Took.Equal(w.Took)
}

func (u *union) differing(was, is dialect.View, older, newer *source.Node) []Change {
	c := comparison{forms: [2]schema.Protocol{was.Words, is.Words}}
	if was.Form != is.Form {
		c.forms = [2]schema.Protocol{was.Form, is.Form} // what the one has no words for does not count
	}
	before, after := was.Pointer, is.Pointer
	switch {
	case was.Card == nil:
		before = u.older.Pointer
		c.readable(u.older.Card, is)
	case is.Card == nil:
		after = u.newer.Pointer
		c.unlisted(endpoints(was.Card), endpoints(u.newer.Card), c.interfaceGone, c.versionGone)
		if len(c.changes) == 0 {
			c.unreadable(was, is, older, newer)
			return c.changes
		}
	default:
		c.compare(was.Card, is.Card)
		if was.Form == schema.Flat && is.Form == schema.Flat {
			const name = "protocolVersion"
			claim := func(v dialect.View) string { return cmp.Or(v.Took.Get(name).Word(), v.Form.String()) }
			c.text("protocol-version-changed", name, the(name), claim(was), claim(is), "the protocol version of the card")
		}
	}
	return placed(c.changes, before, after)
}

// placed points each change at the members of the documents.
func placed(changes []Change, older, newer func(pointer string, value *source.Node) string) []Change {
	for i := range changes {
		if c := &changes[i]; older != nil && newer != nil {
			c.OldPointer, c.NewPointer = older(c.OldPointer, c.Old), newer(c.NewPointer, c.New)
		}
	}
	return changes
}

// readable reports where clients find the agent that could not use its old card:
// the interfaces that this did not list for anybody, else that they can now.
func (c *comparison) readable(older *schema.Card, is dialect.View) {
	c.unlisted(endpoints(is.Card), endpoints(older), c.interfaceNew, c.versionNew)
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
	known := map[address]*endpoint{}
	for n := len(others) - 1; n >= 0; n-- {
		known[address{others[n].url, others[n].binding, ""}] = &others[n]
	}
	for n := range list {
		e := &list[n]
		other := known[address{e.url, e.binding, ""}]
		if other == nil {
			report(e)
			continue
		}
		for i, speaks := range e.speaks {
			if !other.in(speaks.Version) {
				version(e, i, other)
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
		var some, blind []string // kinds of clients that see it, and that see another reading alone
		for i, r := range u.clients {
			switch {
			case r.Form != form:
			case saw[i] && !slices.Contains(some, r.Name):
				some = append(some, r.Name)
			case !saw[i] && u.both[i]:
				blind = append(blind, r.Name)
			}
		}
		all := !slices.ContainsFunc(blind, func(name string) bool { return !slices.Contains(some, name) })
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
