package docs_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/site"
	"cardwright/mapping"
)

// hookPatterns returns the files that each hook waits for: what the formats read, and what
// a run writes.
func hookPatterns() map[string]string {
	inputs := []string{
		`cardwright(\.[^/]+)?\.(ya?ml|json)`, `agents\.ya?ml`, `[^/]+\.schema\.json`, `[^/]+\.(pub|jwks?)\.json`,
	}
	for _, f := range mapping.Formats() {
		inputs = append(inputs, f.Files)
	}
	var made []string
	for _, name := range site.Names() {
		made = append(made, regexp.QuoteMeta(name))
	}
	outputs := []string{
		`\.well-known/.+`, "(" + strings.Join(made, "|") + `)(\.etag|\.sha256)?`, `\.htaccess|_headers|[^/]+\.server/.+`,
	}
	return map[string]string{
		"check":    strings.Join(slices.Concat(inputs, outputs), "|"),
		"generate": strings.Join(inputs, "|"),
		"lint":     `agent([-_]card)?\.json|extended-agent-card\.json`,
	}
}

// The patterns of the hooks follow from the formats. With -update they are rewritten.
func TestHookPatterns(t *testing.T) {
	const name = "../.pre-commit-hooks.yaml"
	want := read(t, name)
	for id, pattern := range hookPatterns() {
		line := regexp.MustCompile(`(?m)(^- id: cardwright-` + id + `\n(?:  .*\n)*?  files: ).*$`)
		if !line.MatchString(want) {
			t.Fatalf("%s has no hook %s with files", name, id)
		}
		want = line.ReplaceAllStringFunc(want, func(hook string) string {
			return line.FindStringSubmatch(hook)[1] + `'(^|/)(` + pattern + `)$'`
		})
	}
	compare(t, name, want)
}

// Each hook passes on cards that are up to date, and fails on others.
func TestPreCommitHooks(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Entry     string
		PassFilenames *bool `yaml:"pass_filenames"`
	}
	decode(t, read(t, "../.pre-commit-hooks.yaml"), &hooks)
	if len(hooks) != len(hookPatterns()) {
		t.Errorf("%d hooks", len(hooks))
	}
	dir := copyOf(t, "../testdata/workspaces/code-review")
	for _, want := range []int{1, 0} { // the second time, the hook before has made the cards
		for _, hook := range hooks {
			script := hook.Entry
			if hook.PassFilenames == nil {
				script += "\ncardwright lint dist/.well-known/agent-card.json"
			}
			if out, code := shell(t, dir, script); code != want && (want == 0 || hook.PassFilenames != nil) {
				t.Errorf("%s ends with %d, want %d\n%s", hook.ID, code, want, out)
			}
		}
	}
}

// The hook checks what the commit will have, and not the work tree.
func TestHookChecksTheCommit(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs("recipes/ci/check-commit.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := copyOf(t, "../testdata/workspaces/code-review")
	must(t, dir, `git init -q
printf '#!/bin/sh\nexec sh "`+script+`"\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit`)
	const edit = `edit() {
	sed -i.bak "s/$1/$2/" skills/write-tests/SKILL.md; rm skills/write-tests/*.bak
	cardwright generate -q
}
`
	for _, tt := range []struct {
		name, script string
		passes       bool
	}{
		{"all staged", "cardwright generate -q; git add -A; git commit -q -m first", true},
		{"cards that are not staged", "edit Writes Drafts; git add skills; git commit -q -m second", false},
		{"the rest", "git commit -q -a -m second", true},
		{"a part", "edit Drafts Writes; git commit -q -m third skills", false},
		{"skills that are not staged", "git checkout -q -- dist; rm -r skills; git commit -q --allow-empty -m third", true},
	} {
		out, code := shell(t, dir, edit+tt.script)
		if (code == 0) != tt.passes || !tt.passes && !strings.Contains(out, "agent-card.json") {
			t.Fatalf("%s: exit code %d\n%s", tt.name, code, out)
		}
	}
}
