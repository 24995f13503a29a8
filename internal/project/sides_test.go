package project

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/site"
)

// cardOf is a card of A2A 1.0 whose endpoint has that path.
func cardOf(name, endpoint string) string {
	return fmt.Sprintf(`{"name": %q, "description": "Does things.", "version": "1.0.0",
"capabilities": {"streaming": true},
"supportedInterfaces": [{"url": "https://a.example/%s", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
"skills": [{"id": "s", "name": "S", "description": "Does it.", "tags": ["x"]}]}`, name, endpoint)
}

// A side is a card or a tree. The card for older clients counts where it says something of
// its own, or is gone.
func TestCompare(t *testing.T) {
	const current, older = "/.well-known/agent-card.json", "/.well-known/agent.json"
	a, moved := cardOf("A", "a"), cardOf("A", "moved")
	w := in(t, "", map[string]string{
		"a" + current: a, "copied" + current: a, "copied" + older: a, "moved" + current: moved, "moved" + older: moved,
		"split" + current: a, "split" + older: moved, "two/a" + current: a, "two/b" + current: cardOf("B", "b"),
		"none/x": "", "hand/public" + current: a, "elsewhere/static" + current: a, "project/public" + current: a,
		"project/cardwright.yaml": "version: 1\nout: public\nagents: [{id: a, name: A}]\n",
	})
	for _, tt := range []struct {
		old, new string
		want     []string
		fault    string
	}{
		{"a", "a", nil, ""},
		{"a", "copied", nil, ""},
		{"copied", "a", []string{".well-known/agent.json"}, ""}, // clients of 0.3 find nothing
		{"copied", "moved", []string{""}, ""},
		{"copied", "split", []string{".well-known/agent.json"}, ""},
		{"a", "two", []string{"a", "b"}, ""},
		{"none", "a", []string{""}, ""},
		{"a/.well-known", "copied", nil, ""},
		{"hand", "project", nil, ""}, // which is how a project begins
		{"project", "elsewhere", nil, ""},
		{"two", "project", []string{"b"}, ""}, // the other agent is gone
		{"a", "moved" + current, []string{""}, ""},
		{"two", "moved" + current, nil, "cannot be compared with several"},
	} {
		c, err := Opener{Reader: Reader{Workspace: w}}.Compare(t.Context(), []string{tt.old, tt.new})
		if tt.fault != "" || err != nil {
			if !usage(err, tt.fault) {
				t.Errorf("%s, %s: %v", tt.old, tt.new, err)
			}
			continue
		}
		var got []string
		for _, agent := range c.Agents {
			if len(agent.Changes) > 0 {
				got = append(got, agent.Agent)
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" || len(c.Older.Found)+len(c.Newer.Found) > 0 {
			t.Errorf("%s, %s: %v %v (-want +got)\n%s", tt.old, tt.new, c.Older.Found, c.Newer.Found, d)
		}
	}
}

// The worst for clients comes first, and what follows from cards last.
func TestDrift(t *testing.T) {
	const card = "/.well-known/agent-card.json"
	w := in(t, "", map[string]string{
		"dist/a" + card: cardOf("A", "a"), "dist/b" + card: cardOf("B", "b"), "dist/c" + card: cardOf("C", "c"),
		"dist/a/.well-known/agent.json": "{}",
	})
	dir, err := w.Checkout.Output("dist", files.Typed)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	tree := Output{Dir: dir}
	for name, text := range map[string]string{
		"a" + card: strings.Replace(cardOf("A", "a"), "Does things.", "Does more.", 1), "b" + card: cardOf("B", "moved"),
		"c" + card: cardOf("C", "c"), "a/.well-known/agent.json": "{ }", "d" + card: cardOf("D", "d"),
	} {
		tree.Files = append(tree.Files, site.File{Path: name, Data: []byte(text), Agent: name[:1]})
	}
	slices.SortFunc(tree.Files, func(a, b site.File) int { return strings.Compare(a.Path, b.Path) })
	tree.options.Force = true // none of it is listed
	drift, found := driftOf(&Run{}, []Output{tree})
	var got []string
	for _, c := range drift.Cards {
		got = append(got, fmt.Sprint(c.Means.Agent, " ", c.File.Kind, " ", diff.Worst(c.Means.Changes)))
	}
	want := []string{"b changed breaking", "d missing additive", "a changed cosmetic"}
	if d := cmp.Diff(want, got); d != "" || found != nil || len(drift.Derived) != 1 {
		t.Errorf("%v, %d derived (-want +got)\n%s", found, len(drift.Derived), d)
	}
}

// git ignores files of the project only, as it spells them from the working directory.
func TestIgnored(t *testing.T) {
	w := in(t, "a", map[string]string{".git/HEAD": "x", ".gitignore": "out\n", "a/x": ""})
	whole, err := w.around()
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Workspace: w, Project: &Project{Whole: whole}}
	ignored := r.ignored()
	for file, want := range map[string]bool{"out/x": true, "../out": true, "in/x": false, "../../out/x": false} {
		if ignored(file) != want {
			t.Errorf("%s: not %t", file, want)
		}
	}
}
