package project

import (
	"cmp"
	"path"
	"slices"

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

// driftOf compares the trees with what is on disk. The findings say why a place
// cannot be compared.
func driftOf(run *Run, trees []Output) (report.Drift, diag.List) {
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
	made, wires := map[string]site.File{}, map[string]*source.Node{}
	for _, f := range t.Files {
		made[f.Path] = f
	}
	for _, c := range t.cards(run) {
		wires[c.Path] = c.Wire
	}
	agent := func(file string) string { return cmp.Or(made[file].Agent, agentAt(file)) }
	older, newer := map[string]diff.Side{}, map[string]diff.Side{}
	now := map[string]*convert.Reading{}
	for _, c := range changes {
		if !site.IsCard(c.Path) {
			continue
		}
		was, is := t.onDisk(c.Path), readMade(made[c.Path], wires[c.Path])
		if c.Kind == publish.Changed && (was == nil || is == nil) {
			continue
		}
		id, where := agent(c.Path), ""
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
			id := agent(c.Path)
			d.Means, d.Newer = means[id], now[id]
			d.Means.Agent = id
			all.Cards = append(all.Cards, d)
		default:
			all.Derived = append(all.Derived, d)
		}
	}
}

// readMade reads a card that is generated as clients do, nil where there is none: with the
// places in the sources, unless its wire form was not kept.
func readMade(f site.File, wire *source.Node) (card *convert.Reading) {
	switch {
	case wire != nil:
		card = convert.Read(wire, convert.ReadOptions{Stated: true})
	case f.Path != "":
		card, _ = reading(f.Path, f.Data)
	}
	return card
}

// onDisk reads a card of the tree as found on disk, nil where there is none.
func (t Output) onDisk(file string) *convert.Reading {
	data, err := t.Dir.ReadFile(file, source.MaxCard)
	if err != nil {
		return nil
	}
	r, _ := reading(file, data)
	return r
}
