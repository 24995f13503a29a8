package generate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestGate(t *testing.T) {
	const neither = ", which is neither in the schema itself nor a draft from 4 to 2020-12"
	const agent = endpoint + "skills: {from: [{type: mcp, path: t.json}]}\n"
	tool := func(schema string) project {
		return project{"t.json": `{"tools": [{"name": "a", "description": "Does it.", "outputSchema": ` + schema + `}]}`}
	}
	for _, tt := range []struct {
		name string
		p    project
		want []string // the ends of the findings
	}{
		{"good", tool(`{"type": "object", "properties": {"b": {"description": "B."}}}`), nil},
		{"malformed", tool(`{"type": "object", "properties": {"b": {"type": "strnig"}}}`), []string{
			`t.json:1:117 error source-schema-invalid: the output schema of "a" is invalid at "/properties/b/type": ` +
				`"type" is "strnig", must be one of "array", "boolean", "integer", "null", "number", "object", "string"`,
		}},
		{
			"no schema", tool(`"string"`),
			[]string{
				`t.json:1:69 error source-schema-invalid: the output schema of "a" is invalid: the schema is a string, ` +
					`must be a boolean or an object`,
			},
		},
		{
			"nested not", tool(strings.Repeat(`{"not":`, 60) + `{}` + strings.Repeat(`}`, 60)),
			[]string{
				`is invalid at "/not/not/not/not/not/not/not/not/not/not/not/not/not/not/not…": ` +
					`it is nested more than 32 levels deep`,
			},
		},
		{
			"huge exponent", tool(`{"maximum": 1e5000000}`),
			[]string{`is invalid at "/maximum": the number "1e5000000" is too long or too large`},
		},
		{
			"file reference", tool(`{"$ref": "file:///etc/passwd"}`),
			[]string{`is invalid: it refers to "file:///etc/passwd"` + neither},
		},
		{
			"remote reference", tool(`{"$ref": "https://x.example/s"}`),
			[]string{`is invalid: it refers to "https://x.example/s"` + neither},
		},
		{
			"ten megabytes", tool(`{"description": "` + strings.Repeat("x", 10<<20) + `"}`),
			[]string{"the file has more than 1048576 bytes, the limit for a source"},
		},
		{
			"a hundred kilobytes", tool(`{"description": "` + strings.Repeat("x", 100<<10) + `"}`),
			[]string{`the output schema of "a" is invalid: it is larger than 65536 bytes`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := tt.p.run(t, agent)
			got := lines(found)
			if len(got) != len(tt.want) && !strings.Contains(tt.name, "megabytes") {
				t.Fatalf("got\n%s", strings.Join(got, "\n"))
			}
			for i := range tt.want {
				if !strings.HasSuffix(got[i], tt.want[i]) {
					t.Errorf("got\n%s\nwant\n%s", got[i], tt.want[i])
				}
			}
		})
	}
	t.Run("pointer", func(t *testing.T) {
		_, found := tool(`{"minimum": "x"}`).run(t, agent)
		for _, d := range found {
			if d.Rule == diag.SourceSchemaInvalid && d.Pointer == "/tools/0/outputSchema/minimum" {
				return
			}
		}
		t.Errorf("got %v", found)
	})
	t.Run("a skill that is on no card", func(t *testing.T) {
		_, found := tool(`1`).run(t,
			endpoint+"skills: {from: [{type: mcp, path: t.json}], exclude: [a], "+
				"add: [{id: x, name: X, description: Does something else., tags: [x]}]}\n")
		if got := lines(found); len(got) != 1 || !strings.Contains(got[0], "source-excluded") {
			t.Errorf("got %s", got)
		}
	})
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
	var got []string
	for _, d := range found {
		if d.Rule == diag.ProtocolLoss {
			got = append(got, d.Span.String()+" "+d.Severity.String())
		}
	}
	slices.Sort(got)
	if d := cmp.Diff([]string{"t.json:2:58 info", "t.json:3:58 warning"}, got); d != "" {
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
	t.Run("places", func(t *testing.T) {
		p := project{
			"t.json": `[{"name": "a", "description": "Does A.", "inputSchema": {"type": "object", "description": "Zero` +
				"\u200b" + `width."}}]`,
		}
		_, found := p.run(t, agent)
		for _, d := range found {
			if d.Rule == diag.TextInvisible {
				if d.Span.String() != "t.json:1:91" {
					t.Errorf("found at %s", d.Span)
				}
				return
			}
		}
		t.Error("a hidden character in a schema goes unnoticed")
	})
	t.Run("off", func(t *testing.T) {
		card, _ := p.run(t, strings.Replace(agent, ", publishSchemas: true", "", 1))
		want(t, card, map[string]string{"/capabilities/extensions/1": "absent"})
	})
}
