package conformance

import (
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/fixture"
)

// Every log that cardwright prints satisfies the schema published with SARIF
// 2.1.0.
func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
	c := newCardwright(t)
	c.write("cardwright.yaml", "version: 1\nagnets: []\n")
	c.write("ä b?#%[1].json",
		`{"name": "[a](https://x.example)", "url": "http://\u202e", "skills": [{"id": "a"}, {"id": "a"}, null]}`)
	c.write("empty/none", "")
	jwks, err := filepath.Abs(filepath.Join("..", "golden", "signed", ".well-known", "jwks.json"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		well bool // whether there is nothing to find
	}{
		{"nothing found", []string{"lint", jwks}, true},
		{"a card with many faults", []string{"lint", "ä b?#%[1].json"}, false},
		{"standard input", []string{"lint", "-"}, false},
		{"a directory without cards", []string{"lint", "empty"}, false},
		{"a configuration with a fault", []string{"generate"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log, well := c.run([]byte("null"), append(tt.args, "--format", "sarif")...)
			if well != tt.well {
				t.Errorf("it ends well: %t", well)
			}
			doc := instance(t, log)
			if err := schema.Validate(doc); err != nil {
				t.Error(err)
			}
			run, _ := doc.(map[string]any)["runs"].([]any)[0].(map[string]any)
			if results, _ := run["results"].([]any); tt.well != (len(results) == 0) {
				t.Errorf("there are %d results", len(results))
			}
		})
	}
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/sarif-2.1.0.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// write puts a file into the directory that the program runs in.
func (c *cardwright) write(name, text string) {
	c.t.Helper()
	fixture.Write(c.t, c.dir, name, text)
}
