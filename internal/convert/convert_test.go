package convert_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// An endpoint that is stated for another version as well is reported at its place.
func TestPlacesOfRestatedEndpoints(t *testing.T) {
	r := read(t, `{
  "name": "Room Desk",
  "supportedInterfaces": [
    {"url": "https://desk.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
    {"url": "https://desk.acme.example/b", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": "b"}
  ]
}`, convert.ReadOptions{})
	_, found := convert.Convert(r, schema.Dual)
	i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "tenant") })
	if i < 0 || found[i].Span.Line != 5 {
		t.Errorf("the tenant that 0.3 does not know is not told on line 5: %v", found)
	}
}

// A gRPC interface of 1.0 has the host:port that clients dial, one of 0.3 keeps its URL.
func TestGRPCAddresses(t *testing.T) {
	const card = `{"name": "Desk", "preferredTransport": "GRPC", "url": "https://desk.acme.example/"}`
	r := read(t, card, convert.ReadOptions{})
	node, _ := convert.Convert(r, schema.Dual)
	newer, _ := node.Find("/supportedInterfaces/0/url")
	if newer.Text != "desk.acme.example:443" || node.Get("url").Text != "https://desk.acme.example/" {
		t.Errorf("got %s", schema.Write(node))
	}
}

// What a full card loses on the way to the other form and back is what the forms lack.
func TestThereAndBack(t *testing.T) {
	for from, tt := range map[schema.Protocol]struct {
		by   schema.Protocol
		want []string
	}{
		schema.V10: {schema.V03, []string{
			"interface-url-changed /supportedInterfaces/2/tenant", "interface-removed /supportedInterfaces/0",
			"interface-removed /supportedInterfaces/3", "interface-removed /supportedInterfaces/4",
			"scheme-removed /securitySchemes/oauth-deviceCode", "interface-added /supportedInterfaces/2",
			"scheme-extended /securitySchemes/oauth-authorizationCode/flows/authorizationCode/pkceRequired",
			"signature-changed /signatures",
		}},
		schema.V03: {schema.V10, []string{
			"capability-lost /capabilities/stateTransitionHistory", "signature-changed /signatures",
		}},
	} {
		node, _ := schema.Wire(schematest.FullCard(), from, schema.WireOptions{})
		start := written(t, node)
		there, _ := convert.Convert(start, tt.by)
		back, _ := convert.Convert(written(t, there), from)
		var got []string
		for _, c := range diff.Cards(start.Card, written(t, back).Card) {
			got = append(got, c.Rule.String()+" "+c.Pointer())
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", from, d)
		}
	}
}

func TestSummary(t *testing.T) {
	clean := func(p schema.Protocol) string {
		node, _ := schema.Wire(schematest.FullCard(), p, schema.WireOptions{})
		return string(schema.Write(node))
	}
	tests := []struct{ name, document, want string }{
		{"clean", clean(schema.V10), ""},
		{"clean, of 0.3", clean(schema.V03), ""},
		{"clean, of both", clean(schema.Dual), ""},
		{"no card", `{"openapi": "3.1.0"}`, ""},
		{"repairs", desk, "the card is written in A2A 0.3; cardwright convert would repair 2 values and assume 4 values"},
		{
			"incomplete", `{"capabilities": {}, "skills": [], "authentication": {"schemes": ["x402"]}}`,
			`the card is written in no version of A2A; cardwright convert would repair 1 value, ` +
				`assume 3 values and leave out 2 values; to convert it, name, description, url and skills must be supplied`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, ok := convert.Summary(read(t, tt.document, convert.ReadOptions{}), 0)
			if d.Message != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q", d.Message)
			}
		})
	}
}
