package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/edition"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// drift is how the trees on disk depart from what is generated.
type drift struct {
	cards  []*drifted // the worst for clients first, then in the order of their trees and paths
	alone  []*drifted // files that no card is the reason for
	shared []*drifted // files that follow from all cards: manifest, catalogs, server configuration
}

// drifted is a file that is not on disk as it is generated.
type drifted struct {
	publish.Change
	tree  outTree
	means diff.Comparison  // of a card: what the difference means to clients
	owner string           // who answers for the agent
	newer *dialect.Reading // of a card: what is generated, with the places in the sources; nil for none
	// follow are the files that differ because this one does: sidecars, and the
	// copies of a card.
	follow []*drifted
}

// shown is the path of the file for people.
func (d *drifted) shown() string { return d.Shown(d.tree.dir.Name) }

// driftOf compares the trees with what is on disk. The findings say why a place
// cannot be compared.
func driftOf(run *built, trees []outTree) (drift, diag.List) {
	var all drift
	var found diag.List
	var others []*drifted
	for _, t := range trees {
		changes, more := publish.Check(t.dir, t.files, t.options)
		found = append(found, more...)
		if more.Worst() == diag.Error {
			continue
		}
		cards, rest := t.departures(run, changes)
		all.cards, others = append(all.cards, cards...), append(others, rest...)
	}
	all.sort(others)
	return all, found
}

// departures are the cards of a tree that differ, and the other files.
func (t outTree) departures(run *built, changes publish.Drift) (cards, others []*drifted) {
	before, after := t.readings(run, changes)
	meaning := map[string]diff.Comparison{}
	for _, c := range diff.Agents(before.Sides(), after.Sides()) {
		meaning[c.Agent] = c
	}
	generated := t.byPath()
	for _, c := range changes {
		d := &drifted{Change: c, tree: t}
		agent := agentOf(c.Path, generated[c.Path])
		moved := generated[c.Path] == nil && after[agent] != nil // its agent has a card elsewhere
		if !edition.IsCard(c.Path) || moved {
			others = append(others, d)
			continue
		}
		d.means, d.newer = meaning[agent], after[agent]
		d.means.Agent, d.owner = agent, run.owners[agent]
		cards = append(cards, d)
	}
	return cards, others
}

// sort puts the cards into their order, and finds out for the other files which
// of them they follow from.
func (a *drift) sort(others []*drifted) {
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
		if generated[o.tree.kind] == nil {
			generated[o.tree.kind] = o.tree.byPath()
		}
		owner := unsidecar(o.Path)
		file := generated[o.tree.kind][owner]
		var reason *drifted
		switch {
		case o.Path == tree.ManifestName, o.tree.kind == serverTree, file != nil && file.Turn > tree.ContentTurn:
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

// unsidecar is the path of the file that a sidecar belongs to, and that of any
// other file itself.
func unsidecar(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(file, tree.ETagSuffix), tree.ChecksumSuffix)
}

// changed are the files that differ, by [outTree.key].
func (a *drift) changed() map[string]bool {
	changed := map[string]bool{}
	for _, c := range a.cards {
		changed[c.tree.key(c.Path)] = true
	}
	return changed
}

// meaning is what the differences of all cards mean to clients.
func (a *drift) meaning() []diff.Comparison {
	var all []diff.Comparison
	for _, c := range a.cards {
		all = append(all, c.means)
	}
	return all
}

// files are the paths of all files that differ, sorted.
func (a *drift) files() []string {
	var paths []string
	for _, d := range slices.Concat(a.cards, a.alone) {
		for _, f := range append([]*drifted{d}, d.follow...) {
			paths = append(paths, f.shown())
		}
	}
	for _, f := range a.shared {
		paths = append(paths, f.shown())
	}
	slices.Sort(paths)
	return paths
}

// agentOf is the id of the agent that a file belongs to, which is generated or
// nil. What is no longer generated has it in its path, if anywhere.
func agentOf(file string, generated *tree.File) string {
	if generated != nil {
		return generated.Agent
	}
	dir := strings.TrimSuffix(path.Dir(file), ".well-known")
	return strings.Trim(strings.TrimSuffix(dir, "."), "/")
}

// byPath returns the files of the tree by their paths.
func (t outTree) byPath() map[string]*tree.File {
	files := make(map[string]*tree.File, len(t.files))
	for i := range t.files {
		files[t.files[i].Path] = &t.files[i]
	}
	return files
}

// readings are the cards on disk and those that are generated, where they
// differ, by agent. One that cannot be read means nothing. What is generated has
// the places in the sources that it was made from.
func (t outTree) readings(run *built, changes publish.Drift) (before, after edition.Readings) {
	before, after = edition.Readings{}, edition.Readings{}
	made := map[string]*source.Node{}
	for _, c := range t.cards(run) {
		made[c.Path] = c.Wire
	}
	generated := t.byPath()
	for _, c := range changes {
		if !edition.IsCard(c.Path) {
			continue
		}
		older := t.onDisk(c.Path)
		var newer *dialect.Reading
		switch f := generated[c.Path]; {
		case made[c.Path] != nil:
			newer = dialect.Read(made[c.Path], dialect.ReadOptions{Stated: true})
		case f != nil:
			newer, _ = edition.Reading(c.Path, f.Data, source.Limits{})
		}
		if c.Kind == publish.Changed && (older == nil || newer == nil) {
			continue
		}
		agent := agentOf(c.Path, generated[c.Path])
		if older != nil {
			before[agent] = older
		}
		if newer != nil {
			after[agent] = newer
		}
	}
	return before, after
}

// onDisk reads a card of the tree as it is on disk, nil where there is none.
func (t outTree) onDisk(file string) *dialect.Reading {
	if len(t.dir.Rest) > 0 {
		return nil
	}
	root, err := safefile.RootOf(t.dir.Root)
	if err != nil {
		return nil // there is no card in what cannot be opened
	}
	defer root.Close()
	data, err := safefile.ReadFile(root, file, source.Limits{}.WithDefaults().Card)
	if err != nil {
		return nil
	}
	r, _ := edition.Reading(file, data, source.Limits{})
	return r
}

// keepChanged keeps the cards that differ from those on disk in memory, with the
// places in the sources that their values came from.
func keepChanged(r *generate.Request) {
	r.Wire = func(extended bool, card tree.File) bool {
		return !bytes.Equal(r.Published(extended, card.Path), card.Data)
	}
}

// causesShown is how many changes the finding of a card lists.
const causesShown = 20

// finding describes a card or a file that differs, at the place in the sources that the
// worst of its changes came from, or else at the card itself.
func (d *drifted) finding(shared []*drifted) diag.Diagnostic {
	f := d.Finding(d.tree.dir.Name)
	f.Owner = d.owner
	changes := visible(report.Printable(d.means))
	if summary := report.Summary(changes, d.means.Asked()); summary != "" {
		f.Message += ": " + summary
	}
	if n := len(d.follow) + len(shared); n > 0 {
		f.Message += ", " + following(n, "it")
	}
	if d.newer == nil {
		changes = nil // no card any more, which the message says, or none at all
	}
	card, caused := f.Span, false
	for i, c := range changes {
		if i == causesShown {
			f.Related = append(f.Related, diag.Related{Message: fmt.Sprintf("and %d more changes", len(changes)-i)})
			break
		}
		at := placeOf(d.newer, c.NewPointer)
		if at.Line > 0 && !caused {
			f.Span, f.Pointer, caused = at, c.Pointer(), true
		}
		f.Related = append(f.Related, diag.Related{
			Span: at, Message: fmt.Sprintf("%s: %s", c.Class, report.Change(c)),
			Pointer: c.Pointer(),
		})
	}
	if caused && d.Kind == publish.Changed {
		f.Related = append(f.Related, diag.Related{Span: card, Message: "the card on disk"})
	}
	for _, file := range slices.Concat(d.follow, shared) {
		f.Derived = append(f.Derived, file.shown())
	}
	return f
}

// visible are the changes that mean something to clients.
func visible(changes []diff.Change) []diff.Change {
	return slices.DeleteFunc(changes, func(c diff.Change) bool { return c.Class == diff.None })
}

// placeOf is where a value of a card came from: its own place or that of what it
// stands in, none where nothing is known but the source as a whole.
func placeOf(r *dialect.Reading, pointer string) diag.Span {
	for ; pointer != ""; pointer = pointer[:strings.LastIndexByte(pointer, '/')] {
		if at := r.Place(pointer); at != (diag.Span{}) {
			return at
		}
	}
	return r.Place("")
}

// findings describe the drift for programs: one finding for each card, and for
// each file that differs while no card does.
func (a *drift) findings() diag.List {
	var found diag.List
	for _, c := range a.cards {
		found = append(found, c.finding(a.shared))
	}
	for _, o := range a.alone {
		found = append(found, o.finding(nil))
	}
	return found
}

// following counts files that differ because others do.
func following(n int, what string) string {
	if n == 1 {
		return "and 1 file that follows from " + what
	}
	return fmt.Sprintf("and %d files that follow from %s", n, what)
}
