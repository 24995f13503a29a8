package probe_test

import (
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/probe"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

// minimalCard is a correct card of A2A 1.0.
const minimalCard = `{"name":"a","description":"b","supportedInterfaces":[{"url":"https://agents.acme.example/a2a",` +
	`"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
	`"version":"1","capabilities":{"streaming":false},"defaultInputModes":["text/plain"],` +
	`"defaultOutputModes":["text/plain"],` +
	`"skills":[{"id":"c","name":"d","description":"e","tags":["f"]}]}`

// A host that adds to a signed card what the signature does not cover is told.
func TestProbeDemandsThatASignatureCoversTheCard(t *testing.T) {
	key, err := sign.ParseKey(signtest.PEM(t, "ES256"))
	if err != nil {
		t.Fatal(err)
	}
	old, _ := source.ParseJSON("card.json", []byte(minimalCard), source.Limits{})
	signed, found, err := sign.Sign(schema.Unlisted(old), nil, key, sign.Options{})
	if err != nil || found.Worst() == diag.Error {
		t.Fatal(err, found)
	}
	text := schema.Write(signed)
	tests := []struct{ name, old, new, want string }{
		{"as signed", "", "", ""},
		{"with an endpoint", `"name": "a"`, `"name": "a", "url": "https://mallory.example"`, "did not make it"},
		{"changed", `"name": "a"`, `"name": "b"`, "did not make it"},
		{"unsigned", string(text), minimalCard, "the card has no signature"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			served := strings.Replace(string(text), tt.old, tt.new, 1)
			got := probe.SignatureFault(sign.Trust{Keys: []sign.Key{key}})([]byte(served))
			if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
