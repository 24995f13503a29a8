package golden_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/publish"
	"cardwright/internal/site"
	"cardwright/internal/source"
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
			i := slices.IndexFunc(files, func(f site.File) bool { return f.Path == site.CatalogPath })
			if i < 0 {
				t.Fatal("there is no catalog")
			}
			root, found := source.ParseJSON(site.CatalogPath, files[i].Data)
			if found != nil {
				t.Fatal(found)
			}
			if d := site.Read(site.CatalogPath, files[i].Data, nil); d.Found != nil {
				t.Error(d.Found)
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
