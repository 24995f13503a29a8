package config_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

// docs are the comments of the structs, by package path and type, with a dot and the field
// behind that for fields.
type docs map[string]string

// module is the path of the module, which the paths of its packages begin with.
const module = "cardwright/"

// comments reads the doc comments of the packages that hold documented structs.
func comments(root string) (docs, error) {
	said := docs{}
	for _, dir := range []string{"internal/config", "mapping", "schema"} {
		names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return nil, fmt.Errorf("finding sources: %w", err)
		}
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				return nil, fmt.Errorf("reading comments: %w", err)
			}
			said.add(module+dir, file)
		}
	}
	return said, nil
}

func (d docs) add(pkg string, file *ast.File) {
	for _, decl := range file.Decls {
		types, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range types.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			object, ok := t.Type.(*ast.StructType)
			if !ok {
				continue
			}
			d[pkg+"."+t.Name.Name] = types.Doc.Text()
			for _, f := range object.Fields.List {
				for _, name := range f.Names {
					d[pkg+"."+t.Name.Name+"."+name.Name] = strings.Join(strings.Fields(f.Doc.Text()), " ")
				}
			}
		}
	}
}

// section matches a reference to the specification.
var section = regexp.MustCompile(` \([0-9.]+\)`)

// of returns the first paragraph about a type, without the name that it begins with, and the
// example behind it. What follows is for developers.
func (d docs) of(t reflect.Type) (text, example string) {
	text, rest, _ := strings.Cut(d[t.PkgPath()+"."+t.Name()], "\n\n")
	if code, _, _ := strings.Cut(rest, "\n\n"); strings.HasPrefix(code, "\t") {
		example = strings.TrimRight(strings.ReplaceAll(code[1:], "\n\t", "\n"), "\n")
	}
	text = section.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")
	for _, verb := range []string{" is ", " are "} {
		if rest, ok := strings.CutPrefix(text, t.Name()+verb); ok {
			text = strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	return text, example
}

// field returns the text of a key of an object, which may be embedded in it.
func (d docs) field(object reflect.Type, f reflect.StructField) string {
	if text, ok := d[object.PkgPath()+"."+object.Name()+"."+f.Name]; ok {
		return text
	}
	for inner := range object.Fields() {
		if (inner.Anonymous || strings.HasPrefix(inner.Tag.Get("key"), ".")) && inner.Type.Kind() == reflect.Struct {
			if text := d.field(inner.Type, f); text != "" {
				return text
			}
		}
	}
	return ""
}
