package config

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// form shows how a value is written, with VALUE for the text that stands there.
type form struct{ key, text, value string }

// forms are the values that people write in another way most often.
func forms() []form {
	return []form{
		{
			"agents",
			"agents: [{id: VALUE, name: Review, description: Reviews pull requests., interfaces: [{url: /a2a}]}]", "review",
		},
		{"security", "security: [{VALUE: []}]", "token"},
		{"skills", "skills: {from: [{type: skills, path: VALUE}]}", "skills"},
		{"from", "from: [{type: skills, path: VALUE}]", "skills"},
		{"add", "add: [{id: VALUE, name: Chat, description: Answers questions., tags: [chat]}]", "chat"},
		{"overlay", "overlay: {VALUE: {tags: [pdf]}}", "pdf"},
		{"interfaces", "interfaces: [{url: VALUE}]", "https://acme.example/a2a"},
		{"capabilities", "capabilities: {VALUE: true}", "streaming"},
		{"extensions", "extensions: [{uri: VALUE}]", "https://acme.example/ext/cite/v1"},
		{"provider", "provider: {organization: VALUE, url: https://acme.example}", "Acme Inc."},
		{"auth", "auth: {providers: [{type: VALUE, settings: {issuer: https://id.acme.example}}]}", "oidc"},
		{"providers", "providers: [{type: VALUE, settings: {issuer: https://id.acme.example}}]", "oidc"},
		{"securitySchemes", "securitySchemes: {VALUE: {type: http, scheme: bearer}}", "token"},
		{"flows", "flows: {VALUE: {tokenUrl: https://id.acme.example/token, scopes: {}}}", "clientCredentials"},
		{"scopes", "scopes: {VALUE: what it allows}", "orders.read"},
		{"versions", `versions: ["VALUE"]`, "1.0"},
		{"rules", "rules: {VALUE: off}", "skill-examples-few"},
		{"vars", "vars: {VALUE: 1.0.0}", "release"},
		{"environments", "environments: {VALUE: {baseUrl: https://staging.acme.example}}", "staging"},
		{"policies", "policies: [{id: VALUE, schema: policies/provider.schema.json, message: what to do}]", "acme-provider"},
		{
			"mcp", "mcp: [{name: VALUE, version: 1.0.0, description: Orders., url: https://mcp.acme.example}]",
			"com.acme/orders",
		},
	}
}

// rightForm says how to write a value of another type than its key takes.
func rightForm(pointer string, node *source.Node, want []string) string {
	key, entry := "", false
	for token := range source.Tokens(pointer) {
		if _, err := strconv.Atoi(token); err == nil && key != "" {
			entry = true
			continue
		}
		key, entry = token, false
	}
	given := ""
	if node.Is(source.String) && len(node.Text) <= 60 && !strings.ContainsAny(node.Text, "\n\"{}[],:#&*!|>'%@`") {
		given = node.Text
	}
	if strings.Contains(pointer+"/", "/signing/") {
		return signingForm
	}
	if node.Is(source.Array) && len(node.Items) > 0 && node.Items[0].Is(source.String) &&
		!strings.ContainsAny(node.Items[0].Text, "{}[],:#") {
		given = node.Items[0].Text // of a list in place of a map
	}
	if !slices.Contains(want, "array") && !slices.Contains(want, "object") {
		return scalarForm(key, entry, given, want)
	}
	for _, f := range forms() {
		if f.key == key {
			if given == "" {
				given = f.value
			}
			return "write " + strings.Replace(f.text, "VALUE", given, 1)
		}
	}
	switch {
	case entry || key == "":
		return ""
	case slices.Contains(want, "array") && node.Scalar() && given != "":
		return "write " + key + ": [" + given + "]"
	case slices.Contains(want, "array") && node.Scalar():
		return "write " + key + ": [" + strconv.Quote(node.Text) + "]"
	case slices.Contains(want, "array"):
		return "write " + key + ": [a, b]"
	case slices.Contains(want, "object"):
		return "write " + key + ": {key: value}"
	}
	return ""
}

// signingForm is how an agent is signed.
const signingForm = `write signing: {key: "env:CARD_KEY", kid: cards-2026}`

// policyForm says how to write a cache policy.
func policyForm(node *source.Node) string {
	if node.Is(source.String) {
		return "max-age counts seconds, without a unit: max-age=300 is five minutes"
	}
	seconds := "3600"
	if node.Is(source.Number) {
		seconds = node.Text
	}
	return "write cacheControl: public, max-age=" + seconds
}

// inJSON is a hint for a JSON file: a list or map that it says to write, as JSON.
func inJSON(hint string) string {
	text, _ := strings.CutPrefix(hint, "write ")
	if text == hint || !strings.Contains(text, ": [") && !strings.Contains(text, ": {") {
		return hint
	}
	node, found := source.ParseYAML("", []byte(text), "", source.Limits{})
	if len(found) > 0 || !node.Is(source.Object) {
		return hint
	}
	member := schema.WriteCompact(node)
	return "write " + member[1:len(member)-1]
}

// scalarForm is [rightForm] for texts, numbers and flags.
func scalarForm(key string, entry bool, given string, want []string) string {
	switch {
	case slices.Contains(want, "integer") || slices.Contains(want, "number"):
		return "write " + key + ": 1000, a number without quotes"
	case slices.Contains(want, "boolean"):
		return "write " + key + ": true or " + key + ": false"
	case entry:
		return "write " + key + ": [text]"
	case key == "":
		return ""
	case given != "":
		return "write " + key + ": " + given
	}
	return "write " + key + ": text"
}

// otherNames are the names of keys that cards, older versions of A2A and other
// tools use, with the keys that may be meant.
func otherNames() map[string]string {
	names := map[string]string{
		"transport": "binding", "preferredTransport": "binding", "protocolVersion": "versions interfaces",
		"version":             "versions",
		"supportedInterfaces": "interfaces", "additionalInterfaces": "interfaces", "endpoints": "interfaces",
		"endpoint": "url interfaces", "uri": "url interfaces", "url": "interfaces",
		"securityRequirements": "security", "authentication": "auth", "inputModes": "defaultInputModes",
		"outputModes": "defaultOutputModes",
		"displayName": "name", "title": "name", "homepage": "documentationUrl", "docs": "documentationUrl", "logo": "iconUrl",
		"icon":    "iconUrl",
		"sources": "from", "output": "out", "outDir": "out", "base_url": "baseUrl",
	}
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			if key := m.Key(); key != "" && key != m.Name && names[m.Name] == "" {
				names[m.Name] = key
			}
		}
	}
	return names
}

// meantKey suggests the key that is meant by a name from elsewhere, where it is
// one of the known ones: a hint that lists them. node is the value at the pointer.
func meantKey(pointer string, node *source.Node, hint string) string {
	list, ok := strings.CutPrefix(hint, "known keys: ")
	if !ok {
		return hint
	}
	last := ""
	for token := range source.Tokens(pointer) {
		last = token
	}
	known := strings.Split(list, ", ")
	for key := range strings.FieldsSeq(otherNames()[last]) {
		switch {
		case !slices.Contains(known, key):
		case key == "interfaces" && strings.Contains(node.ScalarText(), "/"):
			return "write interfaces: [{url: " + node.ScalarText() + "}]"
		default:
			return diag.Meant(key)
		}
	}
	return hint
}
