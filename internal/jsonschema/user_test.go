package jsonschema

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/source"
)

// anyTree reads JSON of any size.
func anyTree(t *testing.T, text string) *source.Node {
	t.Helper()
	n, found := source.ParseJSONUpTo("schema.json", []byte(text), 64<<20)
	if n == nil {
		t.Fatal(found)
	}
	return n
}

// describeFaults writes faults one a line, as pointer and message.
func describeFaults(list []Fault) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s: %s\n", f.Pointer, f.Message)
	}
	return b.String()
}

func TestVet(t *testing.T) {
	const types = `"array", "boolean", "integer", "null", "number", "object", "string"`
	object := func(property string) string { return `{"type": "object", "properties": {"a": ` + property + `}}` }
	for _, good := range []string{
		object(`{"type": "string", "description": "A."}`),
		`{"$ref": "#/$defs/in", "$defs": {"in": {"type": "object"}}}`,
		`{"type": "object", "properties": {"next": {"$ref": "#"}}}`,
		`{"type": "object", "$defs": {"a": {"$anchor": "b"}}, "properties": {"a": {"$ref": "#b"}}}`,
		`{"$schema": "http://json-schema.org/draft-04/schema#", "id": "x", "type": "object"}`,
		`{"$schema": "https://json-schema.org/draft-07/schema#", "type": "object"}`,
		object(`{"pattern": "^(?!x)a(?<=b)[\\w-.]\\cA\\u{1F600}$", "description": "A."}`), // ECMA-262
		`{"type": "object", "if": {"properties": {"a": {"const": 1}, "b": {}}, "required": ["c"]}}`,
	} {
		if faults := Vet(anyTree(t, good)); faults != nil {
			t.Errorf("%s\n%s", good, describeFaults(faults))
		}
	}
	for _, c := range []struct{ schema, want string }{
		{object(`{"type": "strnig"}`), `/properties/a/type: "type" is "strnig", must be one of ` + types},
		{
			`{"$schema": "http://json-schema.org/draft-07/schema", "items": [{"items": {"type": "objec"}}]}`,
			`/items/0/items/type: "type" is "objec", must be one of ` + types,
		},
		{object(`"string"`), `/properties/a: "a" is a string, must be a boolean or an object`},
		{`{"type": "object", "required": "a"}`, `/required: "required" is a string, must be an array`},
		{object(`{"minLength": -1}`), `/properties/a/minLength: "minLength" is too small, must be at least 0`},
		{`[]`, `: the schema is an array, must be a boolean or an object`},
		{`null`, `: the schema is null, must be a boolean or an object`},
		{
			object(`{"type": 1, "minLength": "x"}`),
			"/properties/a/minLength: \"minLength\" is a string, must be a whole number\n" +
				`/properties/a/type: "type" is 1, must be one of ` + types,
		},
		{object(`{"$ref": "#b"}`), `: it cannot be understood: an id or a reference in it leads nowhere`},
		{
			`{"type": "object", "x": {"type": "strnig"}, "properties": {"a": {"$ref": "#/x"}}}`,
			`/x/type: "type" is "strnig", must be one of ` + types,
		},
		{`{"$id": ":::"}`, `: it cannot be understood: an id or a reference in it leads nowhere`},
	} {
		if got := strings.TrimSuffix(describeFaults(Vet(anyTree(t, c.schema))), "\n"); got != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.schema, got, c.want)
		}
	}
}

// What a schema may not be, whoever sends it. Each must be refused, and none
// may keep the tests waiting.
func TestVetHostile(t *testing.T) {
	const outside = "which is neither in the schema itself nor a draft from 4 to 2020-12"
	many := func(format string, n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(parts, ",")
	}
	for schema, want := range map[string]string{
		strings.Repeat(`{"not":`, 90) + `{}` + strings.Repeat(`}`, 90): "it is nested more than 32 levels deep",
		`{"maximum": 1e5000000}`:                                    `the number "1e5000000" is too large`,
		`{"$ref": "file:///etc/passwd"}`:                            `it refers to "file:///etc/passwd", ` + outside,
		`{"$dynamicRef": "other.json"}`:                             `it refers to "other.json", ` + outside,
		`{"$id": "file:///etc/", "$ref": "passwd"}`:                 `it refers to "file:///etc/passwd", ` + outside,
		`{"$schema": "http://127.0.0.1/meta"}`:                      `it refers to "http://127.0.0.1/meta", ` + outside,
		`{"properties": {"a": {"$ref": "https://x.example/s#/a"}}}`: `it refers to "https://x.example/s", ` + outside,
		`{"description": "` + strings.Repeat("a", 1<<20) + `"}`:     "it is larger than 65536 bytes",
	} {
		found := Vet(anyTree(t, schema))
		if len(found) != 1 || found[0].Message != want {
			t.Errorf("got\n%swant\n%s", describeFaults(found), want)
		}
	}
	for name, text := range map[string]string{
		"patterns":   `{"type": "object", "patternProperties": {` + many(`"(%dx{1000}){1000}": {}`, 900) + `}}`,
		"references": `{"type": "object", "$defs": {` + many(`"d%d": {"$ref": "#/x"}`, 900) + `}, "x": {}}`,
		"ids":        `{"type": "object", "$defs": {` + many(`"d%d": {"$id": "i%[1]d"}`, 900) + `}}`,
		"enum": `{"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "enum": [` +
			many(`[[%d]]`, 4000) + `]}`,
		"numbers": `{"maximum": 1` + strings.Repeat("0", 40) + `, "minimum": 1e-5000000}`,
		"circle": `{"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, ` +
			`"b": {"$ref": "#/$defs/a"}}}`,
	} {
		t.Run("within the bounds: "+name, func(t *testing.T) {
			for _, f := range Vet(anyTree(t, text)) {
				if strings.Contains(f.Message, "understood") {
					t.Errorf("%s: %s", f.Pointer, f.Message)
				}
			}
		})
	}
}

func FuzzVet(f *testing.F) {
	for _, seed := range []string{
		`{"type": "object", "properties": {"a": {"type": "string", "enum": ["", null, "x"]}}, "required": []}`,
		`{"$schema": "http://json-schema.org/draft-04/schema#", "items": [], "additionalItems": false, "default": {"a": ""}}`,
		`{"$ref": "#/$defs/a", "$defs": {"a": {"$id": "x", "$dynamicAnchor": "y", "const": {}}}, "allOf": [{}]}`,
		`{"patternProperties": {"^(?!a)": false}, "dependencies": {"a": ["b"], "c": {}, "d": []}}`,
		`{"maximum": 1e400, "$vocabulary": {"https://x.example": true}, "if": {}, "then": true}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, _ := source.ParseJSON("fuzz.json", data)
		if n == nil {
			return
		}
		found := Vet(n)
		for _, fault := range found {
			if _, ok := n.Find(fault.Pointer); !ok && fault.Pointer != "" {
				t.Errorf("%q names nothing in %s", fault.Pointer, data)
			}
		}
	})
}

// What a policy may not be besides: it is run on cards.
func TestPolicyBounds(t *testing.T) {
	circle := `{"properties": {"skills": {"items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}}`
	unfolds := `{"$ref": "#/$defs/a0", "$defs": {"a7": {"description": "` + strings.Repeat("x", 600) + `"}`
	for i := range 7 {
		unfolds += fmt.Sprintf(`, "a%d": {"allOf": [{"$ref": "#/$defs/a%d"}, {"$ref": "#/$defs/a%[2]d"}]}`, i, i+1)
	}
	for schema, want := range map[string]string{
		circle:         "nested more than 32 levels deep",
		unfolds + `}}`: "larger than 65536 bytes",
		`{"properties": {"a": {"pattern": "(?!x)"}}}`:                                 "without look-around",
		`{"$ref": "#a", "$defs": {"a": {"$anchor": "a"}}}`:                            "must not have",
		`{"$dynamicRef": "#/$defs/a", "$defs": {"a": {}}}`:                            "must not have",
		`{"$defs": {"a": {"$id": "https://a.example/b", "$ref": "#/$defs/a"}}}`:       "must not have",
		`{"properties": {"$ref": {"type": "string"}, "x": {"const": {"$ref": "a"}}}}`: "",
		`[]`: "must be a boolean or an object",
	} {
		_, faults := Policy(anyTree(t, schema), "the card")
		if got := describeFaults(faults); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\ngot %s, want %s", schema, got, want)
		}
	}
}

// What a policy says about a card, in words and at the value that it is about.
func TestPolicy(t *testing.T) {
	card := anyTree(t, `{"name": "A", "skills": [{"id": "a", "tags": ["x", "y"], "examples": ["1"]}], `+
		`"capabilities": {"streaming": true}}`)
	for _, c := range []struct{ schema, want string }{
		{`{"required": ["provider"]}`, `: the card has no "provider"`},
		{`{"properties": {"name": {"const": "B"}}}`, `/name: "name" is "A", must be "B"`},
		{`{"properties": {"name": {"minLength": 3}}}`, `/name: "name" has a length of 1, must have at least 3`},
		{`{"properties": {"name": {"not": {"pattern": "A"}}}}`, `/name: "name" is not allowed`},
		{
			`{"properties": {"skills": {"contains": {"required": ["z"]}}}}`,
			`/skills: "skills" breaks "contains" of the schema`,
		},
		{
			`{"properties": {"skills": {"items": {"properties": {"tags": {"items": {"enum": ["x"]}}}}}}}`,
			`/skills/0/tags/1: "tags[1]" is "y", must be "x"`,
		},
		{
			`{"properties": {"capabilities": {"additionalProperties": false}}}`,
			`/capabilities/streaming: unknown key "streaming" in "capabilities"`,
		},
		{`{"properties": {"name": false}}`, `/name: "name" is not allowed`},
		{
			`{"anyOf": [{"required": ["x"]}, {"properties": {"name": {"const": "B"}}, "required": ["name"]}]}`,
			`/name: "name" is "A", must be "B"`,
		},
		{
			`{"oneOf": [{"required": ["name"]}, {"required": ["skills"]}]}`,
			`: the card has "name" and "skills", must have exactly one`,
		},
		{`{"$ref": "#/$defs/a", "$defs": {"a": {"required": ["name"]}}}`, ``},
		{
			`{"anyOf": [{"minProperties": 9}, {"properties": {"name": {"type": "number"}}}]}`,
			`/name: "name" is a string, must be a number`,
		},
		{
			`{"required": ["x"], "minProperties": 9}`,
			": the card has a length of 3, must have at least 9\n: the card has no \"x\"",
		},
	} {
		policy, faults := Policy(anyTree(t, c.schema), "the card")
		if faults != nil {
			t.Errorf("%s: %v", c.schema, faults)
			continue
		}
		if got := strings.TrimSuffix(describeFaults(Validate(card, policy)), "\n"); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.schema, got, c.want)
		}
	}
}
