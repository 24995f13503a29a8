package project_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestInPlace(t *testing.T) {
	type files = map[string]string
	const card, legacy = "dist/.well-known/agent-card.json", "dist/.well-known/agent.json"
	base := project.EditionTree{Dir: "dist", Agents: map[string]string{"": "billing"}}
	moved := project.EditionTree{Dir: "adist", Agents: map[string]string{"": "billing"}}
	tests := []struct {
		name             string
		older, newer     files
		trees            []project.EditionTree
		wantOld, wantNew string
	}{
		{"one card", files{card: "A"}, files{card: "B"}, []project.EditionTree{base}, "billing=A", "billing=B"},
		{
			"no configuration",
			files{"dist/x/.well-known/agent-card.json": "A"},
			files{},
			[]project.EditionTree{{Dir: "dist"}},
			"x=A", "",
		},
		{
			"a copy",
			files{card: "A", legacy: "A"},
			files{card: "B", legacy: "B"},
			[]project.EditionTree{base},
			"billing=A",
			"billing=B",
		},
		{
			"a new copy",
			files{card: "A"},
			files{card: "A", legacy: "A"},
			[]project.EditionTree{base},
			"billing=A", "billing=A",
		},
		{
			"another copy",
			files{card: "A", legacy: "A"},
			files{card: "A", legacy: "B"},
			[]project.EditionTree{base},
			"billing=A " + legacy + "=A", "billing=A " + legacy + "=B",
		},
		{
			"the copy is gone",
			files{card: "A", legacy: "A"},
			files{card: "A"},
			[]project.EditionTree{base},
			"billing=A " + legacy + "=A", "billing=A",
		},
		{"all is gone", files{card: "A", legacy: "A"}, files{}, []project.EditionTree{base}, "billing=A", ""},
		{"only the old path", files{legacy: "A"}, files{legacy: "B"}, []project.EditionTree{base}, "billing=A", "billing=B"},
		{
			"another directory, which sorts first",
			files{card: "A"},
			files{"adist/.well-known/agent-card.json": "A"},
			[]project.EditionTree{base, moved},
			"billing=A", "billing=A",
		},
		{
			"another layout, and other cards",
			files{card: "A"},
			files{"dist/host.example/.well-known/agent-card.json": "B", "dist/two/.well-known/agent-card.json": "C"},
			[]project.EditionTree{{Dir: "dist", Agents: map[string]string{"": "billing", "host.example": "billing"}}},
			"billing=A", "billing=B two=C",
		},
		{
			"another layout, and the card is kept",
			files{card: "A"},
			files{card: "A", "dist/host.example/.well-known/agent-card.json": "B"},
			[]project.EditionTree{{Dir: "dist", Agents: map[string]string{"": "billing", "host.example": "billing"}}},
			"billing=A", "billing=A dist/host.example/.well-known/agent-card.json=B",
		},
		{
			"another directory, and the card is kept",
			files{card: "A"},
			files{card: "A", "adist/.well-known/agent-card.json": "B"},
			[]project.EditionTree{base, moved},
			"adist/.well-known/agent-card.json=A billing=A",
			"adist/.well-known/agent-card.json=B billing=A",
		},
		{
			"another directory without the card, which is kept",
			files{card: "A"},
			files{card: "A"},
			[]project.EditionTree{base, moved},
			"adist/.well-known/agent-card.json=A billing=A", "billing=A",
		},
		{
			"another directory with the card in both",
			files{card: "A", "adist/.well-known/agent-card.json": "B"},
			files{card: "A", "adist/.well-known/agent-card.json": "B"},
			[]project.EditionTree{base, moved},
			"billing=B " + card + "=A",
			"billing=B " + card + "=A",
		},
		{
			"a decoy of the same name",
			files{card: "A"},
			files{card: "B", "dist/agent-card.json": "A"},
			[]project.EditionTree{base},
			"billing=A", "billing=B dist/agent-card.json=A",
		},
		{
			"an extended card",
			files{"dist/extended-agent-card.json": "A"},
			files{"dist/extended-agent-card.json": "B"},
			[]project.EditionTree{base},
			"billing=A", "billing=B",
		},
		{
			"a manifest that says otherwise",
			files{card: "A"},
			files{
				card: "B", "decoy/agent-card.json": "A",
				"cardwright.manifest.json": "decoy/agent-card.json=billing",
			},
			[]project.EditionTree{base},
			"billing=A",
			"billing=B decoy=A",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			older, newer := tree(tt.older), tree(tt.newer)
			before, after := project.InPlace(older, newer, tt.trees)
			if diff := cmp.Diff([]string{tt.wantOld, tt.wantNew}, []string{cards(before), cards(after)}); diff != "" {
				t.Error(diff)
			}
			if len(older.Found)+len(newer.Found) > 0 {
				t.Error(older.Found, newer.Found)
			}
		})
	}
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
