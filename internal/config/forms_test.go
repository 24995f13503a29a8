package config_test

import (
	"strings"
	"testing"

	"cardwright/internal/config"
)

// What people write most often in another form is answered with the right one.
func TestRightForms(t *testing.T) {
	const sources = "skills: {from: [{type: skills, path: skills}]}"
	agent := minimal + "    " + sources + "\n"
	instead := func(old, replacement string) string { return strings.Replace(agent, old, replacement, 1) }
	for _, c := range []struct{ text, message, hint string }{
		{agent + "    security: [token]\n", `"security[0]" is a string, must be an object`, "write security: [{token: []}]"},
		{agent + "    security: token\n", `"security" is a string, must be an array`, "write security: [{token: []}]"},
		{instead(sources, "skills: skills"), `"skills" is a string, must be an object`, "write " + sources},
		{instead("a2a,", "a2a, transport: GRPC,"), `unknown key "transport"`, `did you mean "binding"?`},
		{instead("a2a,", "a2a, protocolBinding: GRPC,"), `unknown key "protocolBinding"`, `did you mean "binding"?`},
		{instead("interfaces:", "supportedInterfaces:"), `unknown key "supportedInterfaces"`, `did you mean "interfaces"?`},
		{agent + "    protocolVersion: \"1.0\"\n", `unknown key "protocolVersion"`, `did you mean "interfaces"?`},
		{agent + "    endpoint: https://a.example/a2a\n", `unknown key "endpoint"`, `did you mean "interfaces"?`},
		{instead("interfaces:", "interface:"), `unknown key "interface" in "agents[0]"`, `did you mean "interfaces"?`},
		{agent + "    securitySchemes: {a: {type: htttp, scheme: bearer}}\n", `"type" is "htttp"`, `did you mean "http"?`},
		{agent + "    securitySchemes: {a: {type: mutualTls}}\n", `"type" is "mutualTls"`, `did you mean "mutualTLS"?`},
		{agent + "    securitySchemes: {a: {type: bearer}}\n", `"type" is "bearer"`, "write {type: http, scheme: bearer}"},
		{agent + "    securitySchemes: {a: {type: http}}\n", `has no "scheme"`, "add scheme: bearer, basic or another"},
		{agent + "    securitySchemes: {a: {type: certificates}}\n", `"type" is "certificates"`, ""},
		{agent + "servers: [ngnix]\n", `"servers[0]" is "ngnix"`, `did you mean "nginx"?`},
		{instead("path: skills", `path: '..\skills'`), `"path" is "..\\skills", must be a path`, `write "../skills"`},
		{agent + "    name: Twice\n", `key "name" is defined twice`, "keep one of them"},
		{agent + "rules: {skill-tags-missing: warn}\n", `is "warn", must be one of`, `did you mean "warning"?`},
		{instead("version: 1\n", ""), `the configuration has no "version"`, "add version: 1"},
		{instead("{url: /a2a,", "{"), `has no "url"`, "add url: /a2a, below baseUrl"},
		{instead(`["1.0", "0.3"]`, "0.3"), `"versions" is a number, must be an array`, `versions: ["0.3"]`},
		{agent + "    defaultInputModes: text/plain\n", "must be an array", `write defaultInputModes: ["text/plain"]`},
		{agent + "    capabilities: [streaming]\n", `"capabilities" is an array`, "write capabilities: {streaming: true}"},
		{instead("name: Review", "name: [Books, rooms]"), `"name" is an array, must be a string`, "put the text in quotes"},
		{instead("name: Review", "name: {en: Review}"), `"name" is an object, must be a string`, ""},
		{agent + "securitySchemes: {}\n", `unknown key "securitySchemes"`, `stands in an agent, or in defaults`},
		{agent + "    streaming: true\n", `unknown key "streaming"`, `"streaming" stands below capabilities of an agent`},
		{agent + "    catalog: true\n", `unknown key "catalog" in "agents[0]"`, `"catalog" stands at the top level`},
		{instead("{type: skills, path: skills}", "{id: chat, name: Chat}"), `"from[0]"`, "below skills.add"},
		{instead(sources, "skills: [{id: chat, name: Chat}]"), `"skills" is an array, must be an object`, "below skills.add"},
		{agent + "vars: {a: &docs x, b: *docs}\n", "anchor", "delete it"},
		{instead("https://acme.example/agents/", "rooms.acme.example"), `"baseUrl" is`, "write https://rooms.acme.example"},
		{agent + "    iconUrl: acme.example/icon.png\n", `"iconUrl" is`, "write https://acme.example/icon.png"},
		{
			instead("agents/", "rooms/.well-known/agent-card.json"), "baseUrl is the URL of .well-known/agent-card.json",
			"write baseUrl: https://acme.example/rooms",
		},
		{agent + "    signing: sesame\n", `is `, `write signing: {key: "env:CARD_KEY", kid: cards-2026}`},
	} {
		_, found := config.Load([]byte(c.text), config.Options{File: "c.yaml"})
		if len(found) == 0 {
			t.Errorf("%s: nothing is found", c.text)
			continue
		}
		got := found[0]
		if !strings.Contains(got.Message, c.message) || !strings.Contains(got.Hint, c.hint) ||
			c.hint == "" && got.Hint != "" {
			t.Errorf("got %q, hint %q\nwant %q, hint %q", got.Message, got.Hint, c.message, c.hint)
		}
		if strings.Contains(got.Message+got.Hint, "sesame") {
			t.Errorf("a key is shown: %q, hint %q", got.Message, got.Hint)
		}
	}
}
