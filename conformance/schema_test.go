package conformance

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Every card that a 0.3 client may read satisfies the schema published with
// A2A 0.3.0.
func TestSchema03(t *testing.T) {
	schema := cardSchema03(t)
	for _, c := range cards(t) {
		if !c.is03() {
			continue
		}
		t.Run(c.path, func(t *testing.T) {
			if err := schema.Validate(instance(t, c.data)); err != nil {
				t.Error(err)
			}
		})
	}
}

func cardSchema03(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/a2a-0.3.0.schema.json#/definitions/AgentCard")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func instance(t *testing.T, data []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
