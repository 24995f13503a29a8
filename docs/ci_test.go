package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// blocks returns the code blocks of a page in a language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	return fenced(read(t, page), language)
}

// fenced returns the code blocks of a text in a language.
func fenced(text, language string) []string {
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// decode reads YAML into what v points at.
func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// The workflows give the Action inputs that it has, and read outputs that it has.
func TestWorkflowsFitTheAction(t *testing.T) {
	data, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct{ Inputs, Outputs map[string]any }
	decode(t, string(data), &action)
	outputs := regexp.MustCompile(`steps\.\w+\.outputs\.([\w-]+)`)
	used := 0
	for _, block := range blocks(t, "ci.md", "yaml") {
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]string
				}
			}
		}
		decode(t, block, &workflow)
		for _, job := range workflow.Jobs {
			for _, step := range job.Steps {
				if !strings.HasPrefix(step.Uses, "OWNER/cardwright@") {
					continue
				}
				used++
				for name := range step.With {
					if action.Inputs[name] == nil {
						t.Errorf("the Action has no input %q", name)
					}
				}
			}
		}
		for _, m := range outputs.FindAllStringSubmatch(block, -1) {
			if action.Outputs[m[1]] == nil {
				t.Errorf("the Action has no output %q", m[1])
			}
		}
	}
	if used == 0 {
		t.Error("no workflow uses the Action")
	}
}

// The GitLab job makes a report of the kind that GitLab reads, and ends as the
// program does.
func TestGitLabJob(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	var script []string
	for _, block := range blocks(t, "ci.md", "yaml") {
		if strings.HasPrefix(block, "agent card:") {
			var jobs map[string]struct{ Script []string }
			decode(t, block, &jobs)
			script = jobs["agent card"].Script
		}
	}
	dir := copyOf(t, "../testdata/workspaces/code-review")
	cmd := exec.Command("sh", "-ec", strings.Join(script, "\n"))
	cmd.Dir = dir
	cmd.Env = withProgram(t)
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("the job ends with %d\n%s", code, out)
	}
	report, err := os.ReadFile(filepath.Join(dir, "gl-code-quality.json"))
	if err != nil {
		t.Fatal(err)
	}
	var findings []struct {
		Description string
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal(report, &findings); err != nil || len(findings) == 0 {
		t.Fatalf("%v\n%s", err, report)
	}
	prints := map[string]bool{}
	for _, f := range findings {
		if f.Description == "" || f.CheckName == "" || f.Fingerprint == "" ||
			f.Location.Path == "" || f.Location.Lines.Begin < 1 ||
			!slices.Contains([]string{"info", "minor", "major"}, f.Severity) {
			t.Errorf("GitLab does not read %+v", f)
		}
		prints[f.Fingerprint] = true
	}
	if len(prints) != len(findings) {
		t.Errorf("%d findings have %d fingerprints", len(findings), len(prints))
	}
}

// Each hook passes on cards that are up to date, and the check fails on others.
func TestPreCommitHooks(t *testing.T) {
	data, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Entry, Files string
		PassFilenames    *bool `yaml:"pass_filenames"`
	}
	decode(t, string(data), &hooks)
	dir := copyOf(t, "../testdata/workspaces/code-review")
	env := withProgram(t)
	run := func(entry string, files ...string) int {
		cmd := exec.Command("sh", append([]string{"-c", entry + ` "$@"`, "sh"}, files...)...)
		cmd.Dir, cmd.Env = dir, env
		_ = cmd.Run() // the exit code says it
		return cmd.ProcessState.ExitCode()
	}
	if code := run("cardwright generate --check"); code != 1 {
		t.Fatalf("without cards the check ends with %d", code)
	}
	for _, hook := range hooks {
		if hook.ID == "cardwright-generate" {
			if code := run(hook.Entry); code != 1 {
				t.Errorf("%s makes new cards and ends with %d, so that the commit goes on without them", hook.ID, code)
			}
		}
	}
	for _, hook := range hooks {
		t.Run(hook.ID, func(t *testing.T) {
			if !strings.Contains(strings.Join(blocks(t, "ci.md", "yaml"), ""), "- id: cardwright-") {
				t.Error("the page shows no hook")
			}
			matches := regexp.MustCompile(hook.Files).MatchString
			if matches("README.md") || matches("my-agent.json") {
				t.Errorf("%s matches files that are not ours", hook.Files)
			}
			var files []string
			if hook.PassFilenames == nil {
				files = []string{"dist/.well-known/agent-card.json", "dist/.well-known/agent.json"}
				if !slices.ContainsFunc(files, matches) {
					t.Errorf("%s matches no card", hook.Files)
				}
			} else if !matches("skills/pdf/SKILL.md") || !matches("cardwright.yaml") {
				t.Errorf("%s matches no source", hook.Files)
			}
			if code := run(hook.Entry, files...); code != 0 {
				t.Errorf("it ends with %d", code)
			}
		})
	}
}

// withProgram returns an environment whose PATH begins with cardwright.
func withProgram(t *testing.T) []string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the shell there may be another")
	}
	return environment(build(t))
}
