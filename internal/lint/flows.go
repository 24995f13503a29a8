package lint

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

var flowChecks = checks{
	diag.SchemeOAuthDeprecated: {both, eachForm("oauth2", schemeOAuthDeprecated)},
	diag.SchemeOAuthDeviceCode: {v03, schemeOAuthDeviceCode},
	diag.SchemeOAuthFlow:       {both, eachForm("oauth2", schemeOAuthFlow)},
	diag.SchemeScopeUndeclared: {both, schemeScopeUndeclared},
}

// flows returns the flows of an OAuth scheme, in document order.
func (f form) flows() []location {
	var list []location
	for m, p := range f.At("flows").Entries() {
		if slices.Contains(schema.FlowTypes(), schema.FlowType(m.Key)) {
			list = append(list, p)
		}
	}
	return list
}

func schemeOAuthFlow(c *card, f form) {
	flows, name := f.At("flows"), diag.Quote(f.name)
	if !flows.Node.Is(source.Object) {
		return
	}
	n := len(f.flows())
	defined := n // by 0.3
	if flows.Node.Get(string(schema.DeviceCode)) != nil {
		defined--
	}
	switch {
	case !f.flat && n > 1:
		c.find(flows, "declare one scheme for each flow, and require one or the other",
			"the scheme %s has %d flows, 1.0 allows one", name, n)
	case !f.flat && n == 0:
		c.find(flows, "", "the scheme %s has no flow, 1.0 requires one", name)
	case n == 0:
		c.find(flows, "", "the scheme %s has no flow, so clients cannot get a token", name).Severity = diag.Warning
	case f.flat && c.in.Has(v03) && defined > 1:
		c.find(flows, "declare one scheme for each flow, and require one or the other, as convert does",
			"the scheme %s has %d flows: 0.3 allows them, but some clients refuse such a card, and 1.0 allows one",
			name, defined).Severity = diag.Warning
	}
}

func schemeOAuthDeprecated(c *card, f form) {
	for _, flow := range f.flows() {
		switch schema.FlowType(flow.Token()) {
		case schema.Implicit:
			c.find(flow, "use authorizationCode with PKCE", "the scheme %s uses the implicit flow, which is deprecated",
				diag.Quote(f.name))
		case schema.Password:
			c.find(flow, "use authorizationCode with PKCE, or deviceCode",
				"the scheme %s uses the password flow, which is deprecated", diag.Quote(f.name))
		}
	}
}

func schemeOAuthDeviceCode(c *card) {
	for _, s := range c.schemes {
		for _, f := range s.forms {
			if flow := f.At("flows").At(string(schema.DeviceCode)); s.forms[0].flat && flow.Node != nil {
				c.find(flow, "add another flow for 0.3 clients",
					"the scheme %s uses the device code flow, which 0.3 does not define", diag.Quote(s.name))
				break
			}
		}
	}
}

func schemeScopeUndeclared(c *card) {
	scopes := map[string]map[string]bool{}
	for _, s := range c.schemes {
		for _, f := range s.forms {
			for _, flow := range f.flows() {
				if scopes[s.name] == nil {
					scopes[s.name] = map[string]bool{}
				}
				for m := range flow.At("scopes").Entries() {
					scopes[s.name][m.Key] = true
				}
			}
		}
	}
	for n := range needs(c) {
		declared := scopes[n.scheme]
		if declared == nil {
			continue // no OAuth scheme: its scopes are declared nowhere
		}
		for scope := range texts(n.scopes) {
			if !declared[scope.Node.Text] {
				c.find(scope, "declare it in the scopes of the flow",
					"the requirement has the scope %s, which no flow of %s declares", diag.Quote(scope.Node.Text),
					diag.Quote(n.scheme))
			}
		}
	}
}
