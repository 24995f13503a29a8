package docs_test

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The walks in architecture.md are true: each function leads to the next one or is led to
// by it, and there are as few files as these.
func TestWalks(t *testing.T) {
	bounds := map[string][2]int{"description": {16, 8}, "option": {5, 4}, "finding": {5, 4}, "error": {4, 3}}
	all := walks(t)
	for name, bound := range bounds {
		files, packages := map[string]bool{}, map[string]bool{}
		for i, s := range all[name] {
			files[s.file], packages[path.Dir(s.file)] = true, true
			own, declared := namesIn(t, s.file)[s.name]
			linked := i == 0
			for _, before := range all[name][:i] {
				linked = linked || own[before.name] || namesIn(t, before.file)[before.name][s.name]
			}
			if !declared || !linked {
				t.Errorf("%s: %s in %s: declared %t, led to %t", name, s.name, s.file, declared, linked)
			}
		}
		if n, m := len(files), len(packages); n == 0 || n > bound[0] || m > bound[1] ||
			!strings.Contains(read(t, "internals/architecture.md"), strconv.Itoa(n)+" files in "+strconv.Itoa(m)+" packages") {
			t.Errorf("%s: %d files in %d packages", name, n, m)
		}
	}
}

type step struct{ file, name string }

// walks reads the steps of the walks.
func walks(t *testing.T) map[string][]step {
	t.Helper()
	_, rest, _ := strings.Cut(read(t, "internals/architecture.md"), "## Walks")
	_, rest, _ = strings.Cut(rest, "```\n")
	text, _, _ := strings.Cut(rest, "```")
	head := regexp.MustCompile(`^(\w+):`)
	all := map[string][]step{}
	walk := ""
	for line := range strings.Lines(text) {
		if m := head.FindStringSubmatch(line); m != nil {
			walk = m[1]
			continue
		}
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			all[walk] = append(all[walk], step{fields[0], name})
		}
	}
	return all
}

// namesIn returns the names in each declaration of a file.
func namesIn(t *testing.T, file string) map[string]map[string]bool {
	t.Helper()
	tree := parsed(t)[file]
	if tree == nil {
		t.Fatalf("there is no %s", file)
	}
	all := map[string]map[string]bool{}
	add := func(name string, n ast.Node) {
		if all[name] == nil {
			all[name] = map[string]bool{}
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				all[name][id.Name] = true
			}
			return true
		})
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name.Name, d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok {
					add(ts.Name.Name, ts)
				}
			}
		}
	}
	return all
}

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
