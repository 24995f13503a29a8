package golden_test

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// The cards that the example projects make for clients of 0.3, of 1.0 and of
// both differ in nothing but the versions they speak, and who reads these.
func TestProjectInEveryVersion(t *testing.T) {
	forms := map[string]string{"0.3": `["0.3"]`, "1.0": `["1.0"]`, "dual": `["1.0", "0.3"]`}
	for _, workspace := range []string{"acme-agents", "code-review"} {
		trees := map[string]map[string]diff.Side{}
		for form, versions := range forms {
			trees[form] = cards(t, workspace, versions)
		}
		for from := range forms {
			for to := range forms {
				t.Run(workspace+" from "+from+" to "+to, func(t *testing.T) {
					var got []string
					for _, c := range diff.All(diff.Agents(trees[from], trees[to])) {
						if c.Class == diff.Breaking && c.Rule != diag.InterfaceRemoved {
							got = append(got, c.Agent+" "+c.Rule.String())
						}
					}
					want := knownLosses(workspace, from, to)
					if from != to && to != "dual" { // the clients of one version alone
						for _, agent := range slices.Sorted(maps.Keys(trees[from])) {
							want = append(want, agent+" "+diag.ClientLost.String())
						}
					}
					slices.Sort(want)
					slices.Sort(got)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("breaking changes (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}

// knownLosses are the flows that 0.3 lacks, which a dual card leaves out too.
func knownLosses(workspace, from, to string) []string {
	if workspace != "acme-agents" || from != "1.0" || to == "1.0" {
		return nil
	}
	return []string{"billing scheme-removed", "billing requirement-tightened"}
}

var interfaces = regexp.MustCompile(`(?m)^( +- \{url: [^,}\n]+(?:, binding: [^,}\n]+)?)(?:, versions: \[[^\]]*\])?`)

// cards returns the cards of a workspace whose interfaces all speak the given
// versions, by agent, as they are read from what is published.
func cards(t *testing.T, name, versions string) map[string]diff.Side {
	t.Helper()
	dir := loaded(t, name)
	text := interfaces.ReplaceAllString(string(dir["cardwright.yaml"].Data), "$1, versions: "+versions)
	text = strings.Replace(text, "    compat: [a2a-go-430]\n", "", 1)
	dir["cardwright.yaml"].Data = []byte(text)
	result, found := made(dir, config.Options{}, nil)
	if found.Worst() == diag.Error {
		t.Fatal(found)
	}
	out := map[string]diff.Side{}
	for _, f := range result.Public {
		if path.Base(f.Path) != "agent-card.json" {
			continue
		}
		root, found := source.ParseJSON(f.Path, f.Data)
		if found != nil {
			t.Fatal(found)
		}
		r := convert.Read(root, convert.ReadOptions{Stated: true})
		out[f.Agent] = diff.Side{Card: r.Card, Document: r.Document(), Pointer: r.Pointer}
	}
	if len(out) == 0 {
		t.Fatal("the workspace makes no card")
	}
	return out
}
