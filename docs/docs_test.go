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
)

// The tables of ADR 3 name every module in go.mod and no other.
func TestDependenciesAreJustified(t *testing.T) {
	required := firstGroups(t, "../go.mod", `(?m)^(?:require |\t)(\S+) v\S+`)
	justified := firstGroups(t, "adr/0003-dependencies.md", "(?m)^\\| `([^`]+)` \\|")
	if diff := cmp.Diff(required, justified); diff != "" {
		t.Errorf("modules (-go.mod +docs/adr/0003-dependencies.md):\n%s", diff)
	}
}

// Each line of the tables in SECURITY.md names what shows it: a hostile project, a test, a
// fuzz target or a script. All that the page names is there, and it names each hostile
// project.
func TestSecurityTables(t *testing.T) {
	tests := testNames(t)
	projects, err := filepath.Glob("../testdata/hostile/*.txtar")
	if err != nil || len(projects) == 0 {
		t.Fatalf("no hostile projects: %v", err)
	}
	quoted := firstGroups(t, "../SECURITY.md", "`([^`\n]+)`")
	for i, f := range projects {
		projects[i] = strings.TrimSuffix(filepath.Base(f), ".txtar")
		if !slices.ContainsFunc(quoted, func(name string) bool { return files.MatchPattern(name, projects[i]) }) {
			t.Errorf("SECURITY.md does not say what testdata/hostile/%s is about", projects[i])
		}
	}
	exists := func(name string) bool {
		_, missing := os.Stat("../" + name)
		return missing == nil || slices.Contains(tests, name) ||
			slices.ContainsFunc(projects, func(project string) bool { return files.MatchPattern(name, project) })
	}
	for _, name := range quoted {
		ours := testName.MatchString(name) || strings.HasPrefix(name, "testdata/") && !strings.Contains(name, "*")
		if ours && !exists(name) {
			t.Errorf("SECURITY.md names %s, which does not exist", name)
		}
	}
	rows := firstGroups(t, "../SECURITY.md", `(?m)^\|(?: [^-].*)\| (.*) \|$`)
	if len(rows) < 30 {
		t.Errorf("%d lines, want all of the tables", len(rows))
	}
	for _, row := range rows {
		shown := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row, -1)
		if len(shown) == 0 && row != "shown by" {
			t.Errorf("SECURITY.md does not say what shows this: %s", row)
		}
		for _, m := range shown {
			if !exists(m[1]) {
				t.Errorf("%s shows something in SECURITY.md, and there is no such test", m[1])
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

// The program is the same wherever it is built for someone.
func TestBuildOptions(t *testing.T) {
	for _, file := range []string{"../.goreleaser.yaml", "../.github/action/install.sh", "../Makefile"} {
		for _, option := range []string{"-trimpath", "urfave_cli_no_docs", "-s -w"} {
			if !strings.Contains(read(t, file), option) {
				t.Errorf("%s has no %s", file, option)
			}
		}
	}
}
