package schema

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocument(t *testing.T) {
	want := []string{"config"}
	for _, v := range All.Versions() {
		want = append(want, "card-"+v.String())
	}
	want = append(want, "manifest", "diagnostics", "skill-schemas", "skill")
	if diff := cmp.Diff(want, Documents()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	ids := map[string]bool{}
	for _, name := range Documents() {
		text, ok := Document(name)
		var d struct {
			ID    string `json:"$id"`
			Draft string `json:"$schema"`
			Title string `json:"title"`
			Type  string `json:"type"`
		}
		if err := json.Unmarshal(text, &d); err != nil || !ok {
			t.Fatalf("%s: %v, found %t", name, err, ok)
		}
		// Relative until "make home" puts the address of the repository before it.
		if file := strings.TrimPrefix(path.Base(d.ID), "agent-"); file != name+".schema.json" || ids[d.ID] {
			t.Errorf("%s has the id %q", name, d.ID)
		}
		ids[d.ID] = true
		if d.Draft != "http://json-schema.org/draft-07/schema#" || d.Title == "" || d.Type != "object" {
			t.Errorf("%s has the head %+v", name, d)
		}
		if text[len(text)-1] != '\n' {
			t.Errorf("%s does not end with a line break", name)
		}
	}
	if _, ok := Document("config.schema.json"); ok {
		t.Error("a file name is taken for the name of a schema")
	}
}

// subschemas calls visit for a schema and for every schema in it.
func subschemas(path string, s map[string]any, visit func(path string, s map[string]any)) {
	visit(path, s)
	for keyword, v := range s {
		at := path + "/" + keyword
		switch keyword {
		case "properties", "patternProperties", "definitions":
			for name, sub := range asObject(v) {
				subschemas(at+"/"+name, asObject(sub), visit)
			}
		case "items", "additionalProperties", "if", "then", "else":
			if sub := asObject(v); sub != nil {
				subschemas(at, sub, visit)
			}
		case "allOf", "oneOf":
			branches, _ := v.([]any)
			for _, sub := range branches {
				subschemas(at, asObject(sub), visit)
			}
		}
	}
}

func asObject(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func parsed(t *testing.T, name string) map[string]any {
	t.Helper()
	text, _ := Document(name)
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// jsonschema passes over keywords that it does not know, so a slip
// in a schema would go unnoticed. It also gets the place of propertyNames
// wrong, and one fault below anyOf becomes many.
func TestSchemasUseWhatIsHandled(t *testing.T) {
	keywords := strings.Fields(`$schema $id $ref definitions title description default examples type enum const
		properties patternProperties additionalProperties required minProperties
		items minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum allOf oneOf if then else`)
	for _, name := range Documents() {
		subschemas("", parsed(t, name), func(path string, s map[string]any) {
			for keyword := range s {
				if !slices.Contains(keywords, keyword) {
					t.Errorf("%s%s: the keyword %q is not handled", name, path, keyword)
				}
			}
			if s["minimum"] != nil && s["type"] != "integer" {
				t.Errorf("%s%s: minimum without the type integer", name, path)
			}
			for _, keyword := range []string{"minLength", "minProperties"} {
				if n, ok := s[keyword]; ok && n != 1.0 {
					t.Errorf("%s%s: %s is %v, and only 1 is handled", name, path, keyword, n)
				}
			}
			branches, _ := s["oneOf"].([]any)
			for _, b := range branches {
				required, _ := asObject(b)["required"].([]any)
				if len(asObject(b)) != 1 || len(required) != 1 {
					t.Errorf("%s%s: a branch of oneOf does more than to require a member", name, path)
				}
			}
		})
	}
}

func TestSchemasDescribeEveryMember(t *testing.T) {
	for _, name := range Documents() {
		s := parsed(t, name)
		defs, top := asObject(s["definitions"]), asObject(s["properties"])
		subschemas("", s, func(path string, s map[string]any) {
			if strings.HasSuffix(path, "/if") {
				return
			}
			for member, v := range asObject(s["properties"]) {
				p := asObject(v)
				ref, _ := p["$ref"].(string)
				target := asObject(defs[strings.TrimPrefix(ref, "#/definitions/")])
				if name, of := strings.CutPrefix(ref, "#/properties/"); of {
					target = asObject(top[name])
				}
				if p["description"] == nil && target["description"] == nil {
					t.Errorf("%s%s: the member %q has no description", name, path, member)
				}
			}
		})
	}
}
