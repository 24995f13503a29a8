package docs_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/files"
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

// A page shows every picture, and none is so large that a page loads slowly.
func TestPictures(t *testing.T) {
	const largest = 250_000 // bytes
	pictures, err := filepath.Glob("images/*/*.png")
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures: %v", len(pictures), err)
	}
	var text strings.Builder
	for _, page := range pages(t) {
		text.WriteString(page)
	}
	for _, name := range pictures {
		if !strings.Contains(text.String(), filepath.ToSlash(name)) {
			t.Errorf("no page shows %s", name)
		}
		if info, err := os.Stat(name); err != nil || info.Size() > largest {
			t.Errorf("%s has more than %d bytes: %v", name, largest, err)
		}
	}
}

// The threat model in SECURITY.md refers to every hostile project, and to none
// that is not there.
func TestHostileProjectsAreExplained(t *testing.T) {
	projects, err := filepath.Glob("../testdata/hostile/*.txtar")
	if err != nil || len(projects) == 0 {
		t.Fatalf("no hostile projects: %v", err)
	}
	var names []string
	for _, f := range projects {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	explained := map[string]bool{}
	for _, m := range regexp.MustCompile(
		"`(?:testdata/hostile/)?((?:bomb|card|config|device|extends|fifo|include|link|"+
			"manifest|name|path|publish|socket|text)-[a-z0-9-]*[*]?)`").FindAllStringSubmatch(read(t, "../SECURITY.md"), -1) {
		pattern, used := m[1], false
		for _, name := range names {
			if files.MatchPattern(pattern, name) {
				explained[name], used = true, true
			}
		}
		if _, err := lint.Find(pattern); !used && err != nil && pattern != "text-*" {
			t.Errorf("SECURITY.md refers to %s, and there is no such project", pattern)
		}
	}
	for _, name := range names {
		if !explained[name] {
			t.Errorf("SECURITY.md does not say what testdata/hostile/%s is about", name)
		}
	}
}

// Each line of the tables in SECURITY.md names what shows it: a hostile
// project, a test, a fuzz target or a script. All that the page names is there.
func TestSecurityTables(t *testing.T) {
	tests := testNames(t)
	quoted := regexp.MustCompile("`([^`]+)`")
	for page, want := range map[string]int{"../SECURITY.md": 30} {
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`").FindAllStringSubmatch(read(t, page), -1) {
			if !slices.Contains(tests, m[1]) {
				t.Errorf("%s names %s, and there is no such test", page, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`(testdata/[^`*]+)`").FindAllStringSubmatch(read(t, page), -1) {
			if _, err := os.Stat("../" + m[1]); err != nil {
				t.Errorf("%s names %s: %v", page, m[1], err)
			}
		}
		rows := regexp.MustCompile(`(?m)^\|(?: [^-].*)\| (.*) \|$`).FindAllStringSubmatch(read(t, page), -1)
		if len(rows) < want {
			t.Errorf("%s: %d lines, want all of the tables", page, len(rows))
		}
		for _, row := range rows {
			shown := row[1] == "shown by"
			for _, m := range quoted.FindAllStringSubmatch(row[1], -1) {
				shown = true
				name := m[1]
				projects, err := filepath.Glob("../testdata/hostile/" + name + ".txtar")
				_, missing := os.Stat("../" + name)
				if err != nil || len(projects) == 0 && missing != nil && !slices.Contains(tests, name) {
					t.Errorf("%s says that %s shows something, and there is no such test", page, name)
				}
			}
			if !shown {
				t.Errorf("%s does not say what shows this: %s", page, row[0])
			}
		}
	}
}

// testNames are the tests and fuzz targets of the project.
func testNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for name, file := range parsed(t) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && strings.HasSuffix(name, "_test.go") && testName.MatchString(f.Name.Name) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

var testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z]`)

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
