package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// What capture writes of an agent is a source that generate reads, and no drift
// is seen until the agent changes.
func TestCapture(t *testing.T) {
	t.Parallel()
	bin := fixture.Program(t)
	start := map[string]func(*testing.T, string, lie) agent{"a2a-go": startGo, "a2a-js": startJS}
	for _, sdk := range []string{"a2a-go", "a2a-js"} {
		for _, binding := range []string{"JSONRPC", "HTTP+JSON", "GRPC"} {
			t.Run(sdk+"/"+binding, func(t *testing.T) {
				t.Parallel()
				c := &cardwright{t: t, bin: bin, dir: t.TempDir()}
				a := start[sdk](t, binding, lie{})
				captures(t, c, a)
				grown := func(p *promise) { p.Grown = true }
				b := start[sdk](t, binding, lie{says: grown, does: grown})
				out, ok := c.run(nil, "capture", b.url, "-o", "cards/agent.json", "--check")
				if ok || !strings.Contains(string(out), `skill "shout"`) {
					t.Errorf("a new skill is not told:\n%s", out)
				}
				private := start[sdk](t, binding, lie{name: "extended"})
				out, ok = c.run(nil, "capture", private.url, "--extended", "--header", "Authorization: env:TOKEN")
				if !ok || !strings.Contains(string(out), `"id": "deploy"`) {
					t.Errorf("the extended card is not captured:\n%s", out)
				}
			})
		}
	}
}

// captures checks the way from an agent to a published card and back.
func captures(t *testing.T, c *cardwright, a agent) {
	t.Helper()
	const config = `version: 1
baseUrl: https://agents.acme.example
agents:
  - id: honest
    skills: {from: [{type: card, path: cards/agent.json, whole: true}]}
`
	if err := os.WriteFile(filepath.Join(c.dir, "cardwright.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"capture", a.url, "-o", "cards/agent.json"},
		{"generate"},
		{"capture", a.url, "-o", "cards/agent.json", "--check"},
	} {
		cmd := exec.CommandContext(t.Context(), c.bin, args...)
		cmd.Dir = c.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	captured, err := os.ReadFile(filepath.Join(c.dir, "cards", "agent.json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(captured), a.url) {
		t.Errorf("the host stands in the captured card:\n%s", captured)
	}
	card, err := os.ReadFile(filepath.Join(c.dir, "dist", ".well-known", "agent-card.json"))
	if err != nil || !strings.Contains(string(card), `"id": "echo"`) {
		t.Errorf("the captured skill is not published: %v\n%s", err, card)
	}
}
