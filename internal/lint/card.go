package lint

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Options says how a card is judged. The zero value judges it alone, by what
// its shape says.
type Options struct {
	// Protocol judges by the rules of this version instead of the one that the
	// shape shows.
	Protocol schema.Protocol
	// Least leaves out the rules whose findings all weigh less, unless Keep has
	// them. Zero judges by every rule but the optional ones.
	Least diag.Severity
	Keep  map[diag.RuleID]diag.Severity
	// Extended judges the card as one that only authenticated clients get.
	Extended bool
}

// most is how many findings one rule gives for one card before it only counts:
// hostile input repeats a fault without end.
const most = 1000

// Card judges a card by the rules of its protocol version. Findings come
// sorted, and carry the pointer and the place of the member at fault, or of
// its nearest ancestor when the member is missing. A nil card has no findings:
// whoever could not read it has said why.
func Card(root *source.Node, o Options) diag.List {
	if root == nil {
		return nil
	}
	c := newCard(root, o)
	results := make([]diag.List, len(checking))
	// Rules only read what they share, and their findings are put together in the order
	// of the table.
	_ = files.Work(slices.Values(checking), func(i int, _ Rule) error {
		results[i] = c.apply(&checking[i])
		return nil
	})
	return slices.Concat(results...).Sorted()
}

// Texts judges the texts of a card or a part of one by the rules that look at
// nothing else, as [IsText] reports.
func Texts(root *source.Node) diag.List {
	x := &exhibits{root: rootPlace(root)}
	var found diag.List
	for i := range checking {
		if rule := &checking[i]; IsText(rule.ID) {
			own := card{exhibits: x, rule: rule}
			rule.check(&own)
			found = append(found, own.found...)
		}
	}
	return found
}

// IsText reports whether a rule is about what a text holds, whatever it is for.
func IsText(rule diag.RuleID) bool {
	return strings.HasPrefix(rule.String(), "text-") || strings.HasPrefix(rule.String(), "secret-")
}

// heeds reports whether a rule is about documents of this kind and version.
func (c *card) heeds(rule *Rule) bool {
	if c.misfit.rule != 0 {
		return c.misfit.rule == rule.ID
	}
	return rule.holds&c.in != 0
}

// apply returns the findings of one rule.
func (c *card) apply(rule *Rule) diag.List {
	if rule.check == nil || !c.heeds(rule) {
		return nil
	}
	severity, kept := c.Keep[rule.ID]
	if !kept && (rule.Optional || rule.Severity < c.Least) || rule.Optional && severity == 0 {
		return nil
	}
	own := card{exhibits: c.exhibits, rule: rule}
	rule.check(&own)
	own.sumUp()
	return own.found
}

// card is a card under judgement by one rule.
type card struct {
	*exhibits
	rule  *Rule
	count int // of its findings
	found diag.List
}

// exhibits are the parts of a card that rules look at, read once.
type exhibits struct {
	Options
	root      place
	in        versions // whose rules hold
	misfit    misfit   // why the document cannot be checked as a card
	skills    []place
	endpoints []endpoint
	urls      [][]endpoint // the endpoints of each URL
	schemes   []scheme
	demands   []demand
	shape     map[diag.RuleID]*faults // of the shape, by rule
}

func newCard(root *source.Node, o Options) *card {
	c := &card{exhibits: &exhibits{Options: o, root: rootPlace(root)}}
	c.in = judgedBy(root, o.Protocol)
	if c.misfit = findMisfit(c.root); c.misfit.rule != 0 {
		return c
	}
	for s := range c.root.At("skills").List() {
		if s.Node.Is(source.Object) {
			c.skills = append(c.skills, s.Anchored())
		}
	}
	c.endpoints = endpoints(c.root, c.in)
	c.urls = groupByURL(c.endpoints)
	c.schemes = schemes(c.root.At("securitySchemes"))
	c.demands = demands(c.root, c.skills, c.in)
	c.shape = shapeFaults(c)
	return c
}

// finding is what a rule reports.
type finding struct {
	at       place
	name     *source.Member // the member whose name is at fault, nil for a value
	severity diag.Severity  // zero for the rule's own
	message  string
	hint     string
	related  []diag.Related
	again    int // how many more of the same are not reported by themselves
}

// fault is a finding with the severity of its rule. The hint may be "".
func fault(at place, hint, format string, args ...any) finding {
	return finding{at: at, hint: hint, message: fmt.Sprintf(format, args...)}
}

// named returns the finding about the name of a member instead of its value.
func (f finding) named(m *source.Member) finding {
	f.name = m
	return f
}

// as returns the finding with another severity than its rule has.
func (f finding) as(severity diag.Severity) finding {
	f.severity = severity
	return f
}

// beside returns the finding with places that belong to it.
func (f finding) beside(related ...diag.Related) finding {
	f.related = related
	return f
}

func (c *card) report(f finding) {
	c.count++
	if c.count > most {
		return
	}
	if f.severity == 0 {
		f.severity = c.rule.Severity
	}
	d := diag.New(c.rule.ID, f.at.Where(), "%s", f.message).WithSeverity(f.severity).WithPointer(f.at.Pointer()).
		WithHint(f.hint).WithRelated(f.related...)
	if f.name != nil {
		d.Span = f.name.KeySpan
	}
	c.found = append(c.found, d)
}

// find reports what is wrong at a place. The hint may be "".
func (c *card) find(at place, hint, format string, args ...any) {
	c.report(fault(at, hint, format, args...))
}

// findAs is [card.find] with another severity than the rule has.
func (c *card) findAs(severity diag.Severity, at place, hint, format string, args ...any) {
	c.report(fault(at, hint, format, args...).as(severity))
}

// findText is [card.find] about a text, or the name of a member.
func (c *card) findText(t textAt, hint, format string, args ...any) {
	c.report(fault(t.place, hint, format, args...).named(t.key))
}

// sumUp reports how many findings of the rule were only counted.
func (c *card) sumUp() {
	if more := c.count - most; more > 0 {
		c.found = append(c.found, diag.New(c.rule.ID, diag.Span{File: c.root.Node.Span.File},
			"at least %d more findings of this kind are not shown", more))
	}
}
