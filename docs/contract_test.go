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

// ciStep is a step of a job of docs/ci.md: commands of a shell, or the Action.
type ciStep struct {
	Run, Uses, If string
	Env, With     map[string]string
}

// ciJobs are the jobs of docs/ci.md that start an agent.
func ciJobs(t *testing.T) map[string][]ciStep {
	t.Helper()
	_, section, _ := strings.Cut(read(t, "ci.md"), "\n## Running agents\n")
	section, _, _ = strings.Cut(section, "\n## ")
	yamls := fenced(section, "yaml")
	if len(yamls) != 2 {
		t.Fatalf("the section has %d jobs", len(yamls))
	}
	var github struct {
		Jobs struct {
			Contract struct{ Steps []ciStep }
		}
	}
	decode(t, yamls[0], &github)
	var gitlab struct {
		Job struct {
			BeforeScript []string `yaml:"before_script"`
			Script       []string
		} `yaml:"agent contract"`
	}
	decode(t, yamls[1], &gitlab)
	return map[string][]ciStep{
		"github": github.Jobs.Contract.Steps,
		"gitlab": {{Run: strings.Join(append(gitlab.Job.BeforeScript, gitlab.Job.Script...), "\n")}},
	}
}

// The jobs of docs/ci.md pass with an agent that keeps what its card says, and fail
// with one that does not.
func TestRunningAgentJobs(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	bin := build(t)
	jobs := ciJobs(t)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	// The agent runs already, and so does the program.
	tools := t.TempDir()
	for _, name := range []string{"docker", "go"} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(bin, filepath.Join(tools, "cardwright")); err != nil {
		t.Skip(err)
	}
	dir := copyOf(t, filepath.Join("..", "testdata", "contract"))
	desk := &deskAgent{}
	desk.streams.Store(true)
	server := httptest.NewServer(desk)
	defer server.Close()
	local := strings.NewReplacer("http://127.0.0.1:8080", server.URL, "http://desk:8080", server.URL).Replace
	run := func(step ciStep) (string, error) {
		cmd := exec.Command("bash", "-ec", local(step.Run))
		cmd.Env = append(environment(filepath.Join(tools, "cardwright")), "ROOT="+root, "WORK="+t.TempDir(), "NO_PROXY=*",
			"AGENT_AUTHORIZATION=Bearer only-in-this-job")
		switch {
		case step.If != "", strings.HasPrefix(step.Uses, "actions/"):
			return "", nil
		case step.Uses != "":
			cmd.Args = []string{
				"bash", filepath.Join(root, "testdata", "script", "action", "step.sh"), "run",
				"CARDWRIGHT_COMMAND=" + step.With["command"], "CARDWRIGHT_ARGS=" + local(step.With["args"]),
				"CARDWRIGHT_ENV=" + step.With["env"],
			}
		}
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	succeed := func(command string) {
		if out, err := run(ciStep{Run: command}); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	succeed("cardwright generate -q")
	card := read(t, filepath.Join(dir, "dist", ".well-known", "agent-card.json"))
	desk.card.Store(strings.ReplaceAll(card, "https://agents.acme.example", server.URL))
	succeed("cardwright capture -o cards/desk.json http://desk:8080")
	for name, steps := range jobs {
		for _, honest := range []bool{true, false} {
			desk.streams.Store(honest)
			printed := ""
			var failed error
			for i := 0; i < len(steps) && failed == nil; i++ {
				var out string
				out, failed = run(steps[i])
				printed += out
			}
			if (failed == nil) != honest || !strings.Contains(printed, "contract-streaming") {
				t.Errorf("%s, honest: %t: %v\n%s", name, honest, failed, printed)
			}
			if strings.Contains(printed, "only-in-this-job") {
				t.Errorf("%s prints the credentials:\n%s", name, printed)
			}
			if name == "github" {
				continue // which reports in its own way
			}
			if xml := read(t, filepath.Join(dir, "contract.xml")); strings.Contains(xml, "<failure") == honest {
				t.Errorf("the report of an agent that is honest: %t:\n%s", honest, xml)
			}
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
