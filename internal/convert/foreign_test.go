package convert

import (
	"strings"
	"testing"

	"cardwright/internal/source"
)

const desk = `{
  "name": "Room Desk",
  "url": "https://desk.acme.example/a2a",
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}]
}`

func TestName(t *testing.T) {
	tests := []struct{ name, document, want string }{
		{"a card", desk, ""},
		{"a wrapped card", `{"agentCard": ` + desk + `}`, `a document with a card in its member "agentCard"`},
		{"a list", `[` + desk + `]`, "a list of cards"},
		{
			"ERC-8004", `{"type": "https://eips.ethereum.org/EIPS/eip-8004#registration-v1", "name": "Desk"}`,
			"an ERC-8004 agent registration",
		},
		{"ERC-8004 on a card", strings.Replace(desk, "{",
			`{"type": "https://eips.ethereum.org/EIPS/eip-8004#registration-v1", "capabilities": {}, `, 1), ""},
		{"Blocks.ai", `{"identity": {"agentName": "desk"}, "url": "https://desk.acme.example"}`, "a Blocks.ai agent"},
		{"OpenAPI", `{"openapi": "3.1.0", "info": {}}`, "an OpenAPI description"},
		{"MCP", `{"serverInfo": {"name": "desk"}, "capabilities": {}}`, "an MCP server description"},
		{"keys", `{"keys": [{"kty": "EC"}]}`, "a JSON Web Key Set"},
		{"of its own kind", `{"schema_version": "2", "agent_id": "desk"}`, `another kind of document, schema_version "2"`},
		{
			"a schema of its own",
			`{"@type": "Agent", "schema": "https://acme.example/agent", "name": "desk", "url": "https://desk.acme.example"}`,
			"",
		},
		{
			"a schema of its own and a version of A2A",
			`{"$schema": "desk/v2", "@context": "https://schema.org", "name": "desk", "protocolVersion": "1.0"}`, "",
		},
		{
			"a card that is linked data as well",
			`{"@context": "https://schema.org", "name": "desk", "skills": [{"id": "book"}]}`, "",
		},
		{
			"linked data", `{"@context": "https://schema.org", "name": "desk", "skills": "books rooms"}`,
			`another kind of document, @context "https://schema.org"`,
		},
		{
			"MCP servers beside a card",
			`{"name": "desk", "url": "https://desk.acme.example", "capabilities": {}, "mcpServers": [{}]}`, "",
		},
		{"a client of MCP", `{"mcpServers": {"desk": {"url": "https://desk.acme.example"}}}`, "an MCP client configuration"},
		{"nothing", `{}`, "something else, it has no url, skills or capabilities"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, _ := source.ParseJSON("card.json", []byte(tt.document))
			if got := Foreign(root); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
