package golden_test

import (
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/publish"
	"cardwright/internal/site"
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
			if found := site.Check(tree.CatalogPath, files[i].Data, site.Digests(files), ""); found != nil {
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

// What the lists of every golden tree point at is sent as the type that they declare, but
// for what the specifications of artifacts decide: that of skills demands their types, and
// A2A has none for cards.
func TestServedTypes(t *testing.T) {
	otherwise := map[string]string{
		"application/a2a-agent-card+json": "application/json",
		"application/agent-skills+md":     "text/markdown",
		"application/agent-skills+gzip":   "application/gzip",
	}
	manifests, err := filepath.Glob("*/" + tree.ManifestName)
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, name := range manifests {
		dir := filepath.Dir(name)
		served := map[string]string{}
		for _, f := range parse(t, name).Get("files").Items {
			served[f.Get("url").Word()], _, _ = strings.Cut(f.Get("contentType").Word(), ";")
		}
		check := func(list string, of *source.Node, address string) {
			declared, _, _ := strings.Cut(of.Get("type").Word(), ";")
			sent, ours := served[of.Get(address).Word()]
			if !ours {
				return
			}
			checked[declared]++
			if sent != declared && sent != otherwise[declared] {
				t.Errorf("%s/%s: %s is declared as %s and sent as %s", dir, list, of.Get(address).Word(), declared, sent)
			}
		}
		for _, list := range []string{tree.CatalogPath, tree.ARDPath} {
			for _, e := range parse(t, filepath.Join(dir, list)).Get("entries").Elements() {
				check(list, e, "url")
			}
		}
		for _, link := range parse(t, filepath.Join(dir, tree.APICatalogPath)).Get("linkset").Elements() {
			for _, relation := range link.Members {
				for _, to := range relation.Value.Elements() {
					if to.Get("type") != nil {
						check(tree.APICatalogPath, to, "href")
					}
				}
			}
		}
	}
	for _, declared := range append(slices.Collect(maps.Keys(otherwise)), "application/json",
		"application/ai-catalog+json", "application/mcp-server-card+json") {
		if checked[declared] == 0 {
			t.Errorf("no golden tree lists a file as %s", declared)
		}
	}
}

// parse reads a JSON file, nil where there is none.
func parse(t *testing.T, name string) *source.Node {
	t.Helper()
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	root, found := source.ParseJSON(name, data, source.Limits{})
	if found != nil {
		t.Fatal(found)
	}
	return root
}
