package project

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/secret"
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

// Drift is how the trees on disk differ from what is generated.
type Drift struct {
	cards   []drifted // the worst for clients first, then in the order of their trees and paths
	foreign []drifted // files of somebody else
	derived []drifted // all others, which follow from the cards where any card differs
}

// drifted is a file that is not on disk as it is generated.
type drifted struct {
	file  publish.Change
	tree  Output
	means diff.Comparison  // of a card: what the difference means to clients
	newer *convert.Reading // of a card: what is generated, with the places in the sources; nil for none
}

// shown is the path of the file for people.
func (d *drifted) shown() string { return d.file.Shown(d.tree.Dir.Name) }

// DriftOf compares the trees with what is on disk. The findings say why a place
// cannot be compared.
func DriftOf(run *Run, trees []Output) (Drift, diag.List) {
	var all Drift
	var found diag.List
	for _, t := range trees {
		changes, more := t.drift()
		found = append(found, more...)
		if more.Worst() != diag.Error && len(changes) > 0 {
			all.add(run, t, changes)
		}
	}
	slices.SortStableFunc(all.cards, func(x, y drifted) int {
		return cmp.Compare(diff.Worst(y.means.Changes), diff.Worst(x.means.Changes))
	})
	return all, found
}

// add adds the files of a tree that differ.
func (a *Drift) add(run *Run, t Output, changes publish.Drift) {
	generated := t.byPath()
	made := map[string]*source.Node{}
	for _, c := range t.cards(run) {
		made[c.Path] = c.Wire
	}
	older, newer, after := map[string]diff.Side{}, map[string]diff.Side{}, Readings{}
	for _, c := range changes {
		was, is := onDisk(t, c.Path), read(made[c.Path], generated[c.Path])
		if !IsCard(c.Path) || c.Kind == publish.Changed && (was == nil || is == nil) {
			continue
		}
		id, where := agentOf(c.Path, generated[c.Path]), ""
		if c.Kind != publish.Changed {
			where = path.Dir(c.Path)
		}
		if was != nil {
			older[id] = side(was, where)
		}
		if is != nil {
			newer[id], after[id] = side(is, where), is
		}
	}
	meaning := map[string]diff.Comparison{}
	for _, c := range diff.Agents(older, newer) {
		meaning[c.Agent] = c
	}
	for _, c := range changes {
		d := drifted{file: c, tree: t}
		switch {
		case c.Kind == publish.Foreign:
			a.foreign = append(a.foreign, d)
		case IsCard(c.Path):
			id := agentOf(c.Path, generated[c.Path])
			d.means, d.newer = meaning[id], after[id]
			d.means.Agent = id
			a.cards = append(a.cards, d)
		default:
			a.derived = append(a.derived, d)
		}
	}
}

// read reads a card that is generated, with the places in the sources that it was made
// from, where they were kept. It is nil for one that is not, or that means nothing.
func read(wire *source.Node, file *site.File) (card *convert.Reading) {
	switch {
	case wire != nil:
		card = convert.Read(wire, convert.ReadOptions{Stated: true})
	case file != nil && IsCard(file.Path):
		card, _ = reading(file.Path, file.Data)
	}
	return card
}

// changed are the files that differ, by [Output.key].
func (a *Drift) changed() map[string]bool {
	changed := map[string]bool{}
	for _, c := range a.cards {
		changed[c.tree.key(c.file.Path)] = true
	}
	return changed
}

// meaning is what the differences of all cards mean to clients.
func (a *Drift) meaning() []diff.Comparison {
	var all []diff.Comparison
	for _, c := range a.cards {
		all = append(all, c.means)
	}
	return all
}

// files are the paths of all files that differ, sorted.
func (a *Drift) files() []string {
	var paths []string
	for _, d := range slices.Concat(a.cards, a.foreign, a.derived) {
		paths = append(paths, d.shown())
	}
	slices.Sort(paths)
	return paths
}

// agentOf is the id of the agent of a card, which is generated or nil: what is no longer
// generated has it in its path.
func agentOf(file string, generated *site.File) string {
	if generated != nil {
		return generated.Agent
	}
	dir := strings.TrimSuffix(path.Dir(file), ".well-known")
	return strings.Trim(strings.TrimSuffix(dir, "."), "/")
}

// onDisk reads a card of the tree as it is on disk, nil where there is none.
func onDisk(t Output, file string) *convert.Reading {
	if !IsCard(file) {
		return nil
	}
	data, err := t.Dir.ReadFile(file, source.MaxCard)
	if err != nil {
		return nil
	}
	r, _ := reading(file, data)
	return r
}

// Findings describe the drift for programs: one finding for each card, else one for each
// file, and one for each of somebody else.
func (a *Drift) Findings() diag.List {
	var found diag.List
	for i := range a.cards {
		found = append(found, a.cards[i].finding())
	}
	others := a.foreign
	if len(a.cards) == 0 {
		others = slices.Concat(a.foreign, a.derived)
	}
	for _, d := range others {
		found = append(found, d.file.Finding(d.tree.Dir.Name))
	}
	return found
}

// causesShown is how many changes the finding of a card lists.
const causesShown = 20

// finding describes a card that differs, at the place in the sources that the worst of its
// changes came from, or else at the card itself.
func (d *drifted) finding() diag.Diagnostic {
	f := d.file.Finding(d.tree.Dir.Name)
	if summary := report.Summary(d.means); summary != "" {
		f.Message += ": " + summary
	}
	if d.newer == nil {
		return f
	}
	card, caused := f.Span, false
	for i, c := range report.Printable(d.means) {
		if c.Class == diff.None || i == causesShown {
			break
		}
		at := d.newer.Span(c.NewPointer)
		if at.Line > 0 && !caused {
			f.Span, f.Pointer, caused = at, c.Pointer(), true
		}
		f.Related = append(f.Related, diag.Related{
			Span: at, Message: fmt.Sprintf("%s: %s", c.Class, report.Change(c)), Pointer: c.Pointer(),
		})
	}
	if caused && d.file.Kind == publish.Changed {
		f.Related = append(f.Related, diag.Related{Span: card, Message: "the card on disk"})
	}
	return f
}

// Members are what the drift adds to findings in JSON: the cards, and what differs
// in them.
func (a *Drift) Members(run *Run) []source.Member {
	meaning := a.meaning()
	return append(Members(run, a.changed()),
		report.ChangeMembers(report.Printable(meaning...), diff.Asked(meaning))...)
}

// Verdict is the last line of a check: how many cards differ, by what that means to
// clients, and what brings them up to date.
func (a *Drift) Verdict(command string) string {
	remedy := "run " + command
	for _, f := range slices.Concat(a.cards, a.foreign, a.derived) {
		if f.file.Kind == publish.Foreign {
			remedy = "move away " + f.shown() + ", or take it over with cardwright generate --force"
		}
		if f.file.Kind == publish.Converted {
			remedy = "git converted line endings: " + publish.KeepBytes(f.tree.Dir.Name)
		}
	}
	if len(a.cards) == 0 {
		n := len(a.files())
		return fmt.Sprintf("%s %s; %s", diag.Count(n, "file"), map[bool]string{true: "differs", false: "differ"}[n == 1],
			remedy)
	}
	var counts [diff.Breaking + 1]int
	for _, c := range a.cards {
		counts[diff.Worst(c.means.Changes)]++
	}
	var parts []string
	for class := diff.Breaking; class > diff.None; class-- {
		if counts[class] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[class], class))
		}
	}
	if n := counts[diff.None]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d without effect on clients", n))
	}
	return fmt.Sprintf("%s: %s; %s", diag.Count(len(a.cards), "card"), strings.Join(parts, ", "), remedy)
}

// Comparison is what a comment says of trees that are out of date, of which sheet
// has the findings.
func (a *Drift) Comparison(sheet report.Sheet) *report.Comparison {
	sheet.Title += " --check"
	// The changes say what the findings of the drift would say.
	sheet.Found = slices.DeleteFunc(slices.Clone(sheet.Found),
		func(f diag.Diagnostic) bool { return f.Rule == publish.DriftRule })
	d := &report.Comparison{Sheet: &sheet, Agents: a.meaning(), Files: a.files(), FailOn: diff.Never}
	n, what := len(a.cards), "card"
	if n == 0 {
		n, what = len(d.Files), "file"
	}
	switch n {
	case 0:
		d.Verdict = cmp.Or(report.Count(d.Found), "up to date")
		return d
	case 1:
		d.Verdict = "1 " + what + " is out of date"
	default:
		d.Verdict = diag.Count(n, what) + " are out of date"
	}
	d.Advice = "Run `cardwright generate` and commit the result."
	return d
}

// diffsShown is how many cards people see the lines of, and filesNamed how many files they
// see by name.
const (
	diffsShown = 5
	filesNamed = 10
)

// Text prints for people how the trees on disk differ from what is generated: what changes
// for clients, the diff of each card, a count of what follows from it, and the files of
// somebody else. With all it leaves nothing out.
func (a *Drift) Text(to report.People, all bool) error {
	p := printer{to: to}
	p.err = report.Changes(to.Out, report.Printable(a.meaning()...), to.Color)
	most := diffsShown
	switch {
	case to.Quiet:
		most = 0
	case all:
		most = len(a.cards)
	}
	for i, c := range a.cards {
		if i < most {
			p.file(c)
		}
	}
	if rest := len(a.cards) - most; rest > 0 && !to.Quiet {
		p.line(fmt.Sprintf("and the diffs of %s (--all shows them)", diag.Count(rest, "more card")))
	}
	p.rest(a, all)
	return p.err
}

// rest prints the files that are no cards.
func (p *printer) rest(a *Drift, all bool) {
	switch {
	case len(a.derived) == 0:
	case len(a.cards) > 0 && !all:
		p.line("and " + diag.Count(len(a.derived), "derived file"))
	default:
		for i, f := range a.derived {
			if i == filesNamed && !all {
				p.line(fmt.Sprintf("and %s (--all shows them)", diag.Count(len(a.derived)-i, "more file")))
				break
			}
			p.file(f)
		}
	}
	for _, f := range a.foreign {
		p.line(fmt.Sprintf("%s: %s", f.file.Kind, f.shown()))
	}
}

// printer prints until something cannot be printed.
type printer struct {
	to  report.People
	err error
}

func (p *printer) line(text string) {
	if p.err == nil {
		p.err = report.Line(p.to.Out, text)
	}
}

// file prints the lines of a file that differ, or that it is missing or should not be
// there.
func (p *printer) file(f drifted) {
	switch {
	case f.file.Kind != publish.Changed || p.to.Quiet:
		p.line(secret.MaskText(fmt.Sprintf("%s: %s", f.file.Kind, f.shown())))
	case p.err == nil:
		p.err = report.Unified(p.to.Out, f.file.Diff, p.to.Color)
	}
}
