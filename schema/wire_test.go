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

// oauth is a scheme as a configuration has it, with some flows.
func oauth(kinds ...string) string {
	var flows []string
	for _, kind := range kinds {
		flows = append(flows, fmt.Sprintf("%s: {authorizationUrl: https://a, deviceAuthorizationUrl: https://d, "+
			"tokenUrl: https://t, scopes: {s: S, %s: its own}}", kind, kind))
	}
	return "{type: oauth2, flows: {" + strings.Join(flows, ", ") + "}}"
}

// wire writes the card of an agent of a configuration.
func wire(t *testing.T, agent string, form schema.Protocol, o schema.WireOptions) (*source.Node, diag.List) {
	t.Helper()
	n, faults := source.ParseYAML("cardwright.yaml", []byte(agent), diag.ConfigValue)
	if faults != nil {
		t.Fatal(faults)
	}
	return schema.Wire(schematest.Configured(n), form, o)
}

func TestWireMembers(t *testing.T) {
	omit, signed := schema.WireOptions{OmitRequirements: true}, schema.WireOptions{Signed: true}
	two := "securitySchemes: {o: " + oauth("password", "implicit") + "}\n"
	basic := "{type: http, scheme: basic}"
	for _, tt := range []struct {
		name, agent   string
		form          schema.Protocol
		o             schema.WireOptions
		pointer, want string
	}{
		{"nothing claimed", "{}", schema.V10, signed, "/capabilities", `{"streaming":false}`},
		{
			"nothing that 1.0 knows claimed", "capabilities: {stateTransitionHistory: false}", schema.V10, signed,
			"/capabilities", `{"streaming":false}`,
		},
		{
			"nothing that 0.3 knows claimed", "capabilities: {extendedAgentCard: true}", schema.V03, signed, "",
			`{"capabilities":{"streaming":false},"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":true}`,
		},
		{
			"explicit false stays", "capabilities: {extendedAgentCard: false}", schema.Dual, signed, "",
			`{"capabilities":{"extendedAgentCard":false},"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":false}`,
		},
		{"half a provider", "provider: {organization: Acme}", schema.V10, signed, "/provider", "absent"},
		{
			"empty texts in lists", `{defaultInputModes: ["", text/plain], defaultOutputModes: [""]}`, schema.V10, signed, "",
			`{"capabilities":{"streaming":false},"defaultInputModes":["text/plain"]}`,
		},

		{
			"0.3 lists an endpoint once",
			`interfaces: [{url: u, binding: GRPC, versions: ["0.3"], tenant: a}, {url: u, binding: GRPC, versions: ["0.3"]}]`,
			schema.V03, signed, "/additionalInterfaces", `[{"transport":"GRPC","url":"u"}]`,
		},
		{
			"0.3 leaves 1.0 interfaces out",
			`interfaces: [{url: u, versions: ["1.0"]}, {url: v, binding: GRPC, versions: ["0.3"]}]`,
			schema.V03, signed, "/additionalInterfaces", `[{"transport":"GRPC","url":"v"}]`,
		},
		{
			"0.3 has no supportedInterfaces", `interfaces: [{url: u, versions: ["0.3"]}]`, schema.V03, signed,
			"/supportedInterfaces", "absent",
		},
		{
			"1.0 lists what there is", `interfaces: [{url: u, versions: ["0.3"]}, {url: v, versions: ["1.0"], tenant: t}]`,
			schema.V10, signed, "/supportedInterfaces",
			`[{"protocolVersion":"0.3","url":"u"},{"protocolVersion":"1.0","tenant":"t","url":"v"}]`,
		},
		{"1.0 has no url", `interfaces: [{url: u, versions: ["0.3"]}]`, schema.V10, signed, "/url", "absent"},

		{
			"requirement without scopes", "security: [{k: []}]", schema.V10,
			schema.WireOptions{},
			"/securityRequirements",
			`[{"schemes":{"k":{"list":[]}}}]`,
		},
		{
			"requirement without scopes, signed", "security: [{k: []}]", schema.V10, signed, "/securityRequirements",
			`[{"schemes":{"k":{}}}]`,
		},
		{
			"requirement with scopes, signed", "security: [{k: [a]}]", schema.V10, signed, "/securityRequirements",
			`[{"schemes":{"k":{"list":["a"]}}}]`,
		},
		{
			"requirement of 0.3", `security: [{k: [], a: [x, ""]}]`, schema.V03, signed, "/security",
			`[{"a":["x"],"k":[]}]`,
		},
		{"requirements left out", "security: [{k: []}]", schema.Dual, omit, "/securityRequirements", "absent"},
		{
			"requirements left out of a skill", "skills: {add: [{id: s, security: [{k: []}]}]}", schema.Dual, omit,
			"/skills/0", `{"id":"s","security":[{"k":[]}]}`,
		},
		{"security stays", "security: [{k: []}]", schema.Dual, omit, "/security", `[{"k":[]}]`},
		{"everybody", "security: [{}]", schema.Dual, signed, "/security", "absent"},

		{
			"one flow keeps its name", "securitySchemes: {o: " + oauth("implicit") + "}", schema.V10, signed,
			"/securitySchemes", `{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{"authorizationUrl":"https://a",` +
				`"scopes":{"implicit":"its own","s":"S"}}}}}}`,
		},
		{
			"device code in 1.0", "securitySchemes: {o: " + oauth("deviceCode") + "}", schema.V10, signed,
			"/securitySchemes/o/oauth2SecurityScheme/flows/deviceCode",
			`{"deviceAuthorizationUrl":"https://d","scopes":{"deviceCode":"its own","s":"S"},"tokenUrl":"https://t"}`,
		},
		{
			"device code alone in 0.3", "securitySchemes: {o: " + oauth("deviceCode") + "}", schema.V03, signed,
			"/securitySchemes", "absent",
		},
		{
			"device code beside one flow in dual",
			"securitySchemes: {o: " + oauth("deviceCode", "password") + "}\nsecurity: [{o: [deviceCode]}]", schema.Dual, signed,
			"/security", `[{"o":["deviceCode"]}]`,
		},
		{
			"split, no scopes", two + "security: [{o: []}]", schema.Dual, signed, "/security",
			`[{"o-implicit":[]},{"o-password":[]}]`,
		},
		{
			"split, scopes of one flow", two + "security: [{o: [password, s]}]", schema.Dual, signed, "/security",
			`[{"o-password":["password","s"]}]`,
		},
		{
			"split, scopes of no flow", two + "security: [{o: [password, implicit]}]", schema.V10, signed,
			"/securityRequirements", `[{"schemes":{"o-implicit":{"list":["password","implicit"]}}},` +
				`{"schemes":{"o-password":{"list":["password","implicit"]}}}]`,
		},
		{
			"split, with another scheme", two + "security: [{k: [x], o: []}]", schema.V03, signed, "/security",
			`[{"k":["x"],"o-implicit":[]},{"k":["x"],"o-password":[]}]`,
		},
		{
			"two splits in one requirement", "securitySchemes: {a: " + oauth("password", "implicit") +
				", b: " + oauth("password", "clientCredentials") + "}\nsecurity: [{a: [], b: []}]",
			schema.Dual, signed, "/security", `[{"a-implicit":[],"b-clientCredentials":[]},{"a-implicit":[],"b-password":[]},` +
				`{"a-password":[],"b-clientCredentials":[]},{"a-password":[],"b-password":[]}]`,
		},
		{
			"split names give way", "securitySchemes: {o: " + oauth("password", "implicit") + ", o-password: " + basic +
				", o-password-2: " + basic + "}\nsecurity: [{o: []}]",
			schema.Dual, signed, "/security", `[{"o-implicit":[]},{"o-password-3":[]}]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			node, _ := wire(t, tt.agent, tt.form, tt.o)
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
	device := "securitySchemes: {d: " + oauth("deviceCode") + ", k: {type: mutualTLS}}\n"
	const lost = "scheme-oauth-devicecode /securitySchemes/d/oauth2SecurityScheme/flows/deviceCode"
	wide, all := "securitySchemes: {", "{"
	for name := range strings.SplitSeq("abcdefghijklmnopqrstuvwxz", "") { // y is a boolean to some
		wide += name + ": " + oauth("authorizationCode", "clientCredentials", "deviceCode", "implicit", "password") + ", "
		all += name + ": [], "
	}
	for _, tt := range []struct {
		name, agent string
		form        schema.Protocol
		want        []string // rule and pointer, with a mark where it is an error
	}{
		{"nothing to lose", "capabilities: {stateTransitionHistory: false}", schema.V10, nil},
		{
			"state transition history", "capabilities: {stateTransitionHistory: true}", schema.V10,
			[]string{"protocol-loss /capabilities/stateTransitionHistory"},
		},
		{"state transition history in dual", "capabilities: {stateTransitionHistory: true}", schema.Dual, nil},
		{"half a provider", "provider: {url: https://a}", schema.V10, []string{"provider-incomplete /provider"}},
		{
			"tenant", `interfaces: [{versions: ["1.0"], tenant: t}, {versions: ["0.3"], tenant: t}]`, schema.Dual,
			[]string{"protocol-loss /supportedInterfaces/1/tenant"},
		},
		{
			"interface of 1.0", `interfaces: [{versions: ["1.0"]}, {versions: ["0.3"]}]`, schema.V03,
			[]string{"protocol-loss /supportedInterfaces/0"},
		},
		{
			"no interface of 0.3", `interfaces: [{versions: ["1.0"]}]`, schema.Dual,
			[]string{"interface-none /supportedInterfaces !"},
		},
		{"no interface at all", "{}", schema.Dual, nil},
		{
			"PKCE", "securitySchemes: {a/b: {type: oauth2, flows: {authorizationCode: {pkceRequired: true}}}}", schema.V03,
			[]string{"protocol-loss /securitySchemes/a~1b/oauth2SecurityScheme/flows/authorizationCode/pkceRequired"},
		},
		{
			"PKCE in dual", "securitySchemes: {a/b: {type: oauth2, flows: {authorizationCode: {pkceRequired: true}}}}",
			schema.Dual, nil,
		},
		{"device code", device, schema.Dual, []string{lost}},
		{
			"device code required", device + "security: [{d: [], k: []}]", schema.V03,
			[]string{lost, "scheme-oauth-devicecode /securityRequirements/0", "security-lost /securityRequirements !"},
		},
		{
			"device code among the alternatives", device + "security: [{d: []}, {k: []}]", schema.Dual,
			[]string{lost, "scheme-oauth-devicecode /securityRequirements/0"},
		},
		{
			"device code required by a skill", device + "skills: {add: [{id: a}, {id: b, security: [{d: []}]}]}", schema.V03,
			[]string{
				lost, "scheme-oauth-devicecode /skills/1/securityRequirements/0", "security-lost /skills/1/securityRequirements !",
			},
		},
		{
			"device code, or everybody", device + "security: [{d: []}, {}]", schema.V03,
			[]string{lost, "scheme-oauth-devicecode /securityRequirements/0"},
		},
		{"device code in 1.0", device + "security: [{d: []}]", schema.V10, nil},
		{
			"everybody, or with a key", "security: [{k: []}, {}]", schema.V10,
			[]string{"security-anonymous /securityRequirements"},
		},
		{"everybody", "security: [{}]", schema.V10, nil},
		{
			"too many ways to split", wide + "}\nsecurity: [" + all + "}, " + all + "}]", schema.V10,
			[]string{"security-lost /securityRequirements/0 !"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, losses := wire(t, tt.agent, tt.form, schema.WireOptions{})
			if diff := cmp.Diff(tt.want, marked(losses)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	omitted := map[schema.Protocol][]string{schema.V10: {"security-lost /securityRequirements !"}, schema.V03: nil}
	for form, want := range omitted {
		_, losses := wire(t, "security: [{k: []}]", form, schema.WireOptions{OmitRequirements: true})
		if diff := cmp.Diff(want, marked(losses)); diff != "" {
			t.Errorf("%s without requirements (-want +got)\n%s", form, diff)
		}
	}
}

func marked(losses diag.List) []string {
	var list []string
	for _, l := range losses {
		line := l.Rule.String() + " " + l.Pointer
		if l.Severity == diag.Error {
			line += " !"
		}
		list = append(list, line)
	}
	return list
}
