package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	a2av0 "github.com/a2aproject/a2a-go/a2a"
	"github.com/google/go-cmp/cmp"
	adk "google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"cardwright/internal/fixture"
)

// object is a card as JSON.
type object = map[string]any

// framework is one that makes agents with a card of their own.
type framework struct {
	name    string
	script  string   // that starts an agent in Node, "" for adk-go
	allowed []string // warnings about what the framework does wrong
	untold  string   // a lie that cannot be told from that
}

var frameworks = []framework{
	{
		name: "@google/adk", script: "adk.mjs", allowed: []string{"warning contract-task-not-found"},
	},
	{
		name: "Mastra", script: "mastra.mjs",
		allowed: []string{"warning contract-streaming"}, untold: "no streaming", // a subscription breaks off
	},
	{name: "adk-go", allowed: []string{"warning contract-binding"}},
	{name: "gemini-cli-a2a-server", script: "a2a-server.mjs"},
}

// untruths are lies that need no change of the agent, only one of its card.
var untruths = []struct {
	name string
	tell func(card object)
	want string
}{
	{"nothing", func(object) {}, ""},
	{"no streaming", func(c object) { c["capabilities"] = object{"streaming": false} }, "error contract-streaming"},
	{"an extended card", func(c object) {
		c["supportsAuthenticatedExtendedCard"] = true
	}, "error contract-extended"},
	{"security", func(c object) {
		c["securitySchemes"] = object{"key": object{"type": "apiKey", "in": "header", "name": "X-API-Key"}}
		c["security"] = []any{object{"key": []any{}}}
	}, "error contract-security"},
	{"another path", func(c object) { c["url"] = fmt.Sprint(c["url"]) + "/other" }, "error contract-binding"},
	{"another binding", func(c object) { c["preferredTransport"] = "HTTP+JSON" }, "error contract-binding"},
}

// Honest agents of frameworks have no failure, and a card that promises something else
// has one, for the right reason.
func TestContractFrameworks(t *testing.T) {
	t.Parallel()
	fixture.NPM(t, "js")
	bin := fixture.Program(t)
	for _, f := range frameworks {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			card := startFramework(t, f.script)
			whole, err := json.Marshal(card)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range untruths {
				if u.name == f.untold {
					continue
				}
				t.Run(u.name, func(t *testing.T) {
					said := object{}
					if err := json.Unmarshal(whole, &said); err != nil {
						t.Fatal(err)
					}
					if u.tell(said); u.want == "error contract-binding" {
						delete(said, "additionalInterfaces")
					}
					text, err := json.Marshal(said)
					if err != nil {
						t.Fatal(err)
					}
					args := []string{"--skip", "contract-card"}
					if u.want == "" {
						args = append(args, "--send", "hello")
					}
					got := contractOf(t, bin, agent{card: text}, args...)
					got.without(f.allowed)
					want := []string{u.want}
					if u.want == "" {
						want = nil
					}
					if diff := cmp.Diff(want, got.findings); diff != "" && len(want)+len(got.findings) > 0 {
						t.Errorf("findings (-want +got):\n%s\n%s", diff, got.text)
					}
				})
			}
		})
	}
}

// startFramework starts an agent, and returns the card that it serves.
func startFramework(t *testing.T, script string) object {
	t.Helper()
	if script == "" {
		return startADKGo(t)
	}
	card, settings := object{}, ""
	if script == "a2a-server.mjs" {
		settings = unpackGemini(t)
	}
	if err := json.Unmarshal(startNode(t, script, []byte(settings)).Card, &card); err != nil {
		t.Fatal(err)
	}
	return card
}

// unpackGemini returns the file that the package of gemini-cli consists of. The half gigabyte of
// its dependencies is in that file already.
func unpackGemini(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	pack := exec.CommandContext(t.Context(), "npm", "pack", "--silent", "@google/gemini-cli-a2a-server@0.25.2")
	pack.Dir = dir
	name, err := pack.Output()
	if err != nil {
		t.Fatalf("npm pack: %v", err)
	}
	unpack := exec.CommandContext(t.Context(), "tar", "-xzf", strings.TrimSpace(string(name)))
	unpack.Dir = dir
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return filepath.Join(dir, "package", "dist", "a2a-server.mjs")
}

// echoed is what the agent of ADK answers.
func echoed(c adk.InvocationContext) *session.Event {
	e := session.NewEvent(c, c.InvocationID())
	e.Content = genai.NewContentFromText("again", genai.RoleModel)
	return e
}

// startADKGo starts an agent as the launcher of adk-go does, which needs a terminal.
func startADKGo(t *testing.T) object {
	t.Helper()
	echo := newEcho(t)
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	serveADKGo(mux, echo)
	text, err := json.Marshal(a2av0.AgentCard{
		Name: echo.Name(), Description: echo.Description(), Version: "1.0.0", URL: web.URL + "/a2a/v0",
		ProtocolVersion: "0.3.0", PreferredTransport: a2av0.TransportProtocolJSONRPC,
		Skills: []a2av0.AgentSkill{
			{ID: "echo", Name: "Echo", Description: echo.Description(), Tags: []string{"echo"}},
		},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Capabilities: a2av0.AgentCapabilities{Streaming: true},
	})
	card := object{}
	if err != nil || json.Unmarshal(text, &card) != nil {
		t.Fatal(err)
	}
	return card
}
