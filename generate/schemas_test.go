package generate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Schemas of skills that are on a card are checked, and what becomes public of them as well.
func TestCheckSchemas(t *testing.T) {
	const agent = endpoint + "skills: {from: [{type: mcp, path: t.json}], publishSchemas: true%s}\n"
	const elsewhere = ", exclude: [a], add: [{id: x, name: X, description: Does something else., tags: [x]}]"
	for name, tt := range map[string]struct {
		schema, keys string
		want         []string
		pointer      string
	}{
		"good": {schema: `{"type": "object", "properties": {"b": {"description": "B."}}}`},
		"malformed": {
			schema: `{"type": "object", "properties": {"b": {"type": "strnig"}}}`,
			want:   []string{"t.json:1:117 error source-schema-invalid"}, pointer: "/tools/0/outputSchema/properties/b/type",
		},
		"no schema": {
			schema: `"string"`, want: []string{"t.json:1:69 error source-schema-invalid"}, pointer: "/tools/0/outputSchema",
		},
		"on no card": {schema: `"string"`, keys: elsewhere},
		"hidden character": {
			schema: `{"type": "object", "description": "Zero` + "\u200b" + `width."}`,
			want:   []string{"t.json:1:103 error text-invisible"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := project{"t.json": `{"tools": [{"name": "a", "description": "Does it.", "outputSchema": ` + tt.schema + `}]}`}
			_, found := p.run(t, strings.Replace(agent, "%s", tt.keys, 1))
			if d := cmp.Diff(tt.want, places(found, diag.SourceSchemaInvalid, diag.TextInvisible)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, d := range found {
				if d.Rule == diag.SourceSchemaInvalid && d.Pointer != tt.pointer {
					t.Errorf("at %s", d.Pointer)
				}
			}
		})
	}
}

func TestPublishSchemas(t *testing.T) {
	p := project{"t.json": `[
  {"name": "b", "description": "Does B.", "inputSchema": {"type": "object", ` +
		`"properties": {"x": {}, "y": {"description": "Y.", "default": ""}}, "required": []}, ` +
		`"outputSchema": {"type": "object"}},
  {"name": "a", "description": "Does A.", "inputSchema": {"type": "object", "const": {"x": ""}}},
  {"name": "c", "description": "Does C.", "inputSchema": {"type": "object"}},
  {"name": "d", "description": "Does D."}
]`}
	const agent = endpoint +
		"capabilities: {extensions: [{uri: https://x.example/v1}]}\n" +
		"securitySchemes: {key: {type: apiKey, in: header, name: Key}}\n" +
		"skills: {from: [{type: mcp, path: t.json}], extended: [c], publishSchemas: true}\n"
	result, found := p.result(t, agent)
	loss := []string{"t.json:2:58 info protocol-loss", "t.json:3:58 warning protocol-loss"}
	if d := cmp.Diff(loss, places(found, diag.ProtocolLoss)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{
			result.Public[0].Data,
			`{ "b": { "inputSchema": { "properties": { "x": true, "y": { "description": "Y." } }, "type": "object" }, ` +
				`"outputSchema": { "type": "object" } } }`,
		},
		{
			result.Private[0].Data,
			`{ "b": { "inputSchema": { "properties": { "x": true, "y": { "description": "Y." } }, "type": "object" }, ` +
				`"outputSchema": ` +
				`{ "type": "object" } }, "c": { "inputSchema": { "type": "object" } } }`,
		},
	} {
		card, _ := source.ParseJSON("card", c.data)
		want(t, card, map[string]string{
			"/capabilities/extensions/0/uri":    `"https://x.example/v1"`,
			"/capabilities/extensions/1/uri":    `"` + schema.SkillSchemas + `"`,
			"/capabilities/extensions/1/params": c.want,
		})
		params, _ := card.Find("/capabilities/extensions/1/params")
		if faults := schema.Validate("skill-schemas", params); len(faults) > 0 {
			t.Errorf("params: %v", faults)
		}
	}
	t.Run("off", func(t *testing.T) {
		card, _ := p.run(t, strings.Replace(agent, ", publishSchemas: true", "", 1))
		want(t, card, map[string]string{"/capabilities/extensions/1": "absent"})
	})
}
