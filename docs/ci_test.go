package docs_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/internal/fixture"
)

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
	var action struct{ Inputs, Outputs map[string]any }
	decode(t, read(t, "../action.yml"), &action)
	outputs := regexp.MustCompile(`steps\.\w+\.outputs\.([\w-]+)`)
	used := 0
	for _, block := range fenced(read(t, "ci.md"), "yaml") {
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
		for _, m := range regexp.MustCompile(`(?s)\bsh (?:'''(.*?)'''|'([^']*)')`).FindAllStringSubmatch(text, -1) {
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
				scripts = append(scripts, strings.ReplaceAll(child.Value, "$$", "$")) // as Buildkite writes it
			case script && child.Kind == yaml.SequenceNode:
				var lines []string
				if err := child.Decode(&lines); err != nil { // with what stands under an alias
					t.Fatal(err)
				}
				scripts = append(scripts, strings.Join(lines, "\n"))
			default:
				walk(child)
			}
		}
	}
	walk(&root)
	return scripts
}

// recipes are the recipes for CI systems, with what a system sets for a pull request and
// with the reports that a recipe leaves.
var recipes = []struct{ name, env, reports string }{
	{"gitlab-ci.yml", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=", "cards.json diff.json diff.md"},
	{"azure-pipelines.yml", "SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main AGENT_TEMPDIRECTORY=.", "cards.md"},
	{"Jenkinsfile", "CHANGE_TARGET=main WORKSPACE_TMP=tmp", ""},
	{"circleci.yml", "BASH_ENV=env", ""},
	{"bitbucket-pipelines.yml", "BITBUCKET_PR_DESTINATION_BRANCH=main", ""},
	{"buildkite.yml", "BUILDKITE_PULL_REQUEST_BASE_BRANCH=main", "cards.md"},
}

// The recipes install the program, pass on a pull request that changes nothing for clients
// while the base goes on, and fail on one that breaks them or whose cards are out of date.
func TestCIRecipes(t *testing.T) {
	t.Parallel()
	hub := pullRequests(t)
	t.Run("the comment of GitLab", func(t *testing.T) { gitLabComment(t, hub) })
	for i, recipe := range recipes {
		if i%2 != 0 && !fixture.Long() {
			continue // .ci/run tries them all
		}
		t.Run(recipe.name, func(t *testing.T) {
			t.Parallel()
			branches := []string{"readme", "gone", "stale"}
			if !fixture.Long() {
				branches = branches[i/2%2 : i/2%2+1]
			}
			c := newCheckout(t, hub)
			for _, branch := range branches {
				c.check(recipe.name, branch, recipe.env)
				for file := range strings.FieldsSeq(recipe.reports) {
					if _, err := os.Stat(filepath.Join(c.dir, file)); err != nil {
						t.Errorf("%s: %v", branch, err)
					}
				}
			}
		})
	}
}

// check runs a recipe on a branch.
func (c checkout) check(recipe, branch, env string) {
	c.Helper()
	base, worst, printed := c.open(branch), 0, ""
	for _, script := range scriptsOf(c.T, recipe) {
		out, code := c.run(script, append(strings.Fields(env), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base)...)
		worst, printed = max(worst, code), printed+out
	}
	want := map[string]int{"gone": 1, "stale": 1}[branch]
	if removed := strings.Contains(printed, "skill-removed"); worst != want || removed != (branch == "gone") {
		c.Errorf("%s: the worst exit code is %d, want %d\n%s", branch, worst, want, printed)
	}
}

// gitLabComment tries that the GitLab job keeps one comment up to date.
func gitLabComment(t *testing.T, hub string) {
	t.Helper()
	t.Parallel()
	notes := `[{"id": 3, "body": "Looks good <!-- cardwright -->"}]`
	var called []string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("PRIVATE-TOKEN") != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodGet {
			if body := r.FormValue("body"); !strings.HasPrefix(body, "<!-- cardwright -->\n\n### cardwright diff: 1 breaking") {
				t.Errorf("the comment is %q", body)
			}
			called = append(called, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/api/projects/1/merge_requests/2/"))
			notes = `[{"id": 3, "body": "Hm"}, {"id": 4, "body": "<!-- cardwright -->\n"}]`
		}
		_, _ = io.WriteString(w, notes)
	}))
	defer api.Close()
	c := newCheckout(t, hub)
	scripts := scriptsOf(t, "gitlab-ci.yml")
	for range 2 {
		base := c.open("gone")
		if out, code := c.run(scripts[0]+"\n"+scripts[len(scripts)-1],
			"GITLAB_TOKEN=secret", "CI_API_V4_URL="+api.URL+"/api", "CI_PROJECT_ID=1", "CI_MERGE_REQUEST_IID=2",
			"CI_MERGE_REQUEST_TARGET_BRANCH_SHA="+base, "CI_MERGE_REQUEST_DIFF_BASE_SHA=none"); code != 1 {
			t.Fatalf("exit code %d\n%s", code, out)
		}
	}
	if want := []string{"POST notes", "PUT notes/4"}; !slices.Equal(called, want) {
		t.Errorf("the API was called as %q, want %q", called, want)
	}
}

// pullRequests makes a repository with branches whose base has gone on.
func pullRequests(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"tar", "sha256sum", "jq", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			fixture.Missing(t, tool)
		}
	}
	dir := copyOf(t, "../testdata/workspaces/code-review")
	must(t, dir, `
git init -q -b main
commit() { cardwright generate -q; git add -A; git commit -q -m "$1"; }
commit base
git checkout -q -b readme; echo more >README; commit readme
git checkout -q -b gone main; rm -r skills/write-tests; commit gone
git checkout -q -b stale main; rm -r dist; git add -A; git commit -q -m stale
git checkout -q main; cp -R skills/write-tests skills/run-tests
sed -i.bak s/write-tests/run-tests/ skills/run-tests/SKILL.md; rm skills/run-tests/*.bak; commit new`)
	return dir
}

// checkout is a clone in which the scripts of a CI system run.
type checkout struct {
	*testing.T
	dir, tools, sum string
}

// newCheckout clones a repository. The tools that it makes are the release, and programs
// that stand in for the network and the system.
func newCheckout(t *testing.T, hub string) checkout {
	t.Helper()
	c := checkout{T: t, dir: filepath.Join(t.TempDir(), "clone"), tools: t.TempDir()}
	c.sum = strings.TrimSpace(must(t, c.tools, `
git clone -q `+hub+` `+c.dir+`
mkdir release
printf '#!/bin/sh\nexec '$(command -v cardwright)' "$@"\n' >release/cardwright
printf '#!/bin/sh\n' >apk
printf '#!/bin/sh\ncat >/dev/null\n' >buildkite-agent
cat >curl <<EOF
#!/bin/sh
[ "\$1" = -fsSLo ] || exec $(command -v curl) "\$@"
case \$3 in */v1.2.3/cardwright_1.2.3_linux_amd64.tar.gz) cp $PWD/release.tar.gz "\$2" ;; *) exit 22 ;; esac
EOF
chmod +x release/cardwright apk buildkite-agent curl
tar -czf release.tar.gz -C release cardwright
sha256sum <release.tar.gz | cut -d ' ' -f 1`))
	return c
}

// open checks a branch out, and returns the commit where it left the base.
func (c checkout) open(branch string) string {
	c.Helper()
	script := `git clean -qfdx; git checkout -q ` + branch + `; git merge-base origin/main HEAD`
	return strings.TrimSpace(must(c.T, c.dir, script))
}

// run runs a script as a system does, with its own places for the program and the archive.
func (c checkout) run(script string, env ...string) (printed string, code int) {
	c.Helper()
	place := strings.NewReplacer("/usr/local/bin", c.tools, "/tmp/", c.tools+"/",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", c.sum)
	path := []string{c.tools, c.dir, filepath.Join(c.dir, "tmp"), filepath.Join(c.tools, "bin"), os.Getenv("PATH")}
	return shell(c.T, c.dir, place.Replace(script), append([]string{
		"PATH=" + strings.Join(path, ":"), "HOME=" + c.tools, "TMPDIR=" + c.tools, "VERSION=1.2.3", "SHA256=" + c.sum,
	}, env...)...)
}
