package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cardwright/internal/fixture"
)

// playgroundCase is a project, and what the command does with it: what the playground
// has to do too.
type playgroundCase struct {
	Name     string            `json:"name"`
	Files    map[string][]byte `json:"files"`
	Commands [][]string        `json:"commands"`
	Results  []printed         `json:"results"`
	Left     map[string][]byte `json:"left"`
}

type printed struct {
	Code int    `json:"code"`
	Out  string `json:"out"`
	Err  string `json:"err"`
}

// The playground does what the command does, byte for byte, and people can use it with
// a mouse, a keyboard, a phone and without a network.
func TestPlayground(t *testing.T) { //nolint:tparallel // its subtests report what one page gave
	t.Parallel()
	chromium := install(t)
	site := buildPlayground(t)
	server := httptest.NewServer(http.FileServer(http.Dir(site)))
	defer server.Close()

	cases := filepath.Join(t.TempDir(), "cases.json")
	text, err := json.Marshal(playgroundCases(t))
	if err == nil {
		err = os.WriteFile(cases, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "playground.mjs", server.URL+"/", chromium, cases)
	cmd.Args = append(cmd.Args, pictures(t)...)
	report(t, cmd)
}

// buildPlayground returns the directory of the page.
func buildPlayground(t *testing.T) string {
	t.Helper()
	source, site := filepath.Join("..", "..", "playground"), t.TempDir()
	fixture.NPM(t, source)
	for _, command := range [][]string{
		{"npm", "run", "--silent", "check"},
		{"node", "build.mjs", site},
	} {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = source
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	const most = 5_000_000 // bytes that a first visit may load
	total := int64(0)
	for _, name := range []string{"cardwright.bin", "decoder.wasm"} {
		info, err := os.Stat(filepath.Join(site, name))
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > most {
		t.Errorf("the program has %d bytes, at most %d are wanted", total, most)
	}
	return site
}

// playgroundCases are the example projects, and a card with a signature.
func playgroundCases(t *testing.T) []playgroundCase {
	t.Helper()
	projects, err := filepath.Glob("../../testdata/workspaces/*/cardwright.yaml")
	if err != nil || len(projects) == 0 {
		t.Fatalf("no example projects: %v", err)
	}
	var cases []playgroundCase
	for _, project := range projects {
		dir := filepath.Dir(project)
		c := playgroundCase{Name: filepath.Base(dir), Files: filesBelow(t, dir), Commands: [][]string{
			{"lint", "--format", "json"}, {"generate"}, {"generate", "--check"},
		}}
		cases = append(cases, c)
	}
	signed := filesBelow(t, "../../golden/signed")
	cases = append(cases, playgroundCase{
		Name: "signed card",
		Files: map[string][]byte{
			"agent-card.json": signed["contracts/.well-known/agent-card.json"], "jwks.json": signed[".well-known/jwks.json"],
		},
		Commands: [][]string{
			{"verify", "agent-card.json", "--jwks", "jwks.json"},
			{"convert", "agent-card.json", "--to", "dual"},
			{"convert", "agent-card.json", "--to", "0.3", "-o", "old.json"},
			{"diff", "old.json", "agent-card.json", "--format", "json"},
			{"lint", "old.json"},
		},
	})
	for i := range cases {
		cases[i].run(t, fixture.Program(t))
	}
	return cases
}

// run fills in what the command prints and leaves behind, where there is no git.
func (c *playgroundCase) run(t *testing.T, binary string) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range c.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range c.Commands {
		var out, stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &stderr
		cmd.Env = []string{"NO_COLOR=1", "TZ=UTC"}
		err := cmd.Run()
		if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
			t.Fatal(err)
		}
		c.Results = append(c.Results, printed{cmd.ProcessState.ExitCode(), out.String(), stderr.String()})
	}
	c.Left = filesBelow(t, dir)
}

// filesBelow reads the files of a directory.
func filesBelow(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
