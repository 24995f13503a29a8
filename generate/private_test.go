package generate

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/walk"
)

// What agents show is known again by reading them twice where it does not stay in memory.
func TestForgottenTraces(t *testing.T) {
	agent := func(id string) string {
		return "  - {id: " + id + ", name: " + id + ", description: Does it., version: 1.0.0, interfaces: [{url: /" + id +
			"}], skills: {from: [{type: skills, path: " + id + "}]}}\n"
	}
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"cardwright.yaml": "version: 1\nbaseUrl: https://agents.acme.example\nagents:\n" +
			agent("a") + agent("b") + agent("c"),
		"a/pay/SKILL.md": "---\nname: pay\ndescription: Pays what suppliers have billed.\n" +
			"metadata: {a2a-visibility: hidden}\n---\n",
		"a/count/SKILL.md": "---\nname: count\ndescription: Counts all that lies in a warehouse.\n---\n",
		"b/other/SKILL.md": "---\nname: other\ndescription: Pays what suppliers have billed!\n---\n",
		"b/look/SKILL.md":  "---\nname: look\ndescription: Looks for parcels that are lost.\n---\n",
		"c/see/SKILL.md":   "---\nname: see\ndescription: Sees which roads are closed today.\n---\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	run := func(traces int64) (cards map[string]string, found diag.List) {
		cfg, found := config.Load(files["cardwright.yaml"].Data, config.Options{File: "cardwright.yaml"})
		result, more, err := Run(context.Background(), Request{
			Config: cfg, traces: traces,
			Open: func(name string, _ diag.Span) (walk.Tree, error) { return treeAt(files, name), nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		cards = map[string]string{}
		for _, f := range result.Public {
			cards[f.Path] = string(f.Data)
		}
		return cards, append(found, more...)
	}
	cards, found := run(0)
	for name, card := range cards {
		if strings.Contains(card, "suppliers") {
			t.Errorf("%s shows what is private", name)
		}
	}
	again, foundAgain := run(1)
	if diff := cmp.Diff(cards, again); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(found, foundAgain); diff != "" {
		t.Error(diff)
	}
}
