package schema_test

import (
	"slices"
	"strings"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
)

const beforeSkills = `{"name": "a", "description": "b", "version": "1",
	"supportedInterfaces": [{"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
	"capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
	"securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "x"}}}, "skills": [`

// That one card is right says nothing of another one with a wrong text that counts, nor
// of the same card for another version.
func TestCardsOfOneShape(t *testing.T) {
	card := beforeSkills + `{"id": "a", "name": "b", "description": "c", "tags": ["d"]}]}`
	for _, c := range []struct {
		card string
		by   schema.Protocol
		want bool
	}{
		{card, schema.V10, true},
		{card, schema.V10, true},
		{strings.Replace(card, `"header"`, `"nowhere"`, 1), schema.V10, false},
		{card, schema.V03, false},
	} {
		if faults := schema.ValidateCard(c.by, parse(t, c.card)); (faults == nil) != c.want {
			t.Errorf("%s: %s: got %+v", c.by, c.card, faults)
		}
	}
}

// What is wrong with one skill of many that look alike is found.
func TestSkillsOfOneShape(t *testing.T) {
	const good = `{"id": "a", "name": "b", "description": "c", "tags": ["d", "e"]}`
	for _, bad := range []string{
		`{"id": "", "name": "b", "description": "c", "tags": ["d"]}`,
		`{"id": "a", "name": "b", "description": 1, "tags": ["d"]}`,
		`{"id": "a", "nam": "b", "description": "c", "tags": ["d"]}`,
		`{"id": "a", "name": "b", "description": "c", "tags": []}`,
		`{"id": "a", "name": "b", "description": "c", "tags": ["d", "e", 3]}`,
		`{"id": "a", "name": "b", "description": "c", "tags": ["d"], "securityRequirements": [{}, {"x": {}}]}`,
		`{"id": "a", "name": "b", "description": "c", "tags": ["d"],
			"securityRequirements": [{"schemes": {"x": {"list": [1]}}}]}`,
		`null`,
		`"a"`,
	} {
		card := parse(t, beforeSkills+strings.Repeat(good+",", 2)+bad+`]}`)
		faults := schema.ValidateCard(schema.V10, card)
		if len(faults) == 0 || !strings.HasPrefix(faults[0].Pointer, "/skills/2") {
			t.Errorf("%s: got %+v", bad, faults)
		}
	}
}

// The JSON Schemas say nothing of cards that their shape does not show.
func TestSchemasAreAboutShape(t *testing.T) {
	about := []string{
		"type", "description", "properties", "additionalProperties", "required", "items", "if", "then",
		"minProperties", "$ref",
	}
	for _, v := range schema.All.Versions() {
		root := openSchema(t, v.Document(), "agent-card-"+v.String()+".schema.json").root
		var check func(pointer string)
		check = func(pointer string) {
			def, _ := root.Find(pointer)
			for _, m := range def.Fields() {
				at := source.Pointer(pointer, m.Key)
				switch {
				case at == "/definitions", at == "/$schema", at == "/$id", at == "/title":
				case strings.HasPrefix(at, "/properties/securitySchemes"): // its texts count
				case strings.HasPrefix(m.Key, "min") && m.Value.Text == "1":
				case !slices.Contains(about, m.Key), m.Value.Text == "integer":
					t.Errorf("%s: %s is about more than a shape", v, at)
				case m.Key == "$ref":
					check(strings.TrimPrefix(m.Value.Text, "#"))
				case m.Key == "properties":
					for _, p := range m.Value.Fields() {
						check(source.Pointer(at, p.Key))
					}
				default:
					check(at)
				}
			}
		}
		check("")
	}
}
