package schema_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the expected cards")

func TestWireForms(t *testing.T) {
	for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		t.Run(p.String(), func(t *testing.T) {
			node, losses := schema.Wire(schematest.FullCard(), p, schema.WireOptions{})
			var got strings.Builder
			got.Write(schema.Write(node))
			for _, l := range losses {
				fmt.Fprintf(&got, "%s %s: %s (fatal %t)\n", l.Rule, l.Pointer, l.Message, l.Severity == diag.Error)
			}
			file := filepath.Join("testdata", "wire", p.String()+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// compact returns the value at a pointer on one line, for comparing.
func compact(t *testing.T, n *source.Node, pointer string) string {
	t.Helper()
	found, ok := n.Find(pointer)
	if !ok {
		return "absent"
	}
	var v any
	if err := json.Unmarshal(schema.Write(found), &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func flows(kinds ...schema.FlowType) []schema.Flow {
	var list []schema.Flow
	for _, k := range kinds {
		list = append(list, schema.Flow{
			Type: k, AuthorizationURL: "https://a",
			DeviceAuthorizationURL: "https://d", TokenURL: "https://t",
			Scopes: map[string]string{"s": "S", string(k): "its own"},
		})
	}
	return list
}

func TestWireMembers(t *testing.T) {
	oauth := func(kinds ...schema.FlowType) map[string]schema.SecurityScheme {
		return map[string]schema.SecurityScheme{"o": {Type: schema.OAuth2, Flows: flows(kinds...)}}
	}
	tests := []struct {
		name    string
		card    schema.Card
		form    schema.Protocol
		options schema.WireOptions
		pointer string
		want    string
	}{
		{"nothing claimed", schema.Card{}, schema.V10, schema.WireOptions{}, "/capabilities", `{"streaming":false}`},
		{
			"nothing that 1.0 knows claimed",
			schema.Card{Capabilities: schema.Capabilities{StateTransitionHistory: new(false)}},
			schema.V10,
			schema.WireOptions{},
			"/capabilities", `{"streaming":false}`,
		},
		{
			"nothing that 0.3 knows claimed",
			schema.Card{Capabilities: schema.Capabilities{ExtendedAgentCard: new(true)}},
			schema.V03,
			schema.WireOptions{},
			"",
			`{"capabilities":{"streaming":false},"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":true}`,
		},
		{
			"explicit false stays",
			schema.Card{Capabilities: schema.Capabilities{ExtendedAgentCard: new(false)}},
			schema.Dual,
			schema.WireOptions{},
			"",
			`{"capabilities":{"extendedAgentCard":false},"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":false}`,
		},
		{
			"half a provider",
			schema.Card{Provider: &schema.Provider{Organization: "Acme"}},
			schema.V10,
			schema.WireOptions{},
			"/provider", "absent",
		},
		{
			"empty texts in lists",
			schema.Card{InputModes: []string{"", "text/plain"}, OutputModes: []string{""}},
			schema.V10,
			schema.WireOptions{},
			"", `{"capabilities":{"streaming":false},"defaultInputModes":["text/plain"]}`,
		},
		{
			"skills by id, bytewise",
			schema.Card{Skills: []schema.Skill{{ID: "b"}, {ID: "a"}, {ID: "B"}}},
			schema.V10,
			schema.WireOptions{},
			"/skills", `[{"id":"B"},{"id":"a"},{"id":"b"}]`,
		},

		{
			"0.3 lists an endpoint once",
			schema.Card{Interfaces: []schema.Interface{{
				URL: "u", Binding: "JSONRPC",
				Version: "0.3", Tenant: "a",
			}, {URL: "u", Binding: "JSONRPC", Version: "0.3", Tenant: "b"}}},
			schema.V03,
			schema.WireOptions{},
			"/additionalInterfaces", `[{"transport":"JSONRPC","url":"u"}]`,
		},
		{
			"0.3 leaves 1.0 interfaces out",
			schema.Card{Interfaces: []schema.Interface{
				{URL: "u", Version: "1.0"},
				{URL: "v", Binding: "GRPC", Version: "0.3"},
			}},
			schema.V03,
			schema.WireOptions{},
			"/additionalInterfaces",
			`[{"transport":"GRPC","url":"v"}]`,
		},
		{
			"0.3 has no supportedInterfaces",
			schema.Card{Interfaces: []schema.Interface{{URL: "u", Version: "0.3"}}},
			schema.V03,
			schema.WireOptions{},
			"/supportedInterfaces", "absent",
		},
		{
			"1.0 lists what there is",
			schema.Card{Interfaces: []schema.Interface{
				{URL: "u", Version: "0.3"},
				{URL: "v", Version: "1.0", Tenant: "t"},
			}},
			schema.V10,
			schema.WireOptions{},
			"/supportedInterfaces",
			`[{"protocolVersion":"0.3","url":"u"},{"protocolVersion":"1.0","tenant":"t","url":"v"}]`,
		},
		{
			"1.0 has no url",
			schema.Card{Interfaces: []schema.Interface{{URL: "u", Version: "0.3"}}},
			schema.V10,
			schema.WireOptions{},
			"/url", "absent",
		},

		{
			"requirement without scopes",
			schema.Card{Security: []schema.Requirement{{"k": nil}}},
			schema.V10,
			schema.WireOptions{},
			"/securityRequirements", `[{"schemes":{"k":{"list":[]}}}]`,
		},
		{
			"requirement without scopes, signed",
			schema.Card{Security: []schema.Requirement{{"k": {}}}},
			schema.V10,
			schema.WireOptions{Signed: true},
			"/securityRequirements", `[{"schemes":{"k":{}}}]`,
		},
		{
			"requirement with scopes, signed",
			schema.Card{Security: []schema.Requirement{{"k": {"a"}}}},
			schema.V10,
			schema.WireOptions{Signed: true},
			"/securityRequirements", `[{"schemes":{"k":{"list":["a"]}}}]`,
		},
		{
			"requirement of 0.3",
			schema.Card{Security: []schema.Requirement{{"k": nil, "a": {"x", ""}}}},
			schema.V03,
			schema.WireOptions{},
			"/security", `[{"a":["x"],"k":[]}]`,
		},
		{
			"requirements left out",
			schema.Card{Security: []schema.Requirement{{"k": nil}}},
			schema.Dual,
			schema.WireOptions{OmitRequirements: true},
			"/securityRequirements", "absent",
		},
		{
			"requirements left out of a skill",
			schema.Card{Skills: []schema.Skill{{ID: "s", Security: []schema.Requirement{{"k": nil}}}}},
			schema.Dual,
			schema.WireOptions{OmitRequirements: true},
			"/skills/0", `{"id":"s","security":[{"k":[]}]}`,
		},
		{
			"security stays",
			schema.Card{Security: []schema.Requirement{{"k": nil}}},
			schema.Dual,
			schema.WireOptions{OmitRequirements: true},
			"/security", `[{"k":[]}]`,
		},
		{
			"everybody",
			schema.Card{Security: []schema.Requirement{{}}},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			"absent",
		},

		{
			"one flow keeps its name",
			schema.Card{SecuritySchemes: oauth(schema.Implicit)},
			schema.V10,
			schema.WireOptions{},
			"/securitySchemes", `{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"authorizationUrl":"https://a",` +
				`"scopes":{"implicit":"its own","s":"S"}}}}}}`,
		},
		{
			"device code in 1.0",
			schema.Card{SecuritySchemes: oauth(schema.DeviceCode)},
			schema.V10,
			schema.WireOptions{},
			"/securitySchemes/o/oauth2SecurityScheme/flows/deviceCode",
			`{"deviceAuthorizationUrl":"https://d","scopes":{"deviceCode":"its own","s":"S"},"tokenUrl":"https://t"}`,
		},
		{
			"device code alone in 0.3",
			schema.Card{SecuritySchemes: oauth(schema.DeviceCode)},
			schema.V03,
			schema.WireOptions{},
			"/securitySchemes", "absent",
		},
		{
			"device code beside one flow in dual",
			schema.Card{
				SecuritySchemes: oauth(schema.DeviceCode, schema.Password),
				Security:        []schema.Requirement{{"o": {"deviceCode"}}},
			},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			`[{"o":["deviceCode"]}]`,
		},
		{
			"split, no scopes",
			schema.Card{
				SecuritySchemes: oauth(schema.Password, schema.AuthorizationCode),
				Security:        []schema.Requirement{{"o": nil}},
			},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			`[{"o-authorizationCode":[]},{"o-password":[]}]`,
		},
		{
			"split, scopes of one flow",
			schema.Card{
				SecuritySchemes: oauth(schema.Password, schema.Implicit),
				Security:        []schema.Requirement{{"o": {"password", "s"}}},
			},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			`[{"o-password":["password","s"]}]`,
		},
		{
			"split, scopes of no flow",
			schema.Card{
				SecuritySchemes: oauth(schema.Password, schema.Implicit),
				Security:        []schema.Requirement{{"o": {"password", "implicit"}}},
			},
			schema.V10,
			schema.WireOptions{},
			"/securityRequirements",
			`[{"schemes":{"o-implicit":{"list":["password","implicit"]}}},` +
				`{"schemes":{"o-password":{"list":["password","implicit"]}}}]`,
		},
		{
			"split, with another scheme",
			schema.Card{
				SecuritySchemes: oauth(schema.Password, schema.Implicit),
				Security:        []schema.Requirement{{"k": {"x"}, "o": nil}},
			},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			`[{"k":["x"],"o-implicit":[]},{"k":["x"],"o-password":[]}]`,
		},
		{"a split in 0.3", schema.Card{
			SecuritySchemes: oauth(schema.Password, schema.Implicit),
			Security:        []schema.Requirement{{"o": nil}},
		}, schema.V03, schema.WireOptions{}, "/security", `[{"o-implicit":[]},{"o-password":[]}]`},
		{
			"two splits in one requirement",
			schema.Card{
				SecuritySchemes: map[string]schema.SecurityScheme{
					"a": {
						Type:  schema.OAuth2,
						Flows: flows(schema.Password, schema.Implicit),
					},
					"b": {Type: schema.OAuth2, Flows: flows(schema.Password, schema.ClientCredentials)},
				},
				Security: []schema.Requirement{{"a": nil, "b": nil}},
			},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			`[{"a-implicit":[],"b-clientCredentials":[]},{"a-implicit":[],"b-password":[]},{"a-password":[],` +
				`"b-clientCredentials":[]},{"a-password":[],"b-password":[]}]`,
		},
		{
			"split names give way",
			schema.Card{
				SecuritySchemes: map[string]schema.SecurityScheme{
					"o": {
						Type:  schema.OAuth2,
						Flows: flows(schema.Password, schema.Implicit),
					}, "o-password": {Type: schema.HTTPAuth, Scheme: "basic"},
					"o-password-2": {Type: schema.HTTPAuth, Scheme: "basic"},
				},
				Security: []schema.Requirement{{"o": nil}},
			},
			schema.Dual,
			schema.WireOptions{},
			"/security",
			`[{"o-implicit":[]},{"o-password-3":[]}]`,
		},
		{
			"kinds given twice",
			schema.Card{SecuritySchemes: oauth(schema.Password, schema.Password)},
			schema.V10,
			schema.WireOptions{},
			"/securitySchemes/o/oauth2SecurityScheme/flows/password/tokenUrl", `"https://t"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			node, _ := schema.Wire(&tt.card, tt.form, tt.options)
			if diff := cmp.Diff(tt.want, compact(t, node, tt.pointer)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tt.pointer, diff)
			}
		})
	}
}

func TestWireParams(t *testing.T) {
	null := &source.Node{Kind: source.Null, Text: "null"}
	array := func(items ...*source.Node) *source.Node { return &source.Node{Kind: source.Array, Items: items} }
	inner := &source.Node{Kind: source.Object}
	inner.Set("null", null)
	inner.Set("nested", array(array(), source.NewText("")))
	params := &source.Node{Kind: source.Object}
	params.Set("z", array(null, source.NewInt(0), source.NewBool(false)))
	params.Set("gone", inner)
	params.Set("a", source.NewText("x"))
	node, losses := schema.Wire(
		&schema.Card{Capabilities: schema.Capabilities{Extensions: []schema.Extension{{URI: "u", Params: params}, {}}}},
		schema.V10, schema.WireOptions{})
	if got, want := compact(t, node, "/capabilities/extensions"),
		`[{"params":{"a":"x","z":[0,false]},"uri":"u"}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(losses) != 1 || losses[0].Pointer != "/capabilities/extensions/0/params" ||
		!strings.Contains(losses[0].Message, "(6)") {
		t.Errorf("losses %+v, want one that counts 6", losses)
	}
	if params.Members[0].Key != "z" || len(params.Members) != 3 {
		t.Error("the card's own params have changed")
	}
}

func TestWireLosses(t *testing.T) {
	device := map[string]schema.SecurityScheme{
		"d": {Type: schema.OAuth2, Flows: flows(schema.DeviceCode)},
		"k": {Type: schema.MutualTLS},
	}
	wide := map[string]schema.SecurityScheme{}
	all := schema.Requirement{}
	for name := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
		wide[name] = schema.SecurityScheme{Type: schema.OAuth2, Flows: flows(schema.FlowTypes()...)}
		all[name] = nil
	}
	type loss struct {
		Rule, Pointer string
		Fatal         bool
	}
	tests := []struct {
		name    string
		card    schema.Card
		form    schema.Protocol
		options schema.WireOptions
		want    []loss
	}{
		{
			"nothing to lose",
			schema.Card{Capabilities: schema.Capabilities{StateTransitionHistory: new(false)}},
			schema.V10,
			schema.WireOptions{},
			nil,
		},
		{
			"state transition history",
			schema.Card{Capabilities: schema.Capabilities{StateTransitionHistory: new(true)}},
			schema.V10,
			schema.WireOptions{},
			[]loss{{"protocol-loss", "/capabilities/stateTransitionHistory", false}},
		},
		{
			"state transition history in dual",
			schema.Card{Capabilities: schema.Capabilities{StateTransitionHistory: new(true)}},
			schema.Dual,
			schema.WireOptions{},
			nil,
		},
		{
			"half a provider",
			schema.Card{Provider: &schema.Provider{URL: "https://a"}},
			schema.V10,
			schema.WireOptions{},
			[]loss{{"provider-incomplete", "/provider", false}},
		},
		{
			"tenant",
			schema.Card{Interfaces: []schema.Interface{{Version: "1.0", Tenant: "t"}, {Version: "0.3", Tenant: "t"}}},
			schema.Dual,
			schema.WireOptions{},
			[]loss{{"protocol-loss", "/supportedInterfaces/1/tenant", false}},
		},
		{
			"interface of 1.0",
			schema.Card{Interfaces: []schema.Interface{{Version: "1.0"}, {Version: "0.3"}}},
			schema.V03,
			schema.WireOptions{},
			[]loss{{"protocol-loss", "/supportedInterfaces/0", false}},
		},
		{
			"no interface of 0.3",
			schema.Card{Interfaces: []schema.Interface{{Version: "1.0"}}},
			schema.Dual,
			schema.WireOptions{},
			[]loss{{"interface-none", "/supportedInterfaces", true}},
		},
		{"no interface at all", schema.Card{}, schema.Dual, schema.WireOptions{}, nil},
		{
			"PKCE",
			schema.Card{SecuritySchemes: map[string]schema.SecurityScheme{"a/b": {
				Type:  schema.OAuth2,
				Flows: []schema.Flow{{Type: schema.AuthorizationCode, PKCERequired: true}},
			}}},
			schema.V03,
			schema.WireOptions{},
			[]loss{{
				"protocol-loss", "/securitySchemes/a~1b/oauth2SecurityScheme/flows/authorizationCode/pkceRequired",
				false,
			}},
		},
		{
			"device code",
			schema.Card{SecuritySchemes: device},
			schema.Dual,
			schema.WireOptions{},
			[]loss{{
				"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode",
				false,
			}},
		},
		{
			"device code required",
			schema.Card{SecuritySchemes: device, Security: []schema.Requirement{{"d": nil, "k": nil}}},
			schema.V03,
			schema.WireOptions{},
			[]loss{
				{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false},
				{"scheme-oauth-devicecode", "/securityRequirements/0", false},
				{"security-lost", "/securityRequirements", true},
			},
		},
		{
			"device code among the alternatives",
			schema.Card{SecuritySchemes: device, Security: []schema.Requirement{{"d": nil}, {"k": nil}}},
			schema.Dual,
			schema.WireOptions{},
			[]loss{
				{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false},
				{"scheme-oauth-devicecode", "/securityRequirements/0", false},
			},
		},
		{
			"device code required by a skill",
			schema.Card{SecuritySchemes: device, Skills: []schema.Skill{
				{ID: "b", Security: []schema.Requirement{{"d": nil}}},
				{ID: "a"},
			}},
			schema.V03,
			schema.WireOptions{},
			[]loss{
				{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false},
				{"scheme-oauth-devicecode", "/skills/0/securityRequirements/0", false},
				{"security-lost", "/skills/0/securityRequirements", true},
			},
		},
		{
			"device code in 1.0",
			schema.Card{SecuritySchemes: device, Security: []schema.Requirement{{"d": nil}}},
			schema.V10,
			schema.WireOptions{},
			nil,
		},
		{
			"everybody, or with a key",
			schema.Card{Security: []schema.Requirement{{"k": nil}, {}}},
			schema.V10,
			schema.WireOptions{},
			[]loss{{"security-anonymous", "/securityRequirements", false}},
		},
		{"everybody", schema.Card{Security: []schema.Requirement{{}}}, schema.V10, schema.WireOptions{}, nil},
		{
			"requirements left out of 1.0",
			schema.Card{Security: []schema.Requirement{{"k": nil}}},
			schema.V10,
			schema.WireOptions{OmitRequirements: true},
			[]loss{{"security-lost", "/securityRequirements", true}},
		},
		{
			"requirements left out of 0.3",
			schema.Card{Security: []schema.Requirement{{"k": nil}}},
			schema.V03,
			schema.WireOptions{OmitRequirements: true},
			nil,
		},
		{
			"too many ways to split",
			schema.Card{SecuritySchemes: wide, Security: []schema.Requirement{all, all}},
			schema.V10,
			schema.WireOptions{},
			[]loss{{"security-lost", "/securityRequirements/0", true}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, losses := schema.Wire(&tt.card, tt.form, tt.options)
			var got []loss
			for _, l := range losses {
				got = append(got, loss{l.Rule.String(), l.Pointer, l.Severity == diag.Error})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
