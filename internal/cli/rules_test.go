package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/lint"
)

// standardProject is a project that is right, if its skills are.
const standardProject = `version: 1
baseUrl: https://agents.acme.example
agents:
  - id: invoice-desk
    name: Invoice Desk
    description: Explains invoices line by line and corrects wrong ones.
    version: 1.4.0
    interfaces: [{url: /a2a}]
    skills: {from: [{type: skills, path: skills}]}
`

const standardSkill = "---\nname: explain\n" +
	"description: Explains each line of an invoice and where it comes from.\n---\n"

// Every rule about sources and configurations that has fixtures is
// found in the bad ones and not in the good ones. A fixture without a
// configuration is the skills of the standard project.
func TestSourceFixtures(t *testing.T) {
	trees, err := filepath.Glob("../../testdata/lint/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range trees {
		rule, name := filepath.Base(filepath.Dir(tree)), filepath.Base(tree)
		if info, err := os.Stat(tree); err != nil || !info.IsDir() || rule == "card-name-duplicate" {
			continue
		}
		t.Run(rule+"/"+name, func(t *testing.T) {
			dir := t.TempDir()
			into := dir
			if _, err := os.Stat(filepath.Join(tree, "cardwright.yaml")); err != nil {
				write(t, dir, "cardwright.yaml", standardProject)
				into = filepath.Join(dir, "skills")
			}
			if err := os.CopyFS(into, os.DirFS(tree)); err != nil {
				t.Fatal(err)
			}
			found := lintRules(t, dir)
			if bad := strings.HasPrefix(name, "bad"); slices.Contains(found, rule) != bad {
				t.Errorf("found %v", found)
			}
		})
	}
}

// sourceExample is one line for the configuration of the standard project, or a whole file.
var sourceExample = regexp.MustCompile(
	"(?ms)^(Fails|Passes)(?: \\((config)\\): `([^\n]*)`|:\n\n```(markdown|yaml)\n(.*?)^```)$")

// The examples on the pages of those rules do what they say.
func TestSourceExamples(t *testing.T) {
	for _, r := range lint.Rules() {
		for _, m := range sourceExample.FindAllStringSubmatch(r.Page(), -1) {
			verdict, language, text := m[1], m[2]+m[4], m[3]+m[5]
			t.Run(r.ID.String()+"/"+verdict, func(t *testing.T) {
				dir := t.TempDir()
				switch language {
				case "config":
					write(t, dir, "cardwright.yaml", standardProject+text+"\n")
					write(t, dir, "skills/explain/SKILL.md", standardSkill)
				case "yaml":
					write(t, dir, "cardwright.yaml", text)
				default:
					write(t, dir, "cardwright.yaml", standardProject)
					write(t, dir, "skills/explain/SKILL.md", text)
				}
				found := lintRules(t, dir)
				if slices.Contains(found, r.ID.String()) != (verdict == "Fails") {
					t.Errorf("found %v in\n%s", found, text)
				}
			})
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// lintRules returns the rules that cardwright lint finds broken in a project.
func lintRules(t *testing.T, dir string) []string {
	t.Helper()
	var stdout, stderr strings.Builder
	Run([]string{"-C", dir, "lint", "--format", "json"},
		Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}, "test")
	var result struct {
		Diagnostics []struct{ Rule string }
	}
	if err := json.Unmarshal([]byte(stdout.String()), &result); err != nil {
		t.Fatalf("%v: %s%s", err, stdout.String(), stderr.String())
	}
	var rules []string
	for _, d := range result.Diagnostics {
		rules = append(rules, d.Rule)
	}
	return slices.Compact(rules)
}

// What the example projects publish draws nothing above info, whoever lints it.
func TestExamplesAreGood(t *testing.T) {
	cards, err := filepath.Glob("../../golden/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range cards {
		info, err := os.Stat(tree)
		if err != nil || !info.IsDir() || strings.HasSuffix(tree, ".servers") || strings.HasSuffix(tree, ".gateway") {
			continue
		}
		var out strings.Builder
		code := Run([]string{"lint", "--fail-on", "warning", tree}, Streams{
			In: strings.NewReader(""), Out: &out, Err: &out,
		}, "test")
		if code != 0 {
			t.Errorf("lint of %s ends with %d:\n%s", tree, code, &out)
		}
	}
}
