package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Convert gives the card that was read the form that p names. The findings say
// what that form cannot hold, and what became of endpoints and signatures; an
// error among them means that the card is not valid.
//
// Where no endpoint speaks the version that is asked for, those of the other
// one are stated for it: A2A 1.0 and 0.3 describe the same things, and whoever
// converts a card knows what the agent speaks. But a 1.0 card that lists
// endpoints for 0.3 only stays what it is. Signatures stay only on a card that
// does not change.
func (r *Reading) Convert(p Protocol) (*source.Node, diag.List) {
	if r.Card == nil {
		return nil, nil
	}
	c := *r.Card
	found := slices.Concat(r.restate(&c, p), r.divided(&c, p))
	node, losses, kept := r.signed(&c, p)
	if !kept {
		c.Signatures = nil
		node, losses = Wire(&c, p, WireOptions{})
	}
	if !kept && r.Card.Signatures != nil {
		found = append(found, diag.Diagnostic{
			Rule: ruleSignature, Severity: diag.Warning, Pointer: "/signatures", Span: r.Place("/signatures"),
			Message: "the card changes, which voids its signatures: they are left out", Hint: "sign the new card",
		})
	}
	for _, l := range losses {
		severity := diag.Warning
		if l.Fatal {
			severity = diag.Error
		}
		found = append(found, diag.Diagnostic{Rule: l.Rule, Severity: severity, Message: l.Message, Hint: l.Hint, Pointer: l.Pointer, Span: r.Place(r.stated(l.Pointer))})
	}
	for _, f := range ValidateCard(p, node) {
		if f.Pointer == "" && len(r.Missing) > 0 {
			continue // r.Missing says it better
		}
		found = append(found, diag.Diagnostic{Rule: f.Rule, Severity: diag.Error, Message: f.Message, Hint: f.Hint, Pointer: f.Pointer, Span: r.Place(f.Pointer)})
	}
	return node, found.Sorted()
}

// signed writes a card with its signatures, and returns false where it has none
// or where they would not hold: for another value than the document.
func (r *Reading) signed(c *Card, p Protocol) (node *source.Node, losses []Loss, ok bool) {
	if len(c.Signatures) == 0 || r.wrapped {
		return nil, nil, false
	}
	for _, form := range []WireOptions{{}, {Signed: true}} {
		if node, losses = Wire(c, p, form); node.Equal(r.root) {
			return node, losses, true
		}
	}
	return nil, nil, false
}

// stated returns the pointer of the interface in the document that the one at
// pointer restates: those that [Reading.restate] adds stand behind the others,
// in the same order. Any other pointer is returned as it is.
func (r *Reading) stated(pointer string) string {
	rest, ok := strings.CutPrefix(pointer, "/supportedInterfaces/")
	index, _, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(index)
	if !ok || err != nil || len(r.Card.Interfaces) == 0 {
		return pointer
	}
	return "/supportedInterfaces/" + strconv.Itoa(i%len(r.Card.Interfaces))
}

// restate gives a card interfaces of the version that p is for.
func (r *Reading) restate(c *Card, p Protocol) diag.List {
	var v10, v03 []Interface
	for _, i := range c.Interfaces {
		if i.Version == version03 {
			v03 = append(v03, i)
		} else {
			v10 = append(v10, i)
		}
	}
	from, to := V03, V10
	switch {
	case len(c.Interfaces) == 0:
		return nil
	case len(v10) == 0 && p != V03 && (p == Dual || !r.listed):
		v10 = speaking(v03, V10)
	case len(v03) == 0 && p != V10:
		v03 = speaking(v10, V03)
		from, to = to, from
	default:
		return nil
	}
	how := "as well"
	switch p {
	case V10:
		c.Interfaces, how = v10, "instead"
	case V03:
		c.Interfaces, how = v03, "instead"
	default:
		c.Interfaces = slices.Concat(v10, v03)
	}
	return diag.List{{
		Rule: ruleEndpoints, Severity: diag.Info, Pointer: "/supportedInterfaces", Span: r.Place("/supportedInterfaces/0"),
		Message: fmt.Sprintf("the endpoints for A2A %s are stated for %s %s", from, to, how),
		Hint:    fmt.Sprintf("make sure that the agent speaks A2A %s there", to),
	}}
}

// speaking returns interfaces as they are stated for another version.
func speaking(list []Interface, p Protocol) []Interface {
	out := make([]Interface, len(list))
	for i, e := range list {
		e.Version = string(p)
		out[i] = e
	}
	return out
}

// divided tells which OAuth schemes become several: in 1.0 each has one flow.
func (r *Reading) divided(c *Card, p Protocol) diag.List {
	if p == V03 {
		return nil
	}
	w := wiring{v10: true, v03: p == Dual}
	w.splitSchemes(c.SecuritySchemes)
	var found diag.List
	for _, name := range sortedKeys(w.parts) {
		var names []string
		for _, part := range w.parts[name] {
			names = append(names, diag.Quote(part.name))
		}
		pointer := source.Pointer("/securitySchemes", name)
		found = append(found, diag.Diagnostic{
			Rule: ruleRepaired, Severity: diag.Info, Pointer: pointer, Span: r.Place(pointer),
			Message: fmt.Sprintf("the security scheme %s becomes %s: one scheme of A2A 1.0 has one OAuth flow", diag.Quote(name), enumerate(names, "and")),
		})
	}
	return found
}

// Summary says in one finding what the document is written in and what
// [Reading.Convert] would do about it; slips is how many faults of its text had
// to be read over. It returns false for a clean card, and for a document that is
// no card at all.
func (r *Reading) Summary(slips int) (diag.Diagnostic, bool) {
	if r.Card == nil {
		return r.listing()
	}
	var work []string
	if slips > 0 {
		work = append(work, "read over "+counted(slips, "fault")+" of the text")
	}
	for _, part := range []struct {
		rule, what string
	}{{ruleRepaired, "repair "}, {ruleAssumed, "assume "}, {ruleDropped, "leave out "}} {
		if n := r.Count(part.rule); n > 0 {
			work = append(work, part.what+counted(n, "value"))
		}
	}
	if len(work) == 0 && len(r.Missing) == 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.Diagnostic{Rule: ruleDialect, Severity: diag.Info, Span: r.Place(""), Message: "the card is written in " + r.Form}
	if len(work) > 0 {
		d.Message += "; cardwright convert would " + enumerate(work, "and")
	}
	if len(r.Missing) > 0 {
		var names []string
		for _, m := range r.Missing {
			names = append(names, m.Pointer[1:])
		}
		d.Message += "; to convert it, " + enumerate(names, "and") + " must be supplied"
	}
	return d, true
}

// listing says how one agent of a document that lists several becomes a card.
// It returns false for any other document.
func (r *Reading) listing() (diag.Diagnostic, bool) {
	i := slices.IndexFunc(r.Found, func(d diag.Diagnostic) bool { return d.Rule == ruleAgent })
	if i < 0 {
		return diag.Diagnostic{}, false
	}
	d := r.Found[i]
	d.Rule, d.Severity = ruleDialect, diag.Info
	d.Message += "; cardwright convert --agent NAME makes a card of one"
	return d, true
}

// counted says how many there are of what noun names.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
