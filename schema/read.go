package schema

import (
	"cmp"
	"fmt"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// ReadOptions says how a document is read. The zero value takes everything
// from the document.
type ReadOptions struct {
	// Agent is the name or id of the one to take from a list of agents.
	Agent string
	// Set holds members that count before what the document says, by the names
	// that [Settable] lists.
	Set map[string]string
	// DropUnknown leaves out the members that no version of A2A knows.
	DropUnknown bool
}

// Settable returns the names that [ReadOptions].Set knows.
func Settable() []string {
	return []string{"name", "description", "version", "url", "iconUrl", "documentationUrl", "provider.organization", "provider.url"}
}

// Reading is what [Read] made of a document.
type Reading struct {
	Card *Card  // nil when the document holds none
	Form string // what the document is written in, for people: "A2A 1.0"
	// Found holds what was done to understand the document, sorted by place.
	// Nothing is found in a clean card. The rules convert-repaired (nothing is
	// lost), convert-assumed (a value was made up) and convert-dropped
	// (something has no place in a card) say what became of a value; other
	// rules say what is still wrong with it.
	Found diag.List
	// Missing holds an error for each member that a card cannot do without and
	// that neither the document nor the options supply.
	Missing diag.List

	root    *source.Node
	wrapped bool                 // the card was not the document itself
	listed  bool                 // the card lists its interfaces, as 1.0 does
	places  map[string]diag.Span // by pointer into the Card
}

// Count returns how many findings of [Reading].Found have the rule.
func (r *Reading) Count(rule string) int {
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
// the order of the [Card]. What has no place of its own has that of its parent.
func (r *Reading) Place(pointer string) diag.Span {
	for {
		if span, ok := r.places[pointer]; ok {
			return span
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return r.root.Span
		}
		pointer = pointer[:i]
	}
}

// The rules that say what became of a card.
const (
	ruleRepaired  = "convert-repaired"  // understood in spite of how it is written
	ruleAssumed   = "convert-assumed"   // made up
	ruleDropped   = "convert-dropped"   // has no place in a card
	ruleAgent     = "convert-agent"     // a list of agents, and not clear which one
	ruleEndpoints = "convert-endpoints" // stated for another version
	ruleSignature = "convert-signature" // void
	ruleDialect   = "card-dialect"      // what the card is written in
)

// Read makes sense of an Agent Card of any version of A2A, and of what people
// write instead of one. The same agent described in 0.3 and in 1.0 gives the
// same card, versions of interfaces and split OAuth schemes aside. A nil root
// holds no card, and whoever could not parse it has said why.
func Read(root *source.Node, o ReadOptions) *Reading {
	if root == nil {
		return &Reading{root: &source.Node{}}
	}
	r := &reader{ReadOptions: o, Reading: Reading{root: root, places: map[string]diag.Span{}}, count: map[string]int{}}
	if p, ok := r.unwrap(rooted(root, "", root.Span)); ok {
		r.Card = r.card(p)
		r.reportMissing()
	}
	r.sumUp()
	r.Found = r.Found.Sorted()
	return &r.Reading
}

// reader is one run of [Read].
type reader struct {
	ReadOptions
	Reading
	only    Protocol       // whose members the card has to have, "" when both are right
	count   map[string]int // findings by rule
	silent  []place        // members that say nothing
	unknown []unknownMember
}

// card reads a card, whatever its version: members that only one version knows
// do not meet.
func (r *reader) card(p place) *Card {
	card := r.take(p)
	c := &Card{
		Name:             r.text(card, "name", "agentName"),
		Description:      r.text(card, "description"),
		Version:          r.text(card, "version", "agentVersion"),
		IconURL:          r.text(card, "iconUrl"),
		DocumentationURL: r.text(card, "documentationUrl"),
	}
	if c.Name == "" {
		c.Name = r.text(card, "humanReadableId")
	}
	if c.Version == "" {
		c.Version = "0.0.0"
		r.assume(card.at("version"), "the card has no version, %q is assumed", c.Version)
	}
	r.Form = form(card)
	c.Interfaces = r.interfaces(card)
	c.Provider = r.provider(card)
	var skills []place
	c.Capabilities, skills = r.capabilities(card)
	security := r.security(card)
	c.SecuritySchemes, c.Security = security.schemes, security.requirements
	c.Skills = r.skills(card, skills, security)
	c.InputModes = r.defaultModes(card, "Input", c.Skills)
	c.OutputModes = r.defaultModes(card, "Output", c.Skills)
	c.Signatures = r.signatures(card)
	c.Extra = card.rest(ofCard)
	return c
}

// form names what a card is written in. Its shape tells: what protocolVersion
// claims is missing from half of all real cards and wrong in many others.
func form(card *members) string {
	listed := hasAny(card.Node, "supportedInterfaces", "supported_interfaces")
	main := hasAny(card.Node, "url", "preferredTransport", "additionalInterfaces")
	switch {
	case hasAny(card.Node, "humanReadableId", "authSchemes"):
		return "the dialect of SecureAgentTools"
	case listed && main:
		return "A2A 1.0 and 0.3"
	case listed:
		return "A2A 1.0"
	case main && card.Get("authentication") != nil && card.Get("securitySchemes") == nil:
		return "A2A 0.2"
	case main:
		return "A2A 0.3"
	}
	return "no version of A2A"
}

// text reads a member of the card that Set may give.
func (r *reader) text(card *members, name string, others ...string) string {
	p := card.take(name, others...)
	r.places["/"+name] = p.span
	if given, ok := r.Set[name]; ok {
		return given
	}
	return r.spelled(p)
}

func (r *reader) provider(card *members) *Provider {
	p := card.take("provider")
	r.places["/provider"] = p.span
	var out Provider
	switch {
	case p.Is(source.String):
		out.Organization = p.Text
		r.repair(p, "the provider is a text, it is read as its organization")
	case p.Is(source.Object):
		m := r.take(p)
		out.Organization = r.spelled(m.take("organization", "name"))
		out.URL = r.spelled(m.take("url", "website", "homepage"))
		out.Extra = m.rest("the provider")
	case p.there():
		r.drop(p, "the provider is %s and is left out", article(p.Kind.String()))
	}
	out.Organization = cmp.Or(r.Set["provider.organization"], out.Organization)
	out.URL = cmp.Or(r.Set["provider.url"], out.URL)
	if out == (Provider{}) {
		return nil
	}
	return &out
}

// signatures reads what may be kept only if the card stays as it is, and says
// nothing about the rest: [Reading.Convert] does.
func (r *reader) signatures(card *members) []Signature {
	var list []Signature
	signatures := card.take("signatures")
	r.places["/signatures"] = signatures.span
	for _, p := range signatures.items() {
		s := Signature{Protected: p.get("protected").word(), Signature: p.get("signature").word()}
		if header := p.get("header"); header.Is(source.Object) {
			s.Header = header.Node
		}
		list = append(list, s)
	}
	return list
}

// reportMissing reports what a card cannot do without.
func (r *reader) reportMissing() {
	for _, m := range []struct {
		missing            bool
		rule, name, advice string
	}{
		{r.Card.Name == "", "card-member-missing", "name", "name the agent"},
		{r.Card.Description == "", "card-member-missing", "description", "say what the agent does"},
		{len(r.Card.Interfaces) == 0, "interface-none", "url", "say where the agent is reached"},
		{len(r.Card.Skills) == 0, "card-member-missing", "skills", "say what the agent can do: a skill has an id, a name, a description and tags"},
	} {
		if m.missing {
			r.Missing = append(r.Missing, diag.Diagnostic{
				Rule: m.rule, Severity: diag.Error, Message: fmt.Sprintf("the card has no %s", m.name),
				Span: r.Place("/" + m.name), Pointer: "/" + m.name, Hint: m.advice,
			})
		}
	}
}

// mostFindings is how often one rule is told about one document: hostile input
// repeats a fault without end.
const mostFindings = 1000

func (r *reader) report(rule string, severity diag.Severity, at place, hint, format string, args ...any) {
	r.count[rule]++
	if r.count[rule] <= mostFindings {
		r.Found = append(r.Found, diag.Diagnostic{Rule: rule, Severity: severity, Message: fmt.Sprintf(format, args...), Span: at.span, Pointer: at.pointer(), Hint: hint})
	}
}

// repair reports what was understood in spite of how it is written.
func (r *reader) repair(at place, format string, args ...any) {
	r.report(ruleRepaired, diag.Info, at, "", format, args...)
}

// assume reports a value that was made up.
func (r *reader) assume(at place, format string, args ...any) {
	r.report(ruleAssumed, diag.Warning, at, "", format, args...)
}

// drop reports what has no place in a card.
func (r *reader) drop(at place, format string, args ...any) {
	r.report(ruleDropped, diag.Warning, at, "", format, args...)
}

// sumUp reports what is told once for the whole document.
func (r *reader) sumUp() {
	if len(r.silent) > 0 {
		r.reportSilent()
	}
	if len(r.unknown) > 0 {
		r.reportUnknown()
	}
	for _, rule := range sortedKeys(r.count) {
		if more := r.count[rule] - mostFindings; more > 0 {
			r.Found = append(r.Found, diag.Diagnostic{Rule: rule, Severity: diag.Info, Message: fmt.Sprintf("%d more findings of this kind are not shown", more), Span: diag.Span{File: r.root.Span.File}})
		}
	}
}
