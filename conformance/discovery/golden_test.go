package discovery

import (
	"io/fs"
	"os/exec"
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

// Every file whose reader cannot be installed has the shape that its specification
// asks for. Each schema says where it comes from; nearly is a file of its kind that
// has one defect.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ suffix, schema, nearly string }{
		{
			"/.well-known/agent-skills/index.json", "testdata/agent-skills.schema.json",
			`{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": [
				{"name": "a", "type": "skill-md", "description": "d", "url": "a/SKILL.md", "digest": "sha256:0"}]}`,
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

// A validator of HTML accepts every page, and finds what is wrong in a bad one.
func TestPagesAreHTML(t *testing.T) {
	t.Parallel()
	node, dir := install(t), t.TempDir()
	if out := run(t, node, dir, append([]string{"html.mjs"}, golden(t, "/index.html")...)...); out != "" {
		t.Error(out)
	}
	write(t, dir, map[string]string{
		"bad.html": "<!doctype html>\n<html lang=\"en\"><title>t</title><body><p><div></div></p></body></html>\n",
	})
	if out := run(t, node, dir, "html.mjs", "bad.html"); !strings.Contains(out, "bad.html:2: ") {
		t.Errorf("a bad page is accepted: %s", out)
	}
}

// sha256sum finds the file beside each sidecar to be the one that it is about.
func TestSums(t *testing.T) {
	program, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("sha256sum is missing")
	}
	for _, name := range golden(t, ".sha256") {
		sum := exec.CommandContext(t.Context(), program, "-c", "--strict", filepath.Base(name))
		sum.Dir = filepath.Dir(name)
		if out, err := sum.CombinedOutput(); err != nil {
			t.Errorf("%s: %s", name, out)
		}
	}
}
