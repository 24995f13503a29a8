package config_test

import (
	"strings"
	"testing"

	"cardwright/internal/config"
)

// What people write most often in another form is answered with the right one.
func TestRightForms(t *testing.T) {
	const agent = `version: 1
agents:
  - id: one
    name: One
    description: Answers questions about orders.
    version: 1.0.0
    skills: {from: [{type: skills, path: skills}]}
    interfaces: [{url: https://one.acme.example/a2a}]
`
	instead := func(old, replacement string) string { return strings.Replace(agent, old, replacement, 1) }
	tests := []struct{ name, in, message, hint string }{
		{
			"requirement", agent + "    security: [token]\n", `"security[0]" is a string, must be an object`,
			"write security: [{token: []}]",
		},
		{
			"requirements", agent + "    security: token\n", `"security" is a string, must be an array`,
			"write security: [{token: []}]",
		},
		{
			"skills", instead("skills: {from: [{type: skills, path: skills}]}", "skills: skills"),
			`"skills" is a string, must be an object`, "write skills: {from: [{type: skills, path: skills}]}",
		},
		{
			"transport", instead("a2a}", "a2a, transport: JSONRPC}"), `unknown key "transport" in "interfaces[0]"`,
			`did you mean "binding"?`,
		},
		{
			"protocolBinding", instead("a2a}", "a2a, protocolBinding: JSONRPC}"),
			`unknown key "protocolBinding" in "interfaces[0]"`, `did you mean "binding"?`,
		},
		{
			"supportedInterfaces", instead("interfaces:", "supportedInterfaces:"),
			`unknown key "supportedInterfaces" in "agents[0]"`, `did you mean "interfaces"?`,
		},
		{
			"protocolVersion", agent + "    protocolVersion: \"1.0\"\n", `unknown key "protocolVersion" in "agents[0]"`,
			`did you mean "interfaces"?`,
		},
		{
			"endpoint", agent + "    endpoint: https://a.example/a2a\n", `unknown key "endpoint" in "agents[0]"`,
			"write interfaces: [{url: https://a.example/a2a}]",
		},
		{
			"a typing error", instead("interfaces:", "interface:"), `unknown key "interface" in "agents[0]"`,
			`did you mean "interfaces"?`,
		},
		{
			"scheme type", agent + "    securitySchemes: {token: {type: htttp, scheme: bearer}}\n",
			`"type" is "htttp", must be one of "apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"`,
			`did you mean "http"?`,
		},
		{
			"letter case", agent + "    securitySchemes: {token: {type: mutualTls}}\n",
			`"type" is "mutualTls", must be one of "apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"`,
			`did you mean "mutualTLS"?`,
		},
		{
			"nothing near", agent + "    securitySchemes: {token: {type: certificates}}\n",
			`"type" is "certificates", must be one of "apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"`, "",
		},
		{"server", agent + "servers: [ngnix]\n", `"servers[0]" is "ngnix"`, `did you mean "nginx"?`},
		{
			"backslash", instead("path: skills", `path: '..\skills'`), `"path" is "..\\skills", must be a path with slashes`,
			`write "../skills"`,
		},
		{"duplicate", agent + "    name: Twice\n", `key "name" is defined twice`, "keep one of them"},
		{"cache policy", agent + "cacheControl: max-age=5m\n", `"cacheControl" is "max-age=5m"`, "max-age counts seconds"},
		{
			"lifetime", agent + "cacheControl: 300\n", "is a number, must be a string",
			"write cacheControl: public, max-age=300",
		},
		{
			"policy of a map", agent + "cacheControl: {card: 300}\n", "is an object",
			"write cacheControl: public, max-age=3600",
		},
		{"severity", agent + "rules: {skill-tags-missing: warn}\n", `is "warn", must be one of`, `did you mean "warning"?`},
		{"no version", instead("version: 1\n", ""), `the configuration has no "version"`, "add version: 1"},
		{"versions", instead("a2a}", "a2a, versions: 0.3}"), `"versions" is a number, must be an array`, `versions: ["`},
		{
			"media type", agent + "    defaultInputModes: text/plain\n", `"defaultInputModes" is a string, must be an array`,
			"write defaultInputModes: [text/plain]",
		},
		{
			"a list of names", agent + "    capabilities: [streaming]\n", `"capabilities" is an array, must be an object`,
			"write capabilities: {streaming: true}",
		},
		{
			"a list in place of a text", instead("name: One", "name: [One]"), `"name" is an array, must be a string`,
			"write name: One",
		},
		{
			"a map in place of a text", instead("name: One", "name: {en: One}"), `"name" is an object, must be a string`,
			"write name: text",
		},
		{
			"a map in a list of texts", agent + "    defaultInputModes: [{type: text/plain}]\n",
			`"defaultInputModes[0]" is an object, must be a string`, "write defaultInputModes: [text]",
		},
		{
			"a list in place of a flag", agent + "    capabilities: {streaming: []}\n",
			`"streaming" is an array, must be a boolean`, "write streaming: true or streaming: false",
		},
		{
			"schemes at the top", agent + "securitySchemes: {token: {type: http, scheme: bearer}}\n",
			`unknown key "securitySchemes"`, `"securitySchemes" stands in an agent, or in defaults`,
		},
		{
			"a capability in an agent", agent + "    streaming: true\n", `unknown key "streaming" in "agents[0]"`,
			`"streaming" stands below capabilities of an agent`,
		},
		{
			"a key of the top in an agent", agent + "    baseUrl: https://acme.example\n",
			`unknown key "baseUrl" in "agents[0]"`, `"baseUrl" stands at the top level`,
		},
		{
			"a skill in place of a source", instead("{type: skills, path: skills}", "{id: chat, name: Chat}"),
			`"from[0]"`, "write a skill that no source has below skills.add",
		},
		{
			"skills of a card", instead("{from: [{type: skills, path: skills}]}", "[{id: chat, name: Chat}]"),
			`"skills" is an array, must be an object`, "write skills: {add: […]}",
		},
		{
			"an alias", agent + "vars: {a: &docs x, b: *docs}\n", "anchor", "delete it",
		},
		{
			"a host alone", agent + "baseUrl: rooms.acme.example\n", `"baseUrl" is "rooms.acme.example"`,
			"write https://rooms.acme.example",
		},
		{
			"an icon without its scheme", agent + "    iconUrl: acme.example/icon.png\n", `"iconUrl" is`,
			"write https://acme.example/icon.png",
		},
		{
			"the URL of a card", agent + "baseUrl: https://acme.example/rooms/.well-known/agent-card.json\n",
			"baseUrl is the URL of .well-known/agent-card.json", "write baseUrl: https://acme.example/rooms",
		},
		{
			"a key that may be one", agent + "    signing: sesame\n", `is `,
			`write signing: {key: "env:CARD_KEY", kid: cards-2026}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := config.Load([]byte(tt.in), config.Options{File: "c.yaml"})
			if len(found) == 0 {
				t.Fatal("nothing is found")
			}
			if got := found[0]; !strings.Contains(got.Message, tt.message) || !strings.Contains(got.Hint, tt.hint) ||
				tt.hint == "" && got.Hint != "" {
				t.Errorf("got %q, hint %q\nwant %q, hint %q", got.Message, got.Hint, tt.message, tt.hint)
			}
			if strings.Contains(found[0].Message+found[0].Hint, "sesame") {
				t.Errorf("a key is shown: %q, hint %q", found[0].Message, found[0].Hint)
			}
		})
	}
}

// With several agents, each fault says which one has it; what defaults bring is
// no agent's.
func TestFaultsNameTheAgent(t *testing.T) {
	_, found := config.Load([]byte(`version: 1
defaults: {provider: Acme}
agents:
  - {id: one, name: One, description: d, interfaces: [{url: https://one.acme.example/a2a}]}
  - {id: two, name: Two, description: d, interfaces: [{binding: GRPC}], skils: {},
     auth: {providers: [{type: odic}]}}
`), config.Options{File: "c.yaml"})
	var got []string
	for _, d := range found {
		got = append(got, d.Message)
	}
	want := []string{
		`"provider" is a string, must be an object`, `agent "two": "interfaces[0]" has no "url"`,
		`agent "two": unknown key "skils" in "agents[1]"`, `agent "two": unknown type of auth provider "odic"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
