package catalog

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// cardName is where the card of an agent is, below its directory.
const cardName = ".well-known/agent-card.json"

// ReadCard reads a published card as clients do, nil when that cannot be done.
func ReadCard(data []byte) *schema.Card {
	root, found := source.ParseJSON("", data, source.Limits{Card: len(data) + 1})
	if found.Worst() == diag.Error {
		return nil
	}
	return schema.Read(root, schema.ReadOptions{}).Card
}

// Renew brings catalogues and pages among the files of an output tree up to date
// when cards in it change: from what is in before to what is in after, in
// the same order.
func Renew(files []schema.File, before, after [][]byte) error {
	for i := range files {
		f := &files[i]
		switch {
		case f.ContentType == MediaType:
			f.Data = renewCatalog(f.Data, before, after)
		case f.ContentType == PageType && path.Base(f.Path) == PagePath:
			data, err := renewPage(*f, files)
			if err != nil {
				return err
			}
			f.Data = data
		}
	}
	return nil
}

// renewCatalog makes the entries of cards anew, which their digests tell.
func renewCatalog(data []byte, before, after [][]byte) []byte {
	root, found := source.ParseJSON("", data, source.Limits{Card: len(data) + 1})
	entries := root.Get("entries")
	if found.Worst() == diag.Error || !entries.Is(source.Array) {
		return data
	}
	for i := range before {
		_, embedded, _ := canonical(before[i])
		card := ReadCard(after[i])
		for j, e := range entries.Items {
			digest := textOf(e.Get("digest"))
			if card == nil || digest == "" || digest != digestText(before[i]) && digest != embedded {
				continue
			}
			entry, faults := newEntry(textOf(e.Get("identifier")), Agent{URL: textOf(e.Get("url")), Card: card, Data: after[i]})
			if faults == nil {
				entries.Items[j] = entry
			}
		}
	}
	sorted(entries.Items)
	return schema.Write(root)
}

// renewPage makes the page of a site anew from the cards below it. One that has
// none is about cards elsewhere.
func renewPage(page schema.File, files []schema.File) ([]byte, error) {
	dir := path.Dir(page.Path)
	var agents []Agent
	for _, f := range files {
		inside := f.Path
		if dir != "." {
			inside = strings.TrimPrefix(f.Path, dir+"/")
		}
		if f.Agent == "" || dir != "." && inside == f.Path || inside != cardName && !strings.HasSuffix(inside, "/"+cardName) {
			continue
		}
		if card := ReadCard(f.Data); card != nil {
			agents = append(agents, Agent{ID: f.Agent, URL: f.URL, Path: inside, Card: card, Data: f.Data})
		}
	}
	if len(agents) == 0 {
		return page.Data, nil
	}
	site := NewSite(Host{}, agents)
	site.Catalog = slices.ContainsFunc(files, func(f schema.File) bool { return f.Path == path.Join(dir, Path) })
	return site.Page()
}

// Check holds the catalogue in data against the files of its tree: an entry about
// one of them has its digest, and one that embeds a card the digest of that. What
// has not is a finding of the rule catalog-digest, with the hint that is given.
func Check(file string, data []byte, files []schema.File, hint string) diag.List {
	root, found := source.ParseJSON(file, data, source.Limits{Card: len(data) + 1})
	entries := root.Get("entries")
	if found.Worst() == diag.Error || !entries.Is(source.Array) {
		return diag.List{{Rule: "catalog-digest", Severity: diag.Error, Message: "the catalogue has no entries that can be read", Span: diag.Span{File: file}, Hint: hint}}
	}
	byURL := map[string]schema.File{}
	for _, f := range files {
		if f.URL != "" {
			byURL[f.URL] = f
		}
	}
	found = nil
	for _, e := range entries.Items {
		digest, card := e.Get("digest"), e.Get("data")
		want := textOf(digest)
		if f, ok := byURL[textOf(e.Get("url"))]; ok {
			want = digestText(f.Data)
		} else if card != nil {
			_, want, _ = canonical(schema.Write(card))
		}
		if want != textOf(digest) {
			found = append(found, diag.Diagnostic{
				Rule: "catalog-digest", Severity: diag.Error, Span: e.Span, Hint: hint,
				Message: fmt.Sprintf("the entry %s of the catalogue has another digest than its card, so that clients refuse the card", diag.Quote(textOf(e.Get("identifier")))),
			})
		}
	}
	return found
}
