package schema

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
)

var update = flag.Bool("update", false, "rewrite the expected cards")

// fullCard holds everything that a card can hold.
func fullCard() *Card {
	params := &source.Node{Kind: source.Object}
	params.SetText("style", "numbered")
	params.Set("limits", source.NewTexts([]string{"a", "b"}))
	return &Card{
		Name:        "Code Review",
		Description: "Reviews pull requests.\nFinds <defects> & vulnerabilities.",
		Interfaces: []Interface{
			{URL: "https://acme.example/a2a/review", Binding: "JSONRPC", Version: "0.3"},
			{URL: "https://acme.example/a2a/review", Binding: "JSONRPC", Version: "1.0"},
			{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.0", Tenant: "review"},
			{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "0.3"},
			{URL: "https://acme.example/rest", Binding: "HTTP+JSON", Version: "0.3", Tenant: "review"},
		},
		Provider:         &Provider{Organization: "Acme Inc.", URL: "https://acme.example"},
		Version:          "1.4.0",
		IconURL:          "https://acme.example/icon.png",
		DocumentationURL: "https://acme.example/docs",
		Capabilities: Capabilities{
			Streaming:              new(true),
			PushNotifications:      new(false),
			ExtendedAgentCard:      new(true),
			StateTransitionHistory: new(true),
			Extensions: []Extension{
				{URI: "https://acme.example/ext/cite/v1", Description: "Cites its sources.", Required: true, Params: params},
				{URI: "https://acme.example/ext/plain/v1"},
			},
		},
		SecuritySchemes: map[string]SecurityScheme{
			"key":    {Type: APIKey, In: "header", Name: "X-API-Key", Description: "A key from the portal."},
			"bearer": {Type: HTTPAuth, Scheme: "bearer", BearerFormat: "JWT"},
			"oidc":   {Type: OpenIDConnect, OpenIDConnectURL: "https://id.acme.example/.well-known/openid-configuration"},
			"mtls":   {Type: MutualTLS},
			"oauth": {
				Type: OAuth2, OAuth2MetadataURL: "https://id.acme.example/.well-known/oauth-authorization-server",
				Flows: []Flow{
					{Type: Password, TokenURL: "https://id.acme.example/token", Scopes: map[string]string{"read": "Read."}},
					{Type: ClientCredentials, TokenURL: "https://id.acme.example/token", Scopes: map[string]string{"read": "Read.", "admin": ""}},
					{Type: AuthorizationCode, AuthorizationURL: "https://id.acme.example/authorize", TokenURL: "https://id.acme.example/token", RefreshURL: "https://id.acme.example/refresh", Scopes: map[string]string{"write": "Write.", "read": "Read."}, PKCERequired: true},
					{Type: Implicit, AuthorizationURL: "https://id.acme.example/authorize", Scopes: map[string]string{"read": "Read."}},
					{Type: DeviceCode, DeviceAuthorizationURL: "https://id.acme.example/device", TokenURL: "https://id.acme.example/token", Scopes: map[string]string{"read": "Read."}},
				},
			},
		},
		Security: []Requirement{
			{"key": nil, "mtls": nil},
			{"oauth": {"read", "write"}},
			{"oidc": {"openid"}},
		},
		InputModes:  []string{"text/plain", "application/json"},
		OutputModes: []string{"text/plain"},
		Skills: []Skill{
			{ID: "review", Name: "Review", Description: "Reviews a pull request.", Tags: []string{"code"}, Examples: []string{"Review #12"}, InputModes: []string{"text/x-diff"}, OutputModes: []string{"text/markdown"}, Security: []Requirement{{"oauth": {"admin"}}, {"bearer": nil}}},
			{ID: "Chat", Name: "Chat", Description: "Answers “questions”.", Tags: []string{"chat", "q&a"}},
		},
		Signatures: []Signature{{Protected: "eyJhbGciOiJFUzI1NiJ9", Signature: "c2ln", Header: params}},
	}
}

func TestWireForms(t *testing.T) {
	for _, p := range []Protocol{V10, V03, Dual} {
		t.Run(string(p), func(t *testing.T) {
			node, losses := Wire(fullCard(), p, WireOptions{})
			var got strings.Builder
			got.Write(Write(node))
			for _, l := range losses {
				fmt.Fprintf(&got, "%s %s: %s (fatal %t)\n", l.Rule, l.Pointer, l.Message, l.Fatal)
			}
			file := filepath.Join("testdata", "wire", string(p)+".txt")
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
	if err := json.Unmarshal(Write(found), &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func flows(kinds ...FlowType) []Flow {
	var list []Flow
	for _, k := range kinds {
		list = append(list, Flow{Type: k, AuthorizationURL: "https://a", DeviceAuthorizationURL: "https://d", TokenURL: "https://t", Scopes: map[string]string{"s": "S", string(k): "its own"}})
	}
	return list
}

func TestWireMembers(t *testing.T) {
	oauth := func(kinds ...FlowType) map[string]SecurityScheme {
		return map[string]SecurityScheme{"o": {Type: OAuth2, Flows: flows(kinds...)}}
	}
	tests := []struct {
		name    string
		card    Card
		form    Protocol
		options WireOptions
		pointer string
		want    string
	}{
		{"nothing claimed", Card{}, V10, WireOptions{}, "/capabilities", `{"streaming":false}`},
		{"nothing that 1.0 knows claimed", Card{Capabilities: Capabilities{StateTransitionHistory: new(false)}}, V10, WireOptions{}, "/capabilities", `{"streaming":false}`},
		{"nothing that 0.3 knows claimed", Card{Capabilities: Capabilities{ExtendedAgentCard: new(true)}}, V03, WireOptions{}, "", `{"capabilities":{"streaming":false},"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":true}`},
		{"explicit false stays", Card{Capabilities: Capabilities{ExtendedAgentCard: new(false)}}, Dual, WireOptions{}, "", `{"capabilities":{"extendedAgentCard":false},"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":false}`},
		{"half a provider", Card{Provider: &Provider{Organization: "Acme"}}, V10, WireOptions{}, "/provider", "absent"},
		{"empty texts in lists", Card{InputModes: []string{"", "text/plain"}, OutputModes: []string{""}}, V10, WireOptions{}, "", `{"capabilities":{"streaming":false},"defaultInputModes":["text/plain"]}`},
		{"skills by id, bytewise", Card{Skills: []Skill{{ID: "b"}, {ID: "a"}, {ID: "B"}}}, V10, WireOptions{}, "/skills", `[{"id":"B"},{"id":"a"},{"id":"b"}]`},

		{"0.3 lists an endpoint once", Card{Interfaces: []Interface{{URL: "u", Binding: "JSONRPC", Version: "0.3", Tenant: "a"}, {URL: "u", Binding: "JSONRPC", Version: "0.3", Tenant: "b"}}}, V03, WireOptions{}, "/additionalInterfaces", `[{"transport":"JSONRPC","url":"u"}]`},
		{"0.3 leaves 1.0 interfaces out", Card{Interfaces: []Interface{{URL: "u", Version: "1.0"}, {URL: "v", Binding: "GRPC", Version: "0.3"}}}, V03, WireOptions{}, "/additionalInterfaces", `[{"transport":"GRPC","url":"v"}]`},
		{"0.3 has no supportedInterfaces", Card{Interfaces: []Interface{{URL: "u", Version: "0.3"}}}, V03, WireOptions{}, "/supportedInterfaces", "absent"},
		{"1.0 lists what there is", Card{Interfaces: []Interface{{URL: "u", Version: "0.3"}, {URL: "v", Version: "1.0", Tenant: "t"}}}, V10, WireOptions{}, "/supportedInterfaces", `[{"protocolVersion":"0.3","url":"u"},{"protocolVersion":"1.0","tenant":"t","url":"v"}]`},
		{"1.0 has no url", Card{Interfaces: []Interface{{URL: "u", Version: "0.3"}}}, V10, WireOptions{}, "/url", "absent"},

		{"requirement without scopes", Card{Security: []Requirement{{"k": nil}}}, V10, WireOptions{}, "/securityRequirements", `[{"schemes":{"k":{"list":[]}}}]`},
		{"requirement without scopes, signed", Card{Security: []Requirement{{"k": {}}}}, V10, WireOptions{Signed: true}, "/securityRequirements", `[{"schemes":{"k":{}}}]`},
		{"requirement with scopes, signed", Card{Security: []Requirement{{"k": {"a"}}}}, V10, WireOptions{Signed: true}, "/securityRequirements", `[{"schemes":{"k":{"list":["a"]}}}]`},
		{"requirement of 0.3", Card{Security: []Requirement{{"k": nil, "a": {"x", ""}}}}, V03, WireOptions{}, "/security", `[{"a":["x"],"k":[]}]`},
		{"requirements left out", Card{Security: []Requirement{{"k": nil}}}, Dual, WireOptions{OmitRequirements: true}, "/securityRequirements", "absent"},
		{"requirements left out of a skill", Card{Skills: []Skill{{ID: "s", Security: []Requirement{{"k": nil}}}}}, Dual, WireOptions{OmitRequirements: true}, "/skills/0", `{"id":"s","security":[{"k":[]}]}`},
		{"security stays", Card{Security: []Requirement{{"k": nil}}}, Dual, WireOptions{OmitRequirements: true}, "/security", `[{"k":[]}]`},
		{"everybody", Card{Security: []Requirement{{}}}, Dual, WireOptions{}, "/security", "absent"},

		{"one flow keeps its name", Card{SecuritySchemes: oauth(Implicit)}, V10, WireOptions{}, "/securitySchemes", `{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"authorizationUrl":"https://a","scopes":{"implicit":"its own","s":"S"}}}}}}`},
		{"device code in 1.0", Card{SecuritySchemes: oauth(DeviceCode)}, V10, WireOptions{}, "/securitySchemes/o/oauth2SecurityScheme/flows/deviceCode", `{"deviceAuthorizationUrl":"https://d","scopes":{"deviceCode":"its own","s":"S"},"tokenUrl":"https://t"}`},
		{"device code alone in 0.3", Card{SecuritySchemes: oauth(DeviceCode)}, V03, WireOptions{}, "/securitySchemes", "absent"},
		{"device code beside one flow in dual", Card{SecuritySchemes: oauth(DeviceCode, Password), Security: []Requirement{{"o": {"deviceCode"}}}}, Dual, WireOptions{}, "/security", `[{"o":["deviceCode"]}]`},
		{"split, no scopes", Card{SecuritySchemes: oauth(Password, AuthorizationCode), Security: []Requirement{{"o": nil}}}, Dual, WireOptions{}, "/security", `[{"o-authorizationCode":[]},{"o-password":[]}]`},
		{"split, scopes of one flow", Card{SecuritySchemes: oauth(Password, Implicit), Security: []Requirement{{"o": {"password", "s"}}}}, Dual, WireOptions{}, "/security", `[{"o-password":["password","s"]}]`},
		{"split, scopes of no flow", Card{SecuritySchemes: oauth(Password, Implicit), Security: []Requirement{{"o": {"password", "implicit"}}}}, V10, WireOptions{}, "/securityRequirements", `[{"schemes":{"o-implicit":{"list":["password","implicit"]}}},{"schemes":{"o-password":{"list":["password","implicit"]}}}]`},
		{"split, with another scheme", Card{SecuritySchemes: oauth(Password, Implicit), Security: []Requirement{{"k": {"x"}, "o": nil}}}, Dual, WireOptions{}, "/security", `[{"k":["x"],"o-implicit":[]},{"k":["x"],"o-password":[]}]`},
		{"no split in 0.3", Card{SecuritySchemes: oauth(Password, Implicit), Security: []Requirement{{"o": nil}}}, V03, WireOptions{}, "/security", `[{"o":[]}]`},
		{
			"two splits in one requirement",
			Card{
				SecuritySchemes: map[string]SecurityScheme{"a": {Type: OAuth2, Flows: flows(Password, Implicit)}, "b": {Type: OAuth2, Flows: flows(Password, ClientCredentials)}},
				Security:        []Requirement{{"a": nil, "b": nil}},
			},
			Dual,
			WireOptions{},
			"/security",
			`[{"a-implicit":[],"b-clientCredentials":[]},{"a-implicit":[],"b-password":[]},{"a-password":[],"b-clientCredentials":[]},{"a-password":[],"b-password":[]}]`,
		},
		{
			"split names give way",
			Card{
				SecuritySchemes: map[string]SecurityScheme{"o": {Type: OAuth2, Flows: flows(Password, Implicit)}, "o-password": {Type: HTTPAuth, Scheme: "basic"}, "o-password-2": {Type: HTTPAuth, Scheme: "basic"}},
				Security:        []Requirement{{"o": nil}},
			},
			Dual,
			WireOptions{},
			"/security",
			`[{"o-implicit":[]},{"o-password-3":[]}]`,
		},
		{"kinds given twice", Card{SecuritySchemes: oauth(Password, Password)}, V10, WireOptions{}, "/securitySchemes/o/oauth2SecurityScheme/flows/password/tokenUrl", `"https://t"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			node, _ := Wire(&tt.card, tt.form, tt.options)
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
	node, losses := Wire(&Card{Capabilities: Capabilities{Extensions: []Extension{{URI: "u", Params: params}, {}}}}, V10, WireOptions{})
	if got, want := compact(t, node, "/capabilities/extensions"), `[{"params":{"a":"x","z":[0,false]},"uri":"u"}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(losses) != 1 || losses[0].Pointer != "/capabilities/extensions/0/params" || !strings.Contains(losses[0].Message, "(6)") {
		t.Errorf("losses %+v, want one that counts 6", losses)
	}
	if params.Members[0].Key != "z" || len(params.Members) != 3 {
		t.Error("the card's own params have changed")
	}
}

func TestWireLosses(t *testing.T) {
	device := map[string]SecurityScheme{"d": {Type: OAuth2, Flows: flows(DeviceCode)}, "k": {Type: MutualTLS}}
	wide := map[string]SecurityScheme{}
	all := Requirement{}
	for name := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
		wide[name] = SecurityScheme{Type: OAuth2, Flows: flows(FlowTypes()...)}
		all[name] = nil
	}
	type loss struct {
		Rule, Pointer string
		Fatal         bool
	}
	tests := []struct {
		name    string
		card    Card
		form    Protocol
		options WireOptions
		want    []loss
	}{
		{"nothing to lose", Card{Capabilities: Capabilities{StateTransitionHistory: new(false)}}, V10, WireOptions{}, nil},
		{"state transition history", Card{Capabilities: Capabilities{StateTransitionHistory: new(true)}}, V10, WireOptions{}, []loss{{"protocol-loss", "/capabilities/stateTransitionHistory", false}}},
		{"state transition history in dual", Card{Capabilities: Capabilities{StateTransitionHistory: new(true)}}, Dual, WireOptions{}, nil},
		{"half a provider", Card{Provider: &Provider{URL: "https://a"}}, V10, WireOptions{}, []loss{{"provider-incomplete", "/provider", false}}},
		{"tenant", Card{Interfaces: []Interface{{Version: "1.0", Tenant: "t"}, {Version: "0.3", Tenant: "t"}}}, Dual, WireOptions{}, []loss{{"protocol-loss", "/supportedInterfaces/1/tenant", false}}},
		{"interface of 1.0", Card{Interfaces: []Interface{{Version: "1.0"}, {Version: "0.3"}}}, V03, WireOptions{}, []loss{{"protocol-loss", "/supportedInterfaces/0", false}}},
		{"no interface of 0.3", Card{Interfaces: []Interface{{Version: "1.0"}}}, Dual, WireOptions{}, []loss{{"interface-none", "/supportedInterfaces", true}}},
		{"no interface at all", Card{}, Dual, WireOptions{}, nil},
		{"PKCE", Card{SecuritySchemes: map[string]SecurityScheme{"a/b": {Type: OAuth2, Flows: []Flow{{Type: AuthorizationCode, PKCERequired: true}}}}}, V03, WireOptions{}, []loss{{"protocol-loss", "/securitySchemes/a~1b/oauth2SecurityScheme/flows/authorizationCode/pkceRequired", false}}},
		{"device code", Card{SecuritySchemes: device}, Dual, WireOptions{}, []loss{{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false}}},
		{
			"device code required",
			Card{SecuritySchemes: device, Security: []Requirement{{"d": nil, "k": nil}}},
			V03,
			WireOptions{},
			[]loss{{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false}, {"scheme-oauth-devicecode", "/securityRequirements/0", false}, {"security-lost", "/securityRequirements", true}},
		},
		{
			"device code among the alternatives",
			Card{SecuritySchemes: device, Security: []Requirement{{"d": nil}, {"k": nil}}},
			Dual,
			WireOptions{},
			[]loss{{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false}, {"scheme-oauth-devicecode", "/securityRequirements/0", false}},
		},
		{
			"device code required by a skill",
			Card{SecuritySchemes: device, Skills: []Skill{{ID: "b", Security: []Requirement{{"d": nil}}}, {ID: "a"}}},
			V03,
			WireOptions{},
			[]loss{{"scheme-oauth-devicecode", "/securitySchemes/d/oauth2SecurityScheme/flows/deviceCode", false}, {"scheme-oauth-devicecode", "/skills/0/securityRequirements/0", false}, {"security-lost", "/skills/0/securityRequirements", true}},
		},
		{"device code in 1.0", Card{SecuritySchemes: device, Security: []Requirement{{"d": nil}}}, V10, WireOptions{}, nil},
		{"everybody, or with a key", Card{Security: []Requirement{{"k": nil}, {}}}, V10, WireOptions{}, []loss{{"security-anonymous", "/securityRequirements", false}}},
		{"everybody", Card{Security: []Requirement{{}}}, V10, WireOptions{}, nil},
		{"requirements left out of 1.0", Card{Security: []Requirement{{"k": nil}}}, V10, WireOptions{OmitRequirements: true}, []loss{{"security-lost", "/securityRequirements", true}}},
		{"requirements left out of 0.3", Card{Security: []Requirement{{"k": nil}}}, V03, WireOptions{OmitRequirements: true}, nil},
		{"too many ways to split", Card{SecuritySchemes: wide, Security: []Requirement{all, all}}, V10, WireOptions{}, []loss{{"security-lost", "/securityRequirements/0", true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, losses := Wire(&tt.card, tt.form, tt.options)
			var got []loss
			for _, l := range losses {
				got = append(got, loss{l.Rule, l.Pointer, l.Fatal})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
