package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
)

// What --format json prints is what the schema "diagnostics" describes, member
// by member.
func TestJSONIsAsDescribed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "code-review")
	if err := os.CopyFS(dir, os.DirFS("../../testdata/workspaces/code-review")); err != nil {
		t.Fatal(err)
	}
	broken := `---
name: explain-twice
description: Explains.
tags: [a]
tags: [b]
---
`
	for name, text := range map[string]string{
		"skills/a/SKILL.md": broken, "skills/b/SKILL.md": broken,
		"card.json": `{"name": "x"}`, "good.json": minimalCard,
		"changed.json": strings.Replace(minimalCard, `"id":"c"`, `"id":"g"`, 1),
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	host := httptest.NewServer(http.NotFoundHandler())
	defer host.Close()

	run := func(args ...string) string {
		var out, err strings.Builder
		Run(append([]string{"-C", dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &err}, "test")
		return out.String()
	}
	run("key", "new")
	run("generate")
	run("sign", "good.json", "--key", "file:card-key.pem")
	tests := []struct {
		command []string
		has     []string // members that show that the case is worth something
	}{
		{[]string{"generate"}, []string{"cards"}},
		{[]string{"generate", "--check"}, []string{"cards", "diagnostics"}},
		{[]string{"generate", "--config", "card.json"}, []string{"diagnostics"}},
		{[]string{"lint"}, []string{"diagnostics"}},
		{[]string{"lint", "card.json"}, []string{"diagnostics"}},
		{[]string{"diff", "changed.json", "good.json"}, []string{"changes"}},
		{[]string{"probe", host.URL}, []string{"checks", "diagnostics"}},
	}
	text, _ := schema.Document("diagnostics")
	var described map[string]any
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.command, " "), func(t *testing.T) {
			printed := run(append(tt.command, "--format", "json")...)
			doc, found := source.ParseJSON("stdout", []byte(printed))
			if doc == nil || len(found) > 0 {
				t.Fatalf("%v\n%s", found, printed)
			}
			for _, f := range schema.Validate("diagnostics", doc) {
				t.Errorf("%s: %s", f.Pointer, f.Message)
			}
			undescribed(t, "", doc, described, described)
			for _, name := range tt.has {
				if list := doc.Get(name); list == nil || len(list.Items) == 0 {
					t.Errorf("there are no %s:\n%s", name, printed)
				}
			}
		})
	}
}

// undescribed reports the members of a value that a schema does not name.
func undescribed(t *testing.T, pointer string, n *source.Node, s, root map[string]any) {
	t.Helper()
	if ref, ok := s["$ref"].(string); ok {
		definitions, _ := root["definitions"].(map[string]any)
		s, _ = definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
	}
	properties, _ := s["properties"].(map[string]any)
	for _, m := range n.Members {
		at := source.Pointer(pointer, m.Key)
		if sub, ok := properties[m.Key].(map[string]any); ok {
			undescribed(t, at, m.Value, sub, root)
		} else {
			t.Errorf("the schema does not describe %s", at)
		}
	}
	items, _ := s["items"].(map[string]any)
	for _, item := range n.Items {
		undescribed(t, pointer+"/-", item, items, root)
	}
}
