package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

func write(n *source.Node) []byte { return schema.Write(n) }

// Whatever a card holds, judging it ends, every finding points into it, and
// what the JSON Schema refuses is an error.
func FuzzCard(f *testing.F) {
	for _, pattern := range []string{"cards/*.json", "lint/*/*.json"} {
		names, err := filepath.Glob(filepath.Join(testdata, pattern))
		if err != nil {
			f.Fatal(err)
		}
		for i, name := range names {
			if i%fixture.Rounds(3, 1) != 0 {
				continue // TestFixtures holds its findings to the same
			}
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, _ := source.ParseJSON("card.json", data)
		checkFindings(t, root, lint.Card(root, lint.Options{}))
	})
}

// checkFindings holds the findings of a card to what is so for every card.
func checkFindings(t *testing.T, root *source.Node, found diag.List) {
	t.Helper()
	if root == nil {
		return
	}
	for _, d := range found {
		checkFinding(t, root, d)
	}
	if !slices.IsSortedFunc(found, diag.Diagnostic.Compare) {
		t.Error("the findings are not sorted")
	}
	p, known := lint.Version(root)
	if known && found.Worst() != diag.Error {
		for _, fault := range schema.ValidateCard(p, root) {
			if p == schema.V03 && (fault.Rule == diag.CardMemberEmpty || fault.Rule == diag.SkillTagsMissing) &&
				found.Worst() == diag.Warning {
				continue // the schema of A2A 0.3 allows it
			}
			t.Errorf("the schema refuses %s, and no finding is an error: %s", fault.Pointer, fault.Message)
		}
	}
}

func checkFinding(t *testing.T, root *source.Node, d diag.Diagnostic) {
	t.Helper()
	rule, err := lint.Find(d.Rule.String())
	if err != nil || d.Severity > rule.Severity || d.Severity == 0 {
		t.Errorf("no such rule, or too severe: %+v", d)
	}
	if d.Message == "" || strings.HasSuffix(d.Message, ".") || strings.ContainsFunc(d.Message+d.Hint, unicode.IsControl) {
		t.Errorf("not a good message: %q, %q", d.Message, d.Hint)
	}
	n, _ := root.Find(d.Pointer)
	if d.Span.Line > 0 && (n == nil || d.Span.Line < root.Span.Line || d.Span.Line > root.Span.EndLine) {
		t.Errorf("it points outside of the card: %+v", d)
	}
}
