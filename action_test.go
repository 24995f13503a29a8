package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
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

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// The Action as users see it, and as attackers do.
func TestActionMetadata(t *testing.T) {
	data, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs  map[string]struct{ Description, Default string }
		Outputs map[string]struct{ Description, Value string }
		Runs    struct {
			Using string
			Steps []struct {
				Name, Shell, Run string
				Uses             string
				Env              map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	defaults := map[string]string{}
	for name, input := range action.Inputs {
		defaults[name] = input.Default
	}
	want := map[string]string{"command": "check", "args": "", "working-directory": ".", "config": "", "version": "", "comment": "false", "sarif-file": ""}
	if diff := cmp.Diff(want, defaults); diff != "" {
		t.Errorf("inputs (-want +got)\n%s", diff)
	}
	for _, name := range []string{"drift", "cards", "findings", "breaking", "sarif-file", "summary-file"} {
		if got, want := action.Outputs[name].Value, "${{ steps.run.outputs."+name+" }}"; got != want {
			t.Errorf("output %s is %q, want %q", name, got, want)
		}
	}
	set := regexp.MustCompile(`\$\{?(CARDWRIGHT_[A-Z_]+)`)
	script := regexp.MustCompile(`^bash "\$GITHUB_ACTION_PATH/(\.github/action/[a-z]+\.sh)"$`)
	tokens := 0
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
			tokens++
		}
	}
	if tokens != 1 {
		t.Errorf("%d steps get the token, want that of the comment alone", tokens)
	}
}

// install runs install.sh as a runner of GitHub would and returns what it
// prints, and the program that it installs.
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
		"RUNNER_TEMP=" + temp, "RUNNER_OS=" + systems[runtime.GOOS], "RUNNER_ARCH=X64", "GITHUB_ACTION_PATH=" + root,
		"CARDWRIGHT_VERSION=", "CARDWRIGHT_REPOSITORY=acme/cardwright",
	}, env...)...)
	printed, err := cmd.CombinedOutput()
	return string(printed), filepath.Join(temp, "cardwright", "bin", "cardwright"), err
}

func TestActionBuilds(t *testing.T) {
	out, program, err := install(t, "GOFLAGS=-mod=mod -tags=none")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(program); err != nil || !strings.HasPrefix(out, "cardwright devel\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestActionDownloads(t *testing.T) {
	archive := archiveOf(t, "#!/bin/sh\necho cardwright 1.2.3\n")
	name := fmt.Sprintf("cardwright_1.2.3_%s_amd64.tar.gz", runtime.GOOS)
	sums := fmt.Sprintf("%x  other\n%x  %s\n", sha256.Sum256(nil), sha256.Sum256(archive), name)
	tests := []struct {
		name, version, sums string
		files               []string // what the release holds
		want                string   // "" for the program
	}{
		{"a release", "v1.2.3", sums, []string{"checksums.txt", name}, ""},
		{"another checksum", "v1.2.3", strings.ReplaceAll(sums, fmt.Sprintf("%x  c", sha256.Sum256(archive)), fmt.Sprintf("%x  c", sha256.Sum256(nil))), []string{"checksums.txt", name}, "the checksum of " + name + " is not the one that the release lists"},
		{"no checksum", "v1.2.3", "", []string{"checksums.txt", name}, "the checksum of " + name + " is not the one that the release lists"},
		{"no checksums", "v1.2.3", sums, []string{name}, "cannot download checksums.txt of the release v1.2.3"},
		{"no archive", "v1.2.3", sums, []string{"checksums.txt"}, "cannot download " + name + " of the release v1.2.3"},
		{"a branch", "main", sums, nil, "version is no release: give one such as v1.2.3, or leave it empty"},
		{"a way out", "v1.2.3/../../x", sums, nil, "version is no release: give one such as v1.2.3, or leave it empty"},
		{"a command", "v1.2.3-$(touch x)\n", sums, nil, "version is no release: give one such as v1.2.3, or leave it empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			host := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				file, ok := strings.CutPrefix(r.URL.Path, "/acme/cardwright/releases/download/v1.2.3/")
				switch {
				case !ok || !slices.Contains(tt.files, file):
					http.NotFound(w, r)
				case file == name:
					_, _ = w.Write(archive)
				default:
					_, _ = w.Write([]byte(tt.sums))
				}
			}))
			defer host.Close()
			bundle := filepath.Join(t.TempDir(), "ca.pem")
			certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw})
			if err := os.WriteFile(bundle, certificate, 0o600); err != nil {
				t.Fatal(err)
			}
			out, program, err := install(t, "CARDWRIGHT_VERSION="+tt.version, "GITHUB_SERVER_URL="+host.URL, "CURL_CA_BUNDLE="+bundle)
			_, missing := os.Stat(program)
			if tt.want == "" {
				if err != nil || missing != nil || out != "cardwright 1.2.3\n" {
					t.Errorf("%v\n%s", err, out)
				}
				return
			}
			if err == nil || missing == nil || !strings.HasSuffix(out, "::error title=cardwright::"+tt.want+"\n") {
				t.Errorf("want %q, got %v\n%s", tt.want, err, out)
			}
		})
	}
}

// archiveOf returns an archive as the release has it, with the program.
func archiveOf(t *testing.T, program string) []byte {
	t.Helper()
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	w := tar.NewWriter(compressed)
	for name, text := range map[string]string{"README.md": "read", "cardwright": program} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
