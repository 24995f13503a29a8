package recipes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestGitHubPages(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".github/workflows/agent-cards.yml")
	write(t, path, read(t, "../../docs/recipes/pages/github-pages.yml"))
	cmd := exec.Command("go", "tool", "-modfile=.ci/tools/go.mod", "actionlint", "-shellcheck=", "-pyflakes=", path)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The arguments of the step make the tree that the next step uploads.
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]any
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, path)), &workflow); err != nil {
		t.Fatal(err)
	}
	site := project(t, "pages")
	for _, step := range workflow.Jobs["cards"].Steps {
		if strings.Contains(step.Uses, "/cardwright@") {
			args := strings.Fields(text(step.With["args"]))
			sh(t, site, strings.Join(append([]string{"cardwright", text(step.With["command"])}, args...), " "))
		}
		if strings.HasPrefix(step.Uses, "actions/upload-pages-artifact@") {
			uploaded := filepath.Join(site, text(step.With["path"]), ".well-known/agent-card.json")
			if _, err := os.Stat(uploaded); err != nil || step.With["include-hidden-files"] != true {
				t.Errorf("the card is not uploaded: %v, %v", err, step.With)
			}
		}
	}
}

// The commands of the job run as they stand in it.
func TestGitLabPages(t *testing.T) {
	site := project(t, "pages")
	var jobs map[string]struct {
		Stage, Image string
		Before       []string `json:"before_script"`
		Script       []string
		Artifacts    struct{ Paths []string }
		Rules        []map[string]string
	}
	if err := yaml.UnmarshalStrict([]byte(read(t, "../../docs/recipes/pages/gitlab-ci.yml")), &jobs); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sh(t, site, "cardwright generate") // the committed cards that the job checks
	job := jobs["pages"]
	for _, line := range append(job.Before, job.Script...) {
		sh(t, site, line, "CARDWRIGHT_SOURCE="+source, "PWD="+site)
	}
	if _, err := os.Stat(filepath.Join(site, job.Artifacts.Paths[0], ".well-known/agent-card.json")); err != nil {
		t.Error(err)
	}
}

// systemd finds nothing to complain about in the units, but that the server may
// not be installed here.
func TestSystemd(t *testing.T) {
	analyze := find(t, "systemd-analyze")
	find(t, "nginx")
	out, err := exec.Command(analyze, "verify", "../../docs/recipes/systemd/agent-cards.path",
		"../../docs/recipes/systemd/agent-cards.service").CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "agent-cards") {
			t.Errorf("%s", line)
		}
	}
	if len(out) == 0 && err != nil {
		t.Error(err)
	}
}

// text is a value of a workflow as a string.
func text(value any) string { return fmt.Sprint(value) }
