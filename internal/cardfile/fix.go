package cardfile

import (
	"bytes"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/source"
	"cardwright/schema"
)

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
