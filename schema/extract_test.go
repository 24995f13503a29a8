package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
)

// The part of a schema that a document is held against finds the same as all of it.
func TestExtract(t *testing.T) {
	tests := []struct{ name, text string }{
		{"empty", `{}`},
		{"no object", `[1]`},
		{
			"valid",
			`{"version": 1, "agents": [{"id": "a", "name": "A", "description": "Does it.", "version": "1.0.0", ` +
				`"skills": {"from": [{"type": "skills", "path": "s"}]}}]}`,
		},
		{"unknown key", `{"version": 1, "agent": [], "layuot": "path", "agents": [{"id": "a", "nmae": "A"}]}`},
		{
			"key of another object",
			`{"version": 1, "path": "x", "agents": [{"id": "a", "layout": "path", "skills": {"baseUrl": "https://a.example"}}]}`,
		},
		{"wrong types", `{"version": "1", "agents": {"id": 1}, "vars": [], "servers": "nginx", "cors": "yes"}`},
		{
			"sources",
			`{"version": 1, "agents": [{"id": "a", "skills": {"from": [{"type": "mcp"}, ` +
				`{"type": "skills", "path": "", "flat": 1}, {"path": "x"}, {"type": "other", "path": "x"}]}}]}`,
		},
		{
			"schemes",
			`{"version": 1, "agents": [{"id": "a", "securitySchemes": {"k": {"type": "apiKey", "in": "body"}, ` +
				`"o": {"type": "oauth2", "flows": {}}, "x": {"type": "x"}}}]}`,
		},
		{
			"environments",
			`{"version": 1, "environments": {"staging": {"baseUrl": 1, "agents": [{"name": "A"}], "extra": true}}, ` +
				`"agents": []}`,
		},
	}
	all := jsonschema.Compile(embedded("config"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, _ := source.ParseJSON("config.json", []byte(tt.text), source.Limits{})
			if d := cmp.Diff(jsonschema.Validate(doc, all), Validate("config", doc)); d != "" {
				t.Error(d)
			}
		})
	}
}
