package dialect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
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
func (r *Reading) Convert(p schema.Protocol) (*source.Node, diag.List) {
	if r.Card == nil {
		return nil, nil
	}
	c := *r.Card
	stated, places := r.restate(&c, p)
	found := slices.Concat(stated, r.divided(&c, p))
	node, losses, kept := r.signed(&c, p, places)
	if !kept {
		c.Signatures = nil
		node, losses = schema.Wire(&c, p, schema.WireOptions{Place: places})
	}
	if !kept && r.Card.Signatures != nil {
		found = append(found, diag.New(ruleSignature, r.Place("/signatures"), "the card changes, which voids its signatures: they are left out").
			WithPointer("/signatures").
			WithHint("sign the new card"))
	}
	found = append(found, losses...)
	for _, f := range schema.ValidateCard(p, node) {
		if f.Pointer == "" && len(r.Missing) > 0 {
			continue // r.Missing says it better
		}
		at, _ := node.Find(f.Pointer)
		found = append(found, diag.New(f.Rule, at.Span, "%s", f.Message).WithSeverity(diag.Error).WithPointer(f.Pointer).WithHint(f.Hint))
	}
	return node, found.Sorted()
}

// signed writes a card with its signatures, and returns false where it has none
// or where they would not hold: for another value than the document.
func (r *Reading) signed(c *schema.Card, p schema.Protocol, places placer) (node *source.Node, losses diag.List, ok bool) {
	if len(c.Signatures) == 0 || r.wrapped {
		return nil, nil, false
	}
	for _, signed := range []bool{false, true} {
		if node, losses = schema.Wire(c, p, schema.WireOptions{Signed: signed, Place: places}); node.Equal(r.root) {
			return node, losses, true
		}
	}
	return nil, nil, false
}

// placer is what [schema.WireOptions] wants to know of places.
type placer = func(message, below string) diag.Span

// restate gives a card interfaces of the versions that p is for, and tells where
// the values of the card came from then.
func (r *Reading) restate(c *schema.Card, p schema.Protocol) (diag.List, placer) {
	places := func(message, below string) diag.Span { return r.Place(message + below) }
	var listed, flat []int // indexes of the interfaces by family
	for i, e := range c.Interfaces {
		if e.Speaks().Has(schema.Flat) {
			flat = append(flat, i)
		} else {
			listed = append(listed, i)
		}
	}
	var from, to schema.Protocol
	added := flat
	switch {
	case len(c.Interfaces) == 0:
		return nil, places
	case len(listed) == 0 && p.Has(schema.Listed) && (p.Has(schema.Flat) || !r.listed):
		from, to = schema.V03, (p & schema.Listed).Versions()[0]
	case len(flat) == 0 && p.Has(schema.Flat):
		from, to, added = schema.V10, schema.V03, listed
	default:
		return nil, places
	}
	how, order := "instead", added
	if p.Has(schema.Flat) && p.Has(schema.Listed) {
		how, order = "as well", slices.Concat(added, added)
	}
	before := c.Interfaces
	c.Interfaces = nil
	for n, i := range order {
		e := before[i]
		if first := n < len(added); how == "instead" || first == to.Has(schema.Listed) {
			e.Version = to.String()
		}
		c.Interfaces = append(c.Interfaces, e)
	}
	found := diag.List{diag.New(ruleEndpoints, r.Place("/supportedInterfaces/0"), "the endpoints for A2A %s are stated for %s %s", from, to, how).
		WithPointer("/supportedInterfaces").
		WithHint(fmt.Sprintf("make sure that the agent speaks A2A %s there", to))}
	return found, func(message, below string) diag.Span {
		if index, ok := strings.CutPrefix(message, "/supportedInterfaces/"); ok {
			if i, err := strconv.Atoi(index); err == nil {
				message = "/supportedInterfaces/" + strconv.Itoa(order[i])
			}
		}
		return r.Place(message + below)
	}
}

// divided tells which OAuth schemes become several: in 1.0 each has one flow.
func (r *Reading) divided(c *schema.Card, p schema.Protocol) diag.List {
	divided := schema.DividedSchemes(c, p)
	var found diag.List
	for _, name := range slices.Sorted(maps.Keys(divided)) {
		var names []string
		for _, part := range divided[name] {
			names = append(names, diag.Quote(part))
		}
		pointer := source.Pointer("/securitySchemes", name)
		found = append(found, diag.New(ruleRepaired, r.Place(pointer), "the security scheme %s becomes %s: one scheme of A2A 1.0 has one OAuth flow", diag.Quote(name), enumerate(names, "and")).
			WithPointer(pointer))
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
	d := diag.New(ruleDialect, r.Place(""), "the card is written in %s", r.Form)
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
