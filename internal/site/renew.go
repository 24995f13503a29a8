package site

import (
	"path"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
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
	return convert.Read(root, convert.ReadOptions{}).Card
}

// Renew brings the catalogs among the files of an output tree up to date when cards in
// it change: from what is in before to what is in after, in the same order. Pages show
// nothing of a card that a signature or a repair of its form changes.
func Renew(files []tree.File, before, after [][]byte) {
	changed := changes(before, after)
	for i := range files {
		if IsListing(files[i].Path) {
			files[i].Data = renewCatalog(path.Base(files[i].Path), files[i].Data, changed)
		}
	}
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
func renewCatalog(name string, data []byte, changed map[string]renewed) []byte {
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
			describe(entry, to.card, e.Get("representativeQueries").Words())
			entries.Items[i] = entry
		}
	}
	sorted(entries.Items)
	if name == path.Base(tree.CatalogPath) {
		recommended(entries.Items)
	}
	return schema.Write(root)
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
