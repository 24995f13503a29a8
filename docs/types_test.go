package docs_test

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// mostMethods is how many methods a struct may have, with those that it embeds.
const mostMethods = 25

// larger is the struct that still has more.
const larger = "internal/config.loader"

// A struct embeds no struct of another package of ours, whose methods it would inherit,
// but for the values of diag and schema. What is embedded within a package counts.
func TestStructs(t *testing.T) {
	for dir, p := range structsOf(t) {
		for _, name := range slices.Sorted(maps.Keys(p.embeds)) {
			for _, e := range p.embeds[name] {
				pkg, _, foreign := strings.Cut(e, ".")
				if foreign && p.ours[pkg] && pkg != "diag" && pkg != "schema" && dir+"."+name != larger {
					t.Errorf("%s: %s embeds %s: make it a field with a name", dir, name, e)
				}
			}
			if n := p.count(name); n > mostMethods && dir+"."+name != larger {
				t.Errorf("%s: %s has %d methods, at most %d", dir, name, n, mostMethods)
			}
		}
	}
}

// structs are the types of a package.
type structs struct {
	ours    map[string]bool     // packages of ours, by the names that files import them under
	embeds  map[string][]string // by type: what it embeds, PACKAGE.TYPE for other packages
	methods map[string]int
}

// count returns the methods of a type, including methods of the types that it embeds.
func (s *structs) count(name string) int {
	n := s.methods[name]
	for _, e := range s.embeds[name] {
		n += s.count(e)
	}
	return n
}

// structsOf returns the types of each package, by its directory, tests aside.
func structsOf(t *testing.T) map[string]*structs {
	t.Helper()
	all := map[string]*structs{}
	for _, dir := range packages(t) {
		all[dir] = &structs{ours: map[string]bool{}, embeds: map[string][]string{}, methods: map[string]int{}}
	}
	for name, file := range parsed(t) {
		if s := all[path.Dir(name)]; s != nil && !strings.HasSuffix(name, "_test.go") {
			s.add(file)
		}
	}
	return all
}

// add reads the types of one file.
func (s *structs) add(file *ast.File) {
	for _, spec := range file.Imports {
		if p := strings.Trim(spec.Path.Value, `"`); strings.HasPrefix(p, "cardwright/") {
			s.ours[path.Base(p)] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				s.methods[typeName(n.Recv.List[0].Type)]++
			}
		case *ast.TypeSpec:
			st, ok := n.Type.(*ast.StructType)
			if !ok {
				return true
			}
			s.embeds[n.Name.Name] = nil
			for _, f := range st.Fields.List {
				if f.Names == nil {
					s.embeds[n.Name.Name] = append(s.embeds[n.Name.Name], typeName(f.Type))
				}
			}
		}
		return true
	})
}

// typeName is the name of a type without its stars and parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
