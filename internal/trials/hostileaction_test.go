package trials

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// embedded are the files of a bare repository in a directory of the project, whose
// configuration runs a command when git takes it for the repository.
const embedded = `mkdir -p objects refs/heads && touch objects/keep refs/heads/keep packed-refs shallow
echo 'ref: refs/heads/main' >HEAD
cat >config <<'END'
[core]
	bare = true
	fsmonitor = "touch @PWNED@"
	sshCommand = "touch @PWNED@"
	hooksPath = hooks
[remote "origin"]
	url = ext::sh -c "touch% @PWNED@;exit"
[protocol "ext"]
	allow = always
END
`

// hostileProposals change a repository as a pull request may, in the directory of its
// project.
var hostileProposals = []struct{ name, script string }{
	{"an honest one", ``},
	{"a repository in the working directory", embedded},
	{
		"the same with hooks",
		embedded + `mkdir hooks && printf '#!/bin/sh\ntouch @PWNED@\n' |
tee hooks/post-checkout >hooks/reference-transaction && chmod +x hooks/*`,
	},
	{"a repository around the project", `cd .. && ` + embedded},
	{"a repository that names another work tree", embedded + `printf '[core]\n\tworktree = /\n' >>config`},
	{
		"a repository that includes a file",
		embedded + `printf '[include]\n\tpath = ../evil.config\n' >>config
printf '[core]\n\tpager = touch @PWNED@\n' >../evil.config`,
	},
	{"a repository in a skill", `mkdir skills/evil && cd skills/evil && ` + embedded},
	{"a gitlink", `git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),agents/sub`},
	{
		"a submodule over ext",
		`printf '[submodule "x"]\n\tpath = agents/sub\n\turl = ext::sh -c "touch%% @PWNED@"\n' >../.gitmodules
git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),agents/sub`,
	},
	{
		"a submodule with an update command",
		`printf '[submodule "x"]\n\tpath = agents/sub\n\turl = ./x\n\tupdate = !touch @PWNED@\n' >../.gitmodules
git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),agents/sub`,
	},
	{
		"a submodule that leads outside",
		`printf '[submodule "../../x"]\n\tpath = agents/sub\n\turl = ./x\n' >../.gitmodules`,
	},
	{
		"a filter",
		`echo '* filter=evil' >../.gitattributes
printf '[filter "evil"]\n\tsmudge = touch @PWNED@\n\tclean = touch @PWNED@\n' >../.gitconfig`,
	},
	{"a filter of the home directory", `echo '* filter=lfs diff=evil' >.gitattributes`},
	{"line endings", `echo '*.md text eol=crlf' >../.gitattributes`},
	{"attributes of an archive", `printf '* export-ignore\n* export-subst ident\n' >../.gitattributes`},
	{"a difference driver", `printf '*.json diff=evil merge=union\n' >../.gitattributes`},
	{
		"a configuration at the top",
		`printf '[core]\n\tfsmonitor = touch @PWNED@\n[alias]\n\trev-parse = !touch @PWNED@\n' |
tee ../.gitconfig >.gitconfig`,
	},
	{
		"hooks at the top",
		`mkdir ../hooks ../.githooks; printf '#!/bin/sh\ntouch @PWNED@\n' |
tee ../hooks/post-checkout >../.githooks/post-checkout; chmod +x ../hooks/* ../.githooks/*`,
	},
	{
		"an LFS server",
		`printf '[lfs]\n\turl = ext::touch @PWNED@\n' >../.lfsconfig; echo '*.md filter=lfs' >../.gitattributes`,
	},
	{"a branch like an option", `git checkout -q -b 'x;touch$IFS@PWNED@'; git checkout -q -`},
	{"a branch like a command", `git update-ref 'refs/heads/$(touch$IFS@PWNED@)' HEAD`},
	{"tags like branches", `git tag origin; git tag refs/remotes/origin/main`},
	{
		"a replaced commit",
		`git replace HEAD~1 HEAD 2>/dev/null || git replace -f HEAD $(git commit-tree -m x HEAD^{tree})`,
	},
	{"a workflow command in a file name", `mkdir "skills/x
::error::PWNED" && cp skills/pay/SKILL.md "skills/x
::error::PWNED/SKILL.md"`},
	{"a workflow command as a file", `: >'::set-output name=breaking::false'`},
	{
		"an output in a description",
		`printf -- '---\nname: evil\n' >skills/pay/SKILL.md
printf 'description: "x\\n::set-output name=breaking::false\\nbreaking=false"\n---\n' >>skills/pay/SKILL.md`,
	},
	{"files like options", `: >--upload-pack=x; : >--output=x; : >-C`},
	{"a commit message", `git config user.name '::error::PWNED'`},
	{"links to outside", `ln -s /etc/passwd skills/passwd; ln -s / skills/root; ln -s .. skills/up`},
	{"links in a circle", `ln -s b skills/a; ln -s a skills/b`},
	{"ignored files", `echo '*' >../.gitignore`},
	{"variables of the job", `printf 'vars: {leak: "${DEPLOY:-none}", path: "${PATH:-none}"}\n' >>cardwright.yaml`},
}

// makeHub makes the repository on the server, in which main has a project with its cards.
const makeHub = `git init -q -b main hub && cd hub && git config uploadpack.allowAnySHA1InWant true
mkdir -p agents/skills/pay agents/skills/refund && cd agents
for s in pay refund; do
printf -- '---\nname: %s\ndescription: Does %s for customers of the shop.\n---\n' $s $s >skills/$s/SKILL.md
done
cat >cardwright.yaml <<'END'
version: 1
out: dist
baseUrl: https://acme.example
agents:
  - id: shop
    name: Shop
    description: Answers questions about orders and payments.
    version: 1.0.0
    interfaces: [{url: /a2a, binding: JSONRPC, versions: ["1.0"]}]
    skills: {from: [{type: skills, path: skills}]}
END
cardwright generate -q 2>/dev/null; cd .. && git add -A && git commit -q -m first &&
git commit -q --allow-empty -m second
`

// propose makes the pull request, and the merge commit that GitHub makes of it, and
// checks that out as actions/checkout does.
const propose = `cp -R "$HUB" hub && cd hub && git checkout -q -b pr && rm -r agents/skills/refund
(cd agents && cardwright generate -q 2>/dev/null; eval "$SCRIPT")
git add -A 2>/dev/null; git commit -q -m change && git checkout -q -f main && git clean -qfd &&
git merge -q --no-ff -m merge pr >/dev/null
git rev-parse HEAD >../sha; git rev-parse HEAD^1 >../base; cd ..
git init -q repo && cd repo && git remote add origin "file://$PWD/../hub" &&
git fetch -q --depth=1 origin main && git checkout -q --detach FETCH_HEAD
`

// Whatever a pull request proposes, the Action runs nothing of it, prints no secret of the
// job, and compares with the real base: the pull request removes a skill.
func TestActionWithHostileRepositories(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the bash there may be another")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	top := t.TempDir()
	shell(t, top, makeHub)
	events := []string{"pull_request", "merge_group", "push"}
	for i, proposal := range hostileProposals {
		for _, event := range events {
			if i > 3 && event != events[i%len(events)] {
				continue // each of the others is tried on one event
			}
			t.Run(proposal.name+" on "+event, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				pwned := filepath.Join(dir, "pwned")
				shell(t, dir, propose, "HUB="+filepath.Join(top, "hub"),
					"SCRIPT="+strings.ReplaceAll(proposal.script, "@PWNED@", pwned), "PWNED="+pwned)
				sha, base := lineOf(t, dir, "sha"), lineOf(t, dir, "base")
				if err := os.RemoveAll(pwned); err != nil { // the test itself runs git with less care
					t.Fatal(err)
				}
				outputs, code, log := runAction(t, filepath.Join(dir, "repo", "agents"), "CARDWRIGHT_COMMAND=diff",
					"GITHUB_WORKSPACE="+filepath.Join(dir, "repo"), "GITHUB_EVENT_NAME="+event, "GITHUB_SHA="+sha,
					"CARDWRIGHT_BASE="+base, "PWNED="+pwned, "DEPLOY=hunter2hunter2", "HOME="+filepath.Join(dir, "repo"),
					"GIT_DIR=/nowhere", "GITHUB_HEAD_REF=$(touch "+pwned+")", "GITHUB_BASE_REF=--upload-pack=touch "+pwned)
				if code != 1 || outputs["breaking"] != "true" {
					t.Errorf("exit code %d, breaking %s\n%s", code, outputs["breaking"], log)
				}
				if _, err := os.Stat(pwned); err == nil {
					t.Error("a command of the repository ran")
				}
				if strings.Contains(log+fmt.Sprint(outputs), "hunter2") {
					t.Errorf("a secret of the job is in the log:\n%s", log)
				}
			})
		}
	}
}

// A base that cannot be had is an error of the step.
func TestActionWithoutBase(t *testing.T) {
	top := t.TempDir()
	shell(t, top, makeHub+"cd .. && cp -R hub repo")
	repo := filepath.Join(top, "repo")
	for name, env := range map[string][]string{
		"an unknown commit": {"GITHUB_EVENT_NAME=merge_group", "CARDWRIGHT_BASE=" + strings.Repeat("a", 40)},
		"a new branch":      {"GITHUB_EVENT_NAME=push", "CARDWRIGHT_BASE=" + strings.Repeat("0", 40)},
		"no commit":         {"GITHUB_EVENT_NAME=pull_request", "CARDWRIGHT_BASE="},
		"an option":         {"GITHUB_EVENT_NAME=merge_group", "CARDWRIGHT_BASE=--output=x"},
		"no base":           {"GITHUB_EVENT_NAME=schedule"},
		"no repository":     {"GITHUB_EVENT_NAME=push", "GITHUB_WORKSPACE=" + filepath.Join(repo, "agents")},
	} {
		outputs, code, log := runAction(t, filepath.Join(repo, "agents"),
			append([]string{"CARDWRIGHT_COMMAND=diff", "GITHUB_WORKSPACE=" + repo}, env...)...)
		if code != 2 || outputs["breaking"] != "error" || !strings.Contains(log, "::error title=cardwright::") {
			t.Errorf("%s: exit code %d, breaking %s\n%s", name, code, outputs["breaking"], log)
		}
	}
}

// shell runs a script of a test in a directory.
func shell(t *testing.T, dir, script string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "set -e\n"+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@acme.example",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@acme.example",
	}, env...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func lineOf(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}
