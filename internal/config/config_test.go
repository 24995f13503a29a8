package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/schema"
)

const minimal = `version: 1
baseUrl: https://acme.example/agents/
agents:
  - id: review
    name: Review
    description: Reviews.
    interfaces: [{url: /a2a, versions: ["1.0", "0.3"]}]
`

// load reads a configuration, and returns its findings in the form place: rule: message.
func load(text string, o config.Options) (*config.Config, []string) {
	o.File = "cardwright.yaml"
	c, found := config.Load([]byte(text), o)
	var lines []string
	for _, d := range found {
		lines = append(lines, d.Span.String()+": "+d.Rule.String()+": "+d.Message)
	}
	return c, lines
}

// A key that someone put where its name belongs is not shown.
func TestKeyInPlace(t *testing.T) {
	const rest = "agents: [{id: a, name: A, description: A}]\n"
	for name, text := range map[string]string{
		"text":        minimal + "    signing: {key: MIGHAgEA}\n",
		"PEM":         minimal + "    signing: {key: \"-----BEGIN PRIVATE KEY-----\\nMIGHAgEA\"}\n",
		"elsewhere":   minimal + "    signing: {key: \"awskms:MIGHAgEA\"}\n",
		"as a name":   minimal + "    signing: {key: \"env:-----BEGIN PRIVATE KEY-----MIGHAgEA\"}\n",
		"JWK":         minimal + "    signing: {key: {kty: EC, d: MIGHAgEA}}\n",
		"no map":      minimal + "    signing: MIGHAgEA\n",
		"list":        minimal + "    signing: [MIGHAgEA]\n",
		"other key":   minimal + "    signing: {privateKey: MIGHAgEA}\n",
		"public":      minimal + "    signing: {key: env:K, publish: [MIGHAgEA]}\n",
		"next to one": minimal + "    signing: {key: MIGHAgEA, alg: none}\n",
		"default":     "version: 1\ndefaults: {signing: {key: MIGHAgEA}}\n" + rest,
		"environment": "version: 1\nenvironments: {x: {defaults: {signing: [{key: MIGHAgEA}]}}}\n" + rest,
		"flag":        minimal,
	} {
		o := config.Options{File: "cardwright.yaml"}
		if name == "flag" {
			o.Set = []string{"signing.key=MIGHAgEA"}
		}
		_, found := config.Load([]byte(text), o)
		if found.Worst() != diag.Error {
			t.Errorf("%s: no finding", name)
		}
		for _, d := range found {
			if !d.Secret || strings.Contains(fmt.Sprint(d), "MIGHAgEA") {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
}

// Each has one fault.
func TestOneFault(t *testing.T) {
	const noBase = "must be an absolute http or https URL without user information, query and fragment"
	source := func(text string) string { return minimal + "    skills: {from: [" + text + "]}\n" }
	instead := func(old, text string) string { return strings.Replace(minimal, old, text, 1) }
	two := func(layout, first, second string) string {
		return "version: 1\nlayout: " + layout + "\nagents: [{name: A, description: A, " + first +
			"}, {name: B, description: B, " + second + "}]\n"
	}
	for _, c := range []struct{ text, want string }{
		{"", "the configuration is empty"},
		{"- a\n", "must be an object"},
		{two("host", "id: a, host: x.example", "id: b, host: X.example"), "have one directory"},
		{two("host", "id: a, host: x.example", "id: b"), "has no host"},
		{two("single", "id: a", "id: b"), "layout single is for one agent"},
		{two("path", "id: a", "id: b, path: ../x"), "must be at most 8 directories"},
		{two("path", "id: a", "id: A"), `two agents have the id "A"`},
		{minimal + "rules: {skill-tag-missing: off}\n", `there is no rule "skill-tag-missing"`},
		{
			minimal + "    auth: {providers: [{type: oidc, name: key, settings: {issuer: https://id.example}}]}\n" +
				"    securitySchemes: {key: {type: mutualTLS}}\n",
			`both define "key"`,
		},
		{
			minimal + "    securitySchemes: {o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://x.example/t}}}}\n",
			"scopes",
		},
		{
			strings.Replace(two("path", "id: a", "id: b"), "layout: path", "defaults: {iconUrl: no}", 1),
			"cardwright.yaml:2:21: config-value",
		},

		// A key that means nothing to a type of source would be passed over in silence.
		{source("{type: mcp, path: t.json, flat: true}"), `8:47: config-key-unknown: unknown key "flat" in "from[0]"`},
		{source("{type: card, path: c.json, exclude: [x]}"), `8:48: config-key-unknown: unknown key "exclude"`},
		{source("{type: packs, path: p, built: true}"), `8:44: config-key-unknown: unknown key "built"`},
		{source("{type: forge, path: f, whole: true}"), `8:44: config-key-unknown: unknown key "whole"`},
		{source("{type: fast-agent, path: f, flat: true}"), `8:49: config-key-unknown: unknown key "flat"`},
		{source("{type: skills, path: p, flatt: true}"), `8:45: config-key-unknown: unknown key "flatt"`},
		{source("{type: packs}"), `8:21: config-value: "from[0]" has no "path"`},
		{source("{path: p, flat: true}"), `8:21: config-value: "from[0]" has no "type"`},

		{instead("/a2a", "https:/acme.example/a2a"), `interface URL "https:/acme.example/a2a" is not a valid URL`},
		{instead("/a2a", "http//acme.example"), `interface URL "http//acme.example" is not a valid URL`},
		{instead("/a2a", "HTTPS:acme.example"), `interface URL "HTTPS:acme.example" is not a valid URL`},
		{instead("/a2a", `"https:///a2a"`), "is not a valid URL"},
		{instead("/a2a", "/a 2a"), `interface URL "/a 2a" is not a valid URL`},
		{instead("/a2a", "x.example/a2a"), "neither absolute nor a path"},
		{instead("/a2a", `"javascript:alert(1)"`), "neither absolute nor a path"},
		{instead("/a2a", "ftp://x.example"), `has scheme "ftp"`},
		{instead("agents/", "?a=b"), `"baseUrl" is "https://acme.example/?a=b", ` + noBase},
		{instead("agents/", "#x"), noBase},
		{instead("acme.example/agents/", "me:pw@acme.example"), noBase},

		{"servers: [ngnix]\n" + minimal, `1:11: config-value: "servers[0]" is "ngnix", must be one of "nginx", `},
		{"cacheControl: \"x\\r\\nX-Evil: 1\"\n" + minimal, `1:15: card-cache-control: "cacheControl" is "x\n`},
		{"deprecation: July\n" + minimal, `1:14: config-value: "deprecation" is "July", must be a date such as 2026-01-31`},
		{"sunset: 2027-02-30\n" + minimal, `1:9: config-value: "sunset" is "2027-02-30", must be a date such as 2026-01-31`},
	} {
		_, found := load(c.text, config.Options{})
		if len(found) != 1 || !strings.Contains(found[0], c.want) {
			t.Errorf("%.300s\ngot %.500q, want one that contains %q", c.text, found, c.want)
		}
	}
	for _, text := range []string{
		minimal, source("{type: skills, path: s, flat: true, exclude: [x]}"), instead("/a2a", "https-agent/a2a"),
		`{"version": 1, "agents": [{"id": "a", "name": "\ud83d\ude00", "description": "b", "interfaces": [{"url": "\/a"}]}]}`,
	} {
		if _, found := load(text, config.Options{}); found != nil {
			t.Errorf("%s\n%q", text, found)
		}
	}
}

// What a configuration expands to is bounded, however little it holds.
func TestExpansionIsBounded(t *testing.T) {
	const third = 350 << 10
	defaults := "defaults: {description: " + strings.Repeat("x", third) + "}\n"
	long := func(uses string) string {
		return "vars: {long: " + strings.Repeat("x", third) + "}\n" + strings.Replace(minimal, "Reviews.", uses, 1)
	}
	for _, c := range []struct{ text, want string }{
		{long(`"${long}"`), ""},
		{defaults + minimal, ""},
		{long(`"${long}${long}${long}"`), "after replacing its variables, the configuration has more than 1048576 bytes"},
		{
			defaults + "version: 1\nagents:\n" + strings.Repeat("  - {id: a}\n", 100),
			"the agents with their defaults make cards of more than 33554432 bytes, 32 times the limit for a source",
		},
		{
			minimal + "    capabilities: {extensions: [" +
				strings.Repeat("{uri: 'https://a.example', params: {a: "+strings.Repeat("[", 90)+strings.Repeat("1,", 3000)+
					strings.Repeat("]", 90)+"}},", 60) + "]}\n",
			"the agents with their defaults make cards of more than 33554432 bytes",
		},
	} {
		_, found := load(c.text, config.Options{})
		if (c.want == "") != (found == nil) || len(found) > 1 || !strings.Contains(strings.Join(found, ""), c.want) {
			t.Errorf("got %.500q, want one that contains %q", found, c.want)
		}
	}
}

// A fault of a flag stands at the flag.
func TestFaultsOfFlags(t *testing.T) {
	for want, o := range map[string]config.Options{
		`--env: config-value: unknown environment "stagng"`:               {Environment: "stagng"},
		`the name of the environment "a\u202eb" has invisible characters`: {Environment: "a\u202eb"},
		`--set: config-value: "version" is not KEY=VALUE`:                 {Set: []string{"version"}},
		`--set verison: config-key-unknown`:                               {Set: []string{"verison=1"}},
		`--set capabilities.streaming: `:                                  {Set: []string{"capabilities.streaming="}},
		`--base-url: config-value: "baseUrl" is "x", must be`:             {BaseURL: "x"},
	} {
		_, found := load(minimal+"environments: {staging: {}, \"a\\u202eb\": {}}\n", o)
		if len(found) != 1 || !strings.Contains(found[0], want) {
			t.Errorf("got %q, want one that contains %q", found, want)
		}
	}
}

func TestInterfaces(t *testing.T) {
	for _, c := range []struct{ entry, base, want string }{
		{`{url: https://x.example/a2a}`, "", "https://x.example/a2a"},
		{`{url: ./a2a}`, "https://x.example/p", "https://x.example/p/a2a"},
		{`{url: a2a}`, "https://x.example/", "https://x.example/a2a"},
		{`{url: /a2a}`, "", "https://agents.example.com/a2a"},
		{`{url: "grpc.x.example:443", binding: GRPC}`, "https://x.example", "grpc.x.example:443"},
		{`{url: "mqtt://x.example/a", binding: "https://x.example/mqtt"}`, "", "mqtt://x.example/a"},
	} {
		text := "version: 1\nagents: [{id: a, name: A, description: B, interfaces: [" + c.entry + "]}]\n"
		got, found := load(text, config.Options{BaseURL: c.base})
		if len(found) > 0 || got.Agents[0].Card.Interfaces[0].URL != c.want {
			t.Errorf("%s: got %v, %q, want %q", c.entry, got.Agents[0].Card.Interfaces, found, c.want)
		}
	}
	c, _ := load(minimal, config.Options{})
	want := []schema.Interface{
		{URL: "https://acme.example/agents/a2a", Binding: "JSONRPC", Version: "1.0"},
		{URL: "https://acme.example/agents/a2a", Binding: "JSONRPC", Version: "0.3"},
	}
	if diff := cmp.Diff(want, c.Agents[0].Card.Interfaces); diff != "" {
		t.Error(diff)
	}
}

func TestVariables(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"TAG": "v2", "EMPTY": ""}[name]
		return value, ok
	}
	for _, c := range []struct{ vars, text, want string }{
		{`r: "${TAG}"`, "${r}", "v2"},
		{`r: "${TAG}"`, "a ${r} b ${r}", "a v2 b v2"},
		{`r: "${NONE:-v0}"`, "${r}", "v0"},
		{`r: "${EMPTY:-v0}"`, "${r}", "v0"},
		{`r: x`, "${s:-}y", "y"},
		{`r: x`, "$${r} $$${r}", "${r} $${r}"},
		{`r: 1.10`, "${r}", "1.10"},
		{`r: "${NONE}"`, "x", `variable "NONE" is not set`},
		{`release: x`, "${relaese}", `variable "relaese" is not set`},
		{`r: x`, "${TAG}", `variable "TAG" is not set`},
		{`r: x`, "${r", "is not a variable reference"},
		{`r: x`, "${r-x}", "is not a variable reference"},
	} {
		text := "vars: {" + c.vars + "}\n" + strings.Replace(minimal, "Reviews.", `"`+c.text+`"`, 1)
		got, found := load(text, config.Options{Getenv: env})
		result := strings.Join(found, "\n")
		if len(found) == 0 {
			result = got.Agents[0].Card.Description
		}
		if !strings.HasSuffix(result, c.want) || len(found) > 1 {
			t.Errorf("%s, %s: got %q, want %q", c.vars, c.text, result, c.want)
		}
	}
}

func TestSecretVariables(t *testing.T) {
	const refused, holdsKey = "its name looks like that of a secret", "it holds the signing key"
	for _, c := range []struct {
		name, more, set string
		want            string // "" where the value is read
	}{
		{name: "RELEASE"},
		{name: "PWD"},
		{name: "GITHUB_TOKEN", want: refused},
		{name: "npm_token", want: refused},
		{name: "DB_PASSWORD:-none", want: refused},
		{name: "OPENAI_API_KEY", want: refused},
		{name: "GCP_CREDENTIALS", want: refused},
		{name: "CLIENT_SECRET", want: refused},
		{name: "MY_PRIVATE_KEY", want: refused},
		{name: "CARD", more: "defaults: {signing: {key: 'env:CARD'}}\n", want: holdsKey},
		{name: "Card", more: "defaults: {signing: [{key: 'env:CARD'}]}\n", want: holdsKey},
		{name: "CARD", more: "environments: {prod: {defaults: {signing: {key: 'env:CARD'}}}}\n", want: holdsKey},
		{name: "CARD", set: "signing.key=env:CARD", want: holdsKey},
	} {
		o := config.Options{Getenv: func(string) (string, bool) { return "leaked-value", true }}
		if c.set != "" {
			o.Set = []string{c.set}
		}
		text := "vars: {r: \"${" + c.name + "}\"}\n" + c.more + strings.Replace(minimal, "Reviews.", `"${r}"`, 1)
		got, found := load(text, o)
		read := got != nil && strings.Contains(got.Agents[0].Card.Description, "leaked")
		if all := strings.Join(found, "\n"); read != (c.want == "") || !strings.Contains(all, c.want) ||
			strings.Contains(all, "leaked") || c.want == "" && all != "" {
			t.Errorf("%s: read %t, %s, want %s", c.name, read, all, c.want)
		}
	}
}

func TestLayers(t *testing.T) {
	const text = `version: 1
baseUrl: https://acme.example
vars: {idp: id.acme.example}
servers: [s3, nginx]
cors: false
defaults:
  version: "1"
  provider: {organization: Acme, url: https://acme.example}
  defaultInputModes: [text/plain, text/html]
environments:
  staging:
    baseUrl: https://staging.acme.example
    vars: {idp: id.staging.acme.example}
    agents:
      - {id: one, name: First in staging}
      - {id: two, name: Second in staging}
      - {id: three, name: Third, description: Only here., interfaces: [{url: /three}]}
agents:
  - id: one
    name: One
    description: At ${idp}.
    version: "2"
    provider: {organization: Acme Two}
    defaultInputModes: [text/plain]
    interfaces: [{url: /one}]
  - {id: two, name: Two, description: B, interfaces: [{url: /two}]}
`
	c, found := load(text, config.Options{
		Environment: "staging",
		Set: []string{
			`version="3"`, "capabilities={}", "capabilities.streaming=true", "skills.include=[*]",
			`defaultOutputModes=["text/html", text/plain]`,
		},
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, a := range c.Agents {
		got = append(got, strings.Join([]string{
			a.ID, a.Card.Name, a.Card.Description, a.Card.Version, a.Card.Provider.Organization,
			fmt.Sprint(a.Card.InputModes, a.Card.OutputModes, *a.Card.Capabilities.Streaming), a.Card.Interfaces[0].URL,
		}, " | "))
	}
	const rest = " | 3 | Acme | [text/plain text/html] [text/html text/plain] true | https://staging.acme.example/"
	want := []string{
		"one | First in staging | At id.staging.acme.example. | 3 | Acme Two | [text/plain] [text/html text/plain] true | " +
			"https://staging.acme.example/one",
		"two | Second in staging | B" + rest + "two", "three | Third | Only here." + rest + "three",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c.Layout != config.Path || c.Dir(&c.Agents[0]) != "one" {
		t.Errorf("layout %s, directory %s", c.Layout, c.Dir(&c.Agents[0]))
	}
	if diff := cmp.Diff(config.Hosting{Servers: []string{"s3", "nginx"}, NoCORS: true}, c.Hosting); diff != "" {
		t.Error(diff)
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
		got = append(got, d.Agent+" "+d.Pointer)
	}
	want := []string{" /defaults/provider", "two /agents/1/interfaces/0", "two /agents/1/skils", "two "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
