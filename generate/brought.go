package generate

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// underlay fills in what the configuration leaves open of a card with what
// sources bring, the first of them first. It returns where these members come
// from.
func underlay(c *schema.Card, own *source.Node, brought []mapping.Brought) []mapping.Place {
	// Schemes mean nothing without requirements: the configuration replaces both
	// or neither.
	secured := secures(own)
	var places []mapping.Place
	for _, b := range brought {
		for _, m := range []struct {
			pointers    []string
			open, given bool
			fill        func()
		}{
			{[]string{"/name"}, c.Name == "", b.Card.Name != "", func() { c.Name = b.Card.Name }},
			{[]string{"/version"}, c.Version == "", b.Card.Version != "", func() { c.Version = b.Card.Version }},
			{
				[]string{"/supportedInterfaces"},
				own.Get("interfaces") == nil && len(c.Interfaces) == 0, len(b.Card.Interfaces) > 0,
				func() { c.Interfaces = b.Card.Interfaces },
			},
			{
				[]string{"/capabilities/streaming"},
				c.Capabilities.Streaming == nil, b.Card.Capabilities.Streaming != nil,
				func() { c.Capabilities.Streaming = b.Card.Capabilities.Streaming },
			},
			{
				[]string{"/security", "/securitySchemes"},
				!secured, len(b.Card.Security) > 0,
				func() { c.SecuritySchemes, c.Security, secured = b.Card.SecuritySchemes, b.Card.Security, true },
			},
			{[]string{"/defaultInputModes"}, len(c.InputModes) == 0, len(b.Card.InputModes) > 0, func() { c.InputModes = b.Card.InputModes }},
			{[]string{"/defaultOutputModes"}, len(c.OutputModes) == 0, len(b.Card.OutputModes) > 0, func() { c.OutputModes = b.Card.OutputModes }},
		} {
			if !m.open || !m.given {
				continue
			}
			m.fill()
			for _, pointer := range m.pointers {
				places = append(places, b.PlacesOf(pointer)...)
			}
		}
	}
	return places
}

// secures tells whether the configuration says how clients authenticate.
func secures(own *source.Node) bool {
	return own.Get("auth") != nil || own.Get("securitySchemes") != nil || own.Get("security") != nil
}

// unheard reports the sources whose authentication an earlier one has kept off
// the card: schemes of two sources cannot be joined without guessing.
func unheard(own *source.Node, brought []mapping.Brought) diag.List {
	if secures(own) {
		return nil
	}
	var found diag.List
	var first *mapping.Brought
	for i := range brought {
		b := &brought[i]
		switch {
		case len(b.Card.Security) == 0:
		case first == nil:
			first = b
		default:
			found = append(found, diag.Diagnostic{
				Rule: "auth-provider", Severity: diag.Warning, Span: b.PlacesOf("/security")[0].Span,
				Message: "the authentication of this source is not on the card, that of an earlier source is",
				Hint:    "say in auth or securitySchemes of the agent how clients authenticate",
				Related: []diag.Related{{Span: first.PlacesOf("/security")[0].Span, Message: "the one that is published"}},
			})
		}
	}
	return found
}
