package lint

import (
	"iter"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var securityChecks = checks{
	diag.CompatA2AGoSecurity:      {v10, compatA2AGoSecurity},
	diag.ExtendedWithoutAuth:      {both, extendedWithoutAuth},
	diag.SecurityAnonymous:        {both, securityAnonymous},
	diag.SecurityNone:             {both, securityNone},
	diag.SecurityReference:        {both, securityReference},
	diag.SecurityRequirementShape: {both, securityRequirementShape},
}

// demand is one alternative of a requirement, on the card or on a skill.
type demand struct {
	location
	owner  string // pointer of what makes the requirement
	needs  []need
	broken bool     // it has not the form of its version
	mixed  location // in the form of the other version, without a node for none
}

// need is a scheme that a demand names.
type need struct {
	location
	scheme string
	scopes location // the list of them
}

func demands(root location, skills []location, in versions) []demand {
	var list []demand
	for _, owner := range append([]location{root}, skills...) {
		if in.Has(v10) {
			for p := range owner.At("securityRequirements").List() {
				list = append(list, wrappedDemand(p, owner.Pointer()))
			}
		}
		if in.Has(v03) {
			for p := range owner.At("security").List() {
				list = append(list, flatDemand(p, owner.Pointer()))
			}
		}
	}
	return list
}

// wrappedDemand reads {"schemes": {NAME: {"list": [SCOPE]}}}, the form of 1.0.
func wrappedDemand(p location, owner string) demand {
	named := p.At("schemes")
	d := demand{location: p, owner: owner}
	switch {
	case !p.Node.Is(source.Object), named.Node != nil && !named.Node.Is(source.Object):
		d.broken = true
	case len(p.Node.Members) > 0 && named.Node == nil:
		d.broken, d.mixed = true, p
	}
	for m, value := range named.Entries() {
		list := value.At("list")
		if !value.Node.Is(source.Object) || list.Node != nil && !list.Node.Is(source.Array) {
			d.broken = true
			continue
		}
		d.needs = append(d.needs, need{value, m.Key, list})
	}
	return d
}

// flatDemand reads {NAME: [SCOPE]}, the form of 0.3.
func flatDemand(p location, owner string) demand {
	d := demand{location: p, owner: owner, broken: !p.Node.Is(source.Object)}
	noText := func(n *source.Node) bool { return !n.Is(source.String) }
	for m, value := range p.Entries() {
		if value.Node.Is(source.Array) && !slices.ContainsFunc(value.Node.Items, noText) {
			d.needs = append(d.needs, need{value, m.Key, value})
			continue
		}
		d.broken = true
		if m.Key == "schemes" && value.Node.Is(source.Object) {
			d.mixed = value
		}
	}
	return d
}

// securityRequirementShape reports requirements in the form of the other version. Other
// faults of their shape are found by the JSON Schemas.
func securityRequirementShape(c *card) {
	for _, d := range c.demands {
		switch d.mixed.Node {
		case nil:
		case d.Node:
			c.find(d.mixed, `1.0 says {"schemes": {NAME: {"list": [SCOPE]}}}`,
				"the requirement has the form of 0.3, which 1.0 clients ignore")
		default:
			c.find(d.mixed, "0.3 says {NAME: [SCOPE]}", "the requirement has the form of 1.0, which 0.3 clients refuse")
		}
	}
}

// needs iterates over the schemes that are required, each once for each owner, name and
// list of scopes: a dual card says the same in two members.
func needs(c *card) iter.Seq[need] {
	return func(yield func(need) bool) {
		seen := map[[3]string]bool{}
		for _, d := range c.demands {
			for _, n := range d.needs {
				key := [3]string{d.owner, n.scheme, strings.Join(n.scopes.Node.Words(), " ")}
				if seen[key] {
					continue
				}
				if seen[key] = true; !yield(n) {
					return
				}
			}
		}
	}
}

// mostNamed is how many names a hint lists.
const mostNamed = 8

func securityReference(c *card) {
	declared := map[string]bool{}
	var names []string
	for _, s := range c.schemes {
		declared[s.name] = true
		names = append(names, s.name)
	}
	known, declare := diag.Among(names), "declare it in securitySchemes"
	if len(names) > 0 {
		declare += ", or require one that is declared: " + strings.Join(names[:min(len(names), mostNamed)], ", ")
	}
	for n := range needs(c) {
		if !declared[n.scheme] {
			c.find(n.location, known.Hint(n.scheme, declare),
				"the requirement names the scheme %s, which securitySchemes does not declare", diag.Quote(n.scheme))
		}
	}
}

func securityAnonymous(c *card) {
	seen := map[string]bool{}
	for _, d := range c.demands {
		if !d.broken && len(d.needs) == 0 && !seen[d.owner] {
			seen[d.owner] = true
			c.find(d.location, "delete it, unless anonymous access is intended",
				"an empty requirement is an alternative to the others, so it lets everyone in")
		}
	}
}

func securityNone(c *card) {
	if len(c.demands) > 0 || extended(c).Node != nil && len(c.schemes) == 0 {
		return // extended-without-auth says the latter
	}
	for _, name := range []string{"security", "securityRequirements", "authentication", "authSchemes"} {
		if !lacks(c.root, name) {
			return
		}
	}
	if len(c.schemes) > 0 {
		c.find(c.root.Named(c.root.Node.Member("securitySchemes")), "require them, unless the agent is open to all",
			"the card declares security schemes but requires none of them, so everyone may call the agent")
		return
	}
	c.find(c.root, "declare a security scheme and require it, unless the agent is open to all",
		"the card requires no authentication, so everyone may call the agent")
}

// extended returns the place where the card claims an extended one.
func extended(c *card) location {
	for _, at := range []location{
		c.root.At("capabilities").At("extendedAgentCard"),
		c.root.At("supportsAuthenticatedExtendedCard"),
	} {
		if isTrue(at) {
			return at
		}
	}
	return location{}
}

func extendedWithoutAuth(c *card) {
	at := extended(c)
	misspelled := c.root.Node.Get("securitySchemes") == nil && !lacks(c.root, "securitySchemes")
	if at.Node == nil || len(c.schemes) > 0 || misspelled {
		return
	}
	d := c.find(at, "declare the scheme that clients use",
		"the card offers an extended card, which needs authentication, but declares no security scheme")
	if !c.in.Has(v10) {
		d.Severity = diag.Warning
	}
}

func compatA2AGoSecurity(c *card) {
	for _, d := range c.demands {
		if !d.broken && strings.Contains(d.Pointer(), "/securityRequirements/") {
			c.find(d.location, "the card is correct; see issue 430 of a2aproject/a2a-go",
				"a2a-go up to 2.4.0 refuses cards whose securityRequirements follow the specification")
			return
		}
	}
}
