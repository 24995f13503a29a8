package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/sign/signtest"
)

// in makes a directory with files the working directory, and opens it.
func in(t *testing.T, dir string, files map[string]string) *Workspace {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		fixture.Write(t, root, name, text)
	}
	t.Chdir(filepath.Join(root, dir))
	w, err := Here(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// usage reports whether an error is about the call, and says so in these words.
func usage(err error, words string) bool {
	call, ok := errors.AsType[*diag.CallError](err)
	return ok && strings.Contains(call.Message, words)
}

func TestOpenProject(t *testing.T) {
	git := ".git/HEAD"
	for name, tt := range map[string]struct {
		dir   string
		files []string
		want  string // the configuration
		above bool
		fault string
	}{
		"here":         {"", []string{git, "cardwright.yaml"}, "cardwright.yaml", false, ""},
		"another name": {"", []string{git, "cardwright.json"}, "cardwright.json", false, ""},
		"two":          {"", []string{git, "cardwright.yaml", "cardwright.yml"}, "", false, "two configurations"},
		"above":        {"a/b", []string{git, "cardwright.yaml", "a/b/x"}, "../../cardwright.yaml", true, ""},
		"the nearest": {
			"a/b", []string{git, "cardwright.yaml", "a/cardwright.yml", "a/b/x"}, "../cardwright.yml", true, "",
		},
		"above the project": {"a", []string{"cardwright.yaml", "a/.git/HEAD"}, "", false, ""},
		"none":              {"", []string{git}, "", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for _, f := range tt.files {
				files[f] = "x"
			}
			p, err := in(t, tt.dir, files).OpenProject("", true)
			if tt.fault != "" {
				if !usage(err, tt.fault) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || p.Config != tt.want || p.Above != tt.above {
				t.Errorf("got %q, above %t, %v", p.Config, p.Above, err)
			}
		})
	}
}

// Trees of output lie apart from each other.
func TestDirsAreSeparate(t *testing.T) {
	w := in(t, "", map[string]string{".git/HEAD": "x", "cardwright.yaml": "x"})
	p, err := w.OpenProject("", false)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		places DirFlags
		fault  bool
	}{
		"apart":                {DirFlags{Private: "private"}, false},
		"private inside":       {DirFlags{Private: "dist/private"}, true},
		"private around":       {DirFlags{Private: "."}, true},
		"servers inside":       {DirFlags{ServerDir: "dist/conf"}, true},
		"servers in private":   {DirFlags{Private: "p", ServerDir: "p"}, true},
		"servers around":       {DirFlags{ServerDir: "."}, true},
		"beside, a name alike": {DirFlags{Private: "dist2"}, false},
	} {
		dirs, found, err := openDirs(p, &config.Config{Out: "dist"}, tt.places)
		if usage(err, "overlap") != tt.fault || !tt.fault && (err != nil || found != nil || dirs.Public == nil) {
			t.Errorf("%s: %v %v", name, err, found)
		}
	}
	if _, found, _ := openDirs(p, &config.Config{Out: "../out"}, DirFlags{}); found.Worst() != diag.Error {
		t.Errorf("out leaves the project: %v", found)
	}
}

// A card of another text takes its copy and the sidecars that stand with it.
func TestRewrite(t *testing.T) {
	w := in(t, "", map[string]string{
		"agent-card.json": "old", "agent.json": "old", "agent.json.etag": "x", "split/agent-card.json": "old",
		"split/agent.json": "another",
	})
	for _, name := range []string{"agent-card.json", "split/agent-card.json"} {
		if err := w.Rewrite(Input{Name: name, Data: []byte("old")}, []byte("new")); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	for _, name := range []string{"agent-card.json", "agent.json", "split/agent-card.json", "split/agent.json"} {
		data, _ := os.ReadFile(name)
		got[name] = string(data)
	}
	want := map[string]string{
		"agent-card.json": "new", "agent.json": "new", "split/agent-card.json": "new", "split/agent.json": "another",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if tag, _ := os.ReadFile("agent.json.etag"); !strings.HasPrefix(string(tag), `"11507a0e`) { // sha256 of "new"
		t.Errorf("the entity tag is %s", tag)
	}
	if _, err := os.Stat("agent-card.json.etag"); err == nil {
		t.Error("a sidecar was added")
	}
}

// Cards of a tree are called by their directories; a copy for older clients counts where
// it is alone.
func TestSnapshotNames(t *testing.T) {
	s := &Snapshot{Tree: true, Files: map[string][]byte{}}
	for _, name := range []string{
		".well-known/agent-card.json", ".well-known/agent.json", "a/.well-known/agent-card.json", "b/agent.json",
		"c/.well-known/jwks.json", "d/.well-known/agent-card.json", "d/extended-agent-card.json",
	} {
		s.Files[name] = []byte("{}")
	}
	got := s.byDirectory()
	want := map[string]string{
		"": ".well-known/agent-card.json", "a": "a/.well-known/agent-card.json", "b": "b/agent.json",
		"d": "d/.well-known/agent-card.json", "d/extended-agent-card.json": "d/extended-agent-card.json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Keys are named, never given.
func TestRingRead(t *testing.T) {
	pem := signtest.PEM(t, "ES256")
	w := in(t, "", map[string]string{"key.pem": string(pem), "open.pem": string(pem), "none.pem": "x"})
	if err := os.Chmod("open.pem", 0o640); err != nil {
		t.Fatal(err)
	}
	r := Ring{Workspace: w, Getenv: func(name string) (string, bool) { return string(pem), name == "CARD" }}
	got := map[string]string{}
	for _, ref := range []string{
		"file:key.pem", "file:open.pem", "file:none.pem", "env:CARD", "key.pem", "env:a b", string(pem),
	} {
		key, found, err := r.Read(ref)
		what := "none"
		switch {
		case err != nil && strings.Contains(err.Error(), "PRIVATE"):
			t.Fatalf("a message shows the key: %v", err)
		case err == nil && key.CanSign() && found == nil:
			what = "key"
		case err == nil && key.CanSign() && found[0].Rule == diag.KeyFileMode:
			what = "key that others can read"
		}
		got[strings.TrimSpace(ref[:min(len(ref), 13)])] = what
	}
	want := map[string]string{
		"file:key.pem": "key", "file:open.pem": "key that others can read", "file:none.pem": "none", "env:CARD": "key",
		"key.pem": "none", "env:a b": "none", "-----BEGIN PR": "none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a run has found ends it from the level that was asked for.
func TestRunFailed(t *testing.T) {
	found := diag.List{diag.New(diag.CardMemberUnknown, diag.Span{File: "b"}, "x").WithSeverity(diag.Warning)}
	r := &Run{Options: Options{FailOn: diag.Error}}
	r.Add(found)
	r.Note(diag.List{diag.New(diag.CardNameLong, diag.Span{File: "a"}, "x").WithSeverity(diag.Info)})
	if r.Failed() || len(r.Found) != 2 || r.Found[0].Span.File != "a" {
		t.Errorf("found %v", r.Found)
	}
	if r.Options.FailOn = diag.Warning; !r.Failed() {
		t.Error("a warning does not end the run")
	}
	r.Config = &config.Config{Rules: map[diag.RuleID]diag.Severity{diag.CardMemberUnknown: 0}}
	if left := r.Counted(found); len(left) != 0 {
		t.Errorf("a rule that is off: %v", left)
	}
}

func TestAuditTime(t *testing.T) {
	var out strings.Builder
	noon := time.Date(2026, time.March, 1, 1, 30, 0, 999, time.FixedZone("east", 2*60*60))
	if err := audit(&out, noon, generate.Result{Cards: []generate.Card{
		{Agent: "a"},
		{Agent: "a", Extended: true},
	}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, `{"ts":"2026-02-28T23:30:00Z",`) || strings.Count(got, "\n") != 1 {
		t.Errorf("recorded %s", got)
	}
}

// The line of a run that takes long says what it has done so far.
func TestProgressLine(t *testing.T) {
	var p Progress
	if got := p.Line(); got != "reading" {
		t.Errorf("before anything is read: %q", got)
	}
	p.Made.Skills.Store(1200)
	p.Made.Cards.Store(1)
	if got, want := p.Line(), "1200 skills read, 1 card made"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
