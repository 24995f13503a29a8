package jsonschema

import (
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestPublishable(t *testing.T) {
	const draft04 = `"$schema":"http://json-schema.org/draft-04/schema#"`
	for _, c := range []struct {
		name, schema string
		want         string // "" when it cannot be published
		lost         string
	}{
		{
			"as it is", `{"type":"object","properties":{"a":{"type":"string"}}}`,
			`{"properties":{"a":{"type":"string"}},"type":"object"}`, "",
		},
		{
			"keywords that say nothing",
			`{"type":"object","required":[],"properties":{},"title":"","dependentRequired":{"a":[]},"$defs":{}}`,
			`{"type":"object"}`, "",
		},
		{
			"schema that allows everything", `{"properties":{"a":{},"b":{"not":{}}},"additionalProperties":{}}`,
			`{"additionalProperties":true,"properties":{"a":true,"b":{"not":true}}}`, "",
		},
		{"empty after what it says nothing with", `{"properties":{"a":{"description":""}}}`, `{"properties":{"a":true}}`, ""},
		{"nothing at all", `{"required":[]}`, "", "loss : it says nothing but true\n"},
		{"nothing is allowed", `false`, "", "loss : it says nothing but false\n"},
		{
			"default", `{"type":"object","properties":{"a":{"default":""},"b":{"default":{"x":[],"y":1}},"c":{"default":0}}}`,
			`{"properties":{"a":true,"b":true,"c":{"default":0}},"type":"object"}`,
			"loss /properties/a/default: \"default\" is empty or holds an empty value, so it is left out\n" +
				"loss /properties/b/default: \"default\" is empty or holds an empty value, so it is left out\n",
		},
		{
			"examples", `{"type":"object","examples":[{"a":""},{"a":"b"}]}`, `{"type":"object"}`,
			"loss /examples: \"examples\" is empty or holds an empty value, so it is left out\n",
		},
		{
			"enum with empty values", `{"enum":["a",null,"",[],{}]}`,
			`{"anyOf":[{"enum":["a"]},{"type":"null"},{"maxLength":0,"type":"string"},{"maxItems":0,"type":"array"},` +
				`{"maxProperties":0,"type":"object"}]}`, "",
		},
		{
			"enum beside anyOf", `{"enum":["a",null],"anyOf":[{"type":"string"},{}]}`, "",
			"loss /enum: a value that is allowed is empty, which readers of a card drop\n",
		},
		{
			"constant", `{"properties":{"a":{"const":null},"b":{"const":"x"}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"null"}]},"b":{"const":"x"}}}`, "",
		},
		{"no value is allowed", `{"enum":[]}`, "", "loss /enum: it allows no value\n"},
		{
			"empty below a value that is allowed", `{"const":{"a":""}}`, "",
			"loss /const: a value that is allowed holds an empty one, which readers of a card drop\n",
		},
		{
			"dependencies", `{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":[],"b":["c"],"d":{}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"b":["c"],"d":true}}`, "",
		},
		{
			"draft 4", `{` + draft04 + `,"type":"object","properties":{"a":{}}}`,
			"", "loss : it does not survive that nothing empty is written on a card\n",
		},
		{
			"numbers and false stay", `{"minimum":0,"additionalProperties":false,"default":0}`,
			`{"additionalProperties":false,"default":0,"minimum":0}`, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := anyTree(t, c.schema)
			for _, f := range Vet(n) {
				if f.Rule == ruleInvalidSchema {
					t.Fatalf("%s: %s", f.Pointer, f.Message)
				}
			}
			out, lost := Publishable(n)
			got := ""
			if out != nil {
				text, err := json.Marshal(out.Any(number))
				if err != nil {
					t.Fatal(err)
				}
				got = string(text)
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if d := describeFaults(lost); d != c.lost {
				t.Errorf("lost\n%swant\n%s", d, c.lost)
			}
			if out != nil {
				agree(t, c.schema, got)
			}
		})
	}
}

// agree fails when two schemas judge some value differently.
func agree(t *testing.T, before, after string) {
	t.Helper()
	a, b := compiled(t, before), compiled(t, after)
	for _, text := range []string{
		`null`, `true`, `""`, `"a"`, `"x"`, `0`, `-1`, `[]`, `[1]`, `{}`, `{"a": null}`, `{"a": ""}`, `{"a": 1, "b": 2}`,
		`{"b": "x"}`, `{"b": {}}`, `{"b": 1, "c": 2}`, `{"d": 1}`, `{"z": 1}`,
	} {
		v := anyTree(t, text).Any(number)
		if x, y := a.Validate(v) == nil, b.Validate(v) == nil; x != y {
			t.Errorf("%s is valid: %t before, %t after", text, x, y)
		}
	}
}

func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://x.example/s", anyTree(t, text).Any(number)); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("https://x.example/s")
}
