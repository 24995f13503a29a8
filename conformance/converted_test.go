package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The peers understand the 1.0 cards that convert makes of every dialect.
func TestConverted(t *testing.T) {
	all := converted(t)
	var bodies []json.RawMessage
	for _, c := range all {
		t.Run("a2a-go/"+c.path, func(t *testing.T) { checkA2AGo(t, c, parseDefault) })
		bodies = append(bodies, c.data)
	}
	answers := ask[answer](t, &readings, bodies...)
	for i, c := range all {
		t.Run("a2a-js/"+c.path, func(t *testing.T) {
			if answers[i].Error != "" {
				t.Fatal(answers[i].Error)
			}
			if diff := cmp.Diff(c.want(), answers[i].Reading.normal(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("reading (-want +got):\n%s", diff)
			}
		})
	}
}

// converted returns the cards in the tests of reading dialects.
func converted(t *testing.T) []card {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "internal", "convert", "testdata", "read", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var list []card
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, data, ok := strings.Cut(string(text), "-- 1.0.json --\n"); ok {
			list = append(list, newCard(t, file, []byte(data)))
		}
	}
	if len(list) == 0 {
		t.Fatal("no card below ../internal/convert/testdata/read")
	}
	return list
}
