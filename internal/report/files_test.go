package report_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diff"
	"cardwright/internal/report"
)

// What people read of the files that become public: the first of many, by skill where
// that says more, and with --all each of them.
func TestPublicFiles(t *testing.T) {
	some := func(n int) (files []string) {
		for i := range n {
			files = append(files, fmt.Sprintf("f%d", i))
		}
		return files
	}
	change := func(agent, skill string, added, removed []string) diff.Change {
		return diff.Change{Agent: agent, Skill: skill, Files: diff.Files{Added: added, Removed: removed}}
	}
	for name, tt := range map[string]struct {
		changes []diff.Change
		all     bool
		want    []string
	}{
		"none":    {nil, false, nil},
		"content": {[]diff.Change{change("a", "pdf", nil, nil)}, false, nil},
		"one":     {[]diff.Change{change("a", "pdf", some(1), nil)}, false, []string{"a: 1 file becomes public: pdf/f0"}},
		"gone": {
			[]diff.Change{change("a", "pdf", nil, some(1))},
			false,
			[]string{"a: 1 file is no longer public: pdf/f0"},
		},
		"of nobody": {[]diff.Change{change("", "pdf", some(1), nil)}, false, []string{"1 file becomes public: pdf/f0"}},
		"two skills": {
			[]diff.Change{change("a", "pdf", some(2), some(1)), change("a", "csv", some(1), nil)},
			false,
			[]string{"a: 3 files become public: csv/f0, pdf/f0, pdf/f1", "a: 1 file is no longer public: pdf/f0"},
		},
		"many": {
			[]diff.Change{change("a", "pdf", some(15), nil)},
			false,
			[]string{"a: 15 files become public: pdf/f0, pdf/f1, pdf/f2 and 12 more (--all shows them)"},
		},
		"many of two": {
			[]diff.Change{change("a", "pdf", some(6), nil), change("a", "csv", some(1), nil)},
			false,
			[]string{"a: 7 files become public: csv (1 file), pdf (6 files)"},
		},
		"all": {
			[]diff.Change{change("a", "pdf", some(6), nil), change("a", "csv", some(1), nil)},
			true,
			[]string{"a: 7 files become public: csv/f0, pdf/f0, pdf/f1, pdf/f2, pdf/f3, pdf/f4, pdf/f5"},
		},
		"agents": {
			[]diff.Change{change("b", "pdf", some(1), nil), change("a", "pdf", some(1), nil)},
			false,
			[]string{"a: 1 file becomes public: pdf/f0", "b: 1 file becomes public: pdf/f0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, report.PublicFiles(tt.changes, tt.all)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	var fleet []diff.Change
	for i := range 300 {
		fleet = append(fleet, change(fmt.Sprintf("agent-%d", i), "pdf", some(1), nil))
	}
	lines := report.PublicFiles(fleet, false)
	if len(lines) != 21 || lines[20] != "and 280 more (--all shows them)" {
		t.Errorf("a fleet takes %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if all := report.PublicFiles(fleet, true); len(all) != 300 {
		t.Errorf("with all: %d lines", len(all))
	}
}
