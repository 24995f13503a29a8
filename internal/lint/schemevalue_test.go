package lint_test

import (
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// TestSchemeValue looks for credentials that were put next to the scheme
// that asks for them, in the form of either version. What stands for one is none.
func TestSchemeValue(t *testing.T) {
	for scheme, secret := range map[string]bool{
		`{"type": "apiKey", "in": "header", "name": "X-Desk", "value": "umbrella-stand-07"}`:                 true,
		`{"apiKeySecurityScheme": {"location": "header", "name": "X-Desk", "value": "umbrella-stand-07"}}`:   true,
		`{"type": "apiKey", "in": "header", "name": "X-Desk", "example": {"value": "umbrella-stand-07"}}`:    true,
		`{"type": "apiKey", "in": "header", "name": "X-Desk", "value": "${DESK_KEY}"}`:                       false,
		`{"type": "apiKey", "in": "header", "name": "X-Desk", "value": "<your key>"}`:                        false,
		`{"type": "apiKey", "in": "header", "name": "X-Desk", "value": ""}`:                                  false,
		`{"type": "apiKey", "in": "header", "name": "X-Desk", "value": null}`:                                false,
		`{"type": "apiKey", "in": "header", "name": "value", "description": "The value of the desk's key."}`: false,
	} {
		root, faults := source.ParseJSON("card.json", []byte(`{
			"name": "Desk", "description": "Answers the desk.", "version": "1.0.0", "capabilities": {},
			"supportedInterfaces": [
				{"url": "https://desk.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
			"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
			"skills": [{"id": "answer", "name": "Answer", "description": "Answers.", "tags": ["desk"]}],
			"securitySchemes": {"desk": `+scheme+`}
		}`))
		if faults != nil {
			t.Fatal(faults)
		}
		found := false
		for _, d := range lint.Card(root, lint.Options{}) {
			found = found || d.Rule == diag.SecretValue
			if strings.Contains(d.Message, "umbrella-stand") {
				t.Errorf("%s: the message tells the credential: %s", scheme, d.Message)
			}
		}
		if found != secret {
			t.Errorf("%s: found %t, want %t", scheme, found, secret)
		}
	}
}
