package lint

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

var flowsChecks = []check{
	{diag.SchemeOAuthDeprecated, both, schemeOAuthDeprecated},
	{diag.SchemeOAuthDeviceCode, v03, schemeOAuthDeviceCode},
	{diag.SchemeOAuthFlow, both, schemeOAuthFlow},
	{diag.SchemeScopeUndeclared, both, schemeScopeUndeclared},
}

func schemeOAuthFlow(c *card) {
	for _, s := range c.schemes {
		for _, f := range s.forms() {
			flows := f.At("flows")
			if f.kind != "oauth2" || !flows.Node.Is(source.Object) {
				continue
			}
			switch n := len(flowsOf(flows)); {
			case f.Node != s.Node && n > 1:
				c.find(flows, "declare one scheme for each flow, and require one or the other",
					"the scheme %s has %d flows, 1.0 allows one", quote(s.name), n)
			case f.Node != s.Node && n == 0:
				c.find(flows, "", "the scheme %s has no flow, 1.0 requires one", quote(s.name))
			case n == 0:
				c.findAs(diag.Warning, flows, "", "the scheme %s has no flow, so clients cannot get a token", quote(s.name))
			case c.in&v03 != 0 && flowsOf03(flows) > 1:
				c.findAs(diag.Warning, flows, "declare one scheme for each flow, and require one or the other, as convert does",
					"the scheme %s has %d flows: 0.3 allows them, but some clients refuse such a card, and 1.0 allows one",
					quote(s.name), flowsOf03(flows))
			}
		}
	}
	reportShape(c)
}

// flowsOf03 returns how many flows an object has that 0.3 defines.
func flowsOf03(flows place) int {
	n := len(flowsOf(flows))
	if flows.Node.Get(string(schema.DeviceCode)) != nil {
		n--
	}
	return n
}

// flowsOf returns the flows that a flows object has, in document order.
func flowsOf(flows place) []form {
	var list []form
	for m, p := range flows.Entries() {
		if slices.Contains(schema.FlowTypes(), schema.FlowType(m.Key)) {
			list = append(list, form{p, m.Key})
		}
	}
	return list
}

// eachFlow calls judge for every flow, once for each scheme and kind.
func (c *card) eachFlow(judge func(s scheme, f form)) {
	for _, s := range c.schemes {
		seen := map[string]bool{}
		for _, f := range s.forms() {
			if f.kind != "oauth2" {
				continue
			}
			for _, flow := range flowsOf(f.At("flows")) {
				if !seen[flow.kind] {
					seen[flow.kind] = true
					judge(s, flow)
				}
			}
		}
	}
}

func schemeOAuthDeprecated(c *card) {
	c.eachFlow(func(s scheme, f form) {
		switch f.kind {
		case "implicit":
			c.find(f.place, "use authorizationCode with PKCE", "the scheme %s uses the implicit flow, which is deprecated",
				quote(s.name))
		case "password":
			c.find(f.place, "use authorizationCode with PKCE, or deviceCode",
				"the scheme %s uses the password flow, which is deprecated", quote(s.name))
		}
	})
}

func schemeOAuthDeviceCode(c *card) {
	c.eachFlow(func(s scheme, f form) {
		if f.kind == "deviceCode" && s.flat {
			c.find(f.place, "add another flow for 0.3 clients",
				"the scheme %s uses the device code flow, which 0.3 does not define", quote(s.name))
		}
	})
}

func schemeScopeUndeclared(c *card) {
	scopes := map[string]map[string]bool{}
	c.eachFlow(func(s scheme, f form) {
		if scopes[s.name] == nil {
			scopes[s.name] = map[string]bool{}
		}
		for m := range f.At("scopes").Entries() {
			scopes[s.name][m.Key] = true
		}
	})
	c.eachNeed(func(n need) {
		declared := scopes[n.scheme]
		if declared == nil {
			return // no OAuth scheme: its scopes are declared nowhere
		}
		for scope := range texts(n.scopes) {
			if !declared[scope.Node.Text] {
				c.find(scope, "declare it in the scopes of the flow",
					"the requirement has the scope %s, which no flow of %s declares", quote(scope.Node.Text), quote(n.scheme))
			}
		}
	})
}
