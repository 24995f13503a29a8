package generate

import (
	"maps"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// merge fills in what the configuration leaves open of a card with what
// sources say, the first of them first. It returns where these members come
// from. Authentication comes from one source alone: schemes of two cannot be joined without
// guessing.
func merge(c *schema.Card, own *source.Node, parts []mapping.CardPart) (places []mapping.Place, found diag.List) {
	secured, unused := secures(own), diag.Warning
	if secured {
		unused = diag.Info
	}
	for i := range parts {
		b := &parts[i]
		place := func(pointer string) { places = append(places, b.PlacesOf(pointer)...) }
		fill := func(message, pointer string, to, from any) {
			for _, m := range schema.Members(message) {
				if m.Given(from) && !m.Given(to) {
					m.Copy(to, from)
					place(pointer + "/" + m.Name)
				}
			}
		}
		fill(schema.CardMessage, "", c, &b.Card)
		fill(schema.CapabilitiesMessage, "/capabilities", &c.Capabilities, &b.Card.Capabilities)
		if own.Get("provider") == nil && c.Provider == nil && b.Card.Provider != nil {
			c.Provider = b.Card.Provider
			place("/provider")
		}
		if own.Get("capabilities").Get("extensions") == nil && len(c.Capabilities.Extensions) == 0 &&
			len(b.Card.Capabilities.Extensions) > 0 {
			c.Capabilities.Extensions = b.Card.Capabilities.Extensions
			place("/capabilities/extensions")
		}
		if own.Get("interfaces") == nil && len(c.Interfaces) == 0 && len(b.Card.Interfaces) > 0 {
			c.Interfaces = b.Card.Interfaces
			place("/supportedInterfaces")
		}
		if secured && len(b.Card.Security) > 0 {
			found = append(found, diag.New(diag.AuthProvider, b.PlacesOf("/security")[0].Span,
				"the authentication of this source is left out of the card: the configuration or an earlier source defines it").
				WithSeverity(unused))
		}
		if secured || len(b.Card.Security)+len(b.Card.SecuritySchemes) == 0 {
			continue
		}
		schemes := map[string]schema.SecurityScheme{}
		maps.Copy(schemes, b.Card.SecuritySchemes)
		maps.Copy(schemes, c.SecuritySchemes) // the schemes of the configuration are added
		c.SecuritySchemes, c.Security, secured = schemes, b.Card.Security, len(b.Card.Security) > 0
		place("/security")
		place("/securitySchemes")
	}
	return places, found
}

// secures reports whether the configuration says which schemes clients must use. Schemes
// alone say nothing of that, nor does an auth without providers: neither opens an agent.
func secures(own *source.Node) bool {
	return own.Get("security") != nil || len(own.Get("auth").Get("providers").Elements()) > 0
}
