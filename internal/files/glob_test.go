package files

import (
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern   string
		match     []string
		different []string
	}{
		{"pdf", []string{"pdf"}, []string{"PDF", "pdf2", "a/pdf", ""}},
		{"*", []string{"", "pdf", "a-b"}, []string{"a/b"}},
		{"deploy-*", []string{"deploy-", "deploy-prod"}, []string{"deploy", "redeploy-x"}},
		{"*-test-*", []string{"a-test-b", "a-test-test-"}, []string{"a-test"}},
		{"?df", []string{"pdf", "ädf"}, []string{"df", "/df", "ppdf"}},
		{"[a-c]x", []string{"ax", "cx"}, []string{"dx", "x", "-x"}},
		{"[!a-c]x", []string{"dx", "éx"}, []string{"ax", "x"}},
		{"[^a]x", []string{"bx"}, []string{"ax"}},
		{"[a-]", []string{"a", "-"}, []string{"b"}},
		{`[\]]`, []string{"]"}, []string{`\`}},
		{`\*`, []string{"*"}, []string{"a"}},
		{"skills/*/SKILL.md", []string{"skills/pdf/SKILL.md"}, []string{"skills/SKILL.md", "skills/a/b/SKILL.md"}},
		{"**", []string{"", "a", "a/b/c"}, nil},
		{"**/drafts", []string{"drafts", "a/b/drafts"}, []string{"drafts/a", "mydrafts"}},
		{"a/**", []string{"a", "a/b", "a/b/c"}, []string{"ab", "b/a"}},
		{"a/**/z", []string{"a/z", "a/b/z", "a/z/z"}, []string{"a", "a/z/b"}},
		{"**/a/**/b", []string{"a/b", "x/a/y/a/b"}, []string{"b/a"}},
		{"a**b", []string{"ab", "axb"}, []string{"a/b"}},
		{"**/**/**", []string{"", "a", "a/b"}, nil},
		{"a****b***", []string{"ab", "axbx"}, []string{"a/b"}},
		{"a***", []string{"a", "ab"}, []string{"b"}},
		{"{a,b}", []string{"{a,b}"}, []string{"a", "b"}},
		{`\{[{]}`, []string{"{{}"}, []string{"{"}},
		{"a[!b]c", []string{"axc"}, []string{"abc"}},
		{"", []string{""}, []string{"a"}},
		{"[", nil, []string{"[", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.pattern, func(t *testing.T) {
			for _, name := range tt.match {
				if !MatchPattern(tt.pattern, name) {
					t.Errorf("does not match %q", name)
				}
			}
			for _, name := range tt.different {
				if MatchPattern(tt.pattern, name) {
					t.Errorf("matches %q", name)
				}
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, pattern := range []string{"skills/**/[a-z]*", "", "{", "}{", "a{b,c}", `\[`, `[\]]`, "[a-]", "**/**/**"} {
		if err := CheckPattern(pattern); err != nil {
			t.Errorf("%q: %v", pattern, err)
		}
	}
	for _, pattern := range []string{"[", "[]", "[!]", "a[b/c]", `a\`, `[\`, `[a-\`, `a\/b`} {
		if err := CheckPattern(pattern); err == nil {
			t.Errorf("%q is taken", pattern)
		}
	}
}

// FuzzMatch compares with path.Match where the two mean the same, and holds
// that a quoted name matches itself and nothing else.
func FuzzMatch(f *testing.F) {
	f.Add("deploy-*", "deploy-prod", "deploy")
	f.Add("skills/[a-z]?/SKILL.md", "skills/ab/SKILL.md", "skills/**")
	f.Add(strings.Repeat("*a", 100), strings.Repeat("a", 1000), "")
	f.Add(strings.Repeat("**/a/", 100), strings.Repeat("a/", 1000), "")
	f.Fuzz(func(t *testing.T, pattern, name, other string) {
		got := MatchPattern(pattern, name)
		if want, err := path.Match(pattern, name); err == nil && sameMeaning(pattern, name) && got != want {
			t.Errorf("Match(%q, %q) = %v", pattern, name, got)
		}
		if !utf8.ValidString(name) || !utf8.ValidString(other) {
			return
		}
		quoted := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
		if !MatchPattern(quoted, name) {
			t.Errorf("%q does not match itself", name)
		}
		if name != other && MatchPattern(quoted, other) {
			t.Errorf("%q matches %q", name, other)
		}
	})
}

// sameMeaning leaves out what path.Match reads in another way.
func sameMeaning(pattern, name string) bool {
	return CheckPattern(pattern) == nil && utf8.ValidString(pattern) && utf8.ValidString(name) &&
		!strings.Contains(pattern, "**") && !strings.Contains(pattern, "[")
}

func TestSet(t *testing.T) {
	s := NewPatternSet([]string{"a*", "abc", "[", "**", "abc", "x/*", `\*`})
	for name, want := range map[string][]int{"abc": {0, 1, 3, 4}, "x/y": {3, 5}, "*": {3, 6}, "a/b": {3}} {
		if got := s.Match(name); !slices.Equal(got, want) {
			t.Errorf("%q matches the patterns %v, want %v", name, got, want)
		}
	}
	if s.Full() {
		t.Error("a few patterns fill the set")
	}
}

func TestSetIsBounded(t *testing.T) {
	patterns := slices.Repeat([]string{"abc*"}, MaxWild/4+1)
	s := NewPatternSet(append(patterns, "abcd"))
	if got := s.Match("abcd"); !s.Full() || len(got) != len(patterns) || got[len(got)-1] != len(patterns) {
		t.Errorf("full: %t, %d patterns match", s.Full(), len(got))
	}
}
