package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/site"
	"cardwright/mapping"
)

// What a project consists of beside its sources: paths below any directory, as in
// [mapping.Format].
const (
	hookConfigs = `cardwright(\.[^/]+)?\.(ya?ml|json)|agents\.ya?ml|accepted\.ya?ml|` +
		`[^/]+\.schema\.json|[^/]+\.(pub|jwks?)\.json`
	hookCards = `agent([-_]card)?\.json|extended-agent-card\.json`
)

// hookPatterns are the files that each hook waits for.
func hookPatterns() map[string]string {
	inputs := []string{hookConfigs}
	var made []string
	for _, name := range site.Names() {
		made = append(made, regexp.QuoteMeta(name))
	}
	outputs := []string{
		`\.well-known/.+`, "(" + strings.Join(made, "|") + `)(\.etag|\.sha256)?`,
		`\.htaccess|_headers|[^/]+\.server/.+`,
	}
	for _, f := range mapping.Formats() {
		inputs = append(inputs, f.Files)
	}
	anywhere := func(alternatives ...string) string {
		return "(^|/)(" + strings.Join(alternatives, "|") + ")$"
	}
	return map[string]string{
		"cardwright-check":    anywhere(slices.Concat(inputs, outputs)...),
		"cardwright-generate": anywhere(inputs...),
		"cardwright-lint":     anywhere(hookCards),
	}
}

// The hooks wait for what the formats read and for what a run writes.
func TestHookPatterns(t *testing.T) {
	const name = "../.pre-commit-hooks.yaml"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := string(data)
	for id, pattern := range hookPatterns() {
		line := regexp.MustCompile(`(?m)(^- id: ` + id + `\n(?:  .*\n)*?  files: ).*$`)
		if !line.MatchString(want) {
			t.Fatalf("%s has no hook %s with files", name, id)
		}
		want = line.ReplaceAllStringFunc(want, func(hook string) string {
			return line.FindStringSubmatch(hook)[1] + "'" +
				pattern + "'"
		})
	}
	if want == string(data) {
		return
	}
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is out of date, run go test ./docs -update; it should be\n%s", name, want)
}
