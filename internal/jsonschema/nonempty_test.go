package jsonschema

import (
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/source"
)

// A schema without empty values allows what it did before.
func TestNonEmpty(t *testing.T) {
	const refused = ""
	for _, c := range []struct {
		schema, want string
		lost         int
	}{
		{`{"properties":{"a":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`, 0},
		{`{"type":"object","required":[],"properties":{},"title":"","dependentRequired":{"a":[]}}`, `{"type":"object"}`, 0},
		{
			`{"properties":{"a":{},"b":{"not":{}}},"additionalProperties":{}}`,
			`{"additionalProperties":true,"properties":{"a":true,"b":{"not":true}}}`, 0,
		},
		{`{"properties":{"a":{"description":""}}}`, `{"properties":{"a":true}}`, 0},
		{
			`{"items":[{},{"type":"string"}],"$schema":"http://json-schema.org/draft-07/schema#"}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","items":[true,{"type":"string"}]}`, 0,
		},
		{`{"required":[]}`, `true`, 0},
		{
			`{"properties":{"a":{"default":""},"b":{"default":{"x":[]}},"c":{"default":0}}}`,
			`{"properties":{"a":true,"b":true,"c":{"default":0}}}`, 2,
		},
		{`{"type":"object","examples":[{"a":""},{"a":"b"}]}`, `{"type":"object"}`, 1},
		{
			`{"enum":["a",null,""]}`,
			`{"anyOf":[{"enum":["a"]},{"type":"null"},{"maxLength":0,"type":"string"}]}`, 0,
		},
		{`{"properties":{"a":{"const":null}}}`, `{"properties":{"a":{"anyOf":[{"type":"null"}]}}}`, 0},
		{
			`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":[],"b":["c"],"d":{}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"b":["c"],"d":true}}`, 0,
		},
		{`{"minimum":0,"not":false,"default":0}`, `{"default":0,"minimum":0,"not":false}`, 0},

		{`{"enum":[]}`, refused, 0},
		{`{"enum":["a",null],"anyOf":[{"type":"string"}]}`, refused, 0},
		{`{"const":[]}`, refused, 0},
		{`{"const":{"a":""}}`, refused, 0},
		{`{"required":["","a"]}`, refused, 0},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{}}}`, refused, 0}, // has no true
	} {
		n := anyTree(t, c.schema)
		if faults := Vet(n); faults != nil {
			t.Fatalf("%s: %s", c.schema, describeFaults(faults))
		}
		before := compiled(t, n)
		out, lost := NonEmpty(n)
		got := refused
		if out != nil {
			text, err := json.Marshal(out.Any(number))
			if err != nil {
				t.Fatal(err)
			}
			got = string(text)
			agree(t, before, compiled(t, out))
			if _, empties := out.Pruned(); empties > 0 {
				t.Errorf("%s has %d empty values", got, empties)
			}
		}
		if got != c.want || lost != c.lost {
			t.Errorf("%s\ngot  %s, %d lost\nwant %s, %d lost", c.schema, got, lost, c.want, c.lost)
		}
	}
}

// agree fails when two schemas judge some value differently.
func agree(t *testing.T, a, b *jsonschema.Schema) {
	t.Helper()
	for _, text := range []string{
		`null`, `true`, `""`, `"a"`, `"x"`, `0`, `-1`, `[]`, `[1]`, `["a","b"]`, `{}`, `{"a": null}`, `{"a": ""}`,
		`{"a": 1, "b": 2}`, `{"b": "x"}`, `{"b": {}}`, `{"b": 1, "c": 2}`, `{"d": 1}`, `{"z": 1}`,
	} {
		v := anyTree(t, text).Any(number)
		if x, y := a.Validate(v) == nil, b.Validate(v) == nil; x != y {
			t.Errorf("%s is valid: %t before, %t after", text, x, y)
		}
	}
}

func compiled(t *testing.T, n *source.Node) *jsonschema.Schema {
	t.Helper()
	s, faults := compileUser(jsonschema.NewCompiler(), n, false)
	if faults != nil {
		t.Fatal(describeFaults(faults))
	}
	return s
}
