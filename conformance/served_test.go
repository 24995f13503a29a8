package conformance

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/google/go-cmp/cmp"
	adk "google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"cardwright/internal/fixture"
)

// Frameworks serve the card of dist with the lines that docs/recipes/frameworks.md shows,
// and not the one that they make.
func TestServedByFrameworks(t *testing.T) {
	fixture.NPM(t, "js")
	script, err := filepath.Abs(filepath.Join("js", "served.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	want := inDist(t)
	served := startServed(t, script)
	for name, mount := range map[string]func(*http.ServeMux){
		"a2a-go":   func(mux *http.ServeMux) { serveA2AGo(mux, a2asrv.NewHandler(nil)) },
		"ADK (Go)": func(mux *http.ServeMux) { serveADKGo(mux, newEcho(t)) },
	} {
		mux := http.NewServeMux()
		mount(mux)
		web := httptest.NewServer(mux)
		t.Cleanup(web.Close)
		served[name] = web.URL + a2asrv.WellKnownAgentCardPath
	}
	if len(served) != 5 {
		t.Errorf("%d frameworks serve the card: %v", len(served), served)
	}
	for name, url := range served {
		checkServed(t, name, url, want)
	}
}

// VoltAgent needs 340 MB of packages, so .ci/run nightly runs it, and not every change.
func TestServedByVoltAgent(t *testing.T) {
	if os.Getenv("LONG_TRIALS") == "" {
		t.Skip("LONG_TRIALS is not set")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "frameworks"), os.DirFS("js/frameworks")); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("js", "voltagent.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "voltagent.mjs"), script, 0o644); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
		"@voltagent/core@2.10.0", "@voltagent/a2a-server@2.0.3", "@voltagent/server-hono@2.0.14")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	_ = listener.Close()
	want := inDist(t)
	for name, url := range startServed(t, filepath.Join(dir, "voltagent.mjs"), port) {
		checkServed(t, name, url, want)
	}
}

// inDist makes a directory with a generated card the working directory, as an agent has
// it, and returns the card.
func inDist(t *testing.T) []byte {
	t.Helper()
	card, err := os.ReadFile(filepath.Join("..", "golden", "code-review", ".well-known", "agent-card.json"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fixture.Write(t, dir, "dist/.well-known/agent-card.json", string(card))
	t.Chdir(dir)
	return card
}

// checkServed wants the card at the address, as JSON.
func checkServed(t *testing.T, name, url string, card []byte) {
	t.Helper()
	got, header := fetch(t, url)
	if diff := cmp.Diff(decoded(t, card), decoded(t, got)); diff != "" {
		t.Errorf("%s serves another card (-dist +served):\n%s", name, diff)
	}
	if typ, _, _ := strings.Cut(header.Get("Content-Type"), ";"); typ != "application/json" {
		t.Errorf("%s serves the card as %q", name, typ)
	}
}

// newEcho is an agent of ADK that needs no model.
func newEcho(t *testing.T) adk.Agent {
	t.Helper()
	echo, err := adk.New(adk.Config{
		Name: "echo", Description: "Says again what was said to it.",
		Run: func(c adk.InvocationContext) iter.Seq2[*session.Event, error] {
			return func(yield func(*session.Event, error) bool) { yield(echoed(c), nil) }
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return echo
}

// echoed is what the agent of ADK answers.
func echoed(c adk.InvocationContext) *session.Event {
	e := session.NewEvent(c, c.InvocationID())
	e.Content = genai.NewContentFromText("again", genai.RoleModel)
	return e
}

// startServed starts the agents of Node, and returns where each serves its card.
func startServed(t *testing.T, args ...string) map[string]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Stderr = os.Stderr
	line, err := firstLine(t, cmd)
	var at map[string]string
	if err != nil || json.Unmarshal(line, &at) != nil {
		t.Fatalf("the agents do not start: %v\n%s", err, line)
	}
	return at
}

// fetch returns what an address serves.
func fetch(t *testing.T, url string) ([]byte, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%s", url, answer.Status, err, body)
	}
	return body, answer.Header
}

func decoded(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return v
}

// firstLine starts a program that ends with its standard input, which is at the end of the
// test, and returns the first line that it prints.
func firstLine(t *testing.T, cmd *exec.Cmd) ([]byte, error) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	}
	t.Cleanup(end)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		end() // it has printed all that it says about its failure
	}
	return line, err
}
