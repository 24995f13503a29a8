package docs_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	pictureBegin = "<!-- Drawn from the imports by \"go test ./docs -update\". -->\n\n```\n"
	pictureEnd   = "```\n"
)

// The picture in architecture.md is that of the imports: what stands on a floor
// imports from the floors below it.
func TestPictureOfImports(t *testing.T) {
	page, err := os.ReadFile("internals/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), pictureBegin)
	_, after, ended := strings.Cut(rest, pictureEnd)
	if !found || !ended {
		t.Fatalf("architecture.md has no picture behind %q", pictureBegin)
	}
	own := productImports(t, "cardwright/")
	compare(t, "internals/architecture.md", before+pictureBegin+picture(t, own)+pictureEnd+after)
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !strings.Contains(before, name) {
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

// picture draws the packages, each above what it imports. Those at the bottom
// are used everywhere, and left out of the arrows.
func picture(t *testing.T, imports map[string][]string) string {
	t.Helper()
	floors := map[string]int{}
	var floor func(name string) int
	floor = func(name string) int {
		if floors[name] == 0 {
			height := 1
			for _, below := range imports[name] {
				height = max(height, floor(below)+1)
			}
			floors[name] = height
		}
		return floors[name]
	}
	top := 0
	for name := range imports {
		top = max(top, floor(name))
	}
	short := func(name string) string { return strings.TrimPrefix(name, "internal/") }
	var b strings.Builder
	for height := top; height > 0; height-- {
		var bottom []string
		for _, name := range slices.Sorted(maps.Keys(imports)) {
			var below []string
			for _, other := range imports[name] {
				if floors[other] > 1 {
					below = append(below, short(other))
				}
			}
			switch {
			case floors[name] != height:
			case height == 1:
				bottom = append(bottom, short(name))
			case len(below) == 0:
				fmt.Fprintf(&b, "%s\n", short(name))
			default:
				drawLine(&b, short(name), below)
			}
		}
		if height > 1 {
			b.WriteString("  ↓\n")
		} else {
			b.WriteString(strings.Join(bottom, "  ") + "\n")
		}
	}
	return b.String()
}

// drawLine draws the arrows of one package, on as many lines as they need.
func drawLine(b *strings.Builder, name string, below []string) {
	const width = 110
	line := fmt.Sprintf("%-12s →", name)
	for _, other := range below {
		if len(line)+len(other) > width {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", 14)
		}
		line += " " + other
	}
	b.WriteString(line + "\n")
}
