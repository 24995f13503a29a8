package docs_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/internal/fixture"
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

// scriptsOf returns what a system runs in a shell, as a recipe says, in its order. What
// stands under an alias is run where its anchor is.
func scriptsOf(t *testing.T, name string) (scripts []string) {
	t.Helper()
	text := read(t, "recipes/ci/"+name)
	if name == "Jenkinsfile" {
		for _, m := range regexp.MustCompile(`(?s)\bsh (?:\'\'\'(.*?)\'\'\'|\'([^\']*)\')`).FindAllStringSubmatch(text, -1) {
			scripts = append(scripts, m[1]+m[2])
		}
		return scripts
	}
	var root yaml.Node
	decode(t, text, &root)
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		for k, child := range n.Content {
			script := n.Kind == yaml.MappingNode && k%2 == 1 &&
				slices.Contains([]string{"before_script", "script", "command", "bash", "run"}, n.Content[k-1].Value)
			switch {
			case script && child.Kind == yaml.ScalarNode && child.Anchor == "":
				scripts = append(scripts, child.Value)
			case script && child.Kind == yaml.SequenceNode:
				var lines []string
				decodeNode(t, child, &lines)
				scripts = append(scripts, strings.Join(lines, "\n"))
			default:
				walk(child)
			}
		}
	}
	walk(&root)
	if name == "buildkite.yml" {
		scripts[0] = strings.ReplaceAll(scripts[0], "$$", "$")
	}
	return scripts
}

func decodeNode(t *testing.T, n *yaml.Node, v any) {
	t.Helper()
	if err := n.Decode(v); err != nil {
		t.Fatal(err)
	}
}

// The recipes for CI systems install the program, pass on a pull request that changes
// nothing for clients while the base goes on, and fail on one that breaks them or that
// has cards which are out of date.
func TestCIRecipes(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "git", "tar", "sha256sum", "jq", "curl"} {
		if _, err := exec.LookPath(tool); err != nil || runtime.GOOS == "windows" {
			t.Skip("the recipes need ", tool)
		}
	}
	hub := pullRequests(t)
	tests := []struct {
		recipe  string
		env     []string // of a pull request
		reports string   // "FILE FILE"
	}{
		{"gitlab-ci.yml", nil, "cards.json diff.json diff.md"},
		{
			"azure-pipelines.yml", []string{
				"SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main", "AGENT_TEMPDIRECTORY=.",
			}, "cards.md",
		},
		{"Jenkinsfile", []string{"CHANGE_TARGET=main", "WORKSPACE_TMP=tmp"}, ""},
		{"circleci.yml", []string{"BASH_ENV=env"}, ""},
		{
			"bitbucket-pipelines.yml",
			[]string{"BITBUCKET_PR_DESTINATION_BRANCH=main"},
			"",
		},
		{"buildkite.yml", []string{"BUILDKITE_PULL_REQUEST_BASE_BRANCH=main"}, "cards.md"},
	}
	for _, tt := range tests {
		t.Run(tt.recipe, func(t *testing.T) {
			t.Parallel()
			branches := []string{"readme", "gone", "stale"}
			if tt.recipe != "gitlab-ci.yml" {
				branches = branches[:fixture.Rounds(2, 3)]
			}
			for _, branch := range branches {
				c := newCheckout(t, hub, branch)
				base := c.git("merge-base", "origin/main", "HEAD")
				env := append([]string{"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + base, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA="}, tt.env...)
				failed := false
				for _, script := range scriptsOf(t, tt.recipe) {
					out, err := c.sh(script, env)
					if code, ok := errors.AsType[*exec.ExitError](err); ok && code.ExitCode() != 1 {
						t.Errorf("%s: %v\n%s", branch, err, out)
					}
					failed = failed || err != nil
				}
				if failed != (branch != "readme") {
					t.Errorf("on %s it fails: %v", branch, failed)
				}
				for file := range strings.FieldsSeq(tt.reports) {
					if _, err := os.Stat(filepath.Join(c.dir, file)); err != nil {
						t.Errorf("%s: %v", branch, err)
					}
				}
			}
		})
	}
}

// The GitLab job keeps one comment up to date.
func TestGitLabComment(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"git", "tar", "sha256sum", "jq", "curl"} {
		if _, err := exec.LookPath(tool); err != nil || runtime.GOOS == "windows" {
			t.Skip("the recipe needs ", tool)
		}
	}
	notes := `[{"id": 3, "body": "Looks good <!-- cardwright -->"}]`
	var called []string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("PRIVATE-TOKEN") != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodGet {
			body := r.FormValue("body")
			if !strings.HasPrefix(body, "<!-- cardwright -->\n\n### cardwright diff: 1 breaking") {
				t.Errorf("the comment is %q", body)
			}
			called = append(called, r.Method+" "+r.URL.Path)
			notes = `[{"id": 3, "body": "Hm"}, {"id": 4, "body": "<!-- cardwright -->\n"}]`
		}
		_, _ = io.WriteString(w, notes)
	}))
	defer api.Close()
	c := newCheckout(t, pullRequests(t), "gone")
	scripts := scriptsOf(t, "gitlab-ci.yml")
	if out, err := c.sh(scripts[0], nil); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range 2 {
		if err := os.RemoveAll(filepath.Join(filepath.Dir(c.dir), "base")); err != nil {
			t.Fatal(err)
		}
		c.git("worktree", "prune")
		out, err := c.sh(scripts[len(scripts)-1], []string{
			"GITLAB_TOKEN=secret", "CI_API_V4_URL=" + api.URL + "/api", "CI_PROJECT_ID=1", "CI_MERGE_REQUEST_IID=2",
			"CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + c.git("rev-parse", "origin/main"), "CI_MERGE_REQUEST_DIFF_BASE_SHA=none",
		})
		if code, ok := errors.AsType[*exec.ExitError](err); !ok || code.ExitCode() != 1 {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	const path = "/api/projects/1/merge_requests/2/notes"
	if want := []string{"POST " + path, "PUT " + path + "/4"}; !slices.Equal(called, want) {
		t.Errorf("the API was called as %q, want %q", called, want)
	}
}

// pullRequests makes a repository with branches whose base has gone on.
func pullRequests(t *testing.T) string {
	t.Helper()
	dir := copyOf(t, "../testdata/workspaces/code-review")
	script := `
git init -q -b main && git config user.name t && git config user.email t@acme.example
commit() { cardwright generate -q && git add -A && git commit -q -m "$1"; }
commit base
git checkout -q -b readme && echo more >README && commit readme
git checkout -q -b gone main && rm -r skills/write-tests && commit gone
git checkout -q -b stale main && rm -r dist && git add -A && git commit -q -m stale
git checkout -q main && cp -R skills/write-tests skills/run-tests &&
  sed -i.bak s/write-tests/run-tests/ skills/run-tests/SKILL.md && rm skills/run-tests/*.bak && commit new`
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = dir, withProgram(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// checkout is a clone in which the scripts of a CI system run.
type checkout struct {
	*testing.T
	dir, tools, sum string
}

func newCheckout(t *testing.T, hub, branch string) checkout {
	t.Helper()
	c := checkout{t, filepath.Join(t.TempDir(), "clone"), t.TempDir(), ""}
	clone := exec.Command("git", "clone", "-q", "-b", branch, hub, c.dir)
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bin := build(t)
	curl, _ := exec.LookPath("curl")
	// The release, and tools that stand in for the network and the system.
	for name, text := range map[string]string{
		"release/cardwright": "#!/bin/sh\nexec " + bin + " \"$@\"\n",
		"apk":                "#!/bin/sh\n",
		"buildkite-agent":    "#!/bin/sh\ncat >/dev/null\n",
		"curl": "#!/bin/sh\n[ \"$1\" = -fsSLo ] || exec " + curl + " \"$@\"\n" +
			"case $3 in */v1.2.3/cardwright_1.2.3_linux_amd64.tar.gz) cp " + c.tools + "/release.tar.gz \"$2\" ;;\n" +
			"*) exit 22 ;; esac\n",
	} {
		name = filepath.Join(c.tools, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tar := exec.Command("tar", "-czf", filepath.Join(c.tools, "release.tar.gz"), "-C", filepath.Join(c.tools, "release"),
		"cardwright")
	if out, err := tar.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	archive, err := os.ReadFile(filepath.Join(c.tools, "release.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	c.sum = fmt.Sprintf("%x", sha256.Sum256(archive))
	return c
}

func (c checkout) git(args ...string) string {
	c.Helper()
	out, err := exec.Command("git", append([]string{"-C", c.dir}, args...)...).Output()
	if err != nil {
		c.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// sh runs a script as a system does, with its own places for the program and the archive.
func (c checkout) sh(script string, env []string) (string, error) {
	place := strings.NewReplacer("/usr/local/bin", c.tools, "/tmp/", c.tools+"/",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", c.sum)
	cmd := exec.Command("bash", "-ec", place.Replace(script))
	cmd.Dir = c.dir
	cmd.Env = append([]string{
		"PATH=" + c.tools + ":" + c.dir + ":" + filepath.Join(c.dir, "tmp") + ":" + filepath.Join(c.tools, "bin") + ":" +
			os.Getenv("PATH"),
		"HOME=" + c.tools, "TMPDIR=" + c.tools, "VERSION=1.2.3", "SHA256=" + c.sum,
	}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
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

// The hook checks what the commit will have, and not the work tree.
func TestHookChecksTheCommit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	script, err := filepath.Abs("recipes/ci/check-commit.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := copyOf(t, "../testdata/workspaces/code-review")
	env := append(withProgram(t), "HOOK="+script)
	for _, tt := range []struct{ name, script, want string }{
		{"all staged", "cardwright generate -q; git add -A; git commit -q -m first", ""},
		{"cards that are not staged", `
			sed -i.bak s/Writes/Drafts/ skills/write-tests/SKILL.md; rm skills/write-tests/*.bak
			cardwright generate -q; git add skills; git commit -q -m second`, "agent-card.json"},
		{"the rest", "git commit -q -a -m second", ""},
		{"a part", `
			sed -i.bak s/Drafts/Writes/ skills/write-tests/SKILL.md; rm skills/write-tests/*.bak
			cardwright generate -q; git commit -q -m third skills`, "agent-card.json"},
		{"skills that are not staged", "git checkout -q -- dist; rm -r skills; git commit -q --allow-empty -m third", ""},
	} {
		cmd := exec.Command("sh", "-ec", "git config user.name t; git config user.email t@acme.example\n"+tt.script)
		if tt.name == "all staged" {
			cmd.Args[2] = "git init -q; printf '#!/bin/sh\nexec sh \"$HOOK\"\n' >.git/hooks/pre-commit\n" +
				"chmod +x .git/hooks/pre-commit\n" + cmd.Args[2]
		}
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if failed := err != nil; failed != (tt.want != "") || !strings.Contains(string(out), tt.want) {
			t.Fatalf("%s: %v\n%s", tt.name, err, out)
		}
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
