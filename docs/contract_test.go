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
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(command, pageAgent, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)))
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
	desk.card = string(card)
	run("cardwright capture -o cards/desk.json " + pageAgent)
	served := strings.Replace(desk.card, `"id": "answer"`, `"id": "translate"`, 1)
	served = strings.Replace(served, "Answers a question about the house, its rooms and its opening hours.", "Translates a notice of the house into five languages.", 1)

	page, err := os.ReadFile("contract.md")
	if err != nil {
		t.Fatal(err)
	}
	sessions := 0
	got := agentSession.ReplaceAllStringFunc(string(page), func(block string) string {
		sessions++
		command, _, _ := strings.Cut(strings.TrimPrefix(block, "```\n$ "), "\n")
		if strings.Contains(command, "--check") {
			desk.card = served
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

// deskAgent is an agent over JSON-RPC that has no task and does not stream.
type deskAgent struct{ card string }

func (a *deskAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		if r.URL.Path != "/.well-known/agent-card.json" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(a.card))
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
	case "SubscribeToTask", "GetExtendedAgentCard":
		code, message = -32004, "This operation is not supported"
	}
	if r.Header.Get("A2A-Version") != "1.0" {
		code, message = -32009, "Version not supported"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "error": map[string]any{"code": code, "message": message}})
}
