package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cardwright/schema"
)

// Names are folded as encoding/json folds them, with which clients in Go read cards.
func TestFoldName(t *testing.T) {
	for _, c := range []struct {
		name string
		same bool // as "skills"
	}{
		{"skills", true},
		{"SKILLS", true},
		{"\u017fkill\u017f", true},
		{"s\u212aills", true},
		{"skill", false},
		{"s_kills", false},
		{"\u0455kills", false}, // a Cyrillic letter
		{"\u00dfkills", false}, // equal to ss by full folding only
	} {
		var read struct{ Skills string }
		if err := json.Unmarshal([]byte(`{"`+c.name+`": "taken"}`), &read); err != nil {
			t.Fatal(err)
		}
		same := schema.FoldName(c.name) == schema.FoldName("skills")
		if same != c.same || same != strings.EqualFold(c.name, "skills") || same != (read.Skills == "taken") {
			t.Errorf("%q: folded %v, encoding/json %q", c.name, same, read.Skills)
		}
	}
}
