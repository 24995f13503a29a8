package diff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// dualCard says to clients of 0.3 and of 1.0 what each of them reads.
const dualCard = `{
  "protocolVersion": "0.3.0",
  "name": "Room Desk",
  "description": "Books meeting rooms.",
  "version": "1.0.0",
  "url": "https://desk.acme.example/old",
  "preferredTransport": "JSONRPC",
  "additionalInterfaces": [{"url": "https://desk.acme.example/old", "transport": "JSONRPC"}],
  "supportedInterfaces": [
    {"url": "https://desk.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
    {"url": "https://desk.acme.example/old", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}
  ],
  "capabilities":
    {"streaming": false, "extensions": [{"uri": "https://acme.example/ext/quota/v1", "params": {"most": 5}}]},
  "x-desk": {"rooms": [{"floor": 1, "name": "Lake"}], "open": true},
  "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key",
    "apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}},
  "security": [{"key": []}],
  "securityRequirements": [{"schemes": {"key": {"list": []}}}],
  "defaultInputModes": ["text/plain"],
  "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}]
}`

func TestDocuments(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{
			"scopes of a card that is signed", `{"schemes": {"key": {"list": []}}}`, `{"schemes": {"key": {}}}`,
			`none form-changed`,
		},
		{
			"a key of 0.3 clients", `"in": "header", "name": "X-Key"`,
			`"in": "header", "name": "X-Desk"`,
			`breaking scheme-changed`,
		},
		{
			"a key of 1.0 clients", `{"location": "header", "name": "X-Key"}`, `{"location": "cookie", "name": "X-Key"}`,
			`breaking scheme-changed`,
		},
		{
			"requirements of 0.3 clients", `"security": [{"key": []}],`, ``,
			`breaking requirement-dropped`,
		},
		{
			"requirements that let 0.3 clients in to a skill", `"tags": ["rooms"]`, `"tags": ["rooms"], "security": [{}]`,
			`breaking requirement-dropped`,
		},
		{
			"the claim of a card that states its interfaces", `"0.3.0"`, `"1.0x"`,
			`cosmetic protocol-version-changed`,
		},
		{
			"the number of a patch", `"protocolVersion": "1.0"`, `"protocolVersion": "1.0.0"`,
			`none form-changed`,
		},
		{
			"a repeated interface",
			`"additionalInterfaces": [{"url": "https://desk.acme.example/old", "transport": "JSONRPC"}],`, ``,
			`none form-changed`,
		},
		{
			"a capability that is not there",
			`{"streaming": false, `,
			`{"pushNotifications": false, `,
			`none form-changed
none form-changed`,
		},
		{
			"a name that was made up", `"name": "Book", `, ``,
			`breaking client-lost
cosmetic skill-name-changed`,
		},
		{
			"tags that were made up", `, "tags": ["rooms"]`, ``,
			`breaking client-lost
cosmetic skill-tags-changed`,
		},
		{
			"an id that was made up",
			`{"id": "book", "name"`,
			`{"name"`,
			`breaking skill-id-changed
breaking client-lost`,
		},
		{
			"an id and tags that were made up",
			`{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}`,
			`{"name": "Book", "description": "Books a room."}`,
			`breaking skill-removed
breaking client-lost
additive skill-added`,
		},
		{
			"capabilities that are a list",
			`{"streaming": false, "extensions": [{"uri": "https://acme.example/ext/quota/v1", "params": {"most": 5}}]}`,
			`["rooms"]`,
			`breaking extension-removed
breaking client-lost
breaking client-lost
cosmetic unknown-member-changed
none form-changed`,
		},
		{
			"inside a member that A2A does not know",
			`"x-desk": {"rooms": [{"floor": 1, "name": "Lake"}], "open": true}`,
			`"x-desk": {"rooms": [{"floor": 2, "name": "Sea"}], "note": "n"}`,
			`cosmetic unknown-member-changed`,
		},
		{
			"parameters of an extension", `"params": {"most": 5}`, `"params": {"most": 6}`,
			`cosmetic extension-changed`,
		},
		{
			"requirements of a skill that clients refuse", `"tags": ["rooms"]`, `"tags": ["rooms"], "security": [["key"]]`,
			`breaking client-lost
breaking client-lost`,
		},
		{
			"a member of a requirement that A2A does not know", `{"schemes": {"key": {"list": []}}}`,
			`{"schemes": {"key": {"list": []}}, "x": 1}`,
			`cosmetic unknown-member-changed`,
		},
		{"order of members", `"name": "Room Desk",
  "description": "Books meeting rooms.",`, `"description": "Books meeting rooms.",
  "name": "Room Desk",`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(dualCard, tt.old) {
				t.Fatal("the card has no such text")
			}
			var got []string
			for _, c := range diff.Documents(document(t, dualCard), document(t, strings.Replace(dualCard, tt.old, tt.new, 1))) {
				got = append(got, c.Class.String()+" "+c.Rule.String())
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// An OAuth flow that 0.3 does not define, and a second one, cost the clients that read exactly
// one.
func TestFlowsThatClientsRefuse(t *testing.T) {
	const card = `{"protocolVersion": "0.3.0", "name": "Room Desk", "description": "Books.", "version": "1.0.0",
  "url": "https://desk.acme.example/a2a", "preferredTransport": "JSONRPC", "capabilities": {},
  "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "Book", "description": "Books.", "tags": ["a"]}],
  "securitySchemes": {"o": {"type": "oauth2",
    "flows": {"clientCredentials": {"tokenUrl": "https://id.acme.example/t", "scopes": {}}}}},
  "security": [{"o": []}]}`
	for flow, want := range map[string]string{
		`"foo": {}`: "client-lost",
		`"password": {"tokenUrl": "https://id.acme.example/t", "scopes": {}}`: "client-lost scheme-extended",
	} {
		changed := strings.Replace(card, `"flows": {`, `"flows": {`+flow+`, `, 1)
		var got []string
		for _, c := range diff.Documents(document(t, card), document(t, changed)) {
			got = append(got, c.Rule.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", flow, got, want)
		}
	}
}

// A scheme of a card of 1.0 that has a "type" too is one of 0.3 for some clients.
func TestTypedSchemes(t *testing.T) {
	const card = `{"name": "Room Desk", "description": "Books.", "version": "1.0.0", "capabilities": {},
  "supportedInterfaces": [
    {"url": "https://desk.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
  ],
  "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "Book", "description": "Books.", "tags": ["a"]}],
  "securitySchemes": {"o": {"oauth2SecurityScheme":
    {"flows": {"clientCredentials": {"tokenUrl": "https://id.acme.example/t", "scopes": {"a": "A."}}}}}}}`
	flows := func(token string) string {
		return `"flows": {"clientCredentials": {"tokenUrl": "https://` + token + `/t", "scopes": {"a": "A."}}}`
	}
	for scheme, want := range map[string]string{
		`"type": "oauth2", ` + flows("id.acme.example"): "form-changed",
		`"type": "oauth2", ` + flows("b.example"):       "scheme-changed",
		flows("b.example"):                              "form-changed",
		`"type": "oauth2", "flows": {}`:                 "scheme-changed client-lost",
		`"type": "none"`:                                "scheme-removed scheme-changed client-lost",
		`"type": "http", "scheme": "basic"`:             "scheme-changed",
	} {
		changed := strings.Replace(card, `"o": {`, `"o": {`+scheme+`, `, 1)
		var got []string
		for _, c := range diff.Documents(document(t, card), document(t, changed)) {
			got = append(got, c.Rule.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", scheme, got, want)
		}
	}
}

func document(t *testing.T, text string) diff.Side {
	t.Helper()
	root, found := source.ParseJSON("card.json", []byte(text))
	if found != nil {
		t.Fatal(found)
	}
	return stated(root)
}

// What one client takes for none, another takes for a list that lets everybody in; what
// all of them could not use breaks none.
func TestReadersOfOneVersion(t *testing.T) {
	const flat = `{"protocolVersion": "0.3.0", "name": "Desk", "description": "Books rooms.", "version": "1.0.0",
  "url": "https://desk.acme.example/a2a", "preferredTransport": "JSONRPC", "capabilities": {},
  "securitySchemes": {"key": {"type": "openIdConnect", "openIdConnectUrl": "https://id.acme.example"}},
  "security": [{"key": ["read"]}], "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "book", "description": "Books.", "tags": ["a"], "security": [{"key": ["write"]}]}]}`
	const listed = `{"name": "Desk", "description": "Books rooms.", "version": "1.0.0", "capabilities": {},
  "supportedInterfaces": [
    {"url": "https://desk.acme.example/a2a", "protocolBinding": "jsonrpc", "protocolVersion": "1.0"}
  ],
  "securitySchemes": {"key": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://id.acme.example"}}},
  "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "book", "description": "Books.", "tags": ["a"]}]}`
	tests := []struct{ name, card, old, new, want string }{
		{
			"requirements of 0.3 in a card of 1.0", strings.Replace(listed, "jsonrpc", "JSONRPC", 1), `"skills": [{`,
			`"security": [{"key": []}], "skills": [{"security": [{"key": ["read"]}], `,
			`breaking requirement-tightened
breaking requirement-tightened`,
		},
		{
			"a skill for everybody", flat, `[{"key": ["write"]}]`, `[{}]`,
			`breaking requirement-tightened
breaking requirement-dropped
additive requirement-loosened`,
		},
		{
			"a claim that endpoints are called by", flat, `"0.3.0"`, `"1.0x"`,
			`cosmetic protocol-version-changed`,
		},
		{
			"a claim of the same version", flat, `"0.3.0"`, `"0.3.1"`,
			`none form-changed`,
		},
		{
			"a binding that is spelled right now", listed, `"jsonrpc"`, `"JSONRPC"`,
			`additive client-gained
none form-changed`,
		},
		{
			"an id that is the name", listed, `"id": "book", `, ``,
			`breaking skill-id-changed`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range diff.Documents(document(t, tt.card), document(t, strings.Replace(tt.card, tt.old, tt.new, 1))) {
				got = append(got, c.Class.String()+" "+c.Rule.String())
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}
