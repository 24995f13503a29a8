package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var securityChecks = []check{
	{diag.CompatA2AGoSecurity, v10, compatA2AGoSecurity},
	{diag.ExtendedWithoutAuth, both, extendedWithoutAuth},
	{diag.SecurityAnonymous, both, securityAnonymous},
	{diag.SecurityNone, both, securityNone},
	{diag.SecurityReference, both, securityReference},
	{diag.SecurityRequirementShape, both, securityRequirementShape},
}

// demand is one alternative of a requirement, on the card or on a skill.
type demand struct {
	place
	owner string // pointer of what makes the requirement
	needs []need
	fault *finding // why it cannot be understood
}

// need is a scheme that a demand names.
type need struct {
	place
	scheme string
	scopes place // the list of them
}

func demands(root place, skills []place, in versions) []demand {
	var list []demand
	for _, owner := range append([]place{root}, skills...) {
		if in&v10 != 0 {
			for p := range owner.At("securityRequirements").List() {
				list = append(list, wrappedDemand(p, owner.Pointer()))
			}
		}
		if in&v03 != 0 {
			for p := range owner.At("security").List() {
				list = append(list, flatDemand(p, owner.Pointer()))
			}
		}
	}
	return list
}

// wrappedDemand reads {"schemes": {NAME: {"list": [SCOPE]}}}, the form of 1.0.
func wrappedDemand(p place, owner string) demand {
	const form = `1.0 says {"schemes": {NAME: {"list": [SCOPE]}}}`
	d := demand{place: p, owner: owner}
	named := p.At("schemes")
	switch {
	case !p.Node.Is(source.Object):
		d.fault = new(fault(p, form, "a requirement is %s, must be an object", p.Node.Kind.Article()))
	case named.Node == nil && len(p.Node.Members) > 0:
		d.fault = new(fault(p, form, "the requirement has the form of 0.3, which 1.0 clients ignore"))
	case named.Node != nil && !named.Node.Is(source.Object):
		d.fault = new(fault(named, form, "schemes is %s, must be an object", named.Node.Kind.Article()))
	}
	for m, value := range named.Entries() {
		name, list := m.Key, value.At("list")
		if !value.Node.Is(source.Object) || list.Node != nil && !list.Node.Is(source.Array) {
			d.fault = new(fault(value, form, "the scopes of %s are %s, must be an object with a list", quote(name),
				value.Node.Kind.Article()))
			continue
		}
		d.needs = append(d.needs, need{value, name, list})
	}
	return d
}

// flatDemand reads {NAME: [SCOPE]}, the form of 0.3.
func flatDemand(p place, owner string) demand {
	const form = "0.3 says {NAME: [SCOPE]}"
	d := demand{place: p, owner: owner}
	if !p.Node.Is(source.Object) {
		d.fault = new(fault(p, form, "a requirement is %s, must be an object", p.Node.Kind.Article()))
	}
	for m, value := range p.Entries() {
		switch name := m.Key; {
		case name == "schemes" && value.Node.Is(source.Object):
			d.fault = new(fault(value, form, "the requirement has the form of 1.0, which 0.3 clients refuse"))
		case !value.Node.Is(source.Array):
			d.fault = new(fault(value, form, "the scopes of %s are %s, must be an array", quote(name), value.Node.Kind.Article()))
		case slices.ContainsFunc(value.Node.Items, func(n *source.Node) bool { return n.Kind != source.String }):
			d.fault = new(fault(value, form, "the scopes of %s must be strings", quote(name)))
		default:
			d.needs = append(d.needs, need{value, name, value})
		}
	}
	return d
}

func securityRequirementShape(c *card) {
	for _, d := range c.demands {
		if d.fault != nil {
			c.report(*d.fault)
		}
	}
	reportShape(c)
}

// eachNeed calls judge for every scheme that is required, once for each owner, name and
// list of scopes: a dual card says the same in two members.
func (c *card) eachNeed(judge func(need)) {
	seen := map[[3]string]bool{}
	for _, d := range c.demands {
		for _, n := range d.needs {
			var scopes []string
			for scope := range texts(n.scopes) {
				scopes = append(scopes, scope.Node.Text)
			}
			if key := [3]string{d.owner, n.scheme, strings.Join(scopes, " ")}; !seen[key] {
				seen[key] = true
				judge(n)
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
	c.eachNeed(func(n need) {
		if declared[n.scheme] {
			return
		}
		f := fault(n.place, "", "the requirement names the scheme %s, which securitySchemes does not declare",
			quote(n.scheme))
		f.hint = known.Hint(n.scheme, declare)
		c.report(f)
	})
}

func securityAnonymous(c *card) {
	seen := map[string]bool{}
	for _, d := range c.demands {
		if d.fault != nil || len(d.needs) > 0 || seen[d.owner] {
			continue
		}
		seen[d.owner] = true
		c.find(d.place, "delete it, unless anonymous access is intended",
			"an empty requirement is an alternative to the others, so it lets everyone in")
	}
}

func securityNone(c *card) {
	if len(c.demands) > 0 || c.extended().Node != nil && len(c.schemes) == 0 {
		return // extended-without-auth says the latter
	}
	for _, name := range []string{"security", "securityRequirements", "authentication", "authSchemes"} {
		if !lacks(c.root, name) {
			return
		}
	}
	f := fault(c.root, "declare a security scheme and require it, unless the agent is open to all",
		"the card requires no authentication, so everyone may call the agent")
	if len(c.schemes) > 0 {
		f.at, f.name = c.root.At("securitySchemes"), c.root.Node.Member("securitySchemes")
		f.message = "the card declares security schemes but requires none of them, so everyone may call the agent"
		f.hint = "require them, unless the agent is open to all"
	}
	c.report(f)
}

// extended returns the place where the card claims an extended one.
func (c *card) extended() place {
	for _, at := range []place{
		c.root.At("capabilities").At("extendedAgentCard"),
		c.root.At("supportsAuthenticatedExtendedCard"),
	} {
		if isTrue(at) {
			return at
		}
	}
	return place{}
}

func extendedWithoutAuth(c *card) {
	at := c.extended()
	if at.Node == nil || len(c.schemes) > 0 || c.root.Node.Get("securitySchemes") == nil && !lacks(c.root, "securitySchemes") {
		return
	}
	f := fault(at, "declare the scheme that clients use",
		"the card offers an extended card, which needs authentication, but declares no security scheme")
	if c.in&v10 == 0 {
		f.severity = diag.Warning
	}
	c.report(f)
}

func compatA2AGoSecurity(c *card) {
	for _, d := range c.demands {
		if strings.Contains(d.Pointer(), "/securityRequirements/") && d.fault == nil {
			c.find(d.place, "the card is correct; see issue 430 of a2aproject/a2a-go",
				"a2a-go up to 2.4.0 refuses cards whose securityRequirements follow the specification")
			return
		}
	}
}
