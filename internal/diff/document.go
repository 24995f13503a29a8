package diff

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Side is one side of a comparison.
type Side struct {
	// Card is the document as tolerant readers, such as pages and registries, read it.
	Card *schema.Card
	// Document is what the card was read from, and Pointer returns where a value of the
	// card stands in it.
	Document *source.Node
	Pointer  func(pointer string, value *source.Node) string
	// Path is the directory of the card in the tree that publishes it, "" for one that
	// is in none.
	Path string
}

// Documents returns the differences between two documents for their readers: clients
// of A2A 1.0, clients of 0.3, and tolerant ones. A change that only one of the versions
// sees names it. Last come the changes for clients of single libraries.
func Documents(older, newer Side) []Change {
	was, is := older.Document, newer.Document
	u := union{index: map[string]int{}}
	u.see(0, placed(Cards(older.Card, newer.Card), older.Pointer, newer.Pointer))
	if was.Equal(is) {
		return classed(u.changes)
	}
	before, after := viewsOf(was), viewsOf(is)
	for i, form := range schema.All.Versions() {
		if before[i].card != nil && after[i].card != nil {
			u.both |= form
			u.see(form, before[i].changes(&after[i]))
		}
	}
	u.name()
	if u.both != 0 && !u.both.Has(schema.Flat) { // else it is what clients of 0.3 see
		u.typedChanges(was, is)
	}
	u.clientChanges(before, after)
	if len(u.changes) == 0 {
		u.unseen(was, is)
	}
	return classed(u.changes)
}

// view is a document as clients of one version read it.
type view struct {
	form     schema.Protocol
	document *source.Node
	card     *schema.Card // nil where they cannot use it
	why, at  string       // then: the reason, and its pointer
	places   map[string]string
}

// viewsOf returns the views of a document, in the order of the versions. Only interfaces
// with a URL and a binding count.
func viewsOf(document *source.Node) []view {
	var out []view
	for _, form := range schema.All.Versions() {
		v := view{form: form, document: document, places: map[string]string{}}
		v.why, v.at = refusal(document, form)
		card, interfaces := schema.Read(document, form)
		usable := card.Interfaces[:0:0]
		for i, e := range card.Interfaces {
			if e.URL != "" && e.Binding != "" {
				v.places["/supportedInterfaces/"+strconv.Itoa(len(usable))] = interfaces[i]
				usable = append(usable, e)
			}
		}
		if card.Interfaces = usable; len(usable) > 0 && v.why == "" {
			v.card = card
		}
		out = append(out, v)
	}
	return out
}

// refusal returns why clients of a version refuse a document, and the pointer of the
// reason; "" where they do not. All refuse a value of another type than the protocol's.
// Clients of 0.3 need each member that it requires, but for two that have defaults.
func refusal(document *source.Node, form schema.Protocol) (why, at string) {
	faults := schema.ValidateCard(form, document)
	if form.Has(schema.Listed) { // some of its clients read "security" as well
		faults = append(faults, slices.DeleteFunc(schema.ValidateCard(schema.Flat, document), func(f jsonschema.Fault) bool {
			return !strings.Contains(f.Pointer+"/", "/security/")
		})...)
	}
	for _, f := range faults {
		switch {
		case f.Missing == "protocolVersion", f.Missing == "preferredTransport", f.Rule == diag.CardMemberEmpty,
			f.Rule == diag.SkillTagsMissing, f.Rule == diag.CardNull:
			continue
		case f.Missing != "" && form.Has(schema.Listed):
			continue
		}
		return f.Message, f.Pointer
	}
	return "", ""
}

// changes compares what clients of one version read.
func (v *view) changes(is *view) []Change {
	f := facts{compareCards(v.card, is.card, v.form, v.form)}
	if v.form == schema.Flat {
		const name = "protocolVersion"
		was, now := v.document.Get(name).Word(), is.document.Get(name).Word()
		f.text(diag.ProtocolVersionChanged, name, the(name), was, now, "the protocol version of the card")
	}
	return placed(f.changes, v.pointer, is.pointer)
}

func (v *view) pointer(pointer string, value *source.Node) string {
	return convert.PointerIn(v.document, v.form, v.places, pointer, value)
}

// placed points each change at the members of the documents.
func placed(changes []Change, older, newer func(pointer string, value *source.Node) string) []Change {
	for i := range changes {
		c := &changes[i]
		c.OldPointer, c.NewPointer = older(c.OldPointer, c.Old), newer(c.NewPointer, c.New)
	}
	return changes
}

// union gathers what the readers see.
type union struct {
	facts

	index map[string]int    // of the changes, by identity
	seen  []schema.Protocol // the versions whose clients see it, for each change
	both  schema.Protocol   // versions whose clients can use both documents
}

// see adds what clients of a version see, 0 for tolerant readers.
func (u *union) see(form schema.Protocol, changes []Change) {
	for _, change := range changes {
		at, known := u.index[change.identity()]
		if !known {
			at = len(u.changes)
			u.index[change.identity()] = at
			u.changes, u.seen = append(u.changes, change), append(u.seen, 0)
		}
		if u.seen[at] == 0 && form != 0 {
			u.changes[at] = change // as it stands, where tolerant readers repair
		}
		u.seen[at] |= form
	}
}

// name adds to each change which clients see it, where that is only one of the versions
// whose clients can use both documents.
func (u *union) name() {
	for i, saw := range u.seen {
		if c := &u.changes[i]; saw != 0 && u.both&^saw != 0 {
			c.Message += " for clients of A2A " + saw.Text()
		}
	}
}

// unseen reports members that differ in what no reader sees.
func (u *union) unseen(older, newer *source.Node) {
	for _, name := range fields(older, newer) {
		if was, is := older.Get(name), newer.Get(name); !was.Equal(is) {
			u.form(the(name), was, is, diag.Quote(name)+" is")
		}
	}
}
