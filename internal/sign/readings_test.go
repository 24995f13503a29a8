package sign

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
)

func TestFullCardIsAFixedPoint(t *testing.T) {
	card := parse(t, fullCard(t))
	if d := Divergences(card); len(d) > 0 {
		t.Errorf("readings differ: %v", d)
	}
	want, _ := Payload(card)
	for _, r := range Readings() {
		tree, _ := Read(card, r)
		got, list := Canonical(tree)
		if diff := cmp.Diff(string(want), string(got)); diff != "" || len(list) > 0 {
			t.Errorf("%s: %v (-raw +%s):\n%s", r, list, r, diff)
		}
	}
}

func TestReadings(t *testing.T) {
	tests := []struct {
		name, card           string
		stripped, typed, sdk string
		divergences          []string
	}{
		{
			name: "the example of 8.4.1",
			card: `{"name":"Example Agent","description":"","capabilities":{"streaming":false,"pushNotifications":false,` +
				`"extensions":[]},"skills":[]}`,
			stripped: `{"capabilities":{"pushNotifications":false,"streaming":false},` +
				`"description":"","name":"Example Agent","skills":[]}`,
			typed: `{"capabilities":{"pushNotifications":false,"streaming":false},"defaultInputModes":[],` +
				`"defaultOutputModes":[],"description":"","name":"Example Agent","skills":[],"supportedInterfaces":[],` +
				`"version":""}`,
			sdk: `{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}`,
			divergences: []string{
				"/capabilities/extensions", "+/defaultInputModes", "+/defaultOutputModes", "/description",
				"/skills", "+/supportedInterfaces", "+/version",
			},
		},
		{
			name:     "nothing",
			card:     `{}`,
			stripped: `{}`,
			typed: `{"capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],` +
				`"description":"","name":"","skills":[],"supportedInterfaces":[],"version":""}`,
			sdk: `{}`,
			divergences: []string{
				"+/capabilities", "+/defaultInputModes", "+/defaultOutputModes", "+/description", "+/name",
				"+/skills", "+/supportedInterfaces", "+/version",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			card := parse(t, tt.card)
			for r, want := range map[Reading]string{Stripped: tt.stripped, Typed: tt.typed, SDK: tt.sdk} {
				tree, _ := Read(card, r)
				if diff := cmp.Diff(want, string(canonical(tree))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", r, diff)
				}
			}
			if diff := cmp.Diff(tt.divergences, places(Divergences(card))); diff != "" {
				t.Errorf("divergences (-want +got):\n%s", diff)
			}
		})
	}
}

// Each change of the full card makes exactly these readings leave out exactly
// this.
func TestDivergences(t *testing.T) {
	tests := []struct {
		name, old, new string
		pointer        string
		reason         string
		readings       []Reading
	}{
		{"unknown member", `"version"`, `"x-note": "a", "version"`, "/x-note", reasonUnknown, []Reading{Typed, SDK}},
		{"member of 0.3", `"version"`, `"url": "https://a.example", "version"`, "/url", reasonUnknown, []Reading{Typed, SDK}},
		{
			"unknown deep inside", `"bearerFormat": "JWT"`, `"bearer": "JWT"`,
			"/securitySchemes/http/httpAuthSecurityScheme/bearer", reasonUnknown,
			[]Reading{Typed, SDK},
		},
		{
			"scheme of two kinds", `{"mtlsSecurityScheme"`,
			`{"apiKeySecurityScheme": {"location": "header", "name": "X"}, "mtlsSecurityScheme"`,
			"/securitySchemes/cert/mtlsSecurityScheme", reasonOneof,
			[]Reading{Typed, SDK},
		},
		{"wrong type", `"version": "1.4.0"`, `"version": 1.4`, "/version", reasonType, []Reading{Typed, SDK}},
		{"wrong type of an entry", `["text/plain"],
  "defaultOutputModes"`, `["text/plain", 7],
  "defaultOutputModes"`, "/defaultInputModes/1", reasonType, []Reading{Typed, SDK}},
		{
			"required extension that is not", `"required": true`, `"required": false`, "/capabilities/extensions/0/required",
			reasonDefault,
			[]Reading{Stripped, Typed, SDK},
		},
		{
			"PKCE that is not required", `"pkceRequired": true`, `"pkceRequired": false`,
			"/securitySchemes/code/oauth2SecurityScheme/flows/authorizationCode/pkceRequired", reasonDefault,
			[]Reading{Stripped, Typed, SDK},
		},
		{
			"null", `"tenant": "blue"`, `"tenant": null`, "/supportedInterfaces/1/tenant", reasonNull,
			[]Reading{Stripped, Typed, SDK},
		},
		{
			"empty text", `"tenant": "blue"`, `"tenant": ""`, "/supportedInterfaces/1/tenant", reasonEmpty,
			[]Reading{Stripped, Typed, SDK},
		},
		{
			"empty text with presence", `"iconUrl": "https://acme.example/icon.png"`, `"iconUrl": ""`, "/iconUrl", reasonEmpty,
			[]Reading{SDK},
		},
		{"empty required array", `"tags": ["language"]`, `"tags": []`, "/skills/0/tags", reasonEmpty, []Reading{SDK}},
		{
			"empty entry of an array", `["Translate this into French"]`, `["", "b"]`, "/skills/0/examples/0", reasonEmpty,
			[]Reading{SDK},
		},
		{
			"empty optional array", `["Translate this into French"]`, `[]`, "/skills/0/examples", reasonEmpty,
			[]Reading{Stripped, Typed, SDK},
		},
		{
			"empty required map", `{"read": "Read.", "write": "Write."}`, `{}`,
			"/securitySchemes/code/oauth2SecurityScheme/flows/authorizationCode/scopes", reasonEmpty,
			[]Reading{SDK},
		},
		{
			"empty message", `{"description": "A client certificate."}`, `{}`, "/securitySchemes/cert/mtlsSecurityScheme",
			reasonEmpty,
			[]Reading{SDK},
		},
		{
			"scheme without scopes", `{"list": ["read", "write"]}`, `{}`, "/securityRequirements/0/schemes/code", reasonEmpty,
			[]Reading{SDK},
		},
		{
			"scheme with no scopes", `{"list": ["read", "write"]}`, `{"list": []}`, "/securityRequirements/0/schemes/code/list",
			reasonEmpty,
			[]Reading{Stripped, Typed, SDK},
		},
		{
			"empty deep inside params", `{"three": [3]}`, `{"three": [[]]}`, "/capabilities/extensions/0/params/list/2/three/0",
			reasonEmpty,
			[]Reading{SDK},
		},
		{
			"null inside params", `"none": 0`, `"none": null`, "/capabilities/extensions/0/params/none", reasonNull,
			[]Reading{SDK},
		},
		{
			"prototype", `"none": 0`, `"__proto__": 0`, "/capabilities/extensions/0/params/__proto__", reasonProto,
			[]Reading{SDK},
		},
		{
			"missing required member", `"organization": "Acme Inc.", `, ``, "+/provider/organization", reasonMissing,
			[]Reading{Typed},
		},
		{
			"missing required member of an entry", `"name": "Translate", `, ``, "+/skills/0/name", reasonMissing,
			[]Reading{Typed},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(fullCard(t), tt.old, tt.new, 1)
			if text == fullCard(t) {
				t.Fatal("the test changes nothing")
			}
			card := parse(t, text)
			var readings []Reading
			for _, r := range Readings() {
				_, found := Read(card, r)
				if len(found) == 0 {
					continue
				}
				readings = append(readings, r)
				if found[0].Reason != tt.reason || places(found)[0] != tt.pointer {
					t.Errorf("%s: got %+v, want %s: %s", r, found, tt.pointer, tt.reason)
				}
			}
			if diff := cmp.Diff(tt.readings, readings); diff != "" {
				t.Errorf("readings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{tt.pointer}, places(Divergences(card))); diff != "" {
				t.Errorf("all (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	const plain = `{"name":"a","description":"b","supportedInterfaces":[{"url":"c","protocolBinding":"d",` +
		`"protocolVersion":"1.0"}],"version":"1",` +
		`"capabilities":{"extensions":[{"uri":"e","params":{"n":0.5}}]},"defaultInputModes":["f"],` +
		`"defaultOutputModes":["f"],"skills":[{"id":"g","name":"h","description":"i","tags":["j"]}]}`
	tests := []struct {
		name, old, new string
		options        Options
		want           []string
	}{
		{"none", "", "", Options{}, nil},
		{"dual", `"version"`, `"url":"k","version"`, Options{}, []string{"error signature-dual "}},
		{"divergent", `"version"`, `"x":1.5,"version"`, Options{}, []string{"error signature-canonical-hazard /x"}},
		{
			"divergent, allowed", `"version"`, `"x":1.5,"version"`,
			Options{AllowDivergent: true},
			[]string{"warning signature-canonical-hazard /x"},
		},
		{
			"no scopes", `"version"`, `"securityRequirements":[{"schemes":{"k":{}}}],"version"`,
			Options{},
			[]string{"warning signature-canonical-hazard /securityRequirements/0/schemes/k"},
		},
		{"number", `0.5`, `1e16`, Options{}, []string{
			"info compat-a2a-python-json /capabilities/extensions/0/params/n",
			"error signature-number /capabilities/extensions/0/params/n",
		}},
		{
			"0.3", `"supportedInterfaces"`, `"protocolVersion":"0.3.0","interfaces"`,
			Options{},
			[]string{"info signature-legacy "},
		},
		{
			"scheme", `"version"`, `"securitySchemes":{"cert":{"mtlsSecurityScheme":{"description":"l"}}},"version"`,
			Options{},
			[]string{"info compat-a2a-js-schemes /securitySchemes"},
		},
		{"text that is not ASCII", `"j"`, `"ü"`, Options{}, []string{"info compat-a2a-python-json /skills/0/tags/0"}},
		{
			"name that is not ASCII", `"n"`, `"ü"`,
			Options{},
			[]string{"info compat-a2a-python-json /capabilities/extensions/0/params/ü"},
		},
		{"whole number", `0.5`, `1`, Options{}, []string{"info compat-a2a-python-json /capabilities/extensions/0/params/n"}},
		{
			"tiny number", `0.5`, `0.000001`,
			Options{},
			[]string{"info compat-a2a-python-json /capabilities/extensions/0/params/n"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := Check(parse(t, strings.Replace(plain, tt.old, tt.new, 1)), tt.options)
			if diff := cmp.Diff(tt.want, rules(list)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, d := range list {
				if d.Span == (diag.Span{}) {
					t.Errorf("%s has no place", d.Rule)
				}
			}
		})
	}
	if diff := cmp.Diff([]string{"error card-json "}, rules(Check(nil, Options{}))); diff != "" {
		t.Errorf("of nothing (-want +got):\n%s", diff)
	}
}

// places shows divergences as pointers, those that a reading adds with a plus.
func places(list []Divergence) []string {
	var out []string
	for _, d := range list {
		if d.Added {
			d.Pointer = "+" + d.Pointer
		}
		out = append(out, d.Pointer)
	}
	return out
}
