package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Options says how a card is checked. The zero value checks it alone, by what
// its shape says.
type Options struct {
	// Protocol checks by the rules of this version instead of the one that the
	// shape shows.
	Protocol schema.Protocol
	// Least leaves out the rules whose findings all weigh less, unless Keep has
	// them. Zero checks by every rule but the optional ones.
	Least diag.Severity
	Keep  map[diag.RuleID]diag.Severity
	// Extended checks the card as one that only authenticated clients get.
	Extended bool
}

// most is how many findings one rule gives for one card before it only counts:
// hostile input repeats a fault without end.
const most = 1000

// Card checks a card by the rules of its protocol version. Findings come
// sorted, and carry the pointer and the place of the member at fault, or of
// its nearest ancestor when the member is missing. A nil card has no findings:
// whoever could not read it has said why.
func Card(root *source.Node, o Options) diag.List {
	if root == nil {
		return nil
	}
	if d, ok := noCard(root); ok {
		return diag.List{d}
	}
	p := newParts(root, o)
	results := make([]diag.List, len(cardRules))
	// Rules only read what they share, and their findings are put together in the order
	// of the table.
	_ = files.Work(slices.Values(cardRules), func(i int, _ Rule) error {
		results[i] = p.apply(&cardRules[i])
		return nil
	})
	return slices.Concat(results...).Sorted()
}

// Texts checks the texts of a card or a part of one by the rules that look at
// nothing else.
func Texts(root *source.Node) diag.List {
	p := &parts{root: source.At(root, ""), in: both}
	var found diag.List
	for i := range cardRules {
		name := cardRules[i].ID.String()
		if strings.HasPrefix(name, "text-") || strings.HasPrefix(name, "secret-") {
			found = append(found, p.apply(&cardRules[i])...)
		}
	}
	return found
}

// parts are the parts of a card that rules look at, read once.
type parts struct {
	Options
	root      location
	in        versions // whose rules hold
	skills    []location
	endpoints []endpoint
	urls      [][]endpoint // the endpoints of each URL
	schemes   []scheme
	demands   []demand
	shape     map[diag.RuleID]*findings // of the shape, by rule
	leftovers []location                // members that only clients of another version read
}

func newParts(root *source.Node, o Options) *parts {
	p := &parts{Options: o, root: source.At(root, ""), in: versionsOf(root, o.Protocol)}
	for s := range p.root.At("skills").List() {
		if s.Node.Is(source.Object) {
			p.skills = append(p.skills, s.Anchored())
		}
	}
	p.endpoints = endpoints(p.root, p.in)
	p.urls = groupByURL(p.endpoints)
	p.schemes = schemes(p.root.At("securitySchemes"))
	p.demands = demands(p.root, p.skills, p.in)
	p.checkShape()
	return p
}

// apply returns the findings of one rule: of its check, and about the shape where the
// check has none about the same value.
func (p *parts) apply(rule *Rule) diag.List {
	severity, kept := p.Keep[rule.ID]
	if !rule.holds.Has(p.in) || !kept && (rule.Optional || rule.Severity < p.Least) || rule.Optional && severity == 0 {
		return nil
	}
	c := card{parts: p, findings: findings{rule: rule.ID}}
	if rule.check != nil {
		rule.check(&c)
	}
	if shape := p.shape[rule.ID]; shape != nil {
		c.join(shape)
	}
	return c.all(p.root.Node.Span.File)
}

// card is a card that one rule checks.
type card struct {
	*parts
	findings
}

// findings are what one rule finds.
type findings struct {
	rule  diag.RuleID
	list  []*diag.Diagnostic
	count int // with those that are only counted
}

// find adds a finding, which it returns for the caller to complete. The hint may be "".
func (f *findings) find(at location, hint, format string, args ...any) *diag.Diagnostic {
	if f.count++; f.count > most {
		return &diag.Diagnostic{}
	}
	d := diag.New(f.rule, at.Where(), format, args...).WithPointer(at.Pointer()).WithHint(hint)
	f.list = append(f.list, &d)
	return &d
}

// join adds findings that are not about a value with a finding as severe, or a part of one.
func (f *findings) join(others *findings) {
	found := map[string]diag.Severity{}
	for _, d := range f.list {
		found[d.Pointer] = max(found[d.Pointer], d.Severity)
	}
	for _, d := range others.list {
		if !isWithin(d, found) {
			f.list = append(f.list, d)
			f.count++
		}
	}
	f.count += others.count - len(others.list)
}

// isWithin reports whether the value of a finding has one as severe, or is a part of one
// that has.
func isWithin(d *diag.Diagnostic, found map[string]diag.Severity) bool {
	for pointer := d.Pointer; len(found) > 0 && pointer != ""; pointer = pointer[:strings.LastIndexByte(pointer, '/')] {
		if found[pointer] >= d.Severity {
			return true
		}
	}
	return false
}

// all returns the findings, and at last how many were only counted.
func (f *findings) all(file string) diag.List {
	var list diag.List
	for _, d := range f.list[:min(len(f.list), most)] {
		list = append(list, *d)
	}
	if more := f.count - most; more > 0 {
		list = append(list, diag.New(f.rule, diag.Span{File: file},
			"at least %d more findings of this kind are not shown", more))
	}
	return list
}
