package schema

import "strings"

// requirementHints show the shape of a security requirement, by JSON Schema.
var requirementHints = map[string]string{
	card10: `A2A 1.0 writes {"schemes": {"NAME": {"list": []}}}`,
	card03: `A2A 0.3 writes {"NAME": []}`,
}

// rule returns the id of the rule about a fault in a definition of the schema.
func (v validator) rule(c class, definition string) string {
	switch v.name {
	case "config":
		if c == unknown {
			return "config-key-unknown"
		}
		return "config-value"
	case card10, card03:
		return cardRule(c, definition)
	}
	return ""
}

func cardRule(c class, definition string) string {
	incomplete := c == missing || c == blank
	switch {
	case c == null:
		return "card-null"
	case definition == "provider" && incomplete:
		return "provider-incomplete"
	case definition == "capabilities" && c == mistyped:
		return "capability-type"
	case definition == "extension" && incomplete:
		return "extension-uri"
	case definition == "tags" && c == blank:
		return "skill-tags-missing"
	case definition == "scheme":
		return "scheme-shape"
	case definition == "apiKey" && c != mistyped:
		return "scheme-apikey"
	case definition == "http" && incomplete:
		return "scheme-http"
	case definition == "flows" && c != mistyped, strings.HasSuffix(definition, "Flow") && incomplete:
		return "scheme-oauth-flow"
	case definition == "requirement":
		return "security-requirement-shape"
	case c == missing:
		return "card-member-missing"
	case c == blank:
		return "card-member-empty"
	}
	return "card-member-type"
}
