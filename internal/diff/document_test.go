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

// strict are the clients of 0.3 that check what it requires.
const strict = "a2a-dotnet, a2a-python 0.3 and a2a-java 0.3"

func TestDocuments(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{
			"scopes of a card that is signed", `{"schemes": {"key": {"list": []}}}`, `{"schemes": {"key": {}}}`,
			`none form-changed "securityRequirements" is stated in another form, which means the same`,
		},
		{
			"a key of 0.3 clients", `"in": "header", "name": "X-Key"`,
			`"in": "header", "name": "X-Desk"`,
			`breaking scheme-changed "name" of the security scheme "key" changed for a2a-python, a2a-go and clients of A2A 0.3`,
		},
		{
			"a key of 1.0 clients", `{"location": "header", "name": "X-Key"}`, `{"location": "cookie", "name": "X-Key"}`,
			`breaking scheme-changed "in" of the security scheme "key" changed for a2a-java, a2a-go and a2a-js`,
		},
		{
			"requirements of 0.3 clients", `"security": [{"key": []}],`, ``,
			`additive requirement-loosened a client without credentials is let in for clients of A2A 0.3`,
		},
		{
			"requirements that let 0.3 clients in to a skill", `"tags": ["rooms"]`, `"tags": ["rooms"], "security": [{}]`,
			`additive requirement-loosened a client without credentials is let in to the skill "book" ` +
				`(where {} lets everybody in) for a2a-python, a2a-go and clients of A2A 0.3`,
		},
		{
			"the claim of a card that states its interfaces", `"0.3.0"`, `"1.0x"`,
			`cosmetic protocol-version-changed the protocol version of the card changed for clients of A2A 0.3`,
		},
		{
			"the number of a patch", `"protocolVersion": "1.0"`, `"protocolVersion": "1.0.0"`,
			`none form-changed "protocolVersion" of the JSONRPC interface "https://desk.acme.example/a2a" is stated in ` +
				`another form, which means the same for clients of A2A 1.0`,
		},
		{
			"a repeated interface",
			`"additionalInterfaces": [{"url": "https://desk.acme.example/old", "transport": "JSONRPC"}],`, ``,
			`none form-changed "additionalInterfaces" is stated in another form, which means the same`,
		},
		{
			"a capability that is not there",
			`{"streaming": false, `,
			`{"pushNotifications": false, `,
			`none form-changed "streaming" of the capabilities is stated in another form, which means the same
none form-changed "pushNotifications" of the capabilities is stated in another form, which means the same`,
		},
		{
			"a name that was made up", `"name": "Book", `, ``,
			`breaking card-unreadable the skill "book" lacks "name", which makes the card unreadable for ` + strict + `
cosmetic skill-name-changed the name of the skill "book" is gone`,
		},
		{
			"tags that were made up", `, "tags": ["rooms"]`, ``,
			`breaking card-unreadable the skill "book" lacks "tags", which makes the card unreadable for ` + strict + `
cosmetic skill-tags-changed the tags of the skill "book" changed: removed "rooms"`,
		},
		{
			"an id that was made up",
			`{"id": "book", "name"`,
			`{"name"`,
			`breaking skill-id-removed the id of the skill "book" is gone
breaking card-unreadable skill 1 lacks "id", which makes the card unreadable for ` + strict,
		},
		{
			"an id and tags that were made up",
			`{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}`,
			`{"name": "Book", "description": "Books a room."}`,
			`breaking skill-id-removed the id of the skill "book" is gone
breaking card-unreadable skill 1 lacks "id", which makes the card unreadable for ` + strict + `
cosmetic skill-tags-changed the tags of the skill "Book" changed: removed "rooms"`,
		},
		{
			"capabilities that are a list",
			`{"streaming": false, "extensions": [{"uri": "https://acme.example/ext/quota/v1", "params": {"most": 5}}]}`,
			`["rooms"]`,
			`breaking extension-removed the extension "https://acme.example/ext/quota/v1" is gone
breaking card-unreadable "capabilities" of the card is an array, which makes the card unreadable for ` +
				`a2a-java, a2a-python, a2a-go, a2a-dotnet, a2a-python 0.3, a2a-java 0.3 and a2a-go 0.3
cosmetic unknown-member-changed what "capabilities" of the card says and A2A does not define is new
none form-changed "streaming" of the capabilities is stated in another form, which means the same`,
		},
		{
			"inside a member that A2A does not know",
			`"x-desk": {"rooms": [{"floor": 1, "name": "Lake"}], "open": true}`,
			`"x-desk": {"rooms": [{"floor": 2, "name": "Sea"}], "note": "n"}`,
			`cosmetic unknown-member-changed "open" in the member "x-desk" of the card, which A2A does not define, is gone
cosmetic unknown-member-changed "rooms/0/floor" in the member "x-desk" of the card, ` +
				`which A2A does not define, changed: 1 → 2
cosmetic unknown-member-changed "rooms/0/name" in the member "x-desk" of the card, which A2A does not define, changed
cosmetic unknown-member-changed "note" in the member "x-desk" of the card, which A2A does not define, is new`,
		},
		{
			"parameters of an extension", `"params": {"most": 5}`, `"params": {"most": 6}`,
			`cosmetic extension-changed "most" in "params" of the extension "https://acme.example/ext/quota/v1" changed: 5 → 6`,
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
				got = append(got, c.Class.String()+" "+c.Rule+" "+c.Message)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func document(t *testing.T, text string) diff.Side {
	t.Helper()
	root, found := source.ParseJSON("card.json", []byte(text), source.Limits{})
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
			"a scheme of 0.3 in a card of 1.0", strings.Replace(listed, "jsonrpc", "JSONRPC", 1), `{"openId`,
			`{"type": "openIdConnect", "openIdConnectUrl": "https://evil.test", "openId`,
			`breaking scheme-changed "openIdConnectUrl" of the security scheme "key" changed for a2a-python and a2a-go`,
		},
		{
			"requirements of 0.3 in a card of 1.0", strings.Replace(listed, "jsonrpc", "JSONRPC", 1), `"skills": [{`,
			`"security": [{"key": []}], "skills": [{"security": [{"key": ["read"]}], `,
			`breaking requirement-tightened a client without credentials no longer has access for a2a-python and a2a-go
breaking requirement-tightened a client without credentials no longer has access to the skill "book" ` +
				`for a2a-python and a2a-go`,
		},
		{
			"a skill for everybody", flat, `[{"key": ["write"]}]`, `[{}]`,
			`breaking requirement-tightened a client with "key" ("write") no longer has access to the skill "book" ` +
				`(where {} is no requirement)
additive requirement-loosened a client with "key" ("read") is let in to the skill "book" (where {} is no requirement)
additive requirement-loosened a client without credentials is let in to the skill "book" (where {} lets everybody in)`,
		},
		{
			"a claim that endpoints are called by", flat, `"0.3.0"`, `"1.0x"`,
			`breaking interface-version-removed the JSONRPC interface "https://desk.acme.example/a2a" no longer speaks ` +
				`A2A 0.3 for clients of A2A 1.0
additive interface-version-added the JSONRPC interface "https://desk.acme.example/a2a" speaks ` +
				`A2A 1.0x for clients of A2A 1.0
cosmetic protocol-version-changed the protocol version of the card changed`,
		},
		{
			"a claim of the same version", flat, `"0.3.0"`, `"0.3.1"`,
			`none form-changed the protocol version of the card is stated in another form, which means the same`,
		},
		{
			"a binding that is spelled right now", listed, `"jsonrpc"`, `"JSONRPC"`,
			`none form-changed "supportedInterfaces" is stated in another form, which means the same`,
		},
		{
			"an id that is the name", listed, `"id": "book", `, ``,
			`breaking skill-id-removed the id of the skill "book" is gone`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range diff.Documents(document(t, tt.card), document(t, strings.Replace(tt.card, tt.old, tt.new, 1))) {
				got = append(got, c.Class.String()+" "+c.Rule+" "+c.Message)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}
