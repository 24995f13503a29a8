package docs_test

import (
	"io/fs"
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

// No file of an example, and none that is made of one, is missed.
func TestHooksMissNothing(t *testing.T) {
	patterns := hookPatterns()
	check := regexp.MustCompile(patterns["cardwright-check"])
	generate := regexp.MustCompile(patterns["cardwright-generate"])
	// Names that a configuration gives to its sources, which nothing else tells.
	named := map[string]bool{
		"agent-shaker/hello-card.json":       true,
		"mixed-sources/crew/race_officer.md": true,
	}
	walk := func(dir string, visit func(file string)) {
		err := fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				visit(file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	walk("../testdata/workspaces", func(file string) {
		if !named[file] && (!check.MatchString(file) || !generate.MatchString(file)) {
			t.Errorf("no hook waits for %s", file)
		}
	})
	walk("../golden", func(file string) {
		tree, rest, inside := strings.Cut(file, "/")
		if strings.HasSuffix(tree, ".servers") {
			rest = "dist.server/" + rest
		}
		if inside && !check.MatchString(rest) {
			t.Errorf("no hook waits for %s", rest)
		}
	})
	for _, file := range []string{
		"skill.md", "a/Skill.MD", "tools.json", "mcp/github-tools.json", "x/helmdeck-pack.yml", "a.helmdeck-pack.json",
		"forge.yaml",
		".fast-agent/agent-cards/a.md", "cardwright.yml", "cardwright.json", "cardwright.base.yaml", "teams/a/agents.yaml",
	} {
		if !generate.MatchString(file) {
			t.Errorf("no hook waits for %s", file)
		}
	}
	for _, file := range []string{
		"dist/index.html", "dist/.well-known/jwks.json", "dist/.well-known/ai-catalog.json.etag",
		"dist/a/.well-known/ard.json",
		"dist/.well-known/agent-skills/index.json", "dist/.htaccess", "dist.server/nginx/a2a-http.conf",
	} {
		if !check.MatchString(file) || generate.MatchString(file) {
			t.Errorf("%s is an output, which the check waits for and nothing else", file)
		}
	}
	for _, file := range []string{
		"README.md", "main.go", "package-lock.json", "my-agent.json", "docs/index.md", "my-skill.md",
		"forge.yaml.bak",
	} {
		if check.MatchString(file) {
			t.Errorf("hooks wait for %s, which is not ours", file)
		}
	}
}
