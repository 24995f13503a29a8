package lint_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// A large card is judged on several processors, and its findings do not depend on it.
func TestFindingsDoNotDependOnProcessors(t *testing.T) {
	var skills []string
	for i := range 500 {
		skills = append(skills, fmt.Sprintf(
			`{"id": "skill-%d", "name": "Skill", "description": "Does it.", "tags": ["a b", ""], "examples": ["hello"]}`,
			i%400))
	}
	text := `{"name": "Large", "version": "1", "supportedInterfaces": [{"url": "http://large.acme.example/a2a", ` +
		`"transport": "JSONRPC"}], "skills": [` + strings.Join(skills, ",") + `]}`
	card, found := source.ParseJSON("card.json", []byte(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := lint.Card(card, lint.Options{})
	runtime.GOMAXPROCS(8)
	for range 3 {
		if diff := cmp.Diff(want, lint.Card(card, lint.Options{})); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(want) < 1000 {
		t.Errorf("only %d findings", len(want))
	}
}
