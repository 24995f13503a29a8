package cardfile

import (
	"bytes"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Fixed is a file that was repaired.
type Fixed struct {
	Rewritten
	// Tree is the output tree that the card is generated into, "" for none. Such
	// a card stays as it is.
	Tree string
}

// FixAll repairs the cards that the command line names.
func (r Reader) FixAll(named []string) ([]Fixed, error) {
	var all []Fixed
	for _, name := range named {
		if name == "-" {
			return nil, diag.UsageError("cardwright convert - prints a clean card", "--fix needs files, but stdin is not one")
		}
		files, _ := r.Find(name)
		for _, f := range files {
			if text, ok := r.Fix(f); ok {
				dir, _, _ := r.OutputTree(f.Name)
				all = append(all, Fixed{Rewritten{f, text}, dir})
			}
		}
	}
	return all, nil
}

// FixHeaders repairs the headers of the SKILL.md files that have findings, which are
// sorted.
func (r Reader) FixHeaders(found diag.List) []Fixed {
	var all []Fixed
	last := ""
	for _, d := range found {
		name := d.Span.File
		if name == last || !slices.Contains([]string{"source-yaml-repaired", "source-frontmatter-opening"}, d.Rule) {
			continue
		}
		last = name
		in, file, err := r.Open(name)
		if err != nil {
			continue // it was read a moment ago, and the next run says why it is not
		}
		before, err := safefile.ReadFile(in, file, r.Limits.WithDefaults().Card)
		if err != nil {
			continue
		}
		if after, ok := source.FixFrontmatter(name, before, r.Limits); ok {
			all = append(all, Fixed{Rewritten: Rewritten{File{name, before}, after}})
		}
	}
	return all
}

// Fix writes a card as the specification does, and tells whether it could: where
// nothing has to be made up and nothing is lost, where no signature becomes void,
// and where fewer findings are left than before, none of them new.
func (r Reader) Fix(f File) ([]byte, bool) {
	root, _ := source.ParseJSONLenient(f.Path(), f.Data, r.Limits.WithDefaults())
	if root == nil || f.isCatalog() || root.Get("signatures") != nil {
		return nil, false
	}
	reading := dialect.Read(root, dialect.ReadOptions{})
	if reading.Card == nil {
		return nil, false
	}
	protocol := reading.Card.Protocol()
	node, found := r.Convert(f, protocol, dialect.ReadOptions{})
	certain := func(d diag.Diagnostic) bool {
		return slices.Contains([]string{"convert-repaired", "card-dialect", "card-json"}, d.Rule)
	}
	if node == nil || slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return d.Severity > diag.Info ||
			!certain(d)
	}) {
		return nil, false
	}
	data := schema.Write(node)
	if bytes.Equal(data, f.Data) {
		return nil, false
	}
	return data, improves(r.judged(f), r.judged(File{Name: f.Name, Data: data}))
}

// judged are the findings about the form of a card.
func (r Reader) judged(f File) diag.List {
	card, faults := source.ParseJSON(f.Path(), f.Data, r.Limits.WithDefaults())
	var byShape schema.Protocol
	return slices.Concat(faults, judge(card, byShape), dialectOf(f, card, r.Limits))
}

// improves tells whether fewer findings are left, and none that is new.
func improves(before, after diag.List) bool {
	known := map[string]bool{}
	for _, d := range before {
		known[d.Rule] = true
	}
	return len(after) < len(before) && !slices.ContainsFunc(after, func(d diag.Diagnostic) bool { return !known[d.Rule] })
}
