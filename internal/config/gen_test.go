package config_test

import (
	"flag"
	"fmt"
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

var update = flag.Bool("update", false, "write the JSON Schema and docs/config.md")

const root = "../.."

// The JSON Schema and the page are those that follow from the structs.
func TestGenerated(t *testing.T) {
	made, err := generated(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made {
		if *update {
			if err := os.WriteFile(filepath.Join(root, name), want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not current, run go test ./internal/config -update (-want +got):\n%s", name, diff)
		}
	}
}

// generated returns the files by their names below the root of the module.
func generated(root string) (map[string][]byte, error) {
	said, err := comments(root)
	if err != nil {
		return nil, err
	}
	head, err := os.ReadFile(filepath.Join(root, "docs/testdata/config-head.md"))
	if err != nil {
		return nil, fmt.Errorf("reading the beginning of the page: %w", err)
	}
	return map[string][]byte{
		"schema/config.schema.json": jsonSchema(said),
		"docs/config.md":            page(string(head), said),
	}, nil
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
		if e.IsDir() && slices.Contains([]string{"testdata", "conformance", "golden", ".git"}, e.Name()) {
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
