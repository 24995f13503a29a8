package config_test

import (
	"io/fs"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
)

// Whatever a configuration says: every finding has text, a rule and a place, a
// second reading is the same, and a configuration without an error gives agents
// that each have an id of their own, fit for a path.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/workspaces/*/cardwright.yaml", "testdata/lint/config-*/*/cardwright.yaml"} {
		for _, data := range fixture.Files(f, pattern) {
			f.Add(data)
		}
	}
	f.Add([]byte("version: 1\nvars: {a: \"${a}\"}\n" +
		"agents: [{id: \"${a}${HOME}\", name: x, description: y, interfaces: [{url: \"${b:-z}\"}]}]\n"))
	f.Add([]byte("version: 1\ndefaults: {signing: [{key: x}]}\n" +
		"environments: {x: {agents: {a: {skills: {from: ../..}}}}}\nagents: {}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
		for _, environment := range []string{"", "x"} {
			o := config.Options{
				File: "cardwright.yaml", Environment: environment,
				Getenv: func(name string) (string, bool) { return "https://" + name + ".example", name == "HOME" },
			}
			c, found := config.Load(data, o)
			for _, d := range found {
				checkFault(t, lines, d)
			}
			again, foundAgain := config.Load(data, o)
			if diff := cmp.Diff(found, foundAgain); diff != "" {
				t.Errorf("two readings differ (-first +second):\n%s", diff)
			}
			if (c == nil) != (again == nil) || c == nil && found.Worst() != diag.Error {
				t.Error("no configuration, and nothing says why")
			}
			if c == nil || found.Worst() == diag.Error {
				continue
			}
			seen := map[string]bool{}
			for _, a := range c.Agents {
				if a.ID == "." || !fs.ValidPath(a.ID) || seen[a.ID] {
					t.Errorf("the id %q is taken or no path", a.ID)
				}
				seen[a.ID] = true
			}
		}
	})
}

func checkFault(t *testing.T, lines []string, d diag.Diagnostic) {
	t.Helper()
	if d.Rule.String() == "" || d.Message == "" || !utf8.ValidString(d.Message+d.Hint) ||
		strings.ContainsFunc(d.Message+d.Hint, unicode.IsControl) {
		t.Errorf("not a good finding: %+v", d)
	}
	if d.Span.File == "--env" && d.Span.Line == 0 {
		return
	}
	if d.Span.File != "cardwright.yaml" || d.Span.Line > len(lines) {
		t.Errorf("it points outside of the file: %+v", d)
	} else if d.Span.Line > 0 && d.Span.Column > utf8.RuneCountInString(lines[d.Span.Line-1])+1 {
		t.Errorf("it points outside of line %q: %+v", lines[d.Span.Line-1], d)
	}
}
