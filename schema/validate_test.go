package schema_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

func parse(t *testing.T, text string) *source.Node {
	t.Helper()
	n, found := source.ParseJSON("test.json", []byte(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return n
}

// change sets, adds or (without a value) removes the member that a pointer
// names.
func change(t *testing.T, root *source.Node, pointer, value string) *source.Node {
	t.Helper()
	if pointer == "" {
		return parse(t, value)
	}
	i := strings.LastIndexByte(pointer, '/')
	parent, ok := root.Find(pointer[:i])
	if !ok {
		t.Fatalf("nothing at %s", pointer[:i])
	}
	key := pointer[i+1:]
	if parent.Is(source.Array) {
		parent.Items = append(parent.Items, parse(t, value))
		return root
	}
	parent.Members = slices.DeleteFunc(slices.Clone(parent.Members), func(m source.Member) bool { return m.Key == key })
	if value != "" {
		parent.Set(key, parse(t, value))
	}
	return root
}

func lines(faults []jsonschema.Fault) []string {
	var list []string
	for _, f := range faults {
		line := fmt.Sprintf("%s %s: %s", f.Rule, f.Pointer, f.Message)
		if f.Missing != "" {
			line += " [" + f.Missing + "]"
		}
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		list = append(list, line)
	}
	return list
}

func TestValidateCardsThatAreRight(t *testing.T) {
	for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		for _, o := range []schema.WireOptions{{}, {Signed: true}} {
			card, _ := schema.Wire(schematest.FullCard(), p, o)
			if faults := schema.ValidateCard(p, card); faults != nil {
				t.Errorf("%s, %+v: %s", p, o, strings.Join(lines(faults), "\n"))
			}
		}
	}
}

func TestValidateCard(t *testing.T) {
	tests := []struct {
		name           string
		form           schema.Protocol
		pointer, value string // the change to a card that is right
		want           []string
	}{
		{"no card", schema.V10, "", "null", []string{`card-null : the card is null, must be an object`}},
		{"a list", schema.Dual, "", "[]", []string{`card-member-type : the card is an array, must be an object`}},
		{"nothing in it", schema.V03, "", "{}", []string{
			`card-member-missing : the card has no "capabilities" [capabilities]`,
			`card-member-missing : the card has no "defaultInputModes" [defaultInputModes]`,
			`card-member-missing : the card has no "defaultOutputModes" [defaultOutputModes]`,
			`card-member-missing : the card has no "description" [description]`,
			`card-member-missing : the card has no "name" [name]`,
			`card-member-missing : the card has no "protocolVersion" [protocolVersion]`,
			`card-member-missing : the card has no "skills" [skills]`,
			`card-member-missing : the card has no "url" [url]`,
			`card-member-missing : the card has no "version" [version]`,
		}},
		{
			"member missing in both versions", schema.Dual, "/name", "",
			[]string{`card-member-missing : the card has no "name" [name]`},
		},
		{"member null", schema.Dual, "/name", "null", []string{`card-null /name: "name" is null, must be a string`}},
		{
			"member of another type", schema.V10, "/version", "1.2",
			[]string{`card-member-type /version: "version" is a number, must be a string (put it in double quotes)`},
		},
		{"member empty", schema.V10, "/name", `""`, []string{`card-member-empty /name: "name" is empty, must hold text`}},
		{"optional member empty", schema.V10, "/iconUrl", `""`, nil},
		{"unknown member", schema.Dual, "/x-team", `{}`, nil},
		{
			"skills empty", schema.Dual, "/skills", "[]",
			[]string{`card-member-empty /skills: "skills" is empty, must hold at least one entry`},
		},
		{
			"skills of another type", schema.Dual, "/skills", `{"a": 1}`,
			[]string{`card-member-type /skills: "skills" is an object, must be an array`},
		},
		{
			"skill of another type", schema.V10, "/skills/-", `"chat"`,
			[]string{`card-member-type /skills/2: "skills[2]" is a string, must be an object`},
		},
		{
			"tags empty", schema.V10, "/skills/0/tags", `[]`,
			[]string{`skill-tags-missing /skills/0/tags: "tags" is empty, must hold at least one entry`},
		},
		{
			"tag of another type", schema.V10, "/skills/0/tags/-",
			`true`,
			[]string{`card-member-type /skills/0/tags/1: "tags[1]" is a boolean, must be a string (put it in double quotes)`},
		},
		{
			"examples of another type", schema.V10, "/skills/0/examples", `"one"`,
			[]string{`card-member-type /skills/0/examples: "examples" is a string, must be an array`},
		},
		{
			"capabilities as a list", schema.Dual, "/capabilities", `["streaming"]`,
			[]string{`capability-type /capabilities: "capabilities" is an array, must be an object`},
		},
		{
			"flag as text", schema.Dual, "/capabilities/streaming", `"true"`,
			[]string{
				`capability-type /capabilities/streaming: "streaming" is a string, must be a boolean ` +
					`(write true or false, without quotes)`,
			},
		},
		{
			"extension without URI", schema.V10, "/capabilities/extensions/-", `{}`,
			[]string{`extension-uri /capabilities/extensions/2: "extensions[2]" has no "uri" [uri]`},
		},
		{
			"provider without URL", schema.V03, "/provider/url", "",
			[]string{`provider-incomplete /provider: "provider" has no "url" [url]`},
		},
		{
			"interfaces of both forms empty", schema.Dual, "/supportedInterfaces",
			"[]",
			[]string{`card-member-empty /supportedInterfaces: "supportedInterfaces" is empty, must hold at least one entry`},
		},
		{
			"interface without binding", schema.V10, "/supportedInterfaces/-",
			`{"url": "u", "transport": "JSONRPC", "protocolVersion": "1.0"}`,
			[]string{
				`card-member-missing /supportedInterfaces/5: "supportedInterfaces[5]" has no "protocolBinding" [protocolBinding]`,
			},
		},
		{
			"scheme of no kind", schema.V10, "/securitySchemes/key", `{"type": "http"}`,
			[]string{
				`scheme-shape /securitySchemes/key: "key" must have one of "apiKeySecurityScheme", "httpAuthSecurityScheme", ` +
					`"oauth2SecurityScheme", "openIdConnectSecurityScheme", "mtlsSecurityScheme"`,
			},
		},
		{
			"scheme of two kinds", schema.V10, "/securitySchemes/key",
			`{"mtlsSecurityScheme": {}, "httpAuthSecurityScheme": {"scheme": "basic"}}`,
			[]string{
				`scheme-shape /securitySchemes/key: "key" has "httpAuthSecurityScheme" and "mtlsSecurityScheme", ` +
					`must have exactly one`,
			},
		},
		{
			"scheme without type", schema.V03, "/securitySchemes/key", `{"in": "header"}`,
			[]string{`scheme-shape /securitySchemes/key: "key" has no "type" [type]`},
		},
		{
			"scheme of unknown type", schema.V03, "/securitySchemes/key", `{"type": "none"}`,
			[]string{
				`scheme-shape /securitySchemes/key/type: "type" is "none", must be one of "apiKey", "http", "oauth2", ` +
					`"openIdConnect", "mutualTLS"`,
			},
		},
		{
			"key in the body", schema.V03, "/securitySchemes/key/in",
			`"body"`,
			[]string{`scheme-apikey /securitySchemes/key/in: "in" is "body", must be one of "header", "query", "cookie"`},
		},
		{
			"key nowhere", schema.V10, "/securitySchemes/key/apiKeySecurityScheme", `{"name": "k"}`,
			[]string{
				`scheme-apikey /securitySchemes/key/apiKeySecurityScheme: "apiKeySecurityScheme" has no "location" [location]`,
			},
		},
		{
			"http without scheme", schema.V03, "/securitySchemes/bearer/scheme", ``,
			[]string{`scheme-http /securitySchemes/bearer: "bearer" has no "scheme" [scheme]`},
		},
		{
			"two flows", schema.V10, "/securitySchemes/key",
			`{"oauth2SecurityScheme": {"flows": {"implicit": {"authorizationUrl": "a", "scopes": {}}, ` +
				`"password": {"tokenUrl": "t", "scopes": {}}}}}`,
			[]string{
				`scheme-oauth-flow /securitySchemes/key/oauth2SecurityScheme/flows: "flows" has "implicit" and "password", ` +
					`must have exactly one`,
			},
		},
		{
			"flow without scopes", schema.V03, "/securitySchemes/key",
			`{"type": "oauth2", "flows": {"password": {"tokenUrl": ""}}}`,
			[]string{
				`scheme-oauth-flow /securitySchemes/key/flows/password: "password" has no "scopes" [scopes]`,
				`scheme-oauth-flow /securitySchemes/key/flows/password/tokenUrl: "tokenUrl" is empty, must hold text`,
			},
		},
		{
			"requirement flat in 1.0", schema.V10, "/securityRequirements", `[{"key": []}]`,
			[]string{
				`security-requirement-shape /securityRequirements/0: "securityRequirements[0]" has no "schemes" [schemes] ` +
					`(A2A 1.0 writes {"schemes": {"NAME": {"list": []}}})`,
			},
		},
		{
			"requirement empty in 1.0", schema.V10, "/securityRequirements",
			`[{}, {"schemes": {}}, {"schemes": {"key": {}}}]`, nil,
		},
		{
			"requirement wrapped in 0.3", schema.V03, "/skills/0/security", `[{"schemes": {"key": {"list": []}}}]`,
			[]string{
				`security-requirement-shape /skills/0/security/0/schemes: "schemes" is an object, ` +
					`must be an array (A2A 0.3 writes {"NAME": []})`,
			},
		},
		{
			"signature without payload", schema.V10, "/signatures",
			`[{"protected": "e30"}]`,
			[]string{`card-member-missing /signatures/0: "signatures[0]" has no "signature" [signature]`},
		},
		{
			"long name of a member", schema.V03, "/securitySchemes", `{"` + strings.Repeat("ä", 100) + `": 1}`,
			[]string{`scheme-shape /securitySchemes/` + strings.Repeat("ä", 100) + `: "` + strings.Repeat("ä", 60) +
				`…" is a number, must be an object`},
		},
		{
			"hostile numbers", schema.V10, "/capabilities/extensions/0/params",
			`{"a": 1e5000000, "b": -1e-5000000, "c": [1e999999]}`, nil,
		},
		{
			"hostile number as name", schema.V10, "/name", `1e5000000`,
			[]string{`card-member-type /name: "name" is a number, must be a string (put it in double quotes)`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			card, _ := schema.Wire(schematest.FullCard(), tt.form, schema.WireOptions{})
			got := schema.ValidateCard(tt.form, change(t, card, tt.pointer, tt.value))
			if diff := cmp.Diff(tt.want, lines(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestValidateConfig(t *testing.T) {
	var quoted []string
	for _, v := range schema.All.Versions() {
		quoted = append(quoted, strconv.Quote(v.String()))
	}
	versions := strings.Join(quoted, ", ")
	const right = `{"version": 1, "vars": {"a": "1"}, "agents": [{"id": "review", "name": "Review", ` +
		`"provider": {"organization": "Acme", "url": "https://acme.example"}, ` +
		`"interfaces": [{"url": "/a2a", "versions": ["1.0"]}]}]}`
	tests := []struct {
		name           string
		pointer, value string
		want           []string
	}{
		{"nothing", "/agents/0/id", `"review"`, nil},
		{
			"unknown key", "/agents/0/nmae",
			`"Review"`,
			[]string{`config-key-unknown /agents/0/nmae: unknown key "nmae" in "agents[0]" ` +
				`(did you mean "name"?)`},
		},
		{
			"unknown key in place of a required one", "/agents/-", `{"ID": "x"}`,
			[]string{
				`config-value /agents/1: "agents[1]" has no "id" [id]`,
				`config-key-unknown /agents/1/ID: unknown key "ID" in "agents[1]" (did you mean "id"?)`,
			},
		},
		{
			"unknown key that is like none", "/agents/0/provider/contact", `1`,
			[]string{
				`config-key-unknown /agents/0/provider/contact: unknown key "contact" in "provider" (known keys: ` +
					keys(schema.ProviderMessage) + `)`,
			},
		},
		{
			"unknown key at the top", "/base-url", `"x"`,
			[]string{`config-key-unknown /base-url: unknown key "base-url" (did you mean "baseUrl"?)`},
		},
		{
			"unknown key with signs of a pointer", "/agents/0/provider/a~1b~0", `1`,
			[]string{
				`config-key-unknown /agents/0/provider/a~01b~00: unknown key "a~1b~0" in "provider" (known keys: ` +
					keys(schema.ProviderMessage) + `)`,
			},
		},
		{
			"name of a variable", "/vars/1x", `"a"`,
			[]string{`config-value /vars/1x: "1x" is not a valid name of an entry, must match ^[A-Za-z_][A-Za-z0-9_]*$`},
		},
		{
			"number for text", "/agents/0/name", `1.5`,
			[]string{`config-value /agents/0/name: "name" is a number, must be a string (put it in double quotes)`},
		},
		{
			"one of several types", "/agents/0/version", `[]`,
			[]string{`config-value /agents/0/version: "version" is an array, must be a number or a string`},
		},
		{"unquoted version", "/agents/0/interfaces/0/versions", `[1.0, 0.3]`, []string{
			`config-value /agents/0/interfaces/0/versions/0: "versions[0]" is 1.0, must be one of ` + versions +
				` (put it in double quotes)`,
			`config-value /agents/0/interfaces/0/versions/1: "versions[1]" is 0.3, must be one of ` + versions +
				` (put it in double quotes)`,
		}},
		{
			"version twice", "/agents/0/interfaces/0/versions", `["1.0", "1.0"]`,
			[]string{
				`config-value /agents/0/interfaces/0/versions: "versions" holds the same value at 0 and 1, must hold each once`,
			},
		},
		{
			"quoted version of the format", "/version", `"1"`,
			[]string{`config-value /version: "version" is "1", must be 1 (write it without quotes)`},
		},
		{"another version of the format", "/version", `2`, []string{`config-value /version: "version" is 2, must be 1`}},
		{
			"one of few", "/layout", `"tree"`,
			[]string{`config-value /layout: "layout" is "tree", must be one of "auto", "single", "path", "host"`},
		},
		{
			"URL of another scheme", "/agents/0/provider/url", `"javascript:alert(1)"`,
			[]string{
				`config-value /agents/0/provider/url: "url" is "javascript:alert(1)", must be an absolute http or https URL`,
			},
		},
		{
			"URL that is empty", "/agents/0/provider/url", `""`,
			[]string{`config-value /agents/0/provider/url: "url" is empty, must be an absolute http or https URL`},
		},
		{"no agents", "/agents", `[]`, []string{`config-value /agents: "agents" is empty, must hold at least one entry`}},
		{
			"key in place of where it is", "/agents/0/signing", `{"key": "secret"}`,
			[]string{
				`config-value /agents/0/signing/key: "key" is "secret", ` +
					`must match ^(env:[A-Za-z_][A-Za-z0-9_]{0,59}|file:[^\r\n]+)$`,
			},
		},
		{
			"scheme of the wrong kind", "/agents/0/securitySchemes", `{"k": {"type": "http", "in": "header"}}`,
			[]string{
				`config-value /agents/0/securitySchemes/k: "k" has no "scheme" [scheme]`,
				`config-key-unknown /agents/0/securitySchemes/k/in: unknown key "in" in "k" (known keys: ` +
					keys(schema.HTTPAuth.Message(), "type") + `)`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := schema.Validate("config", change(t, parse(t, right), tt.pointer, tt.value))
			if diff := cmp.Diff(tt.want, lines(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// keys are those that the configuration has for a message, and others beside
// them.
func keys(message string, others ...string) string {
	list := others
	for _, m := range schema.Members(message) {
		list = append(list, m.Key())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func TestValidateNothing(t *testing.T) {
	want := []string{"config-value : the configuration is null, must be an object"}
	if diff := cmp.Diff(want, lines(schema.Validate("config", nil))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestValidateIsDeterministic(t *testing.T) {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, `{"id": "", "tags": [], "examples": [%d, null], "outputModes": 1},`, i)
	}
	card := parse(t, `{"name": 1, "description": "", "skills": [`+strings.TrimSuffix(b.String(),
		",")+
		`], "securitySchemes": {"b": 1, "a": {}, "c": {"type": "x"}}, "capabilities": {"streaming": 1, "extensions": [{}]}}`)
	want := lines(schema.ValidateCard(schema.Dual, card))
	if len(want) != 190 {
		t.Errorf("%d faults, want 7 of each skill and 15 others", len(want))
	}
	for range 20 {
		if diff := cmp.Diff(want, lines(schema.ValidateCard(schema.Dual, card))); diff != "" {
			t.Fatalf("(-first +now)\n%s", diff)
		}
	}
}

func FuzzValidate(f *testing.F) {
	for _, form := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		card, _ := schema.Wire(schematest.FullCard(), form, schema.WireOptions{})
		f.Add(schema.Write(card))
	}
	f.Add([]byte(`{"version": 1, "agents": [{"id": "a", "signing": [{"key": "env:K"}], "versions": [1e999999]}], ` +
		`"vars": {"1": null}, "": {}}`))
	f.Add([]byte(`{"skills": [{"tags": [[1]], "a/b~": 0}], "securitySchemes": {"/~": {"type": "oauth2", ` +
		`"flows": {"password": {}}}}}`))
	for _, card := range fixture.Files(f, "testdata/lint/security-*/*.json") {
		f.Add(card)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, _ := source.ParseJSON("fuzz.json", data)
		if doc == nil {
			t.Skip()
		}
		for _, name := range schema.Documents() {
			for _, fault := range schema.Validate(name, doc) {
				if _, ok := doc.Find(fault.Pointer); !ok {
					t.Errorf("%s: nothing at %q: %+v", name, fault.Pointer, fault)
				}
				if fault.Message == "" || strings.ContainsFunc(fault.Message, unicode.IsControl) || len(fault.Message) > 1000 {
					t.Errorf("%s: message %q", name, fault.Message)
				}
			}
		}
	})
}
