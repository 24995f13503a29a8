package docs_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// packages returns the directories of the product's packages, without packages of tests.
func packages(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("../internal")
	if err != nil {
		t.Fatal(err)
	}
	dirs := []string{"generate", "mapping", "schema"}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains([]string{"synth", "fixture", "trials"}, e.Name()) {
			dirs = append(dirs, path.Join("internal", e.Name()))
		}
	}
	return dirs
}

// architecture.md says what each package is for.
func TestPackagesAreExplained(t *testing.T) {
	page := read(t, "internals/architecture.md")
	for _, name := range packages(t) {
		if !strings.Contains(page, name) {
			t.Errorf("architecture.md does not say what %s is for", name)
		}
	}
}
