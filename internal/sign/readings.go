package sign

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/source"
	"cardwright/schema"
)

// Reading is one of the ways in which verifiers turn a card into the payload
// of its signatures. The specification contradicts itself (8.4.1, 8.4.2), and
// the released SDKs do something else again.
type Reading string

// The readings.
const (
	// Raw takes the card as it stands.
	Raw Reading = "raw"
	// Stripped removes default values, but not those of REQUIRED members nor
	// of optional ones, as 8.4.1 and 8.4.2 say. Unknown members stay.
	Stripped Reading = "default-stripped"
	// Typed reads the card into the messages of A2A 1.0 and writes it by 8.4.1:
	// as Stripped, without unknown members, and with every REQUIRED one.
	Typed Reading = "schema-aware"
	// SDK is what a2a-js and a2a-python do: unknown members go, and then
	// everything empty at any depth.
	SDK Reading = "sdk"
)

// Readings lists the readings, the one that covers most first.
func Readings() []Reading { return []Reading{Raw, Stripped, Typed, SDK} }

// Divergence is a place where a reading differs from the card as it stands.
type Divergence struct {
	Pointer string // RFC 6901
	Reason  string // the rest of a sentence about the member
	Added   bool   // the reading adds the member; otherwise it leaves it out
	// Entry tells that it is not a member of the protocol's but an entry of a
	// list or a map, or free content: that it is there says something.
	Entry bool

	accepted bool // [Trust] asks for no signature of it
	alias    bool // some clients read it as a member of A2A

	emptied bool // it had content, which is listed as well
	lone    bool // a requirement of one declared scheme without scopes, or that scheme
}

func (d Divergence) compare(e Divergence) int { return strings.Compare(d.Pointer, e.Pointer) }

// hollow reports whether the card says the same with what is left out as without.
// A requirement of one scheme without scopes is taken for that where the scheme
// itself is covered: it only says how to ask, and cards that the SDKs signed
// would never be verified otherwise. One scheme more in a requirement is a change.
func (d Divergence) hollow() bool {
	empty := d.Reason == reasonEmpty || d.Reason == reasonNull || d.Reason == reasonDefault
	return empty && (!d.Entry || d.lone)
}

const (
	reasonUnknown = "A2A 1.0 does not define it"
	reasonOneof   = "A2A 1.0 allows only one of its siblings"
	reasonType    = "its type is not the one A2A 1.0 defines"
	reasonDefault = "it is false, which is the default"
	reasonNull    = "it is null"
	reasonEmpty   = "it is empty"
	reasonMissing = "it is required and missing"
	reasonProto   = "JavaScript verifiers lose a member of this name"
)

// Read returns the part of card that the reading covers, and where that
// differs from the card. The signatures member is never covered and never
// listed. Only [Raw] makes sense of cards that are not 1.0.
func Read(card *source.Node, r Reading) (*source.Node, []Divergence) {
	if !card.Is(source.Object) {
		return card, nil
	}
	payload := card.Without("signatures")
	if r == Raw {
		return payload, nil
	}
	p := projection{reading: r}
	kept := p.message(payload, schema.CardMessage)
	markLone(card, kept, p.found)
	return kept, p.found
}

// markLone marks what is left out of requirements for a single scheme without
// scopes that is among the securitySchemes that are kept.
func markLone(card, kept *source.Node, found []Divergence) {
	declared := kept.Get("securitySchemes")
	for i, d := range found {
		at, _, isScheme := strings.Cut(d.Pointer, "/schemes")
		if !isScheme && !d.emptied || !schema.IsRequirement(at) {
			continue
		}
		requirement, _ := card.Find(at)
		schemes := requirement.Get("schemes")
		found[i].lone = len(requirement.Members) == 1 && schemes.Is(source.Object) && len(schemes.Members) == 1 &&
			declared.Get(schemes.Members[0].Key) != nil
	}
}

// projection applies a reading to a tree and notes what it changes.
type projection struct {
	reading Reading
	path    trail  // of the value that is looked at
	entries []bool // of each step of the path: whether it leads to an entry
	found   []Divergence
}

func (p *projection) drop(reason string) {
	p.found = append(p.found, Divergence{Pointer: p.path.pointer(), Reason: reason, Entry: p.atEntry()})
}

// atEntry reports whether the value that is looked at is an entry.
func (p *projection) atEntry() bool { return len(p.entries) > 0 && p.entries[len(p.entries)-1] }

func (p *projection) enter(token string, entry bool) {
	p.path.push(token)
	p.entries = append(p.entries, entry)
}

func (p *projection) leave() {
	p.path.pop()
	p.entries = p.entries[:len(p.entries)-1]
}

// strict reports whether the reading goes through the protocol's types.
func (p *projection) strict() bool { return p.reading != Stripped }

// message returns what the reading keeps of n, an object.
func (p *projection) message(n *source.Node, message string) *source.Node {
	kept := &source.Node{Kind: source.Object, Span: n.Span}
	for _, e := range n.Members {
		p.enter(e.Key, false)
		if e.Value = p.member(n, e, message); e.Value != nil {
			kept.Members = append(kept.Members, e)
		}
		p.leave()
	}
	if p.reading == Typed {
		p.addRequired(kept, message)
	}
	return kept
}

// member returns what the reading keeps of one member of n, nil for nothing.
func (p *projection) member(n *source.Node, e source.Member, message string) *source.Node {
	f := member(message, e.Key)
	switch {
	case f == nil && p.strict():
		p.drop(reasonUnknown)
		p.found[len(p.found)-1].alias = isAlias(message, e.Key)
		return nil
	case f == nil:
		return e.Value
	case p.strict() && hasOne(message) && firstSet(n, message) != f.Name:
		p.drop(reasonOneof)
		return nil
	case isDefault(e.Value, f) && !p.keepsDefault(e.Value, f):
		p.drop(emptyReason(e.Value))
		return nil
	}
	return p.value(e.Value, f)
}

// member returns the row of a member of A2A 1.0 (a2a.proto at v1.0.1), nil where it
// defines none of that name.
func member(message, name string) *schema.Member {
	rows := schema.Members(message)
	i := slices.IndexFunc(rows, func(row schema.Member) bool { return row.Name == name && row.In.Has(schema.Listed) })
	if i < 0 {
		return nil
	}
	return &rows[i]
}

// isAlias reports whether some client takes a name for a member of any version: in Go
// letter case does not count, and ProtoJSON reads snake_case as well.
func isAlias(message, name string) bool {
	folded := func(name string) string { return schema.FoldName(strings.ReplaceAll(name, "_", "")) }
	return slices.ContainsFunc(schema.Members(message), func(row schema.Member) bool {
		return folded(row.Name) == folded(name)
	})
}

// hasOne reports whether a message may have one member only.
func hasOne(message string) bool {
	return message == schema.SchemeMessage || message == schema.FlowsMessage
}

// firstSet returns the first member that is set of a message that may have one only.
func firstSet(n *source.Node, message string) string {
	for _, row := range schema.Members(message) {
		if v := n.Get(row.Name); v != nil && v.Kind != source.Null && row.In.Has(schema.Listed) {
			return row.Name
		}
	}
	return ""
}

// isDefault reports whether v is the default value of f, or null, which ProtoJSON
// reads as absent.
func isDefault(v *source.Node, f *schema.Member) bool {
	switch v.Kind {
	case source.Null:
		return true
	case source.Bool:
		return v.Text == "false"
	case source.String:
		return v.Text == ""
	case source.Array:
		return len(v.Items) == 0
	case source.Object:
		return len(v.Members) == 0 && !isMessage(f)
	default:
		return false
	}
}

func isMessage(f *schema.Member) bool { return f.Kind == source.Object && f.Elem == source.Invalid }

func (p *projection) keepsDefault(v *source.Node, f *schema.Member) bool {
	switch {
	case v.Kind == source.Null:
		return p.reading == Stripped && required(f)
	case p.reading == SDK:
		return f.Optional && f.Kind == source.Bool
	}
	return required(f) || f.Optional
}

func required(f *schema.Member) bool { return f.Required && !f.Lax }

// value returns what the reading keeps of v, the value of f or one of its
// entries.
func (p *projection) value(v *source.Node, f *schema.Member) *source.Node {
	switch {
	case v.Kind != f.Kind && p.strict():
		p.drop(reasonType)
		return nil
	case v.Kind != f.Kind:
		return v
	case f.Elem != source.Invalid:
		entry := &schema.Member{Kind: f.Elem, Of: f.Of}
		return p.each(v, func(e *source.Node) *source.Node { return p.value(e, entry) })
	case f.Kind == source.Object && f.Of != "":
		return p.nonEmpty(v, p.message(v, f.Of))
	}
	return p.free(v)
}

// free returns what the reading keeps of a value whose content is free: a
// scalar, or anything inside a Struct.
func (p *projection) free(v *source.Node) *source.Node {
	if p.reading != SDK {
		return v
	}
	return p.each(v, p.free)
}

// each returns a copy of v with only what keep returns of its entries, nil when
// the reading drops that.
func (p *projection) each(v *source.Node, keep func(*source.Node) *source.Node) *source.Node {
	kept := &source.Node{Kind: v.Kind, Text: v.Text, Span: v.Span}
	for i, e := range v.Items {
		p.enter(strconv.Itoa(i), true)
		if e = keep(e); e != nil {
			kept.Items = append(kept.Items, e)
		}
		p.leave()
	}
	for _, m := range v.Members {
		p.enter(m.Key, true)
		if m.Key == "__proto__" && p.reading == SDK {
			p.drop(reasonProto)
		} else if m.Value = keep(m.Value); m.Value != nil {
			kept.Members = append(kept.Members, m)
		}
		p.leave()
	}
	return p.nonEmpty(v, kept)
}

// nonEmpty returns kept, or nil when the reading drops what is empty. A member
// that was not empty from the start is not noted, because its content has been:
// without it, the card says the same. An entry is.
func (p *projection) nonEmpty(v, kept *source.Node) *source.Node {
	if p.reading != SDK || !kept.Empty() {
		return kept
	}
	switch {
	case v.Empty():
		p.drop(emptyReason(v))
	case p.atEntry():
		p.drop(reasonEmpty)
		p.found[len(p.found)-1].emptied = true
	}
	return nil
}

func emptyReason(v *source.Node) string {
	switch v.Kind {
	case source.Null:
		return reasonNull
	case source.Bool:
		return reasonDefault
	default:
		return reasonEmpty
	}
}

// addRequired adds the REQUIRED members that are missing, with their defaults.
func (p *projection) addRequired(n *source.Node, message string) {
	rows := schema.Members(message)
	for i := range rows {
		f := &rows[i]
		if !f.In.Has(schema.Listed) || !required(f) || n.Get(f.Name) != nil {
			continue
		}
		p.enter(f.Name, false)
		p.found = append(p.found, Divergence{Pointer: p.path.pointer(), Reason: reasonMissing, Added: true})
		v := &source.Node{Kind: f.Kind}
		if f.Of != "" && isMessage(f) {
			p.addRequired(v, f.Of)
		}
		p.leave()
		n.Set(f.Name, v)
	}
}

// Divergences returns where any reading differs from the card as it stands,
// sorted by pointer. Cards without any can be signed so that every verifier
// accepts them.
func Divergences(card *source.Node) []Divergence {
	var all []Divergence
	for _, r := range Readings() {
		_, found := Read(card, r)
		all = append(all, slices.DeleteFunc(found, func(d Divergence) bool { return d.emptied })...)
	}
	slices.SortStableFunc(all, Divergence.compare)
	return slices.CompactFunc(all, func(a, b Divergence) bool { return a.Pointer == b.Pointer })
}
