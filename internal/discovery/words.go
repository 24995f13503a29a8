package discovery

import (
	"maps"
	"slices"
	"strings"

	"cardwright/schema"
)

// securityView says in words what a client needs.
type securityView struct {
	Alternatives [][]schemeView // any one suffices; what stands in one is needed together
	Offered      []schemeView   // declared, but not required
}

// schemeView is a security scheme in words.
type schemeView struct {
	Words string
	Value string // what the client has to spell as it is, such as the name of a header
	After string // the rest of the words
	Note  prose  // what the card says about it
}

// agentSecurity describes what an agent requires or, if it requires nothing,
// what it offers. Each scheme is described once.
func agentSecurity(c *schema.Card) securityView {
	v := securityView{Alternatives: alternatives(c.Security, c.SecuritySchemes)}
	if len(c.Security) == 0 {
		for _, name := range slices.Sorted(maps.Keys(c.SecuritySchemes)) {
			v.Offered = append(v.Offered, newSchemeView(c.SecuritySchemes[name], nil))
		}
	}
	seen := map[string]bool{}
	for _, together := range append(v.Alternatives, v.Offered) {
		for i := range together {
			if seen[together[i].Note.Head] {
				together[i].Note = prose{}
			}
			seen[together[i].Note.Head] = true
		}
	}
	return v
}

// skillSecurity says what a skill needs of its own. What the card says about
// the schemes stands with the agent.
func skillSecurity(s schema.Skill, schemes map[string]schema.SecurityScheme) securityView {
	v := securityView{Alternatives: alternatives(s.Security, schemes)}
	for _, together := range v.Alternatives {
		for i := range together {
			together[i].Note = prose{}
		}
	}
	return v
}

// alternatives looks requirements up among the schemes of the card.
func alternatives(required []schema.Requirement, schemes map[string]schema.SecurityScheme) [][]schemeView {
	var all [][]schemeView
	for _, r := range required {
		var together []schemeView
		for _, name := range slices.Sorted(maps.Keys(r)) {
			scheme, declared := schemes[name]
			if !declared {
				together = append(together, schemeView{
					Words: "the scheme", Value: label(name),
					After: ", which the card does not declare",
				})
				continue
			}
			together = append(together, newSchemeView(scheme, r[name]))
		}
		all = append(all, together)
	}
	return all
}

func newSchemeView(s schema.SecurityScheme, scopes []string) schemeView {
	v := schemeView{Note: newProse(s.Description)}
	switch s.Type {
	case schema.APIKey:
		v.Words, v.Value = "API key in "+keyPlace(s.In), label(s.Name)
	case schema.HTTPAuth:
		v.Words = httpWords(s)
	case schema.OAuth2:
		v.Words = "OAuth 2.0 " + flowWords(s.Flows)
	case schema.OpenIDConnect:
		v.Words, v.Value = "OpenID Connect at", line(s.OpenIDConnectURL)
	case schema.MutualTLS:
		v.Words = "client certificate (mutual TLS)"
	default:
		v.Words, v.Value = "the unknown kind", label(string(s.Type))
	}
	switch len(scopes) {
	case 0:
	case 1:
		v.After = ", scope " + label(scopes[0])
	default:
		v.After = ", scopes " + strings.Join(labels(scopes), ", ")
	}
	return v
}

func keyPlace(in string) string {
	if in == "query" {
		return "query parameter"
	}
	return label(in) // header, cookie
}

func httpWords(s schema.SecurityScheme) string {
	switch strings.ToLower(s.Scheme) {
	case "bearer":
		if s.BearerFormat != "" {
			return "bearer token (" + label(s.BearerFormat) + ")"
		}
		return "bearer token"
	case "basic":
		return "user name and password (HTTP Basic)"
	}
	return "HTTP authentication " + label(s.Scheme)
}

// flowWords names the flows of a scheme, of which a client takes one.
func flowWords(flows []schema.Flow) string {
	var words []string
	for _, kind := range schema.FlowTypes() {
		for _, f := range flows {
			if f.Type == kind {
				words = append(words, flowWord(f))
			}
		}
	}
	return strings.Join(words, " or ")
}

func flowWord(f schema.Flow) string {
	switch f.Type {
	case schema.AuthorizationCode:
		if f.PKCERequired {
			return "authorization code with PKCE"
		}
		return "authorization code"
	case schema.ClientCredentials:
		return "client credentials"
	case schema.DeviceCode:
		return "device code"
	}
	return string(f.Type) // implicit, password
}
