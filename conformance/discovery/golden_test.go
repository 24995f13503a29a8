package discovery

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// readers are the tests in which a program that is not ours reads every file of a kind, by
// the ends of paths in the golden trees. Each is in a file of the directory before it.
var readers = []struct{ end, dir, test string }{
	{"/agent-card.json", "..", "TestA2AGo"}, // as TestA2AJS and, for those of 0.3, TestSchema03 do
	{"/agent.json", "..", "TestA2AGo"},
	{"/extended-agent-card.json", "..", "TestA2AGo"},
	{"/jwks.json", "..", "TestSignedGoldenCards"},
	{"/ai-catalog.json", ".", "TestShapes"},
	{"/api-catalog", ".", "TestShapes"},
	{"/server-card.json", ".", "TestShapes"},
	{"/ard.json", ".", "TestARDTester"},
	{"/agent-skills/index.json", ".", "TestSkillsInstalls"},
	{"/skills/index.json", ".", "TestSkillsInstalls"},
	{"/SKILL.md", ".", "TestSkillsInstalls"},
	{"/references/prices.md", ".", "TestSkillsInstalls"},
	{".tar.gz", ".", "TestAGNTCYReadsArchives"},
	{"/index.html", ".", "TestPagesAreHTML"},
	{".sha256", ".", "TestSums"},
	{".etag", "../../internal/hosting", "TestExampleHost"}, // Caddy
	{"/nginx/a2a-http.conf", "../../internal/hosting", "TestGoldenConfigurations"},
	{"/nginx/a2a-locations.conf", "../../internal/hosting", "TestGoldenConfigurations"},
	{"/apache/a2a.conf", "../../internal/hosting", "TestGoldenConfigurations"},
	{"/caddy/a2a.caddy", "../../internal/hosting", "TestGoldenConfigurations"},
	{"/cardwright.manifest.json", "../../golden", "TestGolden"}, // which nobody else reads
}

// Every file of every golden tree is of a kind that somebody reads.
func TestEveryFileHasAReader(t *testing.T) {
	for _, name := range golden(t, "") {
		name = filepath.ToSlash(name)
		if filepath.Ext(name) == ".go" {
			continue
		}
		known := false
		for _, r := range readers {
			known = known || strings.HasSuffix(name, r.end)
		}
		if !known {
			t.Errorf("no program reads %s", name)
		}
	}
	for _, r := range readers {
		golden(t, r.end) // or the row is about nothing
		tests, err := filepath.Glob(filepath.Join(r.dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(tests, func(name string) bool {
			code, err := os.ReadFile(name)
			return err == nil && strings.Contains(string(code), "func "+r.test+"(")
		}) {
			t.Errorf("%s: there is no %s in %s", r.end, r.test, r.dir)
		}
	}
}
