package convert

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

// Convert gives the card that was read the form that p names. The findings say what
// that form cannot hold, and what became of endpoints and signatures; an error
// among them means that the card is not valid.
//
// Where no endpoint speaks the version that is asked for, endpoints of the other
// one are stated for it: A2A 1.0 and 0.3 describe the same things, and whoever
// converts a card knows what the agent speaks. So are endpoints of a version that
// A2A does not define. Signatures stay only on a card that does not change.
func Convert(reading *Reading, p schema.Protocol) (*source.Node, diag.List) {
	if reading.Card == nil {
		return nil, nil
	}
	r := conversion{reading, p}
	c := *r.Card
	stated, places := r.restate(&c)
	found := slices.Concat(stated, r.divided(&c), r.described(&c))
	node, losses, kept := r.signed(&c, places)
	if !kept {
		c.Signatures = nil
		node, losses = schema.Wire(&c, p, schema.WireOptions{Place: places})
	}
	if !kept && r.Card.Signatures != nil {
		found = append(found, diag.New(diag.ConvertDropped, r.Place("/signatures"),
			"the card changes, so its signatures are no longer valid and are left out").
			WithPointer("/signatures").
			WithHint("sign the new card"))
	}
	found = append(found, losses...)
	for _, f := range schema.ValidateCard(p, node) {
		if f.Pointer == "" && len(r.Missing) > 0 {
			continue // r.Missing says it better
		}
		at, _ := node.Find(f.Pointer)
		found = append(found, diag.New(f.Rule, at.Span, "%s", f.Message).WithSeverity(diag.Error).WithPointer(f.Pointer).
			WithHint(f.Hint))
	}
	return node, found.Sorted()
}

// conversion is a card on its way to another form.
type conversion struct {
	*Reading
	to schema.Protocol
}

// signed writes a card with its signatures, and returns false where it has none
// or where they would not hold: for another value than the document.
func (r conversion) signed(c *schema.Card, places placer) (node *source.Node, losses diag.List, ok bool) {
	if len(c.Signatures) == 0 {
		return nil, nil, false
	}
	for _, signed := range []bool{false, true} {
		if node, losses = schema.Wire(c, r.to, schema.WireOptions{Place: places, Signed: signed}); node.Equal(r.root) {
			return node, losses, true
		}
	}
	return nil, nil, false
}

// placer is what [schema.WireOptions] wants to know of places.
type placer = func(message, below string) diag.Span

// restated is an interface of the card that comes out, and the pointer of the one
// in [Reading] that it was made of.
type restated struct {
	schema.Interface
	of string
}

// restate gives a card interfaces of the versions that it is for, and returns where
// the values of the card came from then.
func (r conversion) restate(c *schema.Card) (diag.List, placer) {
	var list []restated
	var found diag.List
	newest := (r.to & schema.Listed).Versions()
	for i, e := range c.Interfaces {
		one := []restated{{e, "/supportedInterfaces/" + strconv.Itoa(i)}}
		if _, known := schema.ParseProtocol(e.Version); !known && len(newest) > 0 {
			found = append(found, r.statedFor(one, newest[0], " instead"))
			one = stated(one, newest[0])
		}
		list = append(list, one...)
	}
	for _, family := range []schema.Protocol{schema.Listed, schema.Flat} {
		versions := (r.to & family).Versions()
		if len(versions) == 0 || len(list) == 0 ||
			slices.ContainsFunc(list, func(e restated) bool { return e.Speaks().Has(family) }) {
			continue
		}
		why, others := " instead", list[:0]
		if r.to&^family != 0 {
			why, others = " as well", list
		}
		found = append(found, r.statedFor(list, versions[0], why))
		list = append(stated(list, versions[0]), others...)
	}
	found = append(found, r.dialed(list)...)
	list, twice := r.once(list)
	c.Interfaces = nil
	for _, e := range list {
		c.Interfaces = append(c.Interfaces, e.Interface)
	}
	return append(found, twice...), func(message, below string) diag.Span {
		if index, ok := strings.CutPrefix(message, "/supportedInterfaces/"); ok {
			i, _ := strconv.Atoi(index)
			message = list[i].of
		}
		return r.Place(message + below)
	}
}

// stated returns the interfaces as of another version.
func stated(list []restated, version schema.Protocol) []restated {
	list = slices.Clone(list)
	for i := range list {
		list[i].Version = version.String()
	}
	return list
}

// dialed gives gRPC interfaces, which may be URLs in 0.3, the addresses that A2A 1.0
// asks for.
func (r conversion) dialed(list []restated) (found diag.List) {
	for i, e := range list {
		if address, certain := schema.GRPCAddress(e.URL); certain && e.Binding == "GRPC" && !e.Speaks().Has(schema.Flat) {
			found = append(found, diag.New(diag.ConvertRepaired, r.Place(e.of), "the gRPC address %s is read as %q",
				diag.Quote(e.URL), address).WithPointer(e.of))
			list[i].URL = address
		}
	}
	return found
}

// statedFor reports that interfaces are stated for another version. Whoever asks
// for a version says that the agent speaks it; but a card that states another
// one for each interface, or an unknown one, is contradicted.
func (r conversion) statedFor(list []restated, version schema.Protocol, why string) diag.Diagnostic {
	var from []string
	severity := diag.Info
	for _, e := range list {
		if !slices.Contains(from, e.Version) {
			from = append(from, e.Version)
		}
		if _, known := schema.ParseProtocol(e.Version); !known || r.Listed && r.to == version && version.Has(schema.Listed) {
			severity = diag.Warning
		}
	}
	return diag.New(diag.ConvertEndpoints, r.Place(list[0].of), "the endpoints for A2A %s are declared for %s%s",
		diag.Enumerate(from, "and"), version, why).
		WithSeverity(severity).
		WithPointer("/supportedInterfaces").
		WithHint(fmt.Sprintf("make sure that the agent speaks A2A %s there", version))
}

// once leaves out interfaces that became equal to an earlier one.
func (r conversion) once(list []restated) (out []restated, found diag.List) {
	seen := schema.Interfaces{}
	for _, e := range list {
		if seen.Add(e.Interface) {
			out = append(out, e)
			continue
		}
		found = append(found, diag.New(diag.ConvertRepaired, r.Place(e.of),
			"the interface %s is the same as an earlier one in A2A %s, so it is left out", diag.Quote(e.URL), e.Version).
			WithPointer(e.of))
	}
	return out, found
}

// divided reports which OAuth schemes become several, of one flow each.
func (r conversion) divided(c *schema.Card) diag.List {
	divided := schema.DividedSchemes(c, r.to)
	var found diag.List
	for _, name := range slices.Sorted(maps.Keys(divided)) {
		var names []string
		for _, part := range divided[name] {
			names = append(names, diag.Quote(part))
		}
		pointer := source.Pointer("/securitySchemes", name)
		found = append(found, diag.New(diag.ConvertRepaired, r.Place(pointer),
			"the security scheme %s becomes %s: A2A 1.0 allows one OAuth flow per scheme", diag.Quote(name),
			diag.Enumerate(names, "and")).
			WithPointer(pointer))
	}
	return found
}

// described reports the schemes that get a description because readers disagree on the
// empty object that they would be without one.
func (r conversion) described(c *schema.Card) (found diag.List) {
	for name, s := range c.SecuritySchemes {
		n := r.root.Get("securitySchemes").Get(name)
		stated := n.HasAny("description") || n.Get(schema.MutualTLS.Wrapper()).HasAny("description")
		if s.Type == schema.MutualTLS && s.Description == "" && !stated {
			pointer := source.Pointer("/securitySchemes", name)
			found = append(found, diag.New(diag.ConvertRepaired, r.Place(pointer),
				"the security scheme %s has no description, so %s is written", diag.Quote(name),
				diag.Quote(schema.MutualTLSDescription)).
				WithPointer(pointer))
		}
	}
	return found
}

// Summary says in one finding what the document is written in and what
// [Convert] would do about it; slips is how many faults of its text had
// to be read over. It returns false for a clean card, and for a document that is
// no card at all.
func Summary(r *Reading, slips int) (diag.Diagnostic, bool) {
	if r.Card == nil {
		return diag.Diagnostic{}, false
	}
	var work []string
	if slips > 0 {
		work = append(work, "read over "+diag.Count(slips, "fault")+" of the text")
	}
	for _, part := range []struct {
		rule diag.RuleID
		what string
	}{{diag.ConvertRepaired, "repair "}, {diag.ConvertAssumed, "assume "}, {diag.ConvertDropped, "leave out "}} {
		if n := r.Count(part.rule); n > 0 {
			work = append(work, part.what+diag.Count(n, "value"))
		}
	}
	if len(work) == 0 && len(r.Missing) == 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.New(diag.ConvertRepaired, r.Place(""), "the card is written in %s", r.Form)
	if len(work) > 0 {
		d.Message += "; cardwright convert would " + diag.Enumerate(work, "and")
	}
	if len(r.Missing) > 0 {
		var names []string
		for _, m := range r.Missing {
			names = append(names, m.Pointer[1:])
		}
		d.Message += "; to convert it, " + diag.Enumerate(names, "and") + " must be supplied"
	}
	return d, true
}
