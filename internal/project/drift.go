package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// Drift is how the trees on disk depart from what is generated.
type Drift struct {
	cards  []*drifted           // the worst for clients first, then in the order of their trees and paths
	alone  []*drifted           // files that no card is the reason for
	shared []*drifted           // files that follow from all cards: manifest, catalogs, server configuration
	public diff.Comparison      // of the files of skills that are public
	places map[string]diag.Span // of these skills, by the agent and the name
}

// drifted is a file that is not on disk as it is generated.
type drifted struct {
	publish.Change
	tree  Output
	means diff.Comparison  // of a card: what the difference means to clients
	owner string           // who answers for the agent
	newer *dialect.Reading // of a card: what is generated, with the places in the sources; nil for none
	// follow are the files that differ because this one does: sidecars, and the
	// copies of a card.
	follow []*drifted
}

// shown is the path of the file for people.
func (d *drifted) shown() string { return d.Shown(d.tree.Dir.Name) }

// DriftOf compares the trees with what is on disk. The findings say why a place
// cannot be compared.
func DriftOf(run *Run, trees []Output) (Drift, diag.List) {
	var all Drift
	var found diag.List
	var others []*drifted
	for _, t := range trees {
		changes, more := t.drift()
		found = append(found, more...)
		if more.Worst() == diag.Error {
			continue
		}
		cards, rest := departures(run, t, changes)
		all.cards, others = append(all.cards, cards...), append(others, rest...)
	}
	all.sort(others)
	public, _ := PublicSkills(run.Unread, trees)
	all.public = public.Owned(run.Config.Owner)
	all.places = map[string]diag.Span{}
	for _, c := range all.public.Changes { // where one is gone, its agent tells
		if a := run.Config.Agent(c.Agent); a != nil {
			all.places[c.Agent+" "+c.Skill] = a.Node.Span
		}
	}
	for _, x := range run.Result.Indexes {
		for _, s := range x.Skills {
			all.places[s.Agent+" "+s.Name] = s.Span
		}
	}
	return all, found
}

// departures are the cards of a tree that differ, and the other files.
func departures(run *Run, t Output, changes publish.Drift) (cards, others []*drifted) {
	if len(changes) == 0 {
		return nil, nil
	}
	generated := t.byPath()
	agent := func(c publish.Change) string { return agentOf(c.Path, generated[c.Path]) }
	made := map[string]*source.Node{}
	for _, c := range t.cards(run) {
		made[c.Path] = c.Wire
	}
	older, newer, after := map[string]diff.Side{}, map[string]diff.Side{}, Readings{}
	for _, c := range changes {
		if !IsCard(c.Path) {
			continue
		}
		was, is, where := onDisk(t, c.Path), read(made[c.Path], generated[c.Path]), ""
		if c.Kind != publish.Changed {
			where = path.Dir(c.Path)
		} else if was == nil || is == nil {
			continue
		}
		if was != nil {
			older[agent(c)] = side(was, where)
		}
		if is != nil {
			newer[agent(c)], after[agent(c)] = side(is, where), is
		}
	}
	meaning := map[string]diff.Comparison{}
	for _, c := range diff.Agents(older, newer) {
		meaning[c.Agent] = c.Owned(run.Config.Owner)
	}
	for _, c := range changes {
		d := &drifted{Change: c, tree: t}
		id := agent(c)
		moved := generated[c.Path] == nil && after[id] != nil // its agent has a card elsewhere
		if !IsCard(c.Path) || moved {
			others = append(others, d)
			continue
		}
		d.means, d.newer = meaning[id], after[id]
		d.means.Agent = id
		d.owner = run.Config.Owner(id)
		cards = append(cards, d)
	}
	return cards, others
}

// read reads a card that is generated, with the places in the sources that it was made
// from, where they were kept. It is nil for one that is not, or that means nothing.
func read(wire *source.Node, file *tree.File) (card *dialect.Reading) {
	switch {
	case wire != nil:
		card = dialect.Read(wire, dialect.ReadOptions{Stated: true})
	case file != nil:
		card, _ = reading(file.Path, file.Data, source.Limits{})
	}
	return card
}

// sort puts the cards into their order, and finds out for the other files which
// of them they follow from.
func (a *Drift) sort(others []*drifted) {
	slices.SortStableFunc(a.cards, func(x, y *drifted) int {
		return cmp.Compare(diff.Worst(y.means.Changes), diff.Worst(x.means.Changes))
	})
	agents, dirs := map[string]*drifted{}, map[string]*drifted{}
	for _, c := range a.cards {
		agents[c.tree.key(c.means.Agent)] = c
		dirs[c.tree.key(path.Dir(c.Path))] = c
	}
	generated := map[treeKind]map[string]*tree.File{}
	alone := map[string]*drifted{}
	for _, o := range others { // a file comes before its sidecars
		if generated[o.tree.Kind] == nil {
			generated[o.tree.Kind] = o.tree.byPath()
		}
		owner := unsidecar(o.Path)
		file := generated[o.tree.Kind][owner]
		var reason *drifted
		switch {
		case o.Path == tree.ManifestName, o.tree.Kind == Servers, file != nil && file.Turn > tree.ContentTurn:
			if len(a.cards) > 0 {
				a.shared = append(a.shared, o)
				continue
			}
		case tree.IsTemp(path.Base(o.Path)), file != nil && file.Agent == "":
		case file != nil:
			reason = agents[o.tree.key(file.Agent)]
		default: // nothing but the place tells whose it was
			reason = dirs[o.tree.key(path.Dir(o.Path))]
		}
		if reason == nil && owner != o.Path {
			reason = alone[o.tree.key(owner)]
		}
		if reason == nil {
			a.alone, alone[o.tree.key(o.Path)] = append(a.alone, o), o
			continue
		}
		reason.follow = append(reason.follow, o)
	}
	if len(a.cards) == 1 {
		a.cards[0].follow, a.shared = append(a.cards[0].follow, a.shared...), nil
	}
}

// unsidecar is the path of the file that a sidecar, or a list in a coding, belongs to,
// and that of any other file itself.
func unsidecar(file string) string {
	file, _ = tree.Decoded(strings.TrimSuffix(strings.TrimSuffix(file, tree.ETagSuffix), tree.ChecksumSuffix))
	return file
}

// changed are the files that differ, by [Output.key].
func (a *Drift) changed() map[string]bool {
	changed := map[string]bool{}
	for _, c := range a.cards {
		changed[c.tree.key(c.Path)] = true
	}
	return changed
}

// meaning is what the differences of all cards, and of the files of skills that are
// public, mean to clients.
func (a *Drift) meaning() []diff.Comparison {
	var all []diff.Comparison
	for _, c := range a.cards {
		all = append(all, c.means)
	}
	if len(a.public.Changes) > 0 {
		all = append(all, a.public)
	}
	return all
}

// files are the paths of all files that differ, sorted.
func (a *Drift) files() []string {
	var paths []string
	for _, d := range slices.Concat(a.cards, a.alone, a.shared) {
		for _, f := range append([]*drifted{d}, d.follow...) {
			paths = append(paths, f.shown())
		}
	}
	slices.Sort(paths)
	return paths
}

// agentOf is the id of the agent that a file belongs to, which is generated or
// nil. What is no longer generated has it in its path.
func agentOf(file string, generated *tree.File) string {
	if generated != nil {
		return generated.Agent
	}
	dir := strings.TrimSuffix(path.Dir(file), ".well-known")
	return strings.Trim(strings.TrimSuffix(dir, "."), "/")
}

// onDisk reads a card of the tree as it is on disk, nil where there is none.
func onDisk(t Output, file string) *dialect.Reading {
	data, err := t.Dir.ReadFile(file, source.Limits{}.WithDefaults().Card)
	if err != nil {
		return nil
	}
	r, _ := reading(file, data, source.Limits{})
	return r
}
