package generate

import (
	"strings"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// A tree brings what a run makes for its agents, and nothing else that lies in it.
func TestJoinTakesNoMore(t *testing.T) {
	const text = `version: 1
baseUrl: https://agents.acme.example
layout: path
agents:
  - {id: one, name: One, description: Explains one invoice., version: 1.0.0, interfaces: [{url: /one}],
     skills: {add: [{id: a, name: A, description: Explains., tags: [x]}]}}
  - {id: two, name: Two, description: Explains two invoices., version: 1.0.0, interfaces: [{url: /two}],
     skills: {add: [{id: a, name: A, description: Explains., tags: [x]}]}}
`
	cfg, found := config.Load([]byte(text), config.Options{File: "cardwright.yaml"})
	if found.Worst() == diag.Error {
		t.Fatal(told(found))
	}
	req := Request{Config: cfg}
	shard := func(agent, file string) Shard {
		return Shard{Name: "shards/" + agent, Files: []tree.File{
			req.file(agent, agent+"/"+tree.CardPath, []byte("{}\n")),
			req.file(agent, file, []byte("{}\n")),
		}}
	}
	for file, want := range map[string]string{
		"two/.well-known/agent.json":              "",
		"two/.well-known/shell.php":               "is not a file that cardwright generates for agent",
		"two/page.html":                           "is not a file that cardwright generates for agent",
		"two/extended-agent-card.json":            "is not a file that cardwright generates for agent",
		"two/.well-known/agent-skills/x/SKILL.md": "is not a file that cardwright generates for agent",
		".well-known/agent-skills/x/SKILL.md":     "is not a file that cardwright generates for agent",
		"one/.well-known/agent-card.json":         "is not in the directory of agent",
		"one/.well-known/agent-skills/x/SKILL.md": "is not a file that cardwright generates for agent",
	} {
		_, found, err := Join(t.Context(), req, []Shard{shard("one", "one/"+tree.LegacyCardPath), shard("two", file)})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(told(found), "\n"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: found %q, want %q", file, got, want)
		}
	}
}
