package golden_test

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/discovery"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// The catalog of the example lists every public card, and nothing of what is
// only on an extended one, at the URLs of its environment.
func TestCatalog(t *testing.T) {
	for environment, base := range map[string]string{
		"":        "https://agents.acme.example/",
		"staging": "https://agents.staging.acme.example/",
	} {
		t.Run(environment, func(t *testing.T) {
			result := run(t, "acme-agents", config.Options{Environment: environment})
			files := publish.Tree(result.Public, environment)
			i := slices.IndexFunc(files, func(f tree.File) bool { return f.Path == tree.CatalogPath })
			if i < 0 {
				t.Fatal("there is no catalog")
			}
			root, found := source.ParseJSON(tree.CatalogPath, files[i].Data, source.Limits{})
			if found != nil {
				t.Fatal(found)
			}
			for _, f := range schema.Validate("ai-catalog", root) {
				t.Errorf("%s: %s", f.Pointer, f.Message)
			}
			if found := discovery.Check(tree.CatalogPath, files[i].Data, discovery.Digests(files), ""); found != nil {
				t.Error(found)
			}
			var listed, cards, identifiers []string
			for _, e := range root.Get("entries").Items {
				listed = append(listed, e.Get("url").Text)
				identifiers = append(identifiers, e.Get("identifier").Text)
			}
			for _, f := range files {
				if strings.HasSuffix(f.Path, "/agent-card.json") {
					cards = append(cards, f.URL)
				}
			}
			if slices.Sort(cards); !slices.Equal(cards, slices.Sorted(slices.Values(listed))) || len(cards) == 0 {
				t.Errorf("listed are %q, published are %q", listed, cards)
			}
			if !slices.IsSorted(identifiers) {
				t.Errorf("not sorted: %q", identifiers)
			}
			for _, u := range listed {
				if address, err := url.Parse(u); err != nil || !address.IsAbs() || !strings.HasPrefix(u, base) {
					t.Errorf("%q is not below %s", u, base)
				}
			}
			if len(result.Private) == 0 {
				t.Fatal("the example has no extended card any more")
			}
			for _, private := range []string{"refund", "extended"} {
				if strings.Contains(string(files[i].Data), private) {
					t.Errorf("it tells of %q", private)
				}
			}
		})
	}
}

// What the lists of a host point at is sent as the type that they declare, but for what
// the specifications of artifacts decide: that of skills demands their types, and A2A has
// none for cards.
func TestServedTypes(t *testing.T) {
	otherwise := map[string]string{
		"application/a2a-agent-card+json": "application/json",
		"application/agent-skills+md":     "text/markdown",
		"application/agent-skills+gzip":   "application/gzip",
	}
	files := publish.Tree(run(t, "agent-host", config.Options{}).Public, "")
	served := map[string]string{}
	for _, f := range files {
		served[f.URL], _, _ = strings.Cut(tree.ContentType(f.Path), ";")
	}
	for _, f := range files {
		if f.Path != tree.CatalogPath && f.Path != tree.ARDPath {
			continue
		}
		root, _ := source.ParseJSON(f.Path, f.Data, source.Limits{})
		checked := 0
		for _, e := range root.Get("entries").Items {
			declared, _, _ := strings.Cut(e.Get("type").Word(), ";")
			if sent, ours := served[e.Get("url").Word()]; ours {
				checked++
				if sent != cmp.Or(otherwise[declared], declared) {
					t.Errorf("%s: %s is declared as %s and sent as %s", f.Path, e.Get("url").Word(), declared, sent)
				}
			}
		}
		if checked < 6 {
			t.Errorf("%s lists %d files of the tree", f.Path, checked)
		}
	}
}
