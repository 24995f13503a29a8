package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
)

const root = "../../.."

// The JSON Schema and the page are those that follow from the structs.
func TestGenerated(t *testing.T) {
	made, err := generated(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not current, run go generate in internal/config (-want +got):\n%s", name, diff)
		}
	}
}

// Each key is documented, and something reads it: a field that fill sets is selected
// somewhere, any other key is looked up by its name.
func TestKeysAreRead(t *testing.T) {
	said, err := comments(root)
	if err != nil {
		t.Fatal(err)
	}
	fields, names := uses(t)
	for _, object := range config.Objects() {
		for k := range said.keys(object) {
			if k.text == "" {
				t.Errorf("the key %s of %s is not documented", k.name, object)
			}
			if !fields[k.Name] && !names[k.name] {
				t.Errorf("nothing reads the key %s of %s", k.name, object)
			}
		}
	}
}

// uses returns the names of the fields that code of the product selects, and its literal
// texts, by which it looks members up.
func uses(t *testing.T) (fields, names map[string]bool) {
	t.Helper()
	fields, names = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && slices.Contains([]string{"testdata", "gen", "conformance", "golden", ".git"}, e.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				fields[n.Sel.Name] = true
			case *ast.BasicLit:
				if value, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					names[value] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fields, names
}
