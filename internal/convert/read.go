package convert

import (
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// ReadOptions says how a document is read. The zero value takes everything
// from the document.
type ReadOptions struct {
	// Set holds members that count before what the document says, by the names
	// that [schema.Settable] lists.
	Set map[string]string
	// Stated takes a document as it stands, to compare it with another: nothing is
	// made up that it lacks, and what has no form in A2A keeps its name.
	Stated bool
	// DropUnknown leaves out the members that no version of A2A knows.
	DropUnknown bool
}

// Reading is what [Read] made of a document.
type Reading struct {
	Card *schema.Card // nil when the document holds none
	Form string       // what the document is written in, for people: "A2A 1.0"
	// Found holds what was done to understand the document, sorted by place.
	// Nothing is found in a clean card. The rules convert-repaired (nothing is
	// lost), convert-assumed (a value was made up) and convert-dropped
	// (something has no place in a card) say what became of a value; other
	// rules say what is still wrong with it. It is an error where the card would ask
	// for no credentials although the document does.
	Found diag.List
	// Missing holds an error for each member that a card cannot do without and
	// that neither the document nor the options supply.
	Missing diag.List
	Listed  bool // the card lists its interfaces, as 1.0 does

	root   *source.Node
	places map[string]place // by pointer into the Card
	form   schema.Protocol  // of the Card, 0 until a pointer is asked for
}

// Count returns how many findings of [Reading].Found have the rule.
func (r *Reading) Count(rule diag.RuleID) int {
	n := 0
	for _, d := range r.Found {
		if d.Rule == rule {
			n++
		}
	}
	return n
}

// Place returns where in the document a value of the card comes from. The
// pointer spells members as A2A 1.0 does, and counts interfaces and skills in
// the order of the card. What has no place of its own has the place of its parent.
func (r *Reading) Place(pointer string) diag.Span {
	for at := pointer; ; {
		if p, ok := r.places[at]; ok {
			return p.Below(pointer[len(at):])
		}
		i := strings.LastIndexByte(at, '/')
		if i < 0 {
			return r.root.Span
		}
		at = at[:i]
	}
}

// Document returns what the card was read from.
func (r *Reading) Document() *source.Node { return r.root }

// Read makes sense of an Agent Card of any version of A2A, and of what people
// write instead of one. The same agent described in 0.3 and in 1.0 gives the
// same card, versions of interfaces and split OAuth schemes aside. A nil root
// holds no card: the parser has reported why.
func Read(root *source.Node, o ReadOptions) *Reading {
	if root == nil {
		return &Reading{root: &source.Node{}}
	}
	r := &reader{
		ReadOptions: o, Reading: Reading{root: root, places: map[string]place{}}, count: map[diag.RuleID]int{},
	}
	if fault, refused := refusal(source.At(root, "")); refused {
		r.Found = diag.List{fault}
		return &r.Reading
	}
	r.Card = readCard(r, source.At(root, ""))
	reportMissing(r)
	r.sumUp()
	r.Found = r.Found.Sorted()
	return &r.Reading
}

// reader is one run of [Read].
type reader struct {
	ReadOptions
	Reading
	only    schema.Protocol     // whose members the card has to have, "" when both are right
	count   map[diag.RuleID]int // findings by rule
	silent  []place             // members that say nothing
	unknown []unknownMember
}

// readCard reads a card, whatever its version: members that only one version knows
// do not meet.
func readCard(r *reader, p place) *schema.Card {
	card := r.members(p)
	c := &schema.Card{}
	readPlain(r, card, schema.CardMessage, c, "defaultInputModes", "defaultOutputModes")
	if c.Version == "" && !r.Stated {
		c.Version = "0.0.0"
		r.assume(card.place.Child("version", nil), "the card has no version, %q is assumed", c.Version)
	}
	r.Form = form(card)
	c.Interfaces = readInterfaces(r, card)
	c.Provider = readProvider(r, card)
	var skills []place
	c.Capabilities, skills = readCapabilities(r, card)
	security := readSecurity(r, card)
	c.SecuritySchemes, c.Security = security.schemes, security.requirements
	c.Skills = readSkills(r, card, skills, security)
	c.InputModes = defaultModes(r, card, "Input", c.Skills)
	c.OutputModes = defaultModes(r, card, "Output", c.Skills)
	c.Signatures = readSignatures(r, card)
	c.Extra = card.rest(ofCard)
	return c
}

// form names what a card is written in. The shape decides: what protocolVersion
// claims is missing from half of all real cards and wrong in many others.
func form(card *members) string {
	listed := card.place.Node.HasAny("supportedInterfaces", "supported_interfaces")
	main := card.place.Node.HasAny(FlatMembers()...)
	switch {
	case listed && main:
		return "A2A 1.0 and 0.3"
	case listed:
		return "A2A 1.0"
	case main && card.place.Node.Get("authentication") != nil && card.place.Node.Get("securitySchemes") == nil:
		return "A2A 0.2"
	case main:
		return "A2A 0.3"
	}
	return "no version of A2A"
}

// aliases are other names that real cards have for a member, by the name of its
// message and its own.
var aliases = map[string][]string{
	"provider/organization": {"name"},
	"provider/url":          {"website", "homepage"},
	"extension/uri":         {"url"},
}

// readPlain reads the members of a message that are a text, a flag or a list of
// texts, but for those that the caller reads in a way of its own. What was set
// counts before what the document says.
func readPlain(r *reader, m *members, message string, of any, but ...string) {
	prefix := ""
	if message != schema.CardMessage {
		prefix = message + "."
	}
	for _, row := range schema.Members(message) {
		if !row.Plain() || slices.Contains(but, row.Name) {
			continue
		}
		p := m.member(row.Name, aliases[message+"/"+row.Name]...)
		if message == schema.CardMessage {
			r.places["/"+row.Name] = p
		}
		given, set := r.Set[prefix+row.Name]
		switch {
		case set && row.Settable:
			row.Put(of, given)
		case !p.There():
		case row.Kind == source.Bool:
			row.Put(of, r.flag(p))
		case row.Kind == source.Array:
			row.Put(of, r.texts(p))
		default:
			row.Put(of, r.text(p))
		}
	}
}

func readProvider(r *reader, card *members) *schema.Provider {
	p := card.member("provider")
	r.places["/provider"] = p
	var out schema.Provider
	switch {
	case p.Node.Is(source.String):
		out.Organization = p.Node.Text
		r.repair(p, "the provider is a string, which is read as its organization")
	case p.Node.Is(source.Object):
		m := r.members(p)
		readPlain(r, m, schema.ProviderMessage, &out)
		switch {
		case whole(schema.ProviderMessage, &out):
			out.Extra = m.rest("the provider")
		case out.Organization == "" && out.URL == "" && !p.Node.Empty():
			r.drop(p, "the provider has neither organization nor url and is left out")
		}
	case p.There():
		r.drop(p, "the provider is %s and is left out", p.Node.Kind.Article())
	}
	for _, m := range schema.Members(schema.ProviderMessage) {
		if given := r.Set[schema.ProviderMessage+"."+m.Name]; given != "" && m.Settable {
			m.Put(&out, given)
		}
	}
	if out.Organization == "" && out.URL == "" {
		return nil
	}
	return &out
}

// readSignatures reads the signatures, which are valid only if the card stays as it
// is. Converting reports those that it leaves out.
func readSignatures(r *reader, card *members) []schema.Signature {
	var list []schema.Signature
	signatures := card.member("signatures")
	r.places["/signatures"] = signatures
	for p := range signatures.List() {
		s := schema.Signature{Protected: p.At("protected").Node.Word(), Signature: p.At("signature").Node.Word()}
		if header := p.At("header"); header.Node.Is(source.Object) {
			s.Header = header.Node
		}
		list = append(list, s)
	}
	return list
}

// reportMissing reports what a card cannot do without.
func reportMissing(r *reader) {
	for _, m := range []struct {
		missing      bool
		rule         diag.RuleID
		name, advice string
	}{
		{r.Card.Name == "", diag.CardMemberMissing, "name", "name the agent"},
		{r.Card.Description == "", diag.CardMemberMissing, "description", "describe what the agent does"},
		{len(r.Card.Interfaces) == 0, diag.InterfaceNone, "url", "give the URL of the agent"},
		{
			len(r.Card.Skills) == 0, diag.CardMemberMissing, "skills",
			"add skills, each with an id, a name, a description and tags",
		},
	} {
		if m.missing {
			r.Missing = append(r.Missing, diag.New(m.rule, r.Place("/"+m.name), "the card has no %s", m.name).
				WithPointer("/"+m.name).WithHint(m.advice))
		}
	}
}

// mostFindings is how often one rule is reported about one document: hostile input
// repeats a fault without end.
const mostFindings = 1000

// report adds a finding. It is not an error: the card can be read.
func (r *reader) report(rule diag.RuleID, at place, hint, format string, args ...any) {
	d := diag.New(rule, at.Where(), format, args...).WithPointer(at.Pointer()).WithHint(hint)
	d.Severity = min(d.Severity, diag.Warning)
	r.add(d)
}

func (r *reader) add(d diag.Diagnostic) {
	r.count[d.Rule]++
	if r.count[d.Rule] <= mostFindings {
		r.Found = append(r.Found, d)
	}
}

// repair reports a value that was understood although it is not written as A2A
// defines it.
func (r *reader) repair(at place, format string, args ...any) {
	r.report(diag.ConvertRepaired, at, "", format, args...)
}

// assume reports a value that was made up.
func (r *reader) assume(at place, format string, args ...any) {
	r.report(diag.ConvertAssumed, at, "", format, args...)
}

// drop reports what has no place in a card.
func (r *reader) drop(at place, format string, args ...any) {
	r.report(diag.ConvertDropped, at, "", format, args...)
}

// sumUp reports what is reported once for the whole document.
func (r *reader) sumUp() {
	if len(r.silent) > 0 {
		reportSilent(r)
	}
	if len(r.unknown) > 0 {
		reportUnknown(r)
		reportCredentials(r)
	}
	for _, rule := range slices.Sorted(maps.Keys(r.count)) {
		if more := r.count[rule] - mostFindings; more > 0 {
			r.Found = append(r.Found, diag.New(rule, diag.Span{File: r.root.Span.File},
				"%d more findings of this kind are not shown", more).WithSeverity(diag.Info))
		}
	}
}
