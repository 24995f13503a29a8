package convert_test

import (
	"slices"
	"strings"
	"testing"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
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

func TestSummary(t *testing.T) {
	node, _ := schema.Wire(schematest.FullCard(), schema.V10, schema.WireOptions{})
	tests := []struct{ name, document, want string }{
		{"clean", string(schema.Write(node)), ""},
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
