package discovery

import (
	"html"
	"path"
	"regexp"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// ReadCard reads a published card as clients do, nil when that cannot be done.
func ReadCard(data []byte) *schema.Card {
	root, found := source.ParseJSON("", data, source.Limits{Card: len(data) + 1})
	if found.Worst() == diag.Error {
		return nil
	}
	return dialect.Read(root, dialect.ReadOptions{}).Card
}

// Renew brings catalogs and pages among the files of an output tree up to date
// when cards in it change: from what is in before to what is in after, in
// the same order.
func Renew(files []tree.File, before, after [][]byte) error {
	changed := changes(before, after)
	pages := agentsOfPages(files)
	paths := make(map[string]bool, len(files))
	for _, f := range files {
		paths[f.Path] = true
	}
	for i := range files {
		f := &files[i]
		switch {
		case IsListing(f.Path):
			f.Data = renewCatalog(f.Data, changed)
		case path.Base(f.Path) == tree.PagePath:
			dir := path.Dir(f.Path)
			has := Site{Catalog: paths[path.Join(dir, tree.CatalogPath)], HasARD: paths[path.Join(dir, tree.ARDPath)]}
			has.Skills, has.URL = readSkills(files, dir)
			data, err := renewPage(*f, pages[dir], has)
			if err != nil {
				return err
			}
			f.Data = data
		}
	}
	return nil
}

// renewed is a card that has changed.
type renewed struct {
	card *schema.Card
	data []byte
}

// changes returns what becomes of cards, by the digests of what they were: of the
// file, and of the card as a catalog embeds it.
func changes(before, after [][]byte) map[string]renewed {
	changed := map[string]renewed{}
	for i := range before {
		card := ReadCard(after[i])
		if card == nil {
			continue
		}
		_, embedded, _ := canonical(before[i])
		for _, digest := range []string{digestText(before[i]), embedded} {
			changed[digest] = renewed{card, after[i]}
		}
	}
	delete(changed, "") // of what has no canonical form
	return changed
}

// renewCatalog makes the entries of cards anew, which their digests tell.
func renewCatalog(data []byte, changed map[string]renewed) []byte {
	root, found := source.ParseJSON("", data, source.Limits{Card: len(data) + 1})
	entries := root.Get("entries")
	if found.Worst() == diag.Error || !entries.Is(source.Array) {
		return data
	}
	for i, e := range entries.Items {
		to, ok := changed[e.Get("digest").Word()]
		if !ok {
			continue
		}
		entry, faults := newEntry(e.Get("identifier").Word(), Agent{URL: e.Get("url").Word(), Card: to.card, Data: to.data})
		if faults == nil {
			if e.Get("capabilities") != nil { // one that ARD reads, too
				describe(entry, to.card, e.Get("representativeQueries").Words())
			}
			entries.Items[i] = entry
		}
	}
	sorted(entries.Items)
	return schema.Write(root)
}

// agentsOfPages are the agents whose cards lie below the pages of a tree, by the
// directories of these.
func agentsOfPages(files []tree.File) map[string][]Agent {
	pages := map[string][]Agent{}
	for _, f := range files {
		if path.Base(f.Path) == tree.PagePath {
			pages[path.Dir(f.Path)] = nil
		}
	}
	for _, f := range files {
		if f.Agent == "" || f.Path != tree.CardPath && !strings.HasSuffix(f.Path, "/"+tree.CardPath) {
			continue
		}
		card := ReadCard(f.Data)
		if card == nil {
			continue
		}
		for dir := strings.TrimSuffix(strings.TrimSuffix(f.Path, tree.CardPath), "/"); ; dir = path.Dir(dir) {
			if dir == "" {
				dir = "."
			}
			if list, ok := pages[dir]; ok {
				inside := strings.TrimPrefix(f.Path, dir+"/")
				pages[dir] = append(list, Agent{ID: f.Agent, URL: f.URL, Path: inside, Card: card, Data: f.Data})
			}
			if dir == "." {
				break
			}
		}
	}
	return pages
}

// renewPage makes the page of a site anew from the cards below it. One that has
// none is about cards elsewhere.
func renewPage(page tree.File, agents []Agent, has Site) ([]byte, error) {
	if len(agents) == 0 {
		return page.Data, nil
	}
	site := NewSite(Host{}, agents)
	site.Catalog, site.HasARD, site.Skills, site.URL = has.Catalog, has.HasARD, has.Skills, has.URL
	site.keep(string(page.Data))
	return site.Page()
}

// What a page says beyond its cards comes from the configuration.
var (
	pageTitle = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<title>([^<]*)</title>`)
	})
	pageAccent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<meta name="theme-color" content="(#[0-9a-fA-F]{3,6})">`)
	})
	pageOwner = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<article id="([^"]*)"[^>]*>\n[^\n]*<bdi class="owned">([^<]*)</bdi>`)
	})
)

// keep takes over what a page of the site says beyond its cards.
func (s *Site) keep(page string) {
	if m := pageTitle().FindStringSubmatch(page); m != nil {
		s.Title = html.UnescapeString(m[1])
	}
	if m := pageAccent().FindStringSubmatch(page); m != nil && (len(m[1]) == 4 || len(m[1]) == 7) {
		s.Accent = m[1]
	}
	owners := map[string]string{}
	for _, m := range pageOwner().FindAllStringSubmatch(page, -1) {
		owners[html.UnescapeString(m[1])] = html.UnescapeString(m[2])
	}
	s.Agents = inOrder(s.Agents)
	for i, anchor := range anchorsOf(s.Agents) {
		s.Agents[i].Owner = owners[anchor]
	}
}

// Digests returns the digests of the files of a tree, by their URLs, as a
// catalog writes them.
func Digests(files []tree.File) map[string]string {
	digests := make(map[string]string, len(files))
	for _, f := range files {
		if f.URL != "" {
			digests[f.URL] = digestText(f.Data)
		}
	}
	return digests
}

// Check compares the catalog in data with the files of its tree, whose digests
// are given: an entry must have the digest of its file, or of the card that it
// embeds. Differences are findings of the rule catalog-digest, with the given
// hint.
func Check(file string, data []byte, digests map[string]string, hint string) diag.List {
	root, found := source.ParseJSON(file, data, source.Limits{Card: len(data) + 1})
	entries := root.Get("entries")
	if found.Worst() == diag.Error || !entries.Is(source.Array) {
		return diag.List{diag.New("catalog-digest", diag.Span{File: file}, "the catalog has no valid entries").
			WithHint(hint)}
	}
	found = nil
	for _, e := range entries.Items {
		digest, card := e.Get("digest"), e.Get("data")
		want := digest.Word()
		if published, ok := digests[e.Get("url").Word()]; ok {
			want = published
		} else if card != nil {
			_, want, _ = canonical(schema.Write(card))
		}
		if want != digest.Word() {
			found = append(found, diag.New("catalog-digest", e.Span,
				"the digest of the entry %s in the catalog differs from its card, so clients refuse the card",
				diag.Quote(e.Get("identifier").Word())).
				WithHint(hint))
		}
	}
	return found
}
