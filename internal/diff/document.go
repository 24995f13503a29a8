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
	// Document is what the card was read from, nil where only the meaning counts, and
	// Pointer returns where a value of the card stands in it.
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
	u.add(0, placed(Cards(older.Card, newer.Card), older.Pointer, newer.Pointer))
	if was == nil || is == nil || was.Equal(is) {
		return judged(u.changes)
	}
	before, after := viewsOf(was), viewsOf(is)
	for i, form := range schema.All.Versions() {
		if before[i].card != nil && after[i].card != nil {
			u.both |= form
			u.add(form, before[i].changes(&after[i]))
		}
	}
	u.name()
	if u.both == schema.Listed { // else it is what clients of 0.3 see
		u.changes = append(u.changes, typedChanges(was, is)...)
	}
	u.changes = append(u.changes, clientChanges(side{was, before}, side{is, after})...)
	if len(u.changes) == 0 {
		c := comparison{}
		c.form(was, is)
		u.changes = c.changes
	}
	return judged(u.changes)
}

// view is a document as clients of one version read it.
type view struct {
	form     schema.Protocol
	document *source.Node
	card     *schema.Card // nil where they cannot use it
	why, at  string       // then: the reason, and its pointer
	places   map[string]string
}

// viewsOf returns the views of a document, in the order of the versions.
func viewsOf(document *source.Node) []view {
	var out []view
	for _, form := range schema.All.Versions() {
		v := view{form: form, document: document, places: map[string]string{}}
		if v.why, v.at = refusal(document, form); v.why == "" {
			v.read()
		}
		out = append(out, v)
	}
	return out
}

// read reads the card. Only interfaces with a URL and a binding count.
func (v *view) read() {
	card, interfaces, skills := schema.Read(v.document, v.form)
	for i, at := range skills {
		v.places["/skills/"+strconv.Itoa(i)] = at
	}
	usable := card.Interfaces[:0:0]
	for i, e := range card.Interfaces {
		if e.URL != "" && e.Binding != "" {
			v.places["/supportedInterfaces/"+strconv.Itoa(len(usable))] = interfaces[i]
			usable = append(usable, e)
		}
	}
	if card.Interfaces = usable; len(usable) > 0 {
		v.card = card
	}
}

// refusal returns why clients of a version refuse a document, and the pointer of the
// reason; "" where they do not. All refuse a value of another type than the protocol's.
// Clients of 0.3 need each member that it requires, but for two that have defaults.
func refusal(document *source.Node, form schema.Protocol) (why, at string) {
	faults := schema.ValidateCard(form, document)
	if form == schema.Listed { // some of its clients read "security" as well
		faults = append(faults, slices.DeleteFunc(schema.ValidateCard(schema.Flat, document), func(f jsonschema.Fault) bool {
			return !strings.Contains(f.Pointer+"/", "/security/")
		})...)
	}
	for _, f := range faults {
		switch {
		case f.Missing == "protocolVersion", f.Missing == "preferredTransport", f.Rule == diag.CardMemberEmpty,
			f.Rule == diag.SkillTagsMissing, f.Rule == diag.CardNull:
			continue
		case f.Missing != "" && form == schema.Listed:
			continue
		}
		return f.Message, f.Pointer
	}
	return "", ""
}

// changes compares what clients of one version read.
func (v *view) changes(is *view) []Change {
	c := comparison{forms: [2]schema.Protocol{v.form, v.form}}
	c.compare(v.card, is.card)
	if v.form == schema.Flat {
		const name = "protocolVersion"
		was, now := v.document.Get(name).Word(), is.document.Get(name).Word()
		c.text(diag.ProtocolVersionChanged, name, the(name), was, now, "the protocol version of the card")
	}
	return placed(c.changes, v.pointer, is.pointer)
}

func (v *view) pointer(pointer string, value *source.Node) string {
	return convert.PointerIn(v.document, v.form, v.places, pointer, value)
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

// union gathers what the readers see.
type union struct {
	changes []Change
	index   map[string]int    // of the changes, by identity
	seen    []schema.Protocol // the versions whose clients see it, for each change
	both    schema.Protocol   // versions whose clients can use both documents
}

// add adds what clients of a version see, 0 for tolerant readers.
func (u *union) add(form schema.Protocol, changes []Change) {
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
			c.Message += " for clients of A2A " + saw.String()
		}
	}
}

// form reports that two documents differ in what no reader sees.
func (c *comparison) form(older, newer *source.Node) {
	for _, name := range fields(older, newer) {
		if was, is := older.Get(name), newer.Get(name); !was.Equal(is) {
			if !c.unknown(the(name), was, is, name == "securitySchemes") {
				c.tell(diag.FormChanged, the(name), was, is, "%s is stated in another form, which means the same", diag.Quote(name))
			}
		}
	}
}

// unknown reports members that A2A does not define where the models have none, such as those
// of flows and requirements. Keys that are given by the card are names.
func (c *comparison) unknown(at where, older, newer *source.Node, given bool) (found bool) {
	for i := range min(len(older.Elements()), len(newer.Elements())) {
		found = c.unknown(at.child(strconv.Itoa(i)), older.Items[i], newer.Items[i], false) || found
	}
	for _, name := range fields(older, newer) {
		was, is := older.Get(name), newer.Get(name)
		switch {
		case was.Equal(is):
		case given, was != nil && is != nil && (!was.Scalar() || !is.Scalar()), isMember(name):
			names := !given && slices.Contains([]string{"schemes", "scopes"}, name)
			found = c.unknown(at.child(name), was, is, names) || found
		default:
			c.value(diag.UnknownMemberChanged, at.child(name), was, is,
				"the member "+diag.Quote(name)+", which A2A does not define,")
			found = true
		}
	}
	return found
}

func isMember(name string) bool {
	return slices.ContainsFunc(schema.Messages(), func(message string) bool {
		return slices.ContainsFunc(schema.Members(message), func(m schema.Member) bool { return m.Name == name })
	})
}
