package jsonschema_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

// The validator passes over formats that it does not know, so a slip in a document
// would go unnoticed. None is known in vain.
func TestFormatsAreUsed(t *testing.T) {
	used := map[string]bool{"regex": true} // by metaschemas
	for _, name := range schema.Documents() {
		text, _ := schema.Document(name)
		root, _ := source.ParseJSON(name, text)
		formatsIn(root, used)
	}
	if diff := cmp.Diff(jsonschema.FormatNames(), slices.Sorted(maps.Keys(used))); diff != "" {
		t.Errorf("(-known +used)\n%s", diff)
	}
}

func formatsIn(n *source.Node, used map[string]bool) {
	for _, m := range n.Members {
		if m.Key == "format" && m.Value.Is(source.String) {
			used[m.Value.Text] = true
		}
		formatsIn(m.Value, used)
	}
	for _, item := range n.Items {
		formatsIn(item, used)
	}
}
