package discovery

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The readers that docs/skill-inputs.md shows find the same schemas on a card.
func TestSkillSchemasAreRead(t *testing.T) {
	t.Parallel()
	const golden = "../../golden/mcp-tools/.well-known/agent-card.json"
	card, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := SkillSchemas(card)
	if err != nil || len(schemas) != 4 || schemas["track_parcel"].OutputSchema == nil {
		t.Fatalf("%d skills have schemas, %v", len(schemas), err)
	}
	other := []byte(`{"capabilities": {"extensions": [{"uri": "urn:example:other"}]}}`)
	if none, err := SkillSchemas(other); none != nil || err != nil {
		t.Errorf("another extension has schemas: %v, %v", none, err)
	}
	abs, err := filepath.Abs(golden)
	if err != nil {
		t.Fatal(err)
	}
	var there map[string]Schemas
	printed := run(t, install(t), t.TempDir(), "skill-schemas-try.mjs", abs)
	if err := json.Unmarshal([]byte(printed), &there); err != nil {
		t.Fatal(err)
	}
	compact := cmp.Transformer("compact", func(raw json.RawMessage) (value any) {
		_ = json.Unmarshal(raw, &value) // nil for none
		return value
	})
	if diff := cmp.Diff(schemas, there, compact); diff != "" {
		t.Errorf("Go and JavaScript read other schemas (-go +js)\n%s", diff)
	}
}
