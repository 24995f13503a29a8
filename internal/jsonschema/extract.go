package jsonschema

import (
	"maps"
	"strings"

	"cardwright/internal/source"
)

// names returns the names of all members of a document, at any depth.
func names(doc *source.Node) map[string]bool {
	all := map[string]bool{}
	for n := range doc.All() {
		for _, m := range n.Fields() {
			all[m.Key] = true
		}
	}
	return all
}

// extract removes from a schema the properties of other names, which say nothing about a
// document without them, and the definitions that nothing refers to any more.
func extract(schema map[string]any, names map[string]bool) {
	definitions, _ := schema["definitions"].(map[string]any)
	kept := map[string]any{}
	schema["definitions"] = kept
	var visit func(any)
	visit = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				visit(item)
			}
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok {
				maps.DeleteFunc(properties, func(name string, _ any) bool { return !names[name] })
			}
			ref, _ := v["$ref"].(string)
			name := strings.TrimPrefix(ref, "#/definitions/")
			if _, done := kept[name]; ref != "" && !done {
				kept[name] = definitions[name]
				visit(kept[name])
			}
			for _, below := range v {
				visit(below)
			}
		}
	}
	visit(schema)
}
