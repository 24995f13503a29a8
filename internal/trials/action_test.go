package trials

import (
	stdcmp "cmp"
	"crypto/sha256"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"cardwright/internal/cli"
	"cardwright/internal/fixture"
)

// The Action as users see it, and as attackers do.
func TestActionMetadata(t *testing.T) {
	data, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Steps []struct {
				Name, Shell, Run string
				Env              map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	set := regexp.MustCompile(`\$\{?(CARDWRIGHT_[A-Z_]+)`)
	script := regexp.MustCompile(`^bash "\$GITHUB_ACTION_PATH/(\.github/action/[a-z]+\.sh)"$`)
	var tokens []string
	for _, step := range action.Runs.Steps {
		match := script.FindStringSubmatch(step.Run)
		if match == nil || step.Shell != "bash" {
			t.Errorf("step %q runs something else than a script: %q", step.Name, step.Run)
			continue
		}
		text, err := os.ReadFile(match[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range set.FindAllStringSubmatch(string(text), -1) {
			if _, ok := step.Env[m[1]]; !ok {
				t.Errorf("%s reads %s, which its step does not set", match[1], m[1])
			}
		}
		if step.Env["GH_TOKEN"] != "" {
			tokens = append(tokens, match[1])
		}
	}
	if diff := cmp.Diff([]string{".github/action/install.sh", ".github/action/comment.sh"}, tokens); diff != "" {
		t.Errorf("the token reaches other steps than those without input of the pull request (-want +got)\n%s", diff)
	}
}

// install runs install.sh as a runner of GitHub would and returns what it
// prints, and the program that it installs. What the runner reads is left beside that.
func install(t *testing.T, env ...string) (out, program string, err error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the bash there may be another")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	systems := map[string]string{"linux": "Linux", "darwin": "macOS"}
	cmd := exec.CommandContext(t.Context(), "bash", ".github/action/install.sh")
	cmd.Env = append(os.Environ(), append([]string{
		"LC_ALL=C", "RUNNER_TEMP=" + temp, "RUNNER_OS=" + systems[runtime.GOOS], "RUNNER_ARCH=X64",
		"GITHUB_ACTION_PATH=" + root,
		"CARDWRIGHT_VERSION=", "CARDWRIGHT_REPOSITORY=acme/cardwright", "CARDWRIGHT_MODE=run", "CARDWRIGHT_REF=",
		"GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_PATH=" + filepath.Join(temp, "path"),
		"GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary"), "GITHUB_WORKSPACE=" + temp,
	}, env...)...)
	printed, err := cmd.CombinedOutput()
	return string(printed), filepath.Join(temp, "cardwright", "bin", "cardwright"), err
}

func TestActionBuilds(t *testing.T) {
	if !fixture.Long() {
		t.Skip("it builds the program")
	}
	host := releaseHost(t, serveRefs)
	for ref, want := range map[string]string{
		"v1.2.3":        "cardwright 1.2.3+" + released + "\n",
		other:           "cardwright 0.0.0+" + other + "\n",
		"v9.8.8":        "cardwright 9.8.8\n",
		"x$(touch y) z": "cardwright devel\n",
	} {
		out, program, err := install(t, append(host, "GOFLAGS=-mod=mod -tags=none", "CARDWRIGHT_VERSION=source",
			"CARDWRIGHT_REF="+ref)...)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if _, err := os.Stat(program); err != nil || !strings.HasPrefix(out, want) {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// released is the commit of the release 1.2.3, and other is on main.
const released, other = "0123456789abcdef0123456789abcdef01234567", "1123456789abcdef0123456789abcdef01234567"

// serveRefs serves the branches and tags of the repository to git, and its last release.
func serveRefs(w http.ResponseWriter, file string) {
	switch {
	case file == "releases/latest":
		w.Header().Set("Location", "/acme/cardwright/releases/tag/v2.0.0")
		w.WriteHeader(http.StatusFound)
	case file == "info/refs":
		_, _ = fmt.Fprintf(w, "%s\trefs/heads/main\n%[1]s\trefs/heads/v0.0.1\n%s\trefs/heads/v1\n"+
			"%[1]s\trefs/tags/v1.2.3\n%[2]s\trefs/tags/v1.2.3^{}\n", other, released)
	case file == "HEAD":
		_, _ = fmt.Fprintln(w, "ref: refs/heads/main")
	case path.Base(file) == "checksums.txt":
		for _, v := range []string{"1.2.3", "2.0.0"} {
			_, _ = fmt.Fprintf(w, "%x  cardwright_%s_%s_amd64.tar.gz\n", sha256.Sum256(nil), v, runtime.GOOS)
		}
	}
}

func TestActionDownloads(t *testing.T) { //nolint:tparallel // with the working directory of no run
	archive := archiveOf(t, "#!/bin/sh\necho cardwright 1.2.3\n")
	name := fmt.Sprintf("cardwright_1.2.3_%s_amd64.tar.gz", runtime.GOOS)
	sums := fmt.Sprintf("%x  other\n%x  %s\n", sha256.Sum256(nil), sha256.Sum256(archive), name)
	const noRelease = "version is no release: give 1.2.3, latest, source, or a file of the workspace that has 1.2.3"
	unlisted := "the checksum of " + name + " is not the one that the release lists"
	tests := []struct {
		name, version, sums string
		files               []string // what the release holds
		want                string   // "" for the program
	}{
		{"a release", "v1.2.3", sums, []string{"checksums.txt", name}, ""},
		{
			"built by somebody else", "v1.2.4", strings.ReplaceAll(sums, "1.2.3", "1.2.4"),
			[]string{"checksums.txt", strings.ReplaceAll(name, "1.2.3", "1.2.4")},
			"nothing attests that the release workflow of acme/cardwright built " + strings.ReplaceAll(name, "1.2.3", "1.2.4") +
				" for v1.2.4",
		},
		{
			"another checksum", "v1.2.3", strings.ReplaceAll(sums, fmt.Sprintf("%x  c", sha256.Sum256(archive)),
				fmt.Sprintf("%x  c", sha256.Sum256(nil))),
			[]string{"checksums.txt", name},
			unlisted,
		},
		{"no checksum", "v1.2.3", "", []string{"checksums.txt", name}, unlisted},
		{"no checksums", "v1.2.3", sums, []string{name}, "cannot download checksums.txt of the release v1.2.3"},
		{"no archive", "v1.2.3", sums, []string{"checksums.txt"}, "cannot download " + name + " of the release v1.2.3"},
		{"a branch", "main", sums, nil, noRelease},
		{"a way out", "v1.2.3/../../x", sums, nil, noRelease},
		{"a command", "v1.2.3-$(touch x)\n", sums, nil, noRelease},
	}
	// The GitHub CLI, which knows one attestation.
	tools := t.TempDir()
	gh := fmt.Sprintf("#!/bin/sh\n[ \"$GH_HOST $*\" = \"$HOST attestation verify %s --repo=acme/cardwright "+
		"--signer-workflow=acme/cardwright/.github/workflows/release.yml --source-ref=refs/tags/v1.2.3 "+
		"--deny-self-hosted-runners$DIGEST\" ] || exit 1\n", name)
	if err := os.WriteFile(filepath.Join(tools, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			host := releaseHost(t, func(w http.ResponseWriter, file string) {
				switch file, ok := strings.CutPrefix(file, "releases/download/"+tt.version+"/"); {
				case !ok || !slices.Contains(tt.files, file):
					http.Error(w, "", http.StatusNotFound)
				case strings.HasPrefix(file, "cardwright_"):
					_, _ = w.Write(archive)
				default:
					_, _ = w.Write([]byte(tt.sums))
				}
			})
			out, program, err := install(t, append(host, path, "CARDWRIGHT_VERSION="+tt.version, "CARDWRIGHT_MODE=install")...)
			_, missing := os.Stat(program)
			if tt.want == "" {
				read := func(name string) string {
					text, _ := os.ReadFile(filepath.Join(filepath.Dir(program), "..", "..", name))
					return string(text)
				}
				if err != nil || missing != nil || out != "cardwright 1.2.3\n" ||
					!strings.Contains(read("output"), "\n1.2.3\n") || !strings.Contains(read("output"), "\n"+program+"\n") ||
					read("path") != filepath.Dir(program)+"\n" {
					t.Errorf("%v\n%s\n%s%s", err, out, read("output"), read("path"))
				}
				return
			}
			if err == nil || missing == nil || !strings.HasSuffix(out, "::error title=cardwright::"+tt.want+"\n") {
				t.Errorf("want %q, got %v\n%s", tt.want, err, out)
			}
		})
	}
}

// releaseHost serves a repository, by the path below its own, and returns the
// environment in which it is GitHub.
func releaseHost(t *testing.T, serve func(w http.ResponseWriter, file string)) []string {
	t.Helper()
	host := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serve(w, strings.TrimPrefix(r.URL.Path, "/acme/cardwright/"))
	}))
	t.Cleanup(host.Close)
	bundle := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw})
	if err := os.WriteFile(bundle, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{
		"GITHUB_SERVER_URL=" + host.URL, "CURL_CA_BUNDLE=" + bundle, "GIT_SSL_CAINFO=" + bundle,
		"HOST=" + strings.TrimPrefix(host.URL, "https://"),
	}
}

// The Action downloads the release that it is pinned to, or that version names.
func TestActionChooses(t *testing.T) { //nolint:tparallel // with the working directory of no run
	if _, err := exec.LookPath("git"); err != nil {
		fixture.Missing(t, "git")
	}
	const noRelease = ", which is no release of acme/cardwright: "
	const attested = " ::error title=cardwright::nothing attests that "
	tests := []struct{ name, version, ref, file, want string }{
		{"a tag", "", "v1.2.3", "", "v1.2.3"},
		{"a commit", "", released, "", "v1.2.3 --source-digest=" + released + attested},
		{"a branch that is a release", "", "v1", "", "v1.2.3"},
		{"a branch", "", "main", "", "the action is pinned to main" + noRelease},
		{"a commit without release", "", "2" + released[1:], "", noRelease},
		{"a copy", "", "", "", "the action is pinned to no release"},
		{"a version", "1.2.3", "main", "", "v1.2.3"},
		{"the last one", "latest", other, "", "v2.0.0" + attested},
		{"a file", "f", "", "# the version\n1.2.3\n", "v1.2.3"},
		{"a file with v", "f", "", "v1.2.3-rc.1", "v1.2.3-rc.1"},
		{"asdf", "f", "", "golang 1.26.8\ncardwright 1.2.3 # of all\n", "v1.2.3"},
		{"mise", "f", "", "[tools]\ngo = \"1.26.8\"\n\"ubi:acme/cardwright\" = \"1.2.3\"\n", "v1.2.3"},
		{
			"go.mod", "f", "",
			"require (\n\texample.com/x v9.9.9\n\tgithub.com/acme/cardwright v1.2.3 // indirect\n)\n", "v1.2.3",
		},
		{
			"a file without", "f", "", "golang 1.26.8\n#cardwright 1.2.3\ncardwright $(touch x)\n",
			"f names no release of cardwright: ",
		},
	}
	tools := t.TempDir() // with a GitHub CLI that says what is verified
	gh := "#!/bin/sh\n" +
		"for a; do case $a in --source-*=*) printf '%s ' \"${a#--source-ref=refs/tags/}\" >&2;; esac; done\n" +
		"exit 1\n"
	offline := t.TempDir() // with a curl that finds nothing, where the release is chosen without
	for name, program := range map[string]string{
		filepath.Join(tools, "gh"): gh, filepath.Join(offline, "gh"): gh,
		filepath.Join(offline, "curl"): "#!/bin/sh\nexit 1\n",
	} {
		if err := os.WriteFile(name, []byte(program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	host := releaseHost(t, serveRefs)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			workspace := t.TempDir()
			if err := os.WriteFile(filepath.Join(workspace, "f"), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			want, first := tt.want, tools
			if strings.HasPrefix(want, "v") && !strings.Contains(want, attested) {
				want, first = "cannot download checksums.txt of the release "+want+"\n", offline
			}
			out, _, err := install(t, append(host, "CARDWRIGHT_VERSION="+tt.version, "CARDWRIGHT_REF="+tt.ref,
				"GITHUB_WORKSPACE="+workspace, "PATH="+first+string(os.PathListSeparator)+os.Getenv("PATH"))...)
			if err == nil || !strings.Contains(out, want) {
				t.Errorf("want %q, got %v\n%s", want, err, out)
			}
		})
	}
}

// Without the GitHub CLI a release cannot be verified, so none is installed.
func TestActionNeedsAttestation(t *testing.T) {
	tools := t.TempDir()
	for _, name := range []string{"bash", "mkdir"} {
		tool, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(tool, filepath.Join(tools, name)); err != nil {
			t.Skip(err)
		}
	}
	out, _, err := install(t, "CARDWRIGHT_VERSION=v1.2.3", "GITHUB_SERVER_URL=https://127.0.0.1:1", "PATH="+tools)
	if err == nil || !strings.Contains(out,
		"::error title=cardwright::a release is verified with gh, the GitHub CLI, which is missing") {
		t.Errorf("%v\n%s", err, out)
	}
}

// runAction runs the Action in a directory, as the scripts in
// testdata/script/action do, and returns its outputs, its exit code and what it
// prints.
func runAction(t *testing.T, dir string, assignments ...string) (outputs map[string]string, code int, log string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the bash there may be another")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	step := filepath.Join(root, "testdata", "script", "action", "step.sh")
	cmd := exec.CommandContext(
		t.Context(),
		"bash",
		append([]string{step, "run", "GITHUB_WORKSPACE=" + dir}, assignments...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ROOT="+root, "WORK="+work)
	printed, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(filepath.Join(work, "outputs"))
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	outputs = map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		outputs[name] = value
	}
	return outputs, cmd.ProcessState.ExitCode(), string(printed)
}

// What the Action puts out is true or false only when the run found it out. Where that is
// what someone sees who begins, testdata/script/action/check.txtar has it.
func TestActionOutputs(t *testing.T) { //nolint:tparallel // with the working directory of no run
	tests := []struct{ name, script, env, want string }{ // wanted are exit code, drift, breaking, findings
		{"up to date", "", "", "0 false false 0"},
		{"a faulty config", "sed -i.bak s/agents:/agnets:/ cardwright.yaml", "", "2 error error 1"},
		{
			"a finding that ends the run",
			"sed -i.bak 's/Writes/With ghp_16C7e42F292c6912E7710c838347Ae178B4a it writes/' skills/write-tests/SKILL.md", "",
			"1 error error 1",
		},
		{"a manifest that cannot be relied on", "sed -i.bak s/1/x/ dist/cardwright.manifest.json", "", "2 error error 1"},
		{
			"generate over a foreign file", "sed -i.bak s/Review/Rev/ dist/.well-known/agent-card.json; rm dist/*.manifest.json",
			"CARDWRIGHT_COMMAND=generate", "1 error - ",
		},
		{"diff without a card", "", "CARDWRIGHT_COMMAND=diff CARDWRIGHT_ARGS=dist\nnone", "2 - error 1"},
	}
	generated := t.TempDir()
	if err := os.CopyFS(generated, os.DirFS("testdata/workspaces/code-review")); err != nil {
		t.Fatal(err)
	}
	streams := cli.Streams{Out: io.Discard, Err: os.Stderr}
	if code := cli.Run([]string{"-C", generated, "generate", "-q"}, streams, ""); code != 0 {
		t.Fatal(code)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(generated)); err != nil {
				t.Fatal(err)
			}
			shell(t, dir, tt.script+"\nfind . -name '*.bak' -exec rm {} +")
			outputs, code, log := runAction(t, dir, strings.Split(stdcmp.Or(tt.env, "CARDWRIGHT_COMMAND=check"), " ")...)
			got := fmt.Sprint(code)
			for _, name := range []string{"drift", "breaking", "findings"} {
				got += " " + stdcmp.Or(outputs[name], "-")
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s\n%s", got, tt.want, log)
			}
			if !json.Valid([]byte(outputs["cards"])) && code != 2 {
				t.Errorf("the output cards is not JSON: %q", outputs["cards"])
			}
			annotations := regexp.MustCompile(`(?m)^::(error|warning|notice) (file=|title=[a-z]+-)`).FindAllString(log, -1)
			if findings := outputs["findings"]; findings != "" && findings != fmt.Sprint(len(annotations)) {
				t.Errorf("%s findings, %d annotations\n%s", findings, len(annotations), log)
			}
		})
	}
}

// The program gets of the environment what the input env names, and no more.
func TestActionWithholdsTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	config := "version: 1\nvars: {a: \"${HARMLESS:-withheld}\", b: \"${NAMED:-withheld}\"}\n" +
		"agents: [{id: x, name: X, description: \"Says ${a} and ${b}.\", version: 1.0.0, " +
		"interfaces: [{url: https://acme.example}], skills: {add: [{id: s, name: S, description: Reads., tags: [s]}]}}]\n"
	if err := os.WriteFile(filepath.Join(dir, "cardwright.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	_, code, log := runAction(t, dir, "CARDWRIGHT_COMMAND=generate", "CARDWRIGHT_ENV=NAMED\r\n\n", "HARMLESS=leaked",
		"NAMED=given")
	card, err := os.ReadFile(filepath.Join(dir, "dist", ".well-known", "agent-card.json"))
	if code != 0 || err != nil || !strings.Contains(string(card), `"Says withheld and given."`) {
		t.Errorf("%d %v\n%s\n%s", code, err, card, log)
	}
	if _, code, log := runAction(t, dir, "CARDWRIGHT_ENV=NAMED=value"); code != 2 ||
		!strings.Contains(log, "env lists names of environment variables") {
		t.Errorf("%d\n%s", code, log)
	}
}

// A file of a directory that pre-commit hands over cannot be a flag: the entry ends them.
func TestHooksEndTheirFlags(t *testing.T) {
	data, err := os.ReadFile(".pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Entry     string
		PassFilenames *bool `yaml:"pass_filenames"`
	}
	if err := yaml.Unmarshal(data, &hooks); err != nil {
		t.Fatal(err)
	}
	for _, hook := range hooks {
		if hook.PassFilenames == nil && !strings.HasSuffix(hook.Entry, " --") {
			t.Errorf("%s: files may be flags of %s", hook.ID, hook.Entry)
		}
	}
}

// archiveOf returns an archive as the release has it, with the program.
func archiveOf(t *testing.T, program string) []byte {
	t.Helper()
	dir := t.TempDir()
	fixture.Write(t, dir, "README.md", "read")
	fixture.Write(t, dir, "cardwright", program)
	shell(t, dir, "chmod +x cardwright; tar -czf archive.tar.gz README.md cardwright")
	data, err := os.ReadFile(filepath.Join(dir, "archive.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
