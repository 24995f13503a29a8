package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// architecture.md says what each package is for.
func TestPackagesAreExplained(t *testing.T) {
	page := read(t, "internals/architecture.md")
	for name := range productImports(t, "cardwright/") {
		if name != "main" && !strings.Contains(page, name) {
			t.Errorf("architecture.md does not say what %s is for", name)
		}
	}
}

// productImports returns what each package of the product imports below a path,
// tests and development tools aside.
func productImports(t *testing.T, below string) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		dir := path.Dir(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{
			".git", ".ci", "conformance", "docs", "golden", "testdata",
			"internal/synth", "internal/fixture",
		}, name):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(dir, "test"):
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if dir == "." {
			dir = "main"
		}
		for _, spec := range file.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			if name, ok := strings.CutPrefix(p, below); ok {
				imports[dir] = append(imports[dir], name)
			}
		}
		slices.Sort(imports[dir])
		imports[dir] = slices.Compact(imports[dir])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}
