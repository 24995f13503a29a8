package golden_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// Every card of the golden trees that can be signed is the same bytes under all
// readings, so that every verifier sees what was signed. There is one exception:
// a requirement without scopes is empty, whatever one does.
func TestCardsAreFixedPoints(t *testing.T) {
	seen := map[string]int{}
	for _, name := range cardNames(t) {
		t.Run(name, func(t *testing.T) {
			card := readCard(t, name)
			switch legacy := card.Get("url") != nil; {
			case legacy && card.Get("supportedInterfaces") != nil:
				seen["dual"]++
				refused(t, card, "signature-dual")
				return
			case legacy:
				seen["0.3"]++ // no reading but the raw one makes sense of it
				return
			}
			scopeless := fillScopes(card)
			for _, r := range sign.Readings() {
				tree, _ := sign.Read(card, r)
				if diff := cmp.Diff(canonical(t, card), canonical(t, tree)); diff != "" {
					t.Errorf("the reading %q differs (-raw +%s):\n%s", r, r, diff)
				}
			}
			var divergent []string
			for _, d := range sign.Divergences(readCard(t, name)) {
				divergent = append(divergent, strings.TrimSuffix(d.Pointer, "/list"))
			}
			if diff := cmp.Diff(scopeless, slices.Compact(divergent)); diff != "" {
				t.Errorf("verifiers disagree on more or less than requirements without scopes (-want +got):\n%s", diff)
			}
			switch {
			case strings.HasPrefix(name, "signed/") && len(scopeless) > 0:
				t.Errorf("the requirements %q of a signed card are empty", scopeless)
			case len(scopeless) > 0:
				seen["without scopes"]++
			default:
				seen["1.0"]++
			}
		})
	}
	for _, kind := range []string{"dual", "0.3", "1.0", "without scopes"} {
		if seen[kind] == 0 {
			t.Errorf("no golden card is %s", kind)
		}
	}
}

// cardNames are the cards in the golden trees; the copies for older clients are
// left out.
func cardNames(t *testing.T) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if base := path.Base(name); base == "agent-card.json" || base == "extended-agent-card.json" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func readCard(t *testing.T, name string) *source.Node {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	card, found := source.ParseJSON(name, data, source.Limits{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	return card
}

// canonical is what a signature covers.
func canonical(t *testing.T, card *source.Node) string {
	t.Helper()
	payload, found := sign.Payload(card)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return string(payload)
}

func refused(t *testing.T, card *source.Node, rule string) {
	t.Helper()
	found := sign.Check(card, sign.Options{AllowDivergent: true})
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Rule == rule && d.Severity == diag.Error }) {
		t.Errorf("it can be signed: %v", found)
	}
}

// fillScopes gives a scope to every requirement of the card that has none, and
// returns where these are, sorted.
func fillScopes(card *source.Node) []string {
	var filled []string
	fill := func(requirements *source.Node, pointer string) {
		for i, r := range items(requirements) {
			for _, m := range r.Get("schemes").Members {
				if len(items(m.Value.Get("list"))) > 0 {
					continue
				}
				m.Value.Members = []source.Member{{Key: "list", Value: source.NewTexts([]string{"scope"})}}
				filled = append(filled, source.Pointer(pointer, strconv.Itoa(i))+source.Pointer("/schemes", m.Key))
			}
		}
	}
	fill(card.Get("securityRequirements"), "/securityRequirements")
	for i, skill := range items(card.Get("skills")) {
		fill(skill.Get("securityRequirements"), source.Pointer("/skills", strconv.Itoa(i))+"/securityRequirements")
	}
	slices.Sort(filled)
	return filled
}

func items(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
