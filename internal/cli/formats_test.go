package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
)

// What --format json prints is what the schema "diagnostics" describes, member
// by member.
func TestJSONIsAsDescribed(t *testing.T) {
	w := copyOf(t, "testdata/workspaces/code-review")
	const broken = "---\nname: explain-twice\ndescription: Explains.\ntags: [a]\ntags: [b]\n---\n"
	w.put("skills/a/SKILL.md", broken)
	w.put("skills/b/SKILL.md", broken)
	w.put("card.json", `{"name": "x"}`)
	w.put("good.json", minimalCard)
	w.put("changed.json", strings.Replace(minimalCard, `"id":"c"`, `"id":"g"`, 1))
	host := httptest.NewServer(http.NotFoundHandler())
	defer host.Close()
	w.run("key", "new")
	w.run("generate")
	w.run("sign", "good.json", "--key", "file:card-key.pem")
	text, _ := schema.Document("diagnostics")
	var described map[string]any
	w.must(json.Unmarshal(text, &described))
	for command, has := range map[string]string{ // a member that shows that the case is worth something
		"generate":                       "cards",
		"generate --check":               "cards",
		"generate --config card.json":    "diagnostics",
		"lint":                           "diagnostics",
		"lint card.json":                 "diagnostics",
		"diff changed.json good.json":    "changes",
		"probe " + host.URL + "/nothing": "checks",
	} {
		printed, _, _ := w.run(append(strings.Fields(command), "--format", "json")...)
		doc, found := source.ParseJSON("stdout", []byte(printed))
		if doc == nil || len(found) > 0 {
			t.Errorf("%s: %v\n%s", command, found, printed)
			continue
		}
		for _, f := range schema.Validate("diagnostics", doc) {
			t.Errorf("%s: %s: %s", command, f.Pointer, f.Message)
		}
		undescribed(t, "", doc, described, described)
		if list := doc.Get(has); list == nil || len(list.Items) == 0 {
			t.Errorf("%s: there are no %s:\n%s", command, has, printed)
		}
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
