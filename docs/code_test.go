package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/diag"
)

// code has the Go files of the repository by their paths, parsed once.
var code = sync.OnceValues(func() (map[string]*ast.File, error) {
	files := map[string]*ast.File{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case path.Ext(name) != ".go":
			return nil
		}
		files[name], err = parser.ParseFile(positions, "../"+name, nil, parser.ParseComments|parser.SkipObjectResolution)
		return err
	})
	return files, err
})

var positions = token.NewFileSet()

// at is where a node is, for a message.
func at(n ast.Node) token.Position { return positions.Position(n.Pos()) }

// parsed returns the Go files of the repository by their paths.
func parsed(t *testing.T) map[string]*ast.File {
	t.Helper()
	files, err := code()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Nothing decides by prose: no code compares, cuts or searches the message of a finding, and a
// rule is a constant of package diag.
func TestNothingDecidesByProse(t *testing.T) {
	for name, file := range parsed(t) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "internal/diag/") ||
			name == "schema/members.go" { // whose table is one of those that the constants are made from
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				compares := n.Op == token.EQL || n.Op == token.NEQ
				if compares && (isMessage(n.X) && !namesMessage(n.Y) || isMessage(n.Y) && !namesMessage(n.X)) {
					t.Errorf("%s compares a message: make the reason a field", at(n))
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && searches(f) && slices.ContainsFunc(n.Args, isMessage) {
					t.Errorf("%s calls %s on a message: make the reason a field", at(n), f.Sel.Name)
				}
			case *ast.BasicLit:
				text, _ := strconv.Unquote(n.Value)
				if id, ok := diag.ParseRuleID(text); ok && n.Kind == token.STRING && strings.Contains(text, "-") {
					t.Errorf("%s spells the rule %s: use the constant of package diag", at(n), id)
				}
			}
			return true
		})
	}
}

// A key of the configuration is read where code uses its field, or spells it.
func TestEveryKeyIsRead(t *testing.T) {
	used := map[string]bool{}
	for name, file := range parsed(t) {
		if !strings.HasSuffix(name, "_test.go") {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					used[n.Sel.Name] = true
				case *ast.BasicLit:
					used[strings.Trim(n.Value, `"`)] = true
				}
				return true
			})
		}
	}
	for _, object := range config.Objects() {
		for key, field := range config.Keys(object) {
			if !used[field.Name] && !used[key] {
				t.Errorf("nothing reads %s of %s", key, object)
			}
		}
	}
}

func isMessage(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Message"
}

// namesMessage reports whether an expression is a message of the protocol, such as
// schema.CardMessage, or a call.
func namesMessage(e ast.Expr) bool {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name != "Message" && strings.HasSuffix(s.Sel.Name, "Message")
	}
	_, call := e.(*ast.CallExpr)
	return call
}

// cutsText matches the functions of package strings that do so.
var cutsText = regexp.MustCompile("^(Contains|Count|Cut|EqualFold|Fields|Has|Index|LastIndex|Split|Trim)")

// searches reports whether a function takes a text apart.
func searches(f *ast.SelectorExpr) bool {
	if x, ok := f.X.(*ast.Ident); ok && x.Name == "strings" {
		return cutsText.MatchString(f.Sel.Name)
	}
	return strings.HasPrefix(f.Sel.Name, "Match") || strings.HasPrefix(f.Sel.Name, "Find")
}

// privateWords are those that a reader of comments does not know, and inversions that hide
// the subject of a sentence.
var privateWords = regexp.MustCompile(`(?i)\b(nobody|somebody|those of|that of|of which|tells|told|as it is|` +
	`sa(?:id|ys) of|what is \w+ of|veil(?:ed)?|underlay|stopgaps?|wishes|edition|` +
	`standing|promised|brought|spendMemory|house)\b`)

func TestCommentsInPlainEnglish(t *testing.T) {
	for _, file := range parsed(t) {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if word := privateWords.FindString(comment.Text); word != "" {
					t.Errorf("%s: %q in a comment: say who does what", at(comment), word)
				}
			}
		}
	}
}
