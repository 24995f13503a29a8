package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/lint"
)

// The tables of ADR 3 name every module in go.mod and no other.
func TestDependenciesAreJustified(t *testing.T) {
	required := firstGroups(t, "../go.mod", `(?m)^(?:require |\t)(\S+) v\S+`)
	justified := firstGroups(t, "adr/0003-dependencies.md", "(?m)^\\| `([^`]+)` \\|")
	if diff := cmp.Diff(required, justified); diff != "" {
		t.Errorf("modules (-go.mod +docs/adr/0003-dependencies.md):\n%s", diff)
	}
}

// The table of checks in docs/hosting.md names every rule of a check and no other.
func TestChecksAreDocumented(t *testing.T) {
	var rules, documented []string
	for _, r := range lint.Rules() {
		if name, ok := strings.CutPrefix(r.ID, "probe-"); ok {
			rules = append(rules, name)
		}
	}
	_, table, _ := strings.Cut(read(t, "hosting.md"), "| check | required | holds when |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(strings.SplitN(row, "|", 3)[1], -1) {
			documented = append(documented, name[1])
		}
	}
	slices.Sort(documented)
	if diff := cmp.Diff(rules, documented); diff != "" {
		t.Errorf("checks (-rules +docs/hosting.md):\n%s", diff)
	}
}

// firstGroups returns what the pattern's group matches in the file, sorted.
func firstGroups(t *testing.T, path, pattern string) []string {
	t.Helper()
	var found []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, path), -1) {
		found = append(found, match[1])
	}
	slices.Sort(found)
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
