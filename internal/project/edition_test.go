package project_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/project"
)

// tree is an edition of files whose text is the name of the agent, or of a
// manifest: "path=agent path=agent".
func tree(files map[string]string) *project.Edition {
	return &project.Edition{
		Tree:  true,
		Files: slices.Sorted(maps.Keys(files)),
		Read: func(file string, _ int) ([]byte, error) {
			text, ok := files[file]
			if !ok {
				return nil, fs.ErrNotExist
			}
			if !strings.HasSuffix(file, "manifest.json") {
				return fmt.Appendf(nil, `{"name": %q, "description": "d", "version": "1", "skills": [], `+
					`"supportedInterfaces": [{"url": "https://acme.example", "protocolBinding": "JSONRPC", `+
					`"protocolVersion": "1.0"}]}`, text), nil
			}
			var entries []string
			for entry := range strings.FieldsSeq(text) {
				path, agent, _ := strings.Cut(entry, "=")
				entries = append(entries, fmt.Sprintf(`{"path": %q, "agent": %q, "size": 1, "sha256": "%064d"}`, path, agent, 0))
			}
			return fmt.Appendf(nil, `{"version": 1, "files": [%s]}`, strings.Join(entries, ",")), nil
		},
		Show: func(file string) string { return file },
	}
}

// cards lists readings: what each is called, and the card.
func cards(r project.Readings) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		all = append(all, name+"="+r[name].Card.Name)
	}
	return strings.Join(all, " ")
}

// Two output trees are compared only where their manifests say which card is
// whose, and that of each card.
func TestPair(t *testing.T) {
	const manifest = "cardwright.manifest.json"
	older := map[string]string{manifest: "a/agent-card.json=x", "a/agent-card.json": "A"}
	tests := []struct {
		name  string
		newer map[string]string
		want  string // the new cards, or what is wrong
	}{
		{"listed elsewhere", map[string]string{manifest: "b/agent-card.json=x", "b/agent-card.json": "B"}, "x=B"},
		{
			"two cards of one agent",
			map[string]string{
				manifest:            "a/agent-card.json=x b/agent-card.json=x",
				"a/agent-card.json": "B", "b/agent-card.json": "A",
			},
			`the manifest lists two cards of the agent "x": "a/agent-card.json" and "b/agent-card.json"`,
		},
		{"a card that is not listed", map[string]string{
			manifest: "b/agent-card.json=x", "a/agent-card.json": "B",
			"b/agent-card.json": "A",
		}, "the manifest beside it does not list the card"},
		{"no manifest, two cards for one place", map[string]string{
			"a/agent-card.json":             "A",
			"a/.well-known/agent-card.json": "B",
		}, "a=B a/agent-card.json=A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 12 { // nothing depends on an order in memory
				e := tree(tt.newer)
				_, after := project.Pair(tree(older), e)
				got := cards(after)
				if len(e.Found) > 0 {
					got = e.Found[0].Message
				}
				if got != tt.want {
					t.Fatalf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}
