package site

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/tree"
)

// siteFiles returns the files of a site: cards, catalog and page.
func siteFiles(t *testing.T, s Site) []tree.File {
	t.Helper()
	s.Catalog = true
	var files []tree.File
	for _, a := range s.Agents {
		files = append(files, tree.File{Path: a.ID + "/" + tree.CardPath, Data: a.Data, Agent: a.ID, URL: a.URL})
	}
	list, found := s.AICatalog()
	page, err := s.Page()
	if found != nil || err != nil {
		t.Fatal(found, err)
	}
	return append(files,
		tree.File{Path: tree.CatalogPath, Data: list},
		tree.File{Path: tree.PagePath, Data: page})
}

// located returns an agent that is on a site, with a card that was read.
func located(id, address, skill string) Agent {
	a := agent(id, address, skill)
	a.Path = id + "/" + tree.CardPath
	a.Card = ReadCard(a.Data)
	return a
}

// A card that changes in its tree makes the same files as one that was so from
// the start.
func TestRenew(t *testing.T) {
	host := Host{Publisher: "acme.example", Namespace: "agents"}
	for name, address := range map[string]string{
		"linked":   "https://acme.example/b/.well-known/agent-card.json",
		"embedded": "",
	} {
		t.Run(name, func(t *testing.T) {
			other, old, changed := located("a", "https://acme.example/a.json", "x"), located("b", address, "before"),
				located("b", address, "after,later")
			files := siteFiles(t, NewSite(host, []Agent{other, old}))
			files[1].Data = changed.Data
			Renew(files, [][]byte{old.Data}, [][]byte{changed.Data})
			for i, want := range siteFiles(t, NewSite(host, []Agent{other, changed}))[:3] {
				if diff := cmp.Diff(string(want.Data), string(files[i].Data)); diff != "" {
					t.Errorf("%s (-want +got)\n%s", want.Path, diff)
				}
			}
		})
	}
}

// A page about cards elsewhere, and a catalog that cannot be read, stay.
func TestRenewLeavesOthers(t *testing.T) {
	files := []tree.File{
		{Path: tree.PagePath, Data: []byte("<p>elsewhere")},
		{Path: tree.CatalogPath, Data: []byte("{")},
		{Path: "notes.html", Data: []byte("<p>")},
	}
	Renew(files, [][]byte{[]byte("{}")}, [][]byte{[]byte("{}")})
	if got := string(files[0].Data) + string(files[1].Data) + string(files[2].Data); got != "<p>elsewhere{<p>" {
		t.Errorf("%s", got)
	}
}

func TestCheck(t *testing.T) {
	a, b := located("a", "https://acme.example/a.json", "x"), located("b", "", "y")
	files := siteFiles(t, NewSite(Host{Publisher: "acme.example"}, []Agent{a, b}))
	list := files[2].Data
	if found := Check(tree.CatalogPath, list, Digests(files), "write it again"); found != nil {
		t.Errorf("a good catalog: %v", found)
	}
	files[0].Data = []byte("{}")
	forged := bytes.Replace(list, []byte("Does it."), []byte("Does evil."), 1)
	found := Check(tree.CatalogPath, forged, Digests(files), "write it again")
	if len(found) != 2 || found[0].Rule != "catalog-digest" ||
		!strings.Contains(found[0].Message, "urn:air:acme.example:agent:a") || found[1].Span.Line == 0 {
		t.Errorf("%+v", found)
	}
	for _, text := range []string{"{", "{}", `{"entries": 7}`, ""} {
		if found := Check(tree.CatalogPath, []byte(text), Digests(files), "write it again"); len(found) != 1 {
			t.Errorf("%q: %v", text, found)
		}
	}
}
