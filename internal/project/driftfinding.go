package project

import (
	"fmt"
	"slices"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// KeepChanged keeps the cards that differ from those on disk in memory, with the
// places in the sources that their values came from.
func KeepChanged(r *generate.Request) {
	r.Wire = func(extended bool, card tree.File) bool {
		return !r.Published.Holds(extended, card.Path, card.Data)
	}
}

// causesShown is how many changes the finding of a card lists.
const causesShown = 20

// finding describes a card or a file that differs, at the place in the sources that the
// worst of its changes came from, or else at the card itself.
func (d *drifted) finding(shared []*drifted) diag.Diagnostic {
	f := d.Finding(d.tree.Dir.Name)
	f.Owner = d.owner
	changes := visible(report.Printable(d.means))
	if summary := report.Summary(changes, report.Bump(d.means)); summary != "" {
		f.Message += ": " + summary
	}
	if n := len(d.follow) + len(shared); n > 0 {
		f.Message += ", " + following(n, "")
	}
	if len(changes) > 0 {
		f.Identity = report.Identity(changes[0])
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
		at := d.newer.Span(c.NewPointer)
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

// Findings describe the drift for programs: one finding for each card, for each file that
// differs while no card does, and for each skill with files that become public or are no
// longer.
func (a *Drift) Findings() diag.List {
	var found diag.List
	for _, c := range a.cards {
		found = append(found, c.finding(a.shared))
	}
	for _, o := range a.alone {
		found = append(found, o.finding(nil))
	}
	for _, c := range report.Printable(a.public) {
		f := diag.New(publish.DriftRule, a.places[c.Agent+" "+c.Skill], "%s", report.Sentence(c)).WithSeverity(diag.Info)
		f.Identity, f.Owner = report.Identity(c), c.Owner
		found = append(found, f)
	}
	return found
}

// following counts files that differ because others do.
func following(n int, what string) string { return "and " + diag.Count(n, "derived file") + what }

// Members are what the drift adds to findings in JSON: the cards, and what differs
// in them.
func (a *Drift) Members(run *Run) []source.Member {
	meaning := a.meaning()
	return append(Members(run, a.changed()),
		report.ChangeMembers(report.Printable(meaning...), diff.Asked(meaning))...)
}
