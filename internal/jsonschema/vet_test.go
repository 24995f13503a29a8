package jsonschema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
)

// anyTree reads JSON of any depth and size.
func anyTree(t *testing.T, text string) *source.Node {
	t.Helper()
	n, found := source.ParseJSON("schema.json", []byte(text), source.Limits{Nesting: 5000, Card: 64 << 20})
	if n == nil {
		t.Fatal(found)
	}
	return n
}

// describeFaults writes faults one a line, as rule, pointer and message.
func describeFaults(list []Fault) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s %s: %s\n", strings.TrimPrefix(f.Rule, "source-schema-"), f.Pointer, f.Message)
	}
	return b.String()
}

func TestVet(t *testing.T) {
	object := func(property string) string {
		return `{"type": "object", "properties": {"a": ` + property + `}}`
	}
	const types = `"array", "boolean", "integer", "null", "number", "object", "string"`
	for _, c := range []struct{ name, schema, want string }{
		{"good", `{"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": ["a"]}`, ""},
		{"title for a description", object(`{"title": "A"}`), ""},
		{"behind a reference", `{"$ref": "#/$defs/in", "$defs": {"in": {"type": "object"}}}`, ""},
		{"recursive", `{"type": "object", "properties": {"next": {"$ref": "#"}}}`, ""},
		{"by anchor", `{"type": "object", "$defs": {"a": {"$anchor": "b"}}, "properties": {"a": {"$ref": "#b"}}}`, ""},
		{"draft 4", `{"$schema": "http://json-schema.org/draft-04/schema#", "id": "x", "type": "object"}`, ""},
		{"draft 7 with https", `{"$schema": "https://json-schema.org/draft-07/schema#", "type": "object"}`, ""},
		{"ECMA-262", object(`{"pattern": "^(?!x)a(?<=b)[\\w-.]\\cA\\u{1F600}$", "description": "A."}`), ""},
		{
			"conditions on what is described",
			`{"type": "object", "properties": {"a": {"description": "A."}}, "if": {"properties": {"a": {"const": 1}, ` +
				`"b": {}}, "required": ["c"]}}`, "",
		},
		{"required in a branch", `{"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`, ""},

		{"unknown type", object(`{"type": "strnig"}`), `invalid /properties/a/type: "type" is "strnig", must be one of ` +
			types},
		{
			"deep below anyOf of the metaschema",
			`{"$schema": "http://json-schema.org/draft-07/schema", "items": [{"items": {"type": "objec"}}]}`,
			`invalid /items/0/items/type: "type" is "objec", must be one of ` + types,
		},
		{
			"property that is no schema", object(`"string"`),
			`invalid /properties/a: "a" is a string, must be a boolean or an object`,
		},
		{
			"required that is no list", `{"type": "object", "required": "a"}`,
			`invalid /required: "required" is a string, must be an array`,
		},
		{
			"negative length", object(`{"minLength": -1}`),
			`invalid /properties/a/minLength: "minLength" is too small, must be at least 0`,
		},
		{
			"multiple of nothing", object(`{"multipleOf": 0}`),
			`invalid /properties/a/multipleOf: "multipleOf" is too small, must be more than 0`,
		},
		{"broken pattern", object(`{"pattern": "(["}`), `invalid /properties/a/pattern: "pattern" is "([", must be a regex`},
		{
			"broken pattern of properties", `{"patternProperties": {"a(": {}}}`,
			`invalid /patternProperties/a(: the name "a(" is not allowed`,
		},
		{"array", `[]`, `invalid : the schema is an array, must be a boolean or an object`},
		{"null", `null`, `invalid : the schema is null, must be a boolean or an object`},
		{
			"two faults",
			object(`{"type": 1, "minLength": "x"}`),
			`invalid /properties/a/minLength: "minLength" is a string, must be a whole number
invalid /properties/a/type: "type" is 1, must be one of ` + types,
		},
		{
			"dangling", object(`{"$ref": "#/$defs/b"}`),
			`invalid /properties/a/$ref: "$ref" is "#/$defs/b", but the schema has nothing there`,
		},
		{
			"dangling anchor", object(`{"$ref": "#b"}`),
			`invalid /properties/a/$ref: "$ref" is "#b", but the schema has nothing there`,
		},
		{
			"reference into what is no schema",
			`{"type": "object", "x": {"type": "strnig"}, "properties": {"a": {"$ref": "#/x"}}}`,
			`invalid /x/type: "type" is "strnig", must be one of ` + types,
		},
		{"odd id", `{"$id": ":::"}`, `invalid : it cannot be understood: an id or a reference in it is odd`},

		{"not of an object", `{"type": "string"}`, `quality : it does not say "type": "object" at the top`},
		{"everything", `true`, `quality : it does not say "type": "object" at the top`},
		{"undescribed", object(`{"type": "string"}`), `quality /properties/a: the property "a" has no description`},
		{
			"undescribed, deep",
			`{"type": "object", "properties": {"a": {"description": " ", "items": {"properties": {"b": {}, "c.d": {}}}}}}`,
			`quality /properties/a: 3 properties have no description: "a", "a.b", "a.c.d"`,
		},
		{
			"undescribed, many", `{"type": "object", "properties": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}}}`,
			`quality /properties/a: 6 properties have no description: "a", "b", "c", "d", "e", …`,
		},
		{
			"required and not there", `{"type": "object", "properties": {"a": {"title": "A"}}, "required": ["a", "b"]}`,
			`quality /required/1: "b" is required, but no property has that name`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimSuffix(describeFaults(Vet(anyTree(t, c.schema))), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// What a schema may not be, whoever sends it. Each must be refused, and none
// may keep the tests waiting.
func TestVetHostile(t *testing.T) {
	many := func(format string, n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(parts, ",")
	}
	for _, c := range []struct{ name, schema, want string }{
		{
			"not of not", strings.Repeat(`{"not":`, 1000) + `{}` + strings.Repeat(`}`, 1000),
			"it is nested more than 32 levels deep",
		},
		{"huge exponent", `{"maximum": 1e5000000}`, `the number "1e5000000" is too long or too large`},
		{"long number", `{"maximum": 1` + strings.Repeat("0", 40) + `}`, `the number "1` + strings.Repeat("0", 40) +
			`" is too long or too large`},
		{"file", `{"$ref": "file:///etc/passwd"}`, `"$ref" is "file:///etc/passwd", must point into the schema itself`},
		{
			"remote", `{"properties": {"a": {"$ref": "https://x.example/s.json#/a"}}}`,
			`"$ref" is "https://x.example/s.json#/a", must point into the schema itself`,
		},
		{"relative", `{"$dynamicRef": "other.json"}`, `"$dynamicRef" is "other.json", must point into the schema itself`},
		{"by an id", `{"$id": "file:///etc/", "$ref": "passwd"}`, `"$ref" is "passwd", must point into the schema itself`},
		{
			"metaschema of its own", `{"$schema": "http://127.0.0.1/meta"}`,
			`"$schema" is "http://127.0.0.1/meta", must name a draft that is known here`,
		},
		{"ten megabytes", `{"description": "` + strings.Repeat("a", 10<<20) + `"}`, "it is larger than 65536 bytes"},
		{"many schemas", `{"properties": {` + many(`"%d":{}`, 2000) + `}}`, "it holds more than 1000 schemas"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := Vet(anyTree(t, c.schema))
			if len(found) != 1 || found[0].Rule != ruleInvalidSchema || found[0].Message != c.want {
				t.Errorf("got\n%swant\n%s", describeFaults(found), c.want)
			}
		})
	}
	for name, text := range map[string]string{
		"patterns":   `{"type": "object", "patternProperties": {` + many(`"(%dx{1000}){1000}": {}`, 900) + `}}`,
		"references": `{"type": "object", "$defs": {` + many(`"d%d": {"$ref": "#/x"}`, 900) + `}, "x": {}}`,
		"ids":        `{"type": "object", "$defs": {` + many(`"d%d": {"$id": "i%[1]d"}`, 900) + `}}`,
		"enum": `{"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "enum": [` +
			many(`[[%d]]`, 4000) + `]}`,
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

func TestSamples(t *testing.T) {
	n := anyTree(t, `{"default": {"key": "a", "list": ["b"]}, "properties": {"token": {"enum": ["c", 1], `+
		`"items": {"const": "d"}}, "default": {"title": "no value"}}}`)
	want := []Sample{
		{Pointer: "/default/key", Name: "key", Text: "a"},
		{Pointer: "/default/list/0", Name: "list", Text: "b"},
		{Pointer: "/properties/token/enum/0", Name: "token", Text: "c"},
		{Pointer: "/properties/token/items/const", Name: "token", Text: "d"},
	}
	if diff := cmp.Diff(want, Samples(n)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
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
		n, _ := source.ParseJSON("fuzz.json", data, source.Limits{})
		if n == nil {
			return
		}
		found := Vet(n)
		for _, fault := range found {
			if _, ok := n.Find(fault.Pointer); !ok && fault.Pointer != "" {
				t.Errorf("%q names nothing in %s", fault.Pointer, data)
			}
			if fault.Rule == ruleInvalidSchema {
				return
			}
		}
		out, _ := Publishable(n)
		if out == nil {
			return
		}
		if holdsEmpty(out) {
			t.Errorf("%v holds empty values, from %v", out.Any(number), data)
		}
		if again := vetMeaning(out); len(again) > 0 {
			t.Errorf("%v is no schema: %v, from %v", out.Any(number), again, data)
		}
		if twice, lost := Publishable(out); twice == nil || len(lost) > 0 || !twice.Equal(out) {
			t.Errorf("%v changes when written again, from %v", out.Any(number), data)
		}
	})
}

func holdsEmpty(n *source.Node) bool {
	_, empties := n.Pruned()
	return empties > 0
}
