package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/source"
	"cardwright/schema"
)

// dualDisagree reports where a dual card says one thing to clients of 1.0 and
// another to those of 0.3: each member once, with both values.
func dualDisagree(c *card) {
	if !c.in.Has(v10) || !c.in.Has(v03) {
		return
	}
	for _, s := range c.schemes {
		if !s.flat || len(s.wrapped) == 0 {
			continue
		}
		if kind := s.wrapped[0].kind; kind != s.kind {
			c.disagree(s.At("type"), fmt.Sprintf("the scheme %s", quote(s.name)), quote(kind), quote(s.kind))
			continue
		}
		c.schemesDisagree(s.place, s.wrapped[0].place, schema.SchemeType(s.kind).Message(), "the scheme "+quote(s.name))
	}
	owners := append([]place{c.root}, c.skills...)
	listed := func(owner place) bool { return owner.At("securityRequirements").Is(source.Array) }
	if slices.ContainsFunc(owners, listed) { // else it is as compat: [a2a-go-430] makes it
		for _, owner := range owners {
			c.requirementsDisagree(owner)
		}
	}
	flat, wide := c.root.At("supportsAuthenticatedExtendedCard"), c.root.At("capabilities").At("extendedAgentCard")
	if isTrue(flat) != isTrue(wide) {
		at := flat
		if !flat.There() {
			at = wide
		}
		c.disagree(at, "the extended card", strconv.FormatBool(isTrue(wide)), strconv.FormatBool(isTrue(flat)))
	}
	c.interfacesDisagree()
}

// disagree reports one member.
func (c *card) disagree(at place, what, listed, flat string) {
	c.find(at, "say the same in both forms: each client reads only its own",
		"%s is %s for clients of 1.0 and %s for those of 0.3", what, listed, flat)
}

// schemesDisagree compares the two forms of a scheme, or of a flow in it.
func (c *card) schemesDisagree(flat, listed place, message, what string) {
	for _, m := range schema.Members(message) {
		if !m.In.Has(schema.Flat) {
			continue
		}
		name, compared := m.Name, m.Name
		switch {
		case name == "in":
			name = "location"
		case name == "name" && flat.At("in").Word() == schema.HeaderName:
			compared = schema.HeaderName
		}
		a, b := flat.At(m.Name), listed.At(name)
		of := fmt.Sprintf("%q of %s", m.Name, what)
		switch {
		case m.Of != "" && a.Is(source.Object) && b.Is(source.Object):
			c.schemesDisagree(a, b, m.Of, what)
		case m.Elem != source.Invalid:
			if was, is := keysOf(a), keysOf(b); was != is {
				c.disagree(a, of, is, was)
			}
			for scope, described := range a.Entries() {
				other := b.At(scope.Key)
				if other.There() && !described.Equal(other.Node) {
					was, is := values(other, described)
					c.disagree(described, fmt.Sprintf("the description of the scope %s of %s", quote(scope.Key), what), was, is)
				}
			}
		case !b.There() && listed.At(string(schema.DeviceCode)).There(): // scheme-oauth-devicecode says so
		case a.Empty() && b.Empty(), a.Equal(b.Node), schema.Equivalent(compared, a.Word(), b.Word()):
		default:
			was, is := values(b, a)
			c.disagree(a, of, was, is)
		}
	}
}

// values names two values that differ: of long texts the part that does, which is not to
// be cut off.
func values(a, b place) (was, is string) {
	const shown, before = 60, 20
	name := func(p place) string {
		switch {
		case !p.There():
			return "missing"
		case p.Scalar():
			return quote(p.Text)
		}
		return p.Kind.Article()
	}
	first, second := []rune(a.Word()), []rune(b.Word())
	if max(len(first), len(second)) <= shown || len(first) == 0 || len(second) == 0 {
		return name(a), name(b)
	}
	same := 0
	for same < min(len(first), len(second)) && first[same] == second[same] {
		same++
	}
	if same = max(same-before, 0); same == 0 {
		return name(a), name(b)
	}
	return quote("…" + string(first[same:])), quote("…" + string(second[same:]))
}

// keysOf names the members of an object, sorted.
func keysOf(p place) string {
	var names []string
	for m := range p.Entries() {
		names = append(names, quote(m.Key))
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "empty"
	}
	return strings.Join(names, ", ")
}

// requirementsDisagree compares what the card or a skill asks for.
func (c *card) requirementsDisagree(owner place) {
	listed, flat := asked(owner, c.demands, "securityRequirements"), asked(owner, c.demands, "security")
	if listed == flat {
		return
	}
	at, what := owner.At("security"), "what the card requires"
	if !at.There() {
		at = owner.At("securityRequirements")
	}
	if id := owner.At("id").Word(); owner.Pointer() != "" {
		what = "what the skill " + quote(id) + " requires"
	}
	c.disagree(at, what, listed, flat)
}

// asked spells the alternatives of a member, sorted.
func asked(owner place, all []demand, member string) string {
	var list []string
	for _, d := range all {
		if d.owner != owner.Pointer() || !strings.HasPrefix(d.Pointer(), owner.Pointer()+"/"+member+"/") {
			continue
		}
		var needs []string
		for _, n := range d.needs {
			scopes := n.scopes.Words()
			slices.Sort(scopes)
			needs = append(needs, strings.TrimSpace(quote(n.scheme)+" "+strings.Join(scopes, " ")))
		}
		slices.Sort(needs)
		if len(needs) > 0 {
			list = append(list, strings.Join(needs, " with "))
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(slices.Compact(list), " or ")
}

// interfacesDisagree compares the endpoints of 0.3 clients with those that the list
// has of version 0.3: which there are, which comes first, and the version. The url of the
// card is dual-mismatch's.
func (c *card) interfacesDisagree() {
	if c.mismatched() {
		return
	}
	named := func(e endpoint) string { return e.transport() + " " + schema.PlainURL(e.url.Word()) }
	list, flat := map[string]bool{}, map[string]bool{}
	var first, preferred *endpoint // of the list, and the url of the card
	for i, e := range c.endpoints {
		switch {
		case e.origin != listed:
			if flat[named(e)] = true; e.origin == main {
				preferred = &c.endpoints[i]
			}
		case e.is03():
			list[named(e)] = true
			first = cmp.Or(first, &c.endpoints[i])
		}
	}
	if first != nil && preferred != nil && named(*first) != named(*preferred) {
		c.disagree(preferred.url, "the preferred 0.3 interface", quote(named(*first)), quote(named(*preferred)))
	}
	if claim := c.root.At("protocolVersion"); first != nil && claim.Word() != "" &&
		!schema.Equivalent("protocolVersion", claim.Word(), first.version.Word()) {
		c.disagree(claim, "the version of the 0.3 interface", quote(first.version.Text), quote(claim.Text))
	}
	for _, e := range c.endpoints {
		name := named(e)
		switch {
		case e.url.Word() == "":
		case e.origin == additional && !list[name]:
			c.disagree(e.place, "the interface "+quote(e.transport()+" "+e.url.Word()), "missing", "listed")
			list[name] = true
		case e.origin == listed && e.is03() && !flat[name]:
			c.disagree(e.place, "the 0.3 interface "+quote(e.transport()+" "+e.url.Word()), "listed", "missing")
		}
	}
}
