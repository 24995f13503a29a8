package discovery

import (
	"maps"
	"slices"
	"strings"

	"cardwright/schema"
)

// needs says in words what a client needs: any one of the texts is enough.
func needs(required []schema.Requirement, schemes map[string]schema.SecurityScheme) []string {
	var ways []string
	for _, r := range required {
		together := []string{}
		for _, name := range slices.Sorted(maps.Keys(r)) {
			if scheme, declared := schemes[name]; declared {
				together = append(together, schemeWords(scheme, r[name]))
			} else {
				together = append(together, "the scheme "+label(name)+", which the card does not declare")
			}
		}
		if len(together) == 0 {
			together = []string{"no authentication"}
		}
		ways = append(ways, strings.Join(together, " and "))
	}
	return ways
}

// offered says what a client of an agent may use that requires nothing.
func offered(schemes map[string]schema.SecurityScheme) []string {
	var ways []string
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		ways = append(ways, schemeWords(schemes[name], nil))
	}
	return ways
}

// notes are what a card says about its schemes, each text once.
func notes(schemes map[string]schema.SecurityScheme) []string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		texts = append(texts, prose(schemes[name].Description))
	}
	slices.Sort(texts)
	return slices.DeleteFunc(slices.Compact(texts), func(text string) bool { return text == "" })
}

func schemeWords(s schema.SecurityScheme, scopes []string) (words string) {
	switch s.Type {
	case schema.APIKey:
		words = "API key in " + strings.Replace(label(s.In), "query", "query parameter", 1) + " " + label(s.Name)
	case schema.HTTPAuth:
		words = httpWords(s)
	case schema.OAuth2:
		var flows []string
		for _, kind := range schema.FlowTypes() {
			for _, f := range s.Flows {
				if f.Type == kind {
					flows = append(flows, flowWord(f))
				}
			}
		}
		words = "OAuth 2.0 " + strings.Join(flows, " or ")
	case schema.OpenIDConnect:
		words = "OpenID Connect at " + line(s.OpenIDConnectURL)
	case schema.MutualTLS:
		words = "client certificate (mutual TLS)"
	default:
		words = "the unknown kind " + label(string(s.Type))
	}
	switch len(scopes) {
	case 0:
	case 1:
		words += ", scope " + label(scopes[0])
	default:
		words += ", scopes " + strings.Join(labels(scopes), ", ")
	}
	return words
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
