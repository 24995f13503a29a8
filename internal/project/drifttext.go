package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/secret"
)

// remedy says what brings the files on disk up to date: most often the command.
func (a *Drift) remedy(command string) string {
	for _, f := range slices.Concat(a.cards, a.alone) {
		if f.Kind == publish.Converted {
			return "git converted line endings: " + publish.KeepBytes(f.tree.Dir.Name)
		}
	}
	return "run " + command
}

// Verdict is the last line of a check: how many cards differ, by what that means to
// clients, and what brings them up to date.
func (a *Drift) Verdict(command string) string {
	if len(a.cards) == 0 {
		n := len(a.files())
		return fmt.Sprintf("%s %s; %s", diag.Count(n, "file"), map[bool]string{true: "differs", false: "differ"}[n == 1],
			a.remedy(command))
	}
	counts := map[diff.Class]int{}
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
	return fmt.Sprintf("%s: %s; %s", diag.Count(len(a.cards), "card"), strings.Join(parts, ", "), a.remedy(command))
}

// Comparison is what a comment says of trees that are out of date, of which sheet
// has the findings.
func (a *Drift) Comparison(sheet report.Sheet) *report.Comparison {
	sheet.Title += " --check"
	// The changes say what the findings of the drift would say.
	sheet.Found = slices.DeleteFunc(slices.Clone(sheet.Found),
		func(f diag.Diagnostic) bool { return f.Rule == publish.DriftRule })
	d := &report.Comparison{Sheet: &sheet, Agents: a.meaning(), Files: a.files()}
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

// People see so many changes of cards in full, then so many without their
// differences. Cards that changed in the same way are one change.
const (
	fullChanges  = 5
	namedChanges = 15
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
	groups := a.alike()
	if len(groups) > 1 && !all {
		p.inCommon(groups)
	}
	p.cards(groups)
	if len(a.shared) > 0 {
		p.line("")
		p.following(a.shared, " of all cards")
	}
	for _, f := range a.alone {
		p.card(f)
	}
	p.public(a)
	return p.err
}

// inCommon prints the changes that many of the groups have, which are then left out of
// what each card changes.
func (p *printer) inCommon(groups [][]*drifted) {
	var means []diff.Comparison
	for _, c := range slices.Concat(groups...) {
		means = append(means, c.means)
	}
	changes := report.Printable(means...)
	p.common = report.Common(changes)
	if len(p.common) == 0 {
		return
	}
	changes = slices.DeleteFunc(changes, func(c diff.Change) bool { return !report.IsCommon(c, p.common) })
	p.err = report.Changes(p.Out, changes, p.Color)
	p.line("")
}

// cards prints groups of cards that changed in the same way, each once.
func (p *printer) cards(groups [][]*drifted) {
	for i, group := range groups {
		switch {
		case p.all || i < fullChanges:
			if i > 0 {
				p.line("")
			}
			p.card(group[0])
			for _, c := range group[1:] {
				if p.all {
					p.line("")
					p.card(c)
				}
			}
		case i < namedChanges:
			if i == fullChanges {
				p.line("")
			}
			p.err = cmp.Or(p.err, report.Changes(p.Out, p.own(group[0]), p.Color))
		default:
			rest := 0
			for _, group := range groups[i:] {
				rest += len(group)
			}
			p.line(fmt.Sprintf("and %s (--all shows them)", diag.Count(rest, "more card")))
			return
		}
		if n := len(group) - 1; n > 0 && !p.all {
			p.line(fmt.Sprintf("and %s with the same change (--all shows them): %s", diag.Count(n, "more card"),
				namesOf(group[1:])))
		}
	}
	if !p.all && len(groups) > fullChanges {
		p.line(fmt.Sprintf("the diffs of the first %d are shown (--all shows the others)", fullChanges))
	}
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
	for _, c := range visible(slices.Clone(d.means.Changes)) {
		parts = append(parts, c.Rule, report.Change(c))
	}
	if len(parts) == 1 { // nothing that clients see: the lines themselves
		for _, line := range d.Diff {
			if !strings.HasPrefix(line, "@@") && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") {
				parts = append(parts, line)
			}
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
	all    bool
	common map[string][]string // changes that are printed before those of each card, with their agents
	err    error
}

func (p *printer) line(text string) {
	if p.err == nil {
		p.err = report.Line(p.Out, text)
	}
}

// card prints a card, or another file, that differs.
func (p *printer) card(c *drifted) {
	p.meaning(c)
	p.files([]*drifted{c})
	p.following(c.follow, "")
}

// meaning prints what the difference of a card means to clients.
func (p *printer) meaning(c *drifted) {
	if p.err == nil {
		p.err = p.Print(p.own(c), c.means)
	}
}

// own are the changes of a card, without those that many cards have.
func (p *printer) own(c *drifted) []diff.Change {
	return report.WithoutCommon(report.Printable(c.means), p.common)
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
	for _, c := range slices.Concat(a.cards, a.alone) {
		line := fmt.Sprintf("%s: %s", c.Kind, c.shown())
		if summary := report.Summary(c.means.Changes, report.Bump(c.means)); summary != "" {
			line += ": " + summary
		}
		p.line(line)
	}
}
