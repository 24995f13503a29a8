package lint

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

var schemaChecks = checks{
	diag.CardMemberEmpty: {both, cardMemberEmpty},
}

// checkShape looks for what the shape of a card has against it: the faults of the JSON
// Schemas, and members that are unknown, misnamed, of another version or empty for nothing.
func (p *parts) checkShape() {
	w := newWalker(p.in, p.broken())
	_, w.recognized = Version(p.root.Node)
	w.value(p.root, cardShape())
	begin := (&cutter{left: valueBudget}).cut(p.root.Node)
	for _, f := range schema.ValidateCard(p.in, begin) {
		w.schemaFault(p.root, f)
	}
	w.countUnknowns()
	p.shape, p.leftovers = w.found, w.leftovers
}

// broken returns the pointers of the values in the form of another version:
// they are reported as a whole, without their members.
func (p *parts) broken() map[string]bool {
	m := map[string]bool{}
	for _, s := range p.schemes {
		if s.fault(p.in) != "" {
			m[s.Pointer()] = true
		}
	}
	for _, d := range p.demands {
		if d.broken {
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

// schemaFault reports a fault that the JSON Schema of the version finds, unless it
// follows from another.
func (w *walker) schemaFault(root location, f jsonschema.Fault) {
	rule, pointer := f.Rule, f.Pointer
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
		return // schemeShape says more
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
	if standIn != nil && fold(standIn.Key) == fold(f.Missing) {
		return // card-member-case says so
	}
	if standIn != nil && strings.Contains(f.Pointer, "nterfaces/") {
		rule = diag.InterfaceMemberAlias
	}
	d := w.report(rule, root, f, standIn)
	empty := f.Missing == "" && (rule == diag.CardMemberEmpty || rule == diag.SkillTagsMissing)
	if empty && !w.in.Has(v10) {
		d.Severity = diag.Warning // the schema of 0.3 allows it
	}
}

// report reports a fault. The member that stands for a missing one is nil for none.
func (w *walker) report(rule diag.RuleID, root location, f jsonschema.Fault, standIn *source.Member) *diag.Diagnostic {
	n, _ := root.Node.Find(f.Pointer)
	at, hint, message := source.At(n, f.Pointer), cmp.Or(f.Hint, additions[f.Missing]), f.Message
	switch {
	case standIn != nil:
		at = at.Named(standIn)
		message += fmt.Sprintf(" but %q", standIn.Key)
		hint = fmt.Sprintf("rename %q to %q", standIn.Key, f.Missing)
		if meant := schema.BindingMeant(standIn.Value.Word()); meant != "" && meant != standIn.Value.Text {
			hint = fmt.Sprintf("write %q: %q", f.Missing, meant)
		}
	case f.Missing != "":
		at = at.At(f.Missing)
	}
	return w.of(rule).find(at, hint, "%s", message)
}

// cardMemberEmpty reports required texts of nothing but space, which the schema allows.
func cardMemberEmpty(c *card) {
	for _, of := range append([]location{c.root}, c.skills...) {
		for _, name := range []string{"id", "name", "description", "version"} {
			if p := of.At(name); p.Node.Word() != "" && strings.TrimSpace(p.Node.Text) == "" {
				c.find(p, "", "%q is blank, must have a text", name)
			}
		}
	}
}

// valueBudget is how many values of a card the JSON Schemas check, which is more than a card
// of ten thousand skills has. A fault costs the validator a hundred times the memory of the
// two bytes that can make it.
const valueBudget = 200_000

// cutter goes through a card and stops where the budget is used up.
type cutter struct{ left int }

// cut returns n, or a copy of its part ahead of the point where the cutter stopped. Pointers
// into the copy are pointers into n.
func (c *cutter) cut(n *source.Node) *source.Node {
	c.left--
	begin := *n
	for i, item := range n.Items {
		if kept := c.cut(item); c.left < 0 {
			begin.Items = append(slices.Clone(n.Items[:i]), kept)
			return &begin
		}
	}
	for i, m := range n.Members {
		if m.Value = c.cut(m.Value); c.left < 0 {
			begin.Members = append(slices.Clone(n.Members[:i]), m)
			return &begin
		}
	}
	return n
}
