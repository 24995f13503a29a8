package docs_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pageAgent is what docs/contract.md calls the address of the agent. Each run has
// a free port instead.
const pageAgent = "http://localhost:8080"

// agentSession is a block of docs/contract.md with what a command prints about a
// running agent.
var agentSession = regexp.MustCompile("(?ms)^```\n(\\$ cardwright (?:contract|capture) .*?)^```$")

// What docs/contract.md shows of an agent is what the commands print about one.
func TestContractSessions(t *testing.T) {
	bin := build(t)
	dir := copyOf(t, filepath.Join("..", "testdata", "contract"))
	desk := &deskAgent{}
	server := httptest.NewServer(desk)
	defer server.Close()
	run := func(command string) string {
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(command, pageAgent,
			strings.Replace(server.URL, "127.0.0.1", "localhost", 1)))
		cmd.Dir, cmd.Env = dir, environment(bin)
		out, _ := cmd.CombinedOutput() // what it prints says how it ends
		text := strings.ReplaceAll(string(out), server.URL, pageAgent)
		return strings.ReplaceAll(text, strings.Replace(server.URL, "127.0.0.1", "localhost", 1), pageAgent)
	}
	run("cardwright generate -q")
	card, err := os.ReadFile(filepath.Join(dir, "dist", ".well-known", "agent-card.json"))
	if err != nil {
		t.Fatal(err)
	}
	own := string(card)
	desk.card.Store(own)
	run("cardwright capture -o cards/desk.json " + pageAgent)
	served := strings.Replace(own, `"id": "answer"`, `"id": "translate"`, 1)
	served = strings.Replace(served, "Answers a question about the house, its rooms and its opening hours.",
		"Translates a notice of the house into five languages.", 1)

	page, err := os.ReadFile("contract.md")
	if err != nil {
		t.Fatal(err)
	}
	sessions := 0
	got := agentSession.ReplaceAllStringFunc(string(page), func(block string) string {
		sessions++
		command, _, _ := strings.Cut(strings.TrimPrefix(block, "```\n$ "), "\n")
		if strings.Contains(command, "--check") {
			desk.card.Store(served)
		}
		return "```\n$ " + command + "\n" + run(command) + "```"
	})
	if sessions != 2 {
		t.Errorf("the page has %d sessions", sessions)
	}
	if *update {
		if err := os.WriteFile("contract.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(got, string(page)); diff != "" {
		t.Errorf("contract.md is not what the commands print, run go test ./docs -update (-want +got):\n%s", diff)
	}
}

// jobCommand is a call of cardwright in the jobs of docs/ci.md that start an agent:
// in a shell, in GitLab, and as the inputs of the Action.
var (
	jobCommand = regexp.MustCompile(`(?m)^(?:    - )?(cardwright (?:capture|contract) .*)$`)
	jobInputs  = regexp.MustCompile(
		`(?m)^          command: (contract|capture-check)\n(?:          env: .*\n)?          args: \|\n((?:            .*\n)+)`)
)

// The jobs of docs/ci.md pass with an agent that keeps what its card says, and fail
// with one that does not.
func TestRunningAgentJobs(t *testing.T) {
	bin := build(t)
	page, err := os.ReadFile("ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Running agents\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var commands []string
	for _, m := range jobCommand.FindAllStringSubmatch(section, -1) {
		commands = append(commands, m[1])
	}
	for _, m := range jobInputs.FindAllStringSubmatch(section, -1) {
		command := "cardwright " + strings.Replace(m[1], "capture-check", "capture --check", 1)
		for line := range strings.Lines(m[2]) {
			command += " '" + strings.TrimSpace(line) + "'"
		}
		commands = append(commands, command)
	}
	if len(commands) != 6 {
		t.Fatalf("the section has %d commands: %q", len(commands), commands)
	}
	dir := copyOf(t, filepath.Join("..", "testdata", "contract"))
	desk := &deskAgent{}
	desk.streams.Store(true)
	server := httptest.NewServer(desk)
	defer server.Close()
	run := func(command string) (string, error) {
		for _, host := range []string{"http://127.0.0.1:8080", "http://desk:8080"} {
			command = strings.ReplaceAll(command, host, server.URL)
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = dir, append(environment(bin), "AGENT_AUTHORIZATION=Bearer only-in-this-job")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("cardwright generate -q"); err != nil {
		t.Fatal(out)
	}
	card, err := os.ReadFile(filepath.Join(dir, "dist", ".well-known", "agent-card.json"))
	if err != nil {
		t.Fatal(err)
	}
	desk.card.Store(strings.ReplaceAll(string(card), "https://agents.acme.example", server.URL))
	if out, err := run("cardwright capture -o cards/desk.json http://desk:8080"); err != nil {
		t.Fatal(out)
	}
	for _, honest := range []bool{true, false} {
		desk.streams.Store(honest)
		for _, command := range commands {
			out, err := run(command)
			if wanted := honest || strings.Contains(command, " capture "); (err == nil) != wanted {
				t.Errorf("%s: honest %t, %v\n%s", command, honest, err, out)
			}
			if strings.Contains(out, "only-in-this-job") {
				t.Errorf("%s prints the credentials:\n%s", command, out)
			}
		}
		if xml, err := os.ReadFile(filepath.Join(dir, "contract.xml")); err != nil ||
			strings.Contains(string(xml), "<failure") == honest {
			t.Errorf("the report of an agent that is honest: %t, %v\n%s", honest, err, xml)
		}
	}
}

// deskAgent is an agent over JSON-RPC that has no task.
type deskAgent struct {
	card    atomic.Value // text
	streams atomic.Bool
}

func (a *deskAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		if r.URL.Path != "/.well-known/agent-card.json" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		card, _ := a.card.Load().(string)
		_, _ = w.Write([]byte(card))
		return
	}
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	code, message := -32601, "Method not found"
	switch call.Method {
	case "GetTask":
		code, message = -32001, "Task not found"
	case "ListTaskPushNotificationConfigs":
		code, message = -32003, "Push notifications are not supported"
	case "SubscribeToTask":
		if code, message = -32004, "This operation is not supported"; a.streams.Load() {
			code, message = -32001, "Task not found"
		}
	case "GetExtendedAgentCard":
		code, message = -32004, "This operation is not supported"
	}
	if r.Header.Get("A2A-Version") != "1.0" {
		code, message = -32009, "Version not supported"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"jsonrpc": "2.0", "id": call.ID,
		"error": map[string]any{"code": code, "message": message},
	})
}
