package lint

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

var faultsChecks = []check{
	{diag.CapabilityType, both, reportShape},
	{diag.CapabilityUnknown, both, reportShape},
	{diag.CardEmptyOptional, both, reportShape},
	{diag.CardMemberCase, both, reportShape},
	{diag.CardMemberEmpty, both, cardMemberEmpty},
	{diag.CardMemberMissing, both, reportShape},
	{diag.CardMemberType, both, reportShape},
	{diag.CardMemberUnknown, both, reportShape},
	{diag.CardNull, both, reportShape},
	{diag.InterfaceMemberAlias, both, reportShape},
	{diag.InterfaceNone, both, reportShape},
	{diag.ProviderIncomplete, both, reportShape},
	{diag.SecurityLegacy, both, reportShape},
	{diag.SkillTagsMissing, both, reportShape},
}

// faults are the findings of one rule about the shape of a card.
type faults struct {
	list []finding
	more int // that are only counted
}

// shapeFaults returns what the shape of a card has against it, by the rule
// that speaks for it: the faults of the JSON Schemas, and members that are
// unknown, misnamed, of another version or empty for nothing.
func shapeFaults(c *card) map[diag.RuleID]*faults {
	w := &walker{
		in: c.in, faults: map[diag.RuleID]*faults{}, again: map[[2]string]int{}, standIns: map[string]*source.Member{},
		broken: c.broken(),
	}
	_, w.recognized = Version(c.root.Node)
	w.value(c.root, cardShape())
	judged := (&cutter{left: valueBudget}).cut(c.root.Node)
	for _, f := range schema.ValidateCard(c.in, judged) {
		w.schemaFault(c.root, f)
	}
	return w.faults
}

// broken returns the pointers of the values in the form of another version:
// they are reported as a whole, without their members.
func (c *card) broken() map[string]bool {
	m := map[string]bool{}
	for _, s := range c.schemes {
		if _, ok := schemeFault(s, c.in); ok {
			m[s.Pointer()] = true
		}
	}
	for _, d := range c.demands {
		if d.fault != nil {
			m[d.Pointer()] = true
		}
	}
	return m
}

// additions are hints about members that can be added without much thought.
var additions = map[string]string{
	"protocolVersion":    `add "protocolVersion": "0.3.0" to a 0.3 card, "1.0" to an interface of a 1.0 card`,
	"protocolBinding":    `add "protocolBinding": "JSONRPC", or what the URL speaks`,
	"capabilities":       `add "capabilities": {"streaming": false}`,
	"defaultInputModes":  `add "defaultInputModes": ["text/plain"], or what the agent takes`,
	"defaultOutputModes": `add "defaultOutputModes": ["text/plain"], or what the agent returns`,
	"version":            `add "version": "1.0.0"`,
	"tags":               "add one or two tags: clients find skills by them",
}

// schemaFault takes over a fault that the JSON Schema of the version finds,
// unless it follows from another.
func (w *walker) schemaFault(root place, f jsonschema.Fault) {
	rule := f.Rule
	pointer := f.Pointer
	if f.Missing != "" {
		pointer = source.Pointer(f.Pointer, f.Missing)
	}
	standIn := w.standIns[pointer]
	switch {
	case pointer == "/supportedInterfaces" || pointer == "/url":
		if !w.recognized {
			return // card-version-unknown says so
		}
		if rule == diag.CardMemberEmpty {
			rule = diag.InterfaceNone
		}
	case rule == diag.SchemeShape:
		return // schemeFault says more
	case rule == diag.CardMemberType && strings.HasPrefix(path.Base(pointer), "security"):
		if n, _ := root.Node.Find(pointer); convert.AsksNothing(n) {
			f.Hint = asksNothing
		} else if n.Is(source.Object) {
			f.Hint = "put it into a list: [{…}]"
		}
	case f.Missing == "tags":
		rule = diag.SkillTagsMissing
	case f.Missing == "flows":
		rule = diag.SchemeOAuthFlow
	}
	found := asFinding(root, f, standIn)
	empty := f.Missing == "" && (rule == diag.CardMemberEmpty || rule == diag.SkillTagsMissing)
	if empty && !w.in.Has(v10) {
		found.severity = diag.Warning // the schema of 0.3 allows it
	}
	if standIn != nil && fold(standIn.Key) == fold(f.Missing) {
		return // card-member-case says so
	}
	if standIn != nil && strings.Contains(f.Pointer, "nterfaces/") {
		rule = diag.InterfaceMemberAlias
	}
	if all := w.room(rule); all != nil {
		all.list = append(all.list, found)
	}
}

func asFinding(root place, f jsonschema.Fault, standIn *source.Member) finding {
	n, _ := root.Node.Find(f.Pointer)
	p := source.At(n, f.Pointer)
	out := finding{at: p, message: f.Message, hint: cmp.Or(f.Hint, additions[f.Missing])}
	switch {
	case standIn != nil:
		out.at, out.name = p.At(standIn.Key), standIn
		out.message += fmt.Sprintf(" but %q", standIn.Key)
		out.hint = fmt.Sprintf("rename %q to %q", standIn.Key, f.Missing)
		if meant := schema.BindingMeant(standIn.Value.Word()); meant != "" && meant != standIn.Value.Text {
			out.hint = fmt.Sprintf("write %q: %q", f.Missing, meant)
		}
	case f.Missing != "":
		out.at = p.At(f.Missing)
	}
	return out
}

// cardMemberEmpty reports what is empty, and required texts of nothing but space,
// which the schema takes.
func cardMemberEmpty(c *card) {
	for _, of := range append([]place{c.root}, c.skills...) {
		for _, name := range []string{"id", "name", "description", "version"} {
			if p := of.At(name); p.Node.Word() != "" && strings.TrimSpace(p.Node.Text) == "" {
				c.find(p, "", "%q is blank, must have a text", name)
			}
		}
	}
	reportShape(c)
}

// reportShape reports the faults of the shape that belong to the rule, except
// values with a more exact finding.
func reportShape(c *card) {
	all := c.shape[c.rule.ID]
	if all == nil {
		return
	}
	reported := map[string]bool{}
	for _, d := range c.found {
		if d.Rule == c.rule.ID {
			reported[d.Pointer] = true
		}
	}
	for _, f := range all.list {
		if isReported(reported, f.at.Pointer()) {
			continue
		}
		if f.again > 0 {
			f.message += fmt.Sprintf(", and %d more have it", f.again)
		}
		c.report(f)
	}
	c.count += all.more
}

// isReported reports whether the value at a pointer, or one around it, is reported.
func isReported(reported map[string]bool, pointer string) bool {
	for len(reported) > 0 && pointer != "" {
		if reported[pointer] {
			return true
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	return false
}
