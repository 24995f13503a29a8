package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/schema"
)

// load reads a configuration whose agent needs no more than what a case adds.
func load(t *testing.T, text string, o config.Options) (*config.Config, []string) {
	t.Helper()
	o.File = "cardwright.yaml"
	if o.Getenv == nil {
		o.Getenv = func(string) (string, bool) { return "", false }
	}
	c, found := config.Load([]byte(text), o)
	return c, lines(found)
}

// A key that someone put where its name belongs is not shown.
func TestKeyInPlace(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		set  []string
	}{
		"text": {text: minimal + "    signing: {key: MIGHAgEA}\n"},
		"PEM": {text: minimal +
			"    signing: {key: \"-----BEGIN PRIVATE KEY-----\\nMIGHAgEA\\n-----END PRIVATE KEY-----\"}\n"},
		"elsewhere": {text: minimal + "    signing: {key: \"awskms:MIGHAgEA\"}\n"},
		"as a name": {text: minimal + "    signing: {key: \"env:-----BEGIN PRIVATE KEY-----MIGHAgEA\"}\n"},
		"JWK":       {text: minimal + "    signing: {key: {kty: EC, d: MIGHAgEA}}\n"},
		"no map":    {text: minimal + "    signing: MIGHAgEA\n"},
		"list":      {text: minimal + "    signing: [MIGHAgEA]\n"},
		"other key": {text: minimal + "    signing: {privateKey: MIGHAgEA}\n"},
		"beside":    {text: minimal + "    signing: {key: MIGHAgEA, alg: none}\n"},
		"default": {
			text: "version: 1\ndefaults: {signing: {key: MIGHAgEA}}\nagents: [{id: a, name: A, description: A}]\n",
		},
		"environment": {
			text: "version: 1\nenvironments: {x: {defaults: {signing: [{key: MIGHAgEA}]}}}\n" +
				"agents: [{id: a, name: A, description: A}]\n",
		},
		"flag": {text: minimal, set: []string{"signing.key=MIGHAgEA"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := config.Load([]byte(c.text), config.Options{File: "cardwright.yaml", Set: c.set})
			if found.Worst() != diag.Error {
				t.Error("no finding")
			}
			for _, d := range found {
				if !d.Secret || strings.Contains(fmt.Sprint(d), "MIGHAgEA") {
					t.Errorf("%+v", d)
				}
			}
		})
	}
}

// A key in a key management system is not read, and what does that is named.
func TestKeyElsewhere(t *testing.T) {
	_, found := load(t, minimal+"    signing: {key: \"awskms:alias/cards\"}\n", config.Options{})
	want := "a key must be file:PATH or env:NAME, not awskms:"
	if len(found) != 1 || !strings.Contains(found[0], want) {
		t.Errorf("got %q", found)
	}
}

// lines are findings in the form place: rule: message.
func lines(found diag.List) []string {
	var out []string
	for _, d := range found {
		out = append(out, d.Span.String()+": "+d.Rule.String()+": "+d.Message)
	}
	return out
}

const minimal = `version: 1
baseUrl: https://acme.example/agents/
agents:
  - id: review
    name: Review
    description: Reviews.
    interfaces: [{url: /a2a, versions: ["1.0", "0.3"]}]
`

// A key that means nothing to a type of source would be passed over in silence.
func TestSourceKeys(t *testing.T) {
	for name, c := range map[string]struct {
		source, want string
	}{
		"mcp": {
			"{type: mcp, path: t.json, flat: true}",
			`cardwright.yaml:8:47: config-key-unknown: unknown key "flat" in "from[0]"`,
		},
		"card": {
			"{type: card, path: c.json, exclude: [x]}",
			`cardwright.yaml:8:48: config-key-unknown: unknown key "exclude" in "from[0]"`,
		},
		"packs": {
			"{type: packs, path: p, built: true}",
			`cardwright.yaml:8:44: config-key-unknown: unknown key "built" in "from[0]"`,
		},
		"forge": {
			"{type: forge, path: f, whole: true}",
			`cardwright.yaml:8:44: config-key-unknown: unknown key "whole" in "from[0]"`,
		},
		"fast-agent": {
			"{type: fast-agent, path: f, flat: true}",
			`cardwright.yaml:8:49: config-key-unknown: unknown key "flat" in "from[0]"`,
		},
		"no path": {"{type: packs}", `cardwright.yaml:8:21: config-value: "from[0]" has no "path"`},
		"no type": {"{path: p, flat: true}", `cardwright.yaml:8:21: config-value: "from[0]" has no "type"`},
		"skills":  {"{type: skills, path: s, flat: true, exclude: [x]}", ""},
		"unknown key": {
			"{type: skills, path: p, flatt: true}",
			`cardwright.yaml:8:45: config-key-unknown: unknown key "flatt" in "from[0]"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := load(t, minimal+"    skills: {from: ["+c.source+"]}\n", config.Options{})
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

func TestURLs(t *testing.T) {
	const noBase = "must be an absolute http or https URL without user information, query and fragment"
	for name, c := range map[string]struct{ base, url, want string }{
		"one slash": {
			"https://acme.example", "https:/acme.example/a2a",
			`interface URL "https:/acme.example/a2a" is not a valid URL`,
		},
		"no colon": {
			"https://acme.example", "http//acme.example",
			`interface URL "http//acme.example" is not a valid URL`,
		},
		"no slash": {
			"https://acme.example", "HTTPS:acme.example",
			`interface URL "HTTPS:acme.example" is not a valid URL`,
		},
		"a path":       {"https://acme.example", "https-agent/a2a", ""},
		"query":        {"https://acme.example?a=b", "/a2a", `"baseUrl" is "https://acme.example?a=b", ` + noBase},
		"fragment":     {"https://acme.example/#x", "/a2a", `"baseUrl" is "https://acme.example/#x", ` + noBase},
		"credentials":  {"https://me:pw@acme.example", "/a2a", `"baseUrl" is "https://me:pw@acme.example", ` + noBase},
		"path to base": {"https://acme.example/agents/", "a2a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(strings.Replace(minimal, "https://acme.example/agents/", `"`+c.base+`"`, 1), "/a2a",
				c.url, 1)
			_, got := load(t, text, config.Options{})
			if text := strings.Join(got, "\n"); !strings.HasSuffix(text, c.want) || (text == "") != (c.want == "") {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

func TestFaultsAllAtOnce(t *testing.T) {
	_, got := load(t, `version: 1
baseUrl: ftp://acme.example
layout: path
agents:
  - id: review
    name: [Review]
    desciption: Reviews.
    version: ${release}
    interfaces: [{url: agents.acme.example/a2a}]
    capabilities: {streaming: "yes"}
  - id: Review
    name: Again
    auth: {providers: [{type: odic}]}
`, config.Options{})
	want := []string{
		`cardwright.yaml:2:10: config-value`,
		`cardwright.yaml:6:11: config-value`,
		`cardwright.yaml:7:5: config-key-unknown`,
		`cardwright.yaml:8:14: config-variable-unset`,
		`cardwright.yaml:9:24: config-value`,
		`cardwright.yaml:10:31: config-value`,
		`cardwright.yaml:11:9: config-value`,
		`cardwright.yaml:13:31: config-value`,
	}
	for i, line := range got {
		place := strings.SplitN(line, ": ", 3)
		got[i] = place[0] + ": " + place[1]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestInterfaces(t *testing.T) {
	c, found := load(t, minimal, config.Options{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	want := []schema.Interface{
		{URL: "https://acme.example/agents/a2a", Binding: "JSONRPC", Version: "1.0"},
		{URL: "https://acme.example/agents/a2a", Binding: "JSONRPC", Version: "0.3"},
	}
	if diff := cmp.Diff(want, c.Agents[0].Card.Interfaces); diff != "" {
		t.Error(diff)
	}
}

func TestInterfaceURLs(t *testing.T) {
	for name, c := range map[string]struct {
		entry string
		base  string
		want  string // the resolved URL, or part of the fault
	}{
		"absolute":           {`{url: https://x.example/a2a}`, "", "https://x.example/a2a"},
		"below the base":     {`{url: ./a2a}`, "https://x.example/p", "https://x.example/p/a2a"},
		"a bare word":        {`{url: a2a}`, "https://x.example/", "https://x.example/a2a"},
		"no base":            {`{url: /a2a}`, "", "https://agents.example.com/a2a"},
		"forgotten scheme":   {`{url: x.example/a2a}`, "https://x.example", "neither absolute nor a path"},
		"javascript":         {`{url: "javascript:alert(1)"}`, "https://x.example", "neither absolute nor a path"},
		"other scheme":       {`{url: "ftp://x.example"}`, "", `has scheme "ftp"`},
		"no host":            {`{url: "https:///a2a"}`, "", "not a valid URL"},
		"grpc address":       {`{url: "grpc.x.example:443", binding: GRPC}`, "https://x.example", "grpc.x.example:443"},
		"binding of our own": {`{url: "mqtt://x.example/a", binding: "https://x.example/mqtt"}`, "", "mqtt://x.example/a"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "version: 1\nagents: [{id: a, name: A, description: B, interfaces: [" + c.entry + "]}]\n"
			got, found := load(t, text, config.Options{BaseURL: c.base})
			result := strings.Join(found, "\n")
			if len(found) == 0 {
				result = got.Agents[0].Card.Interfaces[0].URL
			}
			if !strings.Contains(result, c.want) {
				t.Errorf("got %q, want %q", result, c.want)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"TAG": "v2", "EMPTY": ""}[name]
		return value, ok
	}
	for name, c := range map[string]struct{ vars, text, want string }{
		"set":            {`r: "${TAG}"`, "${r}", "v2"},
		"inside text":    {`r: "${TAG}"`, "a ${r} b ${r}", "a v2 b v2"},
		"default":        {`r: "${NONE:-v0}"`, "${r}", "v0"},
		"empty is unset": {`r: "${EMPTY:-v0}"`, "${r}", "v0"},
		"escaped":        {`r: x`, "$${r}", "${r}"},
		"number":         {`r: 1.10`, "${r}", "1.10"},
		"unset":          {`r: "${NONE}"`, "x", `variable "NONE" is not set`},
		"unknown":        {`release: x`, "${relaese}", `variable "relaese" is not set`},
		"environment elsewhere": {
			`r: x`, "${TAG}", `variable "TAG" is not set`,
		},
		"not closed": {`r: x`, "${r", "is not a variable reference"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "vars: {" + c.vars + "}\n" + strings.Replace(minimal, "Reviews.", `"`+c.text+`"`, 1)
			got, found := load(t, text, config.Options{Getenv: env})
			result := strings.Join(found, "\n")
			if len(found) == 0 {
				result = got.Agents[0].Card.Description
			}
			if !strings.Contains(result, c.want) {
				t.Errorf("got %q, want %q", result, c.want)
			}
		})
	}
}

func TestSecretVariables(t *testing.T) {
	const refused, holdsKey = "its name looks like that of a secret", "it holds the signing key"
	every := func(string) (string, bool) { return "leaked-value", true }
	for name, c := range map[string]struct {
		vars, more string
		options    config.Options
		want       string // "" where the value is read
	}{
		"harmless":          {vars: `r: "${RELEASE}"`},
		"working directory": {vars: `r: "${PWD}"`},
		"token":             {vars: `r: "${GITHUB_TOKEN}"`, want: refused},
		"in lower case":     {vars: `r: "${npm_token}"`, want: refused},
		"with a default":    {vars: `r: "${DB_PASSWORD:-none}"`, want: refused},
		"key":               {vars: `r: "${OPENAI_API_KEY}"`, want: refused},
		"credential":        {vars: `r: "${GCP_CREDENTIALS}"`, want: refused},
		"signing key":       {vars: `r: "${CARD}"`, more: "defaults: {signing: {key: 'env:CARD'}}\n", want: holdsKey},
		"key of an environment": {
			vars: `r: "${CARD}"`, more: "environments: {prod: {defaults: {signing: {key: 'env:CARD'}}}}\n", want: holdsKey,
		},
		"key of the command line": {
			vars: `r: "${CARD}"`, options: config.Options{Set: []string{"signing.key=env:CARD"}},
			want: holdsKey,
		},
		"in another case": {vars: `r: "${Card}"`, more: "defaults: {signing: {key: 'env:CARD'}}\n", want: holdsKey},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Getenv = every
			text := "vars: {" + c.vars + "}\n" + c.more + strings.Replace(minimal, "Reviews.", `"${r}"`, 1)
			got, found := load(t, text, c.options)
			all := strings.Join(found, "\n")
			switch {
			case c.want == "" && (len(found) > 0 || got.Agents[0].Card.Description != "leaked-value"):
				t.Errorf("%q is not read: %s", c.vars, all)
			case c.want != "" && !strings.Contains(all, c.want):
				t.Errorf("want %q, found %q", c.want, all)
			case c.want != "" && (strings.Contains(all, "leaked") || got != nil &&
				strings.Contains(got.Agents[0].Card.Description, "leaked")):
				t.Errorf("the value is read: %s", all)
			}
		})
	}
}

func TestLayers(t *testing.T) {
	const text = `version: 1
baseUrl: https://acme.example
vars: {idp: id.acme.example}
defaults:
  version: "1"
  provider: {organization: Acme, url: https://acme.example}
  defaultInputModes: [text/plain, text/html]
environments:
  staging:
    baseUrl: https://staging.acme.example
    vars: {idp: id.staging.acme.example}
    agents:
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
	c, found := load(t, text, config.Options{
		Environment: "staging",
		Set:         []string{"version=3", "capabilities.streaming=true", "defaultOutputModes=[text/html, text/plain]"},
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, a := range c.Agents {
		got = append(got, strings.Join([]string{
			a.ID, a.Card.Name, a.Card.Description, a.Card.Version,
			a.Card.Provider.Organization, strings.Join(a.Card.InputModes, "+"), strings.Join(a.Card.OutputModes, "+"),
			a.Card.Interfaces[0].URL,
		}, " | "))
		if s := a.Card.Capabilities.Streaming; s == nil || !*s {
			t.Errorf("--set did not reach %s", a.ID)
		}
	}
	want := []string{
		"one | One | At id.staging.acme.example. | 3 | Acme Two | text/plain | text/html+text/plain | " +
			"https://staging.acme.example/one",
		"two | Second in staging | B | 3 | Acme | text/plain+text/html | text/html+text/plain | " +
			"https://staging.acme.example/two",
		"three | Third | Only here. | 3 | Acme | text/plain+text/html | text/html+text/plain | " +
			"https://staging.acme.example/three",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c.Layout != config.Path || c.Dir(&c.Agents[0]) != "one" {
		t.Errorf("layout %s, directory %s", c.Layout, c.Dir(&c.Agents[0]))
	}
}

func TestOneFault(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		options config.Options
		want    string
	}{
		"empty file": {"", config.Options{}, "cardwright.yaml"},
		"a list":     {"- a\n", config.Options{}, "must be an object"},
		"unknown environment": {
			minimal + "environments: {staging: {}}\n",
			config.Options{Environment: "stagng"},
			`unknown environment "stagng"`,
		},
		"an environment with an invisible name": {
			minimal + "environments: {\"a\\u202eb\": {}}\n",
			config.Options{Environment: "a\u202eb"},
			`the name of the environment "a\u202eb" has invisible characters`,
		},
		"two hosts": {
			"version: 1\nlayout: host\nagents: [{id: a, host: x.example, name: A, description: A}, " +
				"{id: b, host: X.example, name: B, description: B}]\n",
			config.Options{},
			"have the same output path",
		},
		"no host": {
			"version: 1\nlayout: host\nagents: [{id: a, name: A, description: A}]\n",
			config.Options{},
			"has no host",
		},
		"single for two": {
			"version: 1\nlayout: single\nagents: [{id: a, name: A, description: A}, {id: b, name: B, description: B}]\n",
			config.Options{},
			"layout single is for one agent",
		},
		"set without a value": {minimal, config.Options{Set: []string{"version"}}, "is not KEY=VALUE"},
		"set an unknown key":  {minimal, config.Options{Set: []string{"verison=1"}}, "--set verison: config-key-unknown"},
		"set a wrong type": {
			minimal,
			config.Options{Set: []string{"capabilities.streaming=often"}},
			"--set capabilities.streaming: config-value",
		},
		"unknown rule": {
			minimal + "rules: {skill-tag-missing: off}\n",
			config.Options{},
			`there is no rule "skill-tag-missing"`,
		},
		"provider and scheme": {
			minimal +
				"    auth: {providers: [{type: static_token, name: key}]}\n    securitySchemes: {key: {type: mutualTLS}}\n",
			config.Options{},
			`both define "key"`,
		},
		"flow without scopes": {
			minimal +
				"    securitySchemes: {o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://x.example/t}}}}\n",
			config.Options{},
			"scopes",
		},
		"a key in place": {
			minimal + "    signing: {key: MIGHAgEA}\n",
			config.Options{},
			"cardwright.yaml:8:20: config-value",
		},
		"fault in one default": {
			"version: 1\ndefaults: {iconUrl: no}\n" +
				"agents: [{id: a, name: A, description: A}, {id: b, name: B, description: B}]\n",
			config.Options{},
			"cardwright.yaml:2:21: config-value",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := load(t, c.text, c.options)
			if len(found) != 1 || !strings.Contains(found[0], c.want) {
				t.Errorf("got %q, want one that contains %q", found, c.want)
			}
		})
	}
}

func TestHosting(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		want config.Hosting
	}{
		"none":     {"", config.Hosting{}},
		"defaults": {"cors: true\n", config.Hosting{}},
		"all of it": {
			"servers: [s3, nginx]\ncacheControl: no-store\ncors: false\ndeprecation: 2026-01-01\nsunset: 2027-01-31\n",
			config.Hosting{
				Servers:      []string{"s3", "nginx"},
				CacheControl: "no-store",
				NoCORS:       true,
				Deprecation:  "2026-01-01",
				Sunset:       "2027-01-31",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := load(t, c.keys+minimal, config.Options{})
			if len(found) > 0 {
				t.Fatal(found)
			}
			if diff := cmp.Diff(c.want, got.Hosting); diff != "" {
				t.Errorf("hosting (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHostingFaults(t *testing.T) {
	_, got := load(t, "servers: [ngnix]\ncacheControl: \"x\\r\\nX-Evil: 1\"\ndeprecation: July\nsunset: 2027-02-30\n"+
		minimal, config.Options{})
	servers := hosting.Targets()
	want := []string{
		`cardwright.yaml:1:11: config-value: "servers[0]" is "ngnix", must be one of "` + strings.Join(servers,
			`", "`) + `"`,
		`cardwright.yaml:2:15: card-cache-control: "cacheControl" is "x\nX-Evil: 1", must be directives such as public, ` +
			`max-age=3600`,
		`cardwright.yaml:3:14: config-value: "deprecation" is "July", must be a date such as 2026-01-31`,
		`cardwright.yaml:4:9: config-value: "sunset" is "2027-02-30", must be a date such as 2026-01-31`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
