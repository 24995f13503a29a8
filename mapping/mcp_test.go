package mapping

import (
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

// document reads JSON as if it stood in a file called f.
func document(t *testing.T, json string) *source.Node {
	t.Helper()
	n, found := source.ParseJSON("f", []byte(json))
	if n == nil {
		t.Fatal(found)
	}
	return n
}

// yaml reads YAML as if it stood in a file called f.
func yaml(t *testing.T, text string) *source.Node {
	t.Helper()
	n, found := source.ParseYAML("f", []byte(text), diag.SourceInvalid)
	if n == nil {
		t.Fatal(found)
	}
	return n
}

func TestMCPShapes(t *testing.T) {
	const tools = `[{"name": "a", "inputSchema": {"type": "object"}}]`
	for in, pointer := range map[string]string{
		tools:                      "/0/inputSchema",
		`{"tools": ` + tools + `}`: "/tools/0/inputSchema",
		`{"jsonrpc": "2.0", "id": 1, "result": {"tools": ` + tools + `}}`: "/result/tools/0/inputSchema",
	} {
		skills, found := mcp(document(t, in), nil)
		if len(skills) != 1 || len(found) > 0 || skills[0].Input.Pointer != pointer || skills[0].Output.Node != nil {
			t.Errorf("%s: got %+v, %s", in, skills, ruled(found))
		}
	}
}

func TestMCP(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"name": "a", "title": "A", "annotations": {"title": "B"}}`, "a|A||tool,weather"},
		{`{"name": "a", "annotations": {"title": "B", "readOnlyHint": true}}`, "a|B||tool,weather"},
		{
			`{"name": "a", "inputSchema": {}, "outputSchema": {}}`,
			"a|a||tool,weather||application/json|application/json",
		},
		{`{"name": "a", "inputSchema": null}`, "a|a||tool,weather"},
		{`{"name": "a", "description": "\n One.  \r\n Two. \n"}`, "a|a|One.\n Two.|tool,weather"},
	} {
		skills, found := mcp(document(t, "["+tt.in+"]"), []string{"weather", "Tool"})
		if got := brief(skills[0].Skill); got != tt.want || len(found) > 0 || skills[0].Placeholder != "The a tool." {
			t.Errorf("%s: got %q with %q, want %q; %s", tt.in, got, skills[0].Placeholder, tt.want, ruled(found))
		}
	}
}

func TestMCPFaults(t *testing.T) {
	for in, want := range map[string]string{
		`{"resources": []}`: "1:1 error source-invalid",
		`1`:                 "1:1 error source-invalid",
		`{"jsonrpc": "2.0", "error": {"code": -32601}}`: "1:29 error source-invalid",
		`[{"description": "x"}, 1]`:                     "1:2 warning source-name-missing, 1:24 warning source-name-missing",
		`{"tools": [], "nextCursor": "x"}`:              "1:29 warning source-incomplete",
	} {
		if skills, found := mcp(document(t, in), nil); ruled(found) != want || len(skills) > 0 {
			t.Errorf("%s: got %s and %v", in, ruled(found), skills)
		}
	}
}

func TestTOML(t *testing.T) {
	root, _ := parseTOML("f", []byte("[package]\nversion = \"1\"\nkeys = [\"a\"]\n"))
	p := root.Get("package")
	if p.Get("version").Span.Line != 2 || p.Get("keys").Items[0].Span.Line != 3 {
		t.Errorf("the version stands at %v", p.Get("version").Span)
	}
	if root, found := parseTOML("f", []byte("a = 1\nb =\n")); root != nil || ruled(found) != "2:1 error source-invalid" {
		t.Errorf("found %s", ruled(found))
	}
}

// Whatever the tree, a source gives skills that have an id, a name and a place,
// and its findings say where.
func FuzzSources(f *testing.F) {
	for _, seed := range []string{
		`{"tools": [{"name": "a", "title": 1, "inputSchema": [], "annotations": []}], "nextCursor": {}}`,
		`{"name": "a", "description": "b", "version": "v1.x", "tags": {"a": []}, "examples": [{"description": []}, "x"], ` +
			`"input_schema": {"properties": {"a": "string", "b": []}}}`,
		`{"packs": ["a", {"name": []}, []]}`,
		`{"agent_id": "a", "tools": [{"name": "t"}, 1, {}], "auth": {"providers": [{"type": "oidc"}, {}]}, ` +
			`"skills": {"path": []}}`,
		`{"type": "MAKER", "name": " ", "description": {}, "tool_only": "TRUE"}`,
		`{"name": "A B", "category": "X", "tags": "[a, b]", "metadata": {"a2a": {"id": []}, "x": 1}}`,
		`{"skills": [{"id": "a", "tags": [1]}, "b", []]}`,
		`{"name": "!", "description": " \r\n x \n", "metadata": "{\"a2a-tags\": \"[1]\"}", "category": [["x"]]}`,
		`{"description": "x", "metadata": {"a2a": {"tags": ["x"]}, "tags": "[a, b]"}, "a2a-visibility": "z"}`,
	} {
		f.Add([]byte(seed))
	}
	for _, file := range fixture.Files(f, "testdata/workspaces/**/*.json") {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, _ := source.ParseJSON("f", data)
		if root == nil {
			return
		}
		check := func(kind string, skills []Skill) {
			for _, s := range skills {
				if s.ID == "" || s.Name == "" || s.Origin.File == "" || s.Description+s.Placeholder == "" {
					t.Errorf("%s makes %+v of %s", kind, s, data)
				}
				if d := s.Description; kind != "Card" && (d != strings.TrimSpace(d) || strings.Contains(d, "\r")) {
					t.Errorf("%s: description %q is not tidy", kind, d)
				}
			}
		}
		skills, _ := mcp(root, []string{"x"})
		check("MCP", skills)
		skills, _ = card(root)
		check("Card", skills)
		g := forge(root)
		check("Forge", g.Skills)
		if pack, _ := packManifest(root, "desk/helmdeck-pack.yaml"); pack != nil {
			latest, _ := latest([]Pack{*pack, *pack})
			check("PackManifest", latest)
		}
		packIndex(root)
		if skill, _ := fastAgent(root, "f"); skill != nil {
			check("FastAgent", []Skill{*skill})
		}
		if skill, found := agentSkill(root, file); skill != nil {
			check("SkillMD", []Skill{*skill})
		} else if len(found) == 0 {
			t.Error("left out without a word")
		}
		skill, _ := forgeSkill(root, file, forgeDrops(root, file, data, false), false)
		check("ForgeSkill", []Skill{*skill})
	})
}
