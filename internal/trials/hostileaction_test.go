package trials

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// embedded begins the files of a repository in a directory of the project. Its
// configuration follows.
const embedded = `mkdir -p objects/info refs/heads && touch objects/keep refs/heads/keep packed-refs
echo 'ref: refs/heads/main' >HEAD; cat >config <<'END'
[core]
	repositoryFormatVersion = 0
`

// hostile is a change that a pull request proposes, in the directory of its project.
type hostile struct {
	name   string
	event  string // "" for a pull request
	script string // makes the change, before it is committed
	// bait does in the checkout what a step without care might do, and creates the file
	// $PWNED where that runs a command of the pull request, leaks something, or hides it.
	bait string
}

var hostileProposals = []hostile{
	{
		"the remote of a repository in the working directory", "",
		embedded + "\tbare = true\n[remote \"origin\"]\n\turl = ext::sh -c \"touch% @PWNED@;exit\"\n" +
			"[protocol \"ext\"]\n\tallow = always\nEND\n",
		`git fetch -q`,
	},
	{
		"a repository in the working directory on another commit", "push",
		embedded + "\tbare = true\nEND\necho ../../../.git/objects >objects/info/alternates; git rev-parse main >HEAD\n",
		`[ "$(git rev-parse HEAD)" = $BASE ] && touch $PWNED`,
	},
	{
		"the hooks of a repository in the working directory", "",
		embedded + "\tbare = true\n\thooksPath = hooks\nEND\nmkdir hooks && printf '#!/bin/sh\\ntouch @PWNED@\\n' " +
			">hooks/reference-transaction && chmod +x hooks/*\n",
		`git update-ref refs/x/y "$(git hash-object -w --stdin </dev/null)"`,
	},
	{
		"a gitlink without a submodule", "",
		`mkdir "$TOP/agents/sub"; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),agents/sub`,
		`git submodule update --init || touch $PWNED`,
	},
	{
		"a gitlink in the place of the sources", "merge_group",
		`rm -r skills/pay; git add -A; mkdir skills/pay
git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),agents/shop/skills/pay`,
		`git submodule status || touch $PWNED`,
	},
	{
		"a clean filter", "push",
		`echo '* filter=evil' >.gitattributes
printf '[filter "evil"]\n\tclean = touch @PWNED@\n' >"$TOP/.gitconfig"`,
		`echo >>skills/pay/SKILL.md; git add skills/pay/SKILL.md`,
	},
	{
		"a filter process", "merge_group",
		`echo '* filter=evil' >.gitattributes
printf '[filter "evil"]\n\tprocess = touch @PWNED@;false\n' >"$TOP/.gitconfig"`,
		`rm skills/pay/SKILL.md; git checkout -- .`,
	},
	{
		"an LFS server, with the filter that a checkout with lfs has", "",
		`echo '* filter=lfs' >.gitattributes; printf '[lfs]\n\turl = touch @PWNED@\n' >"$TOP/.lfsconfig"`,
		`rm skills/pay/SKILL.md; git checkout -- .`,
	},
	{
		"attributes that change the lines", "push",
		`echo '*.md text eol=crlf' >"$TOP/.gitattributes"`,
		`rm skills/pay/SKILL.md; git checkout -- .; grep -q "$(printf '\r')" skills/pay/SKILL.md && touch $PWNED`,
	},
	{
		"hooks that the home directory names", "",
		`printf '[core]\n\thooksPath = %s/.githooks\n' '@TOP@' >"$TOP/.gitconfig"; mkdir "$TOP/.githooks"
printf '#!/bin/sh\ntouch @PWNED@\n' >"$TOP/.githooks/post-checkout"; chmod +x "$TOP"/.githooks/*`,
		`git checkout -q -f HEAD`,
	},
	{"a branch like an option", "", "", `git fetch -q origin "$GITHUB_BASE_REF"`},
	{
		"a tag like the default branch", "",
		`git tag main HEAD^; git tag origin/main HEAD^`,
		`git fetch -q --depth=1 origin main; [ "$(git rev-parse FETCH_HEAD)" != $SHA ] && touch $PWNED`,
	},
	{
		"a commit in the place of the base", "merge_group",
		`git replace HEAD $(git commit-tree -m x HEAD:)`,
		`git fetch -q origin 'refs/replace/*:refs/replace/*'; git fetch -q --depth=1 origin $BASE
git log -1 --format=%s $BASE | grep -qx x && touch $PWNED`,
	},
	{
		"a command for the log in the name of a file", "",
		"mkdir 'skills/x\n::error::PWNED' && cp skills/pay/SKILL.md 'skills/x\n::error::PWNED/SKILL.md'\n",
		`find skills | grep -q '^::error::PWNED' && touch $PWNED`,
	},
	{
		"an output in a description", "",
		`printf -- '---\nname: pay\ndescription: |\n  x\n\n  ::error::PWNED\n\n  breaking=false\n---\n' >skills/pay/SKILL.md`,
		`sed 's/^ *//' skills/pay/SKILL.md >output; grep -qx breaking=false output && touch $PWNED`,
	},
	{
		"files like options", "",
		`: >--output=pwned; : >--upload-pack=x; : >-C`,
		`echo >>cardwright.yaml; git diff -C --output=pwned cardwright.yaml; git diff *; [ -e pwned ] && touch $PWNED`,
	},
	{
		"links to other files of the machine", "",
		`ln -s /etc/passwd skills/passwd; ln -s / skills/root; ln -s .. skills/up`,
		`grep -q root: skills/passwd && touch $PWNED`,
	},
	{
		"variables of the job", "",
		`printf 'vars: {leak: "${DEPLOY:-none}", home: "${HOME:-none}", path: "${PATH:-none}"}\n' >>cardwright.yaml
sed -i.bak 's/^    name: Shop/    name: "Shop ${leak} ${home} ${path}"/' cardwright.yaml; rm *.bak`,
		`cardwright generate -q --out out; grep -rq hunter2 out && touch $PWNED`,
	},
}

// makeHub makes the repository on the server, in which main has a project with its cards.
const makeHub = `git init -q -b main hub && cd hub
git config uploadpack.allowAnySHA1InWant true; git config uploadpack.allowFilter true
mkdir -p agents/shop/skills/pay agents/shop/skills/refund lfs && cd agents/shop
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
cardwright generate -q 2>/dev/null; cd ../../lfs && echo 'x filter=lfs' >.gitattributes && echo x >x && cd .. &&
git add -A && git commit -q -m first && git commit -q --allow-empty -m second
`

// propose makes the pull request, which removes a skill, and the merge commit that GitHub
// makes of it, and checks that out as actions/checkout does. LFS is a program of the
// runner that asks the server which .lfsconfig names.
const propose = `cp -R "$HUB" hub && cd hub && git checkout -q -b pr && rm -r agents/shop/skills/refund
TOP=$PWD; (cd agents/shop && cardwright generate -q 2>/dev/null; eval "$SCRIPT")
git add -A 2>/dev/null; git commit -q -m change && git checkout -q -f main && git clean -qfdx &&
git merge -q --no-ff -m merge pr >/dev/null
git rev-parse HEAD >../sha; git rev-parse HEAD^1 >../base; cd ..
git init -q repo && cd repo && git remote add origin "file://$PWD/../hub" &&
git fetch -q --depth=1 origin refs/heads/main && git checkout -q --detach FETCH_HEAD
git config filter.lfs.smudge 'sh -c "$(git config -f .lfsconfig lfs.url)"; cat' && git config filter.lfs.clean cat
`

// Whatever a pull request proposes, the Action runs nothing of it, prints no secret of the
// job, and compares with the real base. That each of the proposals does harm to a step
// without care is tried first.
func TestActionWithHostileRepositories(t *testing.T) {
	t.Parallel()
	needsGit(t)
	hub := t.TempDir()
	shell(t, hub, makeHub)
	for i, proposal := range hostileProposals {
		if i%8 != 0 && !fixture.Long() {
			continue // .ci/run tries them all
		}
		t.Run(proposal.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			repo, pwned := filepath.Join(dir, "repo"), filepath.Join(dir, "pwned")
			fill := strings.NewReplacer("@PWNED@", pwned, "@TOP@", repo).Replace
			shell(t, dir, propose, "HUB="+filepath.Join(hub, "hub"), "SCRIPT="+fill(proposal.script))
			sha, base := lineOf(t, dir, "sha"), lineOf(t, dir, "base")
			event := proposal.event
			if event == "" {
				event = "pull_request"
			}
			job := []string{
				"GITHUB_WORKSPACE=" + repo, "GITHUB_EVENT_NAME=" + event, "GITHUB_SHA=" + sha, "HOME=" + repo,
				"GITHUB_HEAD_REF=x;touch$IFS" + pwned, "GITHUB_BASE_REF=--upload-pack=touch " + pwned + ";git-upload-pack",
				"DEPLOY=hunter2hunter2",
			}
			if err := os.RemoveAll(pwned); err != nil {
				t.Fatal(err)
			}
			careless := slices.Concat(job, []string{
				"GIT_CONFIG_GLOBAL=" + filepath.Join(repo, ".gitconfig"),
				"PWNED=" + pwned, "BASE=" + base, "SHA=" + sha, "TOP=" + repo,
			})
			shell(t, dir, "cp -R repo real; (cd repo/agents/shop; set +e\n"+proposal.bait+
				"\n) >bait.log 2>&1 || true; rm -rf repo; mv real repo", careless...)
			if _, err := os.Stat(pwned); err != nil {
				t.Errorf("the proposal does no harm to a step without care:\n%s", lineOf(t, dir, "bait.log"))
			}
			if err := os.RemoveAll(pwned); err != nil {
				t.Fatal(err)
			}
			outputs, code, log := runAction(t, filepath.Join(repo, "agents", "shop"),
				append(job, "CARDWRIGHT_COMMAND=diff", "CARDWRIGHT_BASE="+base, "GIT_DIR=/nowhere",
					"GIT_OBJECT_DIRECTORY=/nowhere")...)
			if code != 1 || outputs["breaking"] != "true" || !strings.Contains(log, "[skill-removed]") {
				t.Errorf("exit code %d, breaking %s\n%s", code, outputs["breaking"], log)
			}
			if _, err := os.Stat(pwned); err == nil {
				t.Error("a command of the repository ran")
			}
			if strings.Contains(log+fmt.Sprint(outputs), "hunter2") {
				t.Errorf("a secret of the job is in the log:\n%s", log)
			}
			for line := range strings.SplitSeq(unstopped.ReplaceAllString(log, ""), "\n") {
				if strings.HasPrefix(line, "::") && !annotation.MatchString(line) {
					t.Errorf("the runner would obey %q", line)
				}
			}
		})
	}
}

var (
	unstopped  = regexp.MustCompile(`(?s)::stop-commands::([0-9a-f]{32})\n.*?\n::[0-9a-f]{32}::\n`)
	annotation = regexp.MustCompile(`^::(error|warning|notice) file=[^:]*,title=[a-z-]+::`)
)

// needsGit skips a test where git is missing, or the bash may be another.
func needsGit(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the bash there may be another")
	}
	if _, err := exec.LookPath("git"); err != nil {
		fixture.Missing(t, "git")
	}
}

// A base that cannot be had is an error of the step.
func TestActionWithoutBase(t *testing.T) {
	needsGit(t)
	top := t.TempDir()
	shell(t, top, makeHub+"cd .. && cp -R hub repo")
	repo := filepath.Join(top, "repo")
	zeros := "CARDWRIGHT_BASE=" + strings.Repeat("0", 40)
	for name, env := range map[string][]string{
		"an unknown commit":        {"GITHUB_EVENT_NAME=merge_group", "CARDWRIGHT_BASE=" + strings.Repeat("a", 40)},
		"the first default branch": {"GITHUB_EVENT_NAME=push", "GITHUB_REF=refs/heads/main", zeros},
		"a branch of nowhere":      {"GITHUB_EVENT_NAME=push", "GITHUB_REF=refs/heads/new", zeros},
		"an option":                {"GITHUB_EVENT_NAME=merge_group", "CARDWRIGHT_BASE=--output=x"},
		"no base":                  {"GITHUB_EVENT_NAME=schedule"},
		"no repository":            {"GITHUB_EVENT_NAME=push", "GITHUB_WORKSPACE=" + filepath.Join(repo, "agents")},
	} {
		outputs, code, log := runAction(t, filepath.Join(repo, "agents", "shop"),
			append([]string{"CARDWRIGHT_COMMAND=diff", "GITHUB_WORKSPACE=" + repo}, env...)...)
		if code != 2 || outputs["breaking"] != "error" || !strings.Contains(log, "::error title=cardwright::") {
			t.Errorf("%s: exit code %d, breaking %s\n%s", name, code, outputs["breaking"], log)
		}
	}
}

// A push that creates a branch is compared with what that has in common with the default
// branch, which has gone on meanwhile, also where the checkout has one commit and no other file.
func TestActionOnANewBranch(t *testing.T) {
	t.Parallel()
	needsGit(t)
	top := t.TempDir()
	shell(t, top, makeHub+`git checkout -q -b new; cd agents/shop
rm -r skills/refund; cardwright generate -q --set 'documentationUrl=https://acme.example/docs'
git add -A; git commit -q -m change
git checkout -q main; rm -r skills/pay; cardwright generate -q; git add -A; git commit -q -m elsewhere
cd ../../..; git init -q repo; cd repo; git remote add origin "file://$PWD/../hub"
git fetch -q --depth=1 --filter=blob:none origin refs/heads/new; git checkout -q --detach FETCH_HEAD`)
	repo := filepath.Join(top, "repo")
	outputs, code, log := runAction(t, filepath.Join(repo, "agents", "shop"), "CARDWRIGHT_COMMAND=diff",
		"GITHUB_WORKSPACE="+repo, "GITHUB_EVENT_NAME=push", "GITHUB_REF=refs/heads/new",
		"CARDWRIGHT_BASE="+strings.Repeat("0", 40))
	if code != 1 || outputs["breaking"] != "true" || !strings.Contains(log, "documentation") ||
		strings.Contains(log, "skill-added") {
		t.Errorf("exit code %d, breaking %s\n%s", code, outputs["breaking"], log)
	}
}

// shell runs a script of a test in a directory.
func shell(t *testing.T, dir, script string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "set -e\n"+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@acme.example",
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
