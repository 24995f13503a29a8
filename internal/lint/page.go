package lint

import "embed" // the pages

//go:embed doc/*.md
var pages embed.FS

// Page returns what there is to say about the rule, as Markdown: why it exists,
// a failing and a passing example, how to fix a finding, and its source.
func (r Rule) Page() string {
	text, _ := pages.ReadFile("doc/" + r.ID.String() + ".md") // a test demands one for every rule
	return string(text)
}

// Summary returns in one line how severe a finding of the rule is, and what it is
// about.
func (r Rule) Summary() string {
	s := r.Severity.String()
	if r.holds != 0 {
		s += ", cards of " + r.holds.Text()
	}
	if r.Fixed {
		s += ", cannot be switched off"
	}
	if r.Optional {
		s += ", off unless `rules` names it"
	}
	return s
}
