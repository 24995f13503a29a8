package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
)

var update = flag.Bool("update", false, "write the JSON Schema and docs/config.md")

const root = "../.."

// The JSON Schema and the page are those that follow from the structs, and each key is
// documented.
func TestGenerated(t *testing.T) {
	comments, err := comments(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range config.Objects() {
		for k := range comments.keys(object) {
			if k.text == "" {
				t.Errorf("the key %s of %s is not documented", k.name, object)
			}
		}
	}
	head, err := os.ReadFile(filepath.Join(root, "docs/testdata/config-head.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{
		"schema/config.schema.json": jsonSchema(comments), "docs/config.md": page(string(head), comments),
	} {
		if *update {
			if err := os.WriteFile(filepath.Join(root, name), want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not current, run go test ./internal/config -update (-want +got):\n%s", name, diff)
		}
	}
}
