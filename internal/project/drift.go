package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// KeepChanged keeps the cards that differ from those on disk in memory, with the
// places in the sources that their values came from.
func KeepChanged(r *generate.Request) {
	r.Wire = func(extended bool, card site.File) bool {
		return !r.Published.Holds(extended, card.Path, card.Data)
	}
}

// DriftOf compares the trees with what is on disk. The findings say why a place
// cannot be compared.
func DriftOf(run *Run, trees []Output) (report.Drift, diag.List) {
	var all report.Drift
	var found diag.List
	for _, t := range trees {
		changes, more := publish.Check(t.Dir, t.Files, t.options)
		if found = append(found, more...); more.Worst() != diag.Error {
			addDrift(&all, run, t, changes)
		}
	}
	slices.SortStableFunc(all.Cards, func(x, y report.Drifted) int {
		return cmp.Compare(diff.Worst(y.Means.Changes), diff.Worst(x.Means.Changes))
	})
	return all, found
}

// addDrift adds the files of a tree that differ.
func addDrift(all *report.Drift, run *Run, t Output, changes publish.Drift) {
	cards := t.made(run)
	older, newer := map[string]diff.Side{}, map[string]diff.Side{}
	now := map[string]*convert.Reading{}
	for _, c := range changes {
		was, is := t.onDisk(c.Path), cards[c.Path].read()
		if !site.IsCard(c.Path) || c.Kind == publish.Changed && (was == nil || is == nil) {
			continue
		}
		id, where := cards[c.Path].agent(c.Path), ""
		if c.Kind != publish.Changed {
			where = path.Dir(c.Path)
		}
		if was != nil {
			older[id] = side(was, where)
		}
		if is != nil {
			newer[id], now[id] = side(is, where), is
		}
	}
	means := map[string]diff.Comparison{}
	for _, c := range diff.Agents(older, newer) {
		means[c.Agent] = c
	}
	for _, c := range changes {
		d := report.Drifted{File: c, Dir: t.Dir.Name, Key: t.key(c.Path)}
		switch {
		case c.Kind == publish.Foreign:
			all.Foreign = append(all.Foreign, d)
		case site.IsCard(c.Path):
			id := cards[c.Path].agent(c.Path)
			d.Means, d.Newer = means[id], now[id]
			d.Means.Agent = id
			all.Cards = append(all.Cards, d)
		default:
			all.Derived = append(all.Derived, d)
		}
	}
}

// madeCard is a card that is generated; the zero value is none.
type madeCard struct {
	file *site.File
	wire *source.Node // with the places in the sources, nil where they were not kept
}

// made returns the cards of the tree by their paths.
func (t Output) made(run *Run) map[string]madeCard {
	cards := map[string]madeCard{}
	for i, f := range t.Files {
		if site.IsCard(f.Path) {
			cards[f.Path] = madeCard{file: &t.Files[i]}
		}
	}
	for _, c := range t.cards(run) {
		cards[c.Path] = madeCard{cards[c.Path].file, c.Wire}
	}
	return cards
}

// read reads the card as clients do, nil where there is none.
func (m madeCard) read() (card *convert.Reading) {
	switch {
	case m.wire != nil:
		card = convert.Read(m.wire, convert.ReadOptions{Stated: true})
	case m.file != nil:
		card, _ = reading(m.file.Path, m.file.Data)
	}
	return card
}

// agent is the id of the card's agent. A card that is no longer generated has it in its
// path.
func (m madeCard) agent(file string) string {
	if m.file != nil {
		return m.file.Agent
	}
	dir := strings.TrimSuffix(path.Dir(file), ".well-known")
	return strings.Trim(strings.TrimSuffix(dir, "."), "/")
}

// onDisk reads a card of the tree as found on disk, nil where there is none.
func (t Output) onDisk(file string) *convert.Reading {
	if !site.IsCard(file) {
		return nil
	}
	data, err := t.Dir.ReadFile(file, source.MaxCard)
	if err != nil {
		return nil
	}
	r, _ := reading(file, data)
	return r
}
