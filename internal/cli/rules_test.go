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
			w, into := workdir{t, t.TempDir()}, "."
			if _, err := os.Stat(filepath.Join(tree, "cardwright.yaml")); err != nil {
				w.put("cardwright.yaml", standardProject)
				into = "skills"
			}
			w.must(os.CopyFS(filepath.Join(w.dir, into), os.DirFS(tree)))
			if found := w.rules(); slices.Contains(found, rule) != strings.HasPrefix(name, "bad") {
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
			config, skill := standardProject, standardSkill
			switch language {
			case "config":
				config += text + "\n"
			case "yaml":
				config = text
			default:
				skill = text
			}
			t.Run(r.ID.String()+"/"+verdict, func(t *testing.T) {
				w := workdir{t, t.TempDir()}
				w.put("cardwright.yaml", config)
				w.put("skills/explain/SKILL.md", skill)
				if found := w.rules(); slices.Contains(found, r.ID.String()) != (verdict == "Fails") {
					t.Errorf("found %v in\n%s", found, text)
				}
			})
		}
	}
}

// rules returns the rules that cardwright lint finds broken in the project of the directory.
func (w workdir) rules() (rules []string) {
	w.Helper()
	stdout, stderr, _ := w.run("-C", w.dir, "lint", "--format", "json")
	var result struct {
		Diagnostics []struct{ Rule string }
	}
	if err := json.Unmarshal([]byte(stdout), &result); err != nil {
		w.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	for _, d := range result.Diagnostics {
		rules = append(rules, d.Rule)
	}
	return rules
}

// What the example projects publish draws nothing above info, whoever lints it.
func TestExamplesAreGood(t *testing.T) {
	trees, err := filepath.Glob("../../golden/*/")
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range trees {
		if !strings.HasSuffix(tree, ".servers/") && !strings.HasSuffix(tree, ".gateway/") {
			workdir{T: t}.succeed("lint", "--fail-on", "warning", tree)
		}
	}
}
