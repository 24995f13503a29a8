package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cardwright/internal/diag"
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
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, _ := source.ParseJSON("card.json", data, source.Limits{})
		found := lint.Card(root, lint.Options{})
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
		if p == lint.Older {
			p = schema.V03
		}
		if known && found.Worst() != diag.Error {
			for _, fault := range schema.ValidateCard(p, root) {
				t.Errorf("the schema refuses %s, and no finding is an error: %s", fault.Pointer, fault.Message)
			}
		}
	})
}

func checkFinding(t *testing.T, root *source.Node, d diag.Diagnostic) {
	t.Helper()
	rule, ok := lint.Find(d.Rule)
	if !ok || d.Severity > rule.Severity || d.Severity == 0 {
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

// desk returns a card with so many skills, and nothing to find in them.
func desk(skills int) []byte {
	var b strings.Builder
	b.WriteString(`{"name": "Invoice Desk", "description": "Explains invoices line by line and corrects wrong ones.", "version": "1.4.0",
"supportedInterfaces": [{"url": "https://agents.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
"provider": {"organization": "Acme Inc.", "url": "https://acme.example"}, "capabilities": {"streaming": true},
"securitySchemes": {"login": {"httpAuthSecurityScheme": {"scheme": "bearer"}}}, "securityRequirements": [{"schemes": {"login": {"list": []}}}],
"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain", "application/json"], "skills": [`)
	for i := range skills {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `
{"id": "explain-%06d", "name": "Explain form %d", "description": "Explains each field of form %d, where its value comes from and who may change it.",
 "tags": ["forms", "form-%d"], "examples": ["What does field 7 of form %d mean?", "Who can change form %d?"]}`, i, i, i, i, i, i)
	}
	b.WriteString("]}\n")
	return []byte(b.String())
}

func BenchmarkCard(b *testing.B) {
	for _, skills := range []int{10, 14000} {
		data := desk(skills)
		b.Run(fmt.Sprintf("%d-skills", skills), func(b *testing.B) {
			root, _ := source.ParseJSON("card.json", data, source.Limits{})
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				lint.Card(root, lint.Options{})
			}
		})
	}
}
