package diag

import (
	"encoding/json"
	"testing"

	"gopkg.in/yaml.v3"
)

// What is escaped is read back as the character that it was.
func TestEscape(t *testing.T) {
	for _, r := range []rune{0, '\n', '"', 0x7f, 0xad, 0x202e, 0xfeff, 0xffff, 0x10000, 0x1f600, 0xe0041, 0x10ffff} {
		var fromJSON, fromYAML string
		if err := json.Unmarshal([]byte(`"`+EscapeJSON(r)+`"`), &fromJSON); err != nil || fromJSON != string(r) {
			t.Errorf("%U: JSON reads %q as %q, %v", r, EscapeJSON(r), fromJSON, err)
		}
		if err := yaml.Unmarshal([]byte(`"`+Escape(r)+`"`), &fromYAML); err != nil || fromYAML != string(r) {
			t.Errorf("%U: YAML reads %q as %q, %v", r, Escape(r), fromYAML, err)
		}
	}
}
