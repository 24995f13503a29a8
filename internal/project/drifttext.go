package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/secret"
)

// Remedy says what brings the files on disk up to date: most often the command.
func (a *Drift) Remedy(command string) string {
	for _, f := range slices.Concat(a.cards, a.alone) {
		if f.Kind == publish.Converted {
			return "git converted line endings: " + publish.KeepBytes(f.tree.Dir.Name)
		}
	}
	if len(a.cards) == 0 && !slices.ContainsFunc(a.alone, func(f *drifted) bool { return f.Kind != publish.Unknown }) {
		return "remove what you do not need: " + command + " does not"
	}
	return "to update them, run " + command
}

// Difference is what a comment says of trees that are out of date, of which sheet
// has the findings.
func (a *Drift) Difference(sheet *report.Sheet) report.Difference {
	d := (&report.Comparison{Sheet: sheet, Agents: a.Meaning()}).Difference()
	d.Title += " --check"
	d.Files = a.files()
	// The changes say what the findings of the drift would say.
	d.Found = slices.DeleteFunc(slices.Clone(sheet.Found),
		func(f diag.Diagnostic) bool { return f.Rule == publish.DriftRule })
	switch {
	case len(a.cards) == 1:
		d.Verdict = "1 card is out of date"
	case len(a.cards) > 0:
		d.Verdict = fmt.Sprintf("%d cards are out of date", len(a.cards))
	case len(d.Files) == 1:
		d.Verdict = "1 file is out of date"
	case len(d.Files) > 0:
		d.Verdict = fmt.Sprintf("%d files are out of date", len(d.Files))
	default:
		d.Verdict = cmp.Or(report.Count(d.Found), "up to date")
		return d
	}
	d.Advice = "Run `cardwright generate` and commit the result."
	return d
}

// Of cards that changed in the same way, people see the first few in full.
const (
	alikeFrom  = 6
	alikeShown = 3
)

// Text prints for people how the trees on disk depart from what is generated: for
// each card what that means to clients, its difference, and how many files follow
// from it; then what no card is the reason for. With all it leaves nothing out.
func (a *Drift) Text(to report.People, all bool) error {
	p := printer{People: to, all: all}
	if to.Quiet {
		p.briefly(a)
		p.public(a)
		return p.err
	}
	for i, group := range a.alike() {
		rest := 0
		if len(group) >= alikeFrom && !all {
			rest = len(group) - alikeShown
		}
		for j, c := range group[:len(group)-rest] {
			if i+j > 0 {
				p.line("")
			}
			p.card(c)
		}
		if rest > 0 {
			p.line("")
			p.line(fmt.Sprintf("and %d more cards that changed in the same way (--all shows them): %s", rest,
				namesOf(group[alikeShown:])))
		}
	}
	if len(a.shared) > 0 {
		p.line("")
		p.following(a.shared, "these cards")
	}
	for _, f := range a.alone {
		p.card(f)
	}
	p.public(a)
	return p.err
}

// public prints which files of skills become public, and which are no longer.
func (p *printer) public(a *Drift) {
	for _, line := range report.PublicFiles(report.Printable(a.public), p.all) {
		p.line(line)
	}
}

// alike groups the cards by how they changed, in the order of the first of each
// group.
func (a *Drift) alike() [][]*drifted {
	var groups [][]*drifted
	index := map[string]int{}
	for _, c := range a.cards {
		kind := c.kind()
		i, known := index[kind]
		if !known {
			i = len(groups)
			index[kind], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// kind is what cards have in common that changed in the same way.
func (d *drifted) kind() string {
	parts := []string{string(d.Kind)}
	if d.Kind == publish.Changed {
		for _, c := range visible(slices.Clone(d.means.Changes)) {
			parts = append(parts, c.Rule, report.Change(c))
		}
	}
	return strings.Join(parts, "\x00")
}

// namesOf names the agents of cards.
func namesOf(cards []*drifted) string {
	const named = 8
	var ids []string
	for i, c := range cards {
		if i == named {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, c.means.Agent)
	}
	return strings.Join(ids, ", ")
}

// printer prints until something cannot be printed.
type printer struct {
	report.People
	all bool
	err error
}

func (p *printer) line(text string) {
	if p.err == nil {
		p.err = report.Line(p.Out, text)
	}
}

// card prints a card, or another file, that differs.
func (p *printer) card(c *drifted) {
	if p.err == nil {
		p.err = p.Print(report.Printable(c.means), c.means.Asked())
	}
	p.files([]*drifted{c})
	p.following(c.follow, "it")
}

// following counts the files that follow from cards, and shows them all where that
// is asked for.
func (p *printer) following(files []*drifted, what string) {
	switch {
	case len(files) == 0:
	case !p.all:
		p.line(following(len(files), what))
	default:
		p.line(following(len(files), what) + ":")
		p.files(files)
	}
}

// files prints a line for each file that is missing or should not be there, then
// the differences of the others.
func (p *printer) files(files []*drifted) {
	var hunks []string
	for _, f := range files {
		if f.Kind == publish.Changed {
			hunks = append(hunks, f.Diff...)
			continue
		}
		p.line(secret.MaskText(fmt.Sprintf("%s: %s", f.Kind, f.shown())))
	}
	if p.err == nil {
		p.err = report.Unified(p.Out, hunks, p.Color)
	}
}

// briefly prints a line for each card that differs, and for each file that differs
// while no card does.
func (p *printer) briefly(a *Drift) {
	for _, c := range a.cards {
		line := fmt.Sprintf("%s: %s", c.Kind, c.shown())
		if summary := report.Summary(c.means.Changes, c.means.Asked()); summary != "" {
			line += ": " + summary
		}
		p.line(line)
	}
	for _, f := range a.alone {
		p.line(fmt.Sprintf("%s: %s", f.Kind, f.shown()))
	}
}
