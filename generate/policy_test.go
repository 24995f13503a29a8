package generate_test

import (
	"strings"
	"testing"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
)

const card = `{"name": "A", "skills": [{"id": "a", "tags": ["x", "y"], "examples": ["1"]}], ` +
	`"capabilities": {"streaming": true}}`

func parse(t *testing.T, name, text string) *source.Node {
	t.Helper()
	n, found := source.ParseJSON(name, []byte(text), source.Limits{})
	if n == nil || found.Worst() == diag.Error {
		t.Skip()
	}
	return n
}

// What a schema says of a card, in words and at the value that it is about.
func TestJudge(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"required": ["provider"]}`, `/provider: the card has no "provider"`},
		{`{"properties": {"name": {"const": "B"}}}`, `/name: "name" is "A", must be "B"`},
		{`{"properties": {"name": {"minLength": 3}}}`, `/name: "name" has too few characters: 1, must hold at least 3`},
		{`{"properties": {"name": {"not": {"pattern": "A"}}}}`, `/name: "name" is what is ruled out`},
		{
			`{"properties": {"skills": {"contains": {"required": ["z"]}}}}`,
			`/skills: "skills" has no entry, or too few, of the kind that is demanded`,
		},
		{
			`{"properties": {"skills": {"items": {"properties": {"tags": {"items": {"enum": ["x"]}}}}}}}`,
			`/skills/0/tags/1: "tags[1]" is "y", must be "x"`,
		},
		{
			`{"properties": {"skills": {"items": {"properties": {"examples": {"minItems": 2}}}}}}`,
			`/skills/0/examples: "examples" has too few entries: 1, must hold at least 2`,
		},
		{
			`{"properties": {"capabilities": {"additionalProperties": false}}}`,
			`/capabilities/streaming: "capabilities" has "streaming", which is not allowed`,
		},
		{`{"properties": {"name": false}}`, `/name: "name" is not allowed, must be left out`},
		{
			`{"anyOf": [{"required": ["x"]}, {"properties": {"name": {"const": "B"}}, "required": ["name"]}]}`,
			`/name: "name" is "A", must be "B"`,
		},
		{
			`{"oneOf": [{"required": ["name"]}, {"required": ["skills"]}]}`,
			`: the card matches more than one of the alternatives, must match exactly one`,
		},
		{`{"$ref": "#/$defs/a", "$defs": {"a": {"required": ["name"]}}}`, ``},
		{`{"propertyNames": {"pattern": "^[a-z]$"}}`, `/capabilities: the name "capabilities" is not allowed`},
	} {
		p, found := generate.NewPolicy(config.Policy{ID: "p", Severity: diag.Warning}, parse(t, "schema.json", tt.schema),
			new(jsonschema.Work))
		if p == nil {
			t.Errorf("%s: %v", tt.schema, found)
			continue
		}
		got := ""
		if judged, _ := p.Judge(t.Context(), parse(t, "card.json", card)); len(judged) > 0 {
			got = judged[0].Pointer + ": " + judged[0].Message
			if judged[0].Rule != "p" || judged[0].Severity != diag.Warning {
				t.Errorf("%+v", judged[0])
			}
		}
		got = strings.Replace(got, `the policy "p": `, "", 1)
		if got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.schema, got, tt.want)
		}
	}
}

// A schema is used or refused with a place in it; findings point into the card.
func FuzzPolicy(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `{"$ref": "#"}`, `{"properties": {"skills": {"items": {"required": ["x"]}}}}`,
		`{"pattern": "("}`, `{"if": {}, "then": false}`, `{"$defs": {"a": {"$ref": "#/$defs/a"}}}`,
		`{"anyOf": [{"not": {}}]}`, `{"$schema": "http://json-schema.org/draft-04/schema#", "required": []}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, found := generate.NewPolicy(config.Policy{ID: "p", Severity: diag.Error}, parse(t, "schema.json", text),
			new(jsonschema.Work))
		if (p == nil) != (found.Worst() == diag.Error) {
			t.Fatalf("%v with %v", p, found)
		}
		for _, d := range found {
			if d.Span.File != "schema.json" {
				t.Errorf("%+v", d)
			}
		}
		if p == nil {
			return
		}
		judged, _ := p.Judge(t.Context(), parse(t, "card.json", card))
		for _, d := range judged {
			if d.Message == "" || d.Pointer != "" && d.Pointer[0] != '/' {
				t.Errorf("%+v", d)
			}
		}
	})
}
