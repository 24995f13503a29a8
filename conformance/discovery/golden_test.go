package discovery

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// trees is the directory of the golden trees.
const trees = "../../golden"

// golden returns the files of all golden trees whose paths end so, as absolute paths.
func golden(t *testing.T, suffix string) []string {
	t.Helper()
	root, err := filepath.Abs(trees)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(filepath.ToSlash(name), suffix) {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden tree has %s, %v", suffix, err)
	}
	return names
}

// The tester of ARD takes every manifest, and finds what is wrong in a bad one.
func TestARDTester(t *testing.T) {
	t.Parallel()
	node, manifests := install(t), golden(t, "/.well-known/ard.json")
	if out := run(t, node, t.TempDir(), append([]string{"ard.mjs"}, manifests...)...); out != "" {
		t.Error(out)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"ard.json": `{"specVersion": "1.0", "entries": [{"identifier": "billing"}]}`})
	if out := run(t, node, dir, "ard.mjs", "ard.json"); !strings.Contains(out, "Identifier 'billing'") {
		t.Errorf("a bad identifier is accepted: %s", out)
	}
}

// Every file whose reader cannot be installed has the shape that its specification
// asks for. Each schema says where it comes from; nearly is a file of its kind that
// has one defect.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ suffix, schema, nearly string }{
		{
			"/.well-known/ai-catalog.json", "../../schema/ai-catalog.schema.json",
			`{"specVersion": "1.0", "entries": [{"identifier": "urn:air:a.example:b"}]}`,
		},
		{
			"/.well-known/agent-skills/index.json", "testdata/agent-skills.schema.json",
			`{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": [
				{"name": "a", "type": "skill-md", "description": "d", "url": "a/SKILL.md", "digest": "sha256:0"}]}`,
		},
		{
			"/.well-known/skills/index.json", "testdata/skills.schema.json",
			`{"skills": [{"name": "a", "description": "d", "files": ["SKILL.md", "../b"]}]}`,
		},
		{
			"/server-card.json", "testdata/mcp-server-card.schema.json",
			`{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
				"name": "com.acme/orders/more", "version": "1", "description": "d"}`,
		},
		{
			"/.well-known/api-catalog", "testdata/linkset.schema.json",
			`{"linkset": [{"anchor": "https://a.example/", "item": {"href": "https://a.example/b"}}]}`,
		},
	} {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		schema, err := compiler.Compile(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range golden(t, c.suffix) {
			var file any
			readJSON(t, name, &file)
			if err := schema.Validate(file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		nearly, err := jsonschema.UnmarshalJSON(strings.NewReader(c.nearly))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(nearly) == nil {
			t.Errorf("%s takes %s", c.schema, c.nearly)
		}
	}
}
