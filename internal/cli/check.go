package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/secret"
)

// check compares the trees with what is on disk.
func (a *app) check(run *built, trees []outTree) error {
	all, found := driftOf(run, trees)
	findings := all.findings()
	if run.options.format == "text" {
		if err := a.tellDrift(run, &all); err != nil {
			return err
		}
	}
	code := exitOK
	if len(findings) > 0 {
		code = exitFindings
		if run.options.format == "text" && !a.quiet {
			a.talk("the files on disk are out of date; " + all.remedy())
		}
	}
	if found.Worst() == diag.Error {
		code = max(code, outputCode(found))
	}
	// What there is to say of the sources, generate and lint say.
	shown := slices.DeleteFunc(slices.Clone(run.Found),
		func(d diag.Diagnostic) bool { return d.Rule != "signing-key-missing" })
	shown = append(shown, found...).Sorted()
	run.Found = slices.Concat(run.Found, found, findings).Sorted()
	meaning := all.meaning()
	extra := append(cards(run, all.changed()), report.ChangeMembers(report.Printable(meaning...), diff.Asked(meaning))...)
	run.Forms = map[string]func(io.Writer) error{"markdown": func(w io.Writer) error {
		return a.staleness(run, &all).Markdown(w)
	}}
	if err := a.emit(run, shown, extra...); err != nil {
		return err
	}
	return done(code)
}

// remedy says what brings the files on disk up to date.
func (a *drift) remedy() string {
	for _, f := range slices.Concat(a.cards, a.alone) {
		if f.Kind == publish.Converted {
			return "git converted line endings: " + publish.KeepBytes(f.tree.dir.Name)
		}
	}
	return "to update them, run cardwright generate"
}

// staleness is what a comment says of a tree that is out of date.
func (a *app) staleness(run *built, all *drift) report.Difference {
	d := (&report.Comparison{Sheet: &run.Sheet, Agents: all.meaning()}).Difference()
	d.Title += " --check"
	d.Files = all.files()
	// The changes say what the findings of the drift would say.
	d.Found = slices.DeleteFunc(slices.Clone(run.Found),
		func(f diag.Diagnostic) bool { return f.Rule == publish.DriftRule })
	switch {
	case len(all.cards) == 1:
		d.Verdict = "1 card is out of date"
	case len(all.cards) > 0:
		d.Verdict = fmt.Sprintf("%d cards are out of date", len(all.cards))
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

// tellDrift prints for people how the trees on disk depart from what is
// generated: for each card what that means to clients, its difference, and how
// many files follow from it; then what no card is the reason for.
func (a *app) tellDrift(run *built, all *drift) error {
	if a.quiet {
		a.tellDriftBriefly(all)
		return nil
	}
	for i, group := range all.alike() {
		rest := 0
		if len(group) >= alikeFrom && !run.options.all {
			rest = len(group) - alikeShown
		}
		for j, c := range group[:len(group)-rest] {
			if i+j > 0 {
				a.print("")
			}
			if err := a.tellCard(run, c); err != nil {
				return err
			}
		}
		if rest > 0 {
			a.print("")
			a.print(fmt.Sprintf("and %d more cards that changed in the same way (--all shows them): %s", rest,
				namesOf(group[alikeShown:])))
		}
	}
	if len(all.shared) > 0 {
		a.print("")
		if err := a.tellFollowing(run, all.shared, "these cards"); err != nil {
			return err
		}
	}
	for _, f := range all.alone {
		if err := a.tellCard(run, f); err != nil {
			return err
		}
	}
	return nil
}

// alike groups the cards by how they changed, in the order of the first of each
// group.
func (a *drift) alike() [][]*drifted {
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

// tellCard prints a card, or another file, that differs.
func (a *app) tellCard(run *built, c *drifted) error {
	if err := a.tellDifference(report.Printable(c.means), c.means.Asked(), diff.Breaking); err != nil {
		return err
	}
	if err := a.tellFiles([]*drifted{c}); err != nil {
		return err
	}
	return a.tellFollowing(run, c.follow, "it")
}

// tellFollowing counts the files that follow from cards, and shows them all
// where that is asked for.
func (a *app) tellFollowing(run *built, files []*drifted, what string) error {
	if len(files) == 0 {
		return nil
	}
	if !run.options.all {
		a.print(following(len(files), what))
		return nil
	}
	a.print(following(len(files), what) + ":")
	return a.tellFiles(files)
}

// tellFiles prints a line for each file that is missing or should not be there,
// then the differences of the others.
func (a *app) tellFiles(files []*drifted) error {
	var lines, hunks []string
	for _, f := range files {
		if f.Kind == publish.Changed {
			hunks = append(hunks, f.Diff...)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s", f.Kind, f.shown()))
	}
	for _, line := range lines {
		a.print(secret.MaskText(line))
	}
	for i := range hunks {
		hunks[i] = secret.MaskText(hunks[i])
	}
	return report.Unified(a.Out, hunks, a.colored(a.Out))
}

// tellDriftBriefly prints a line for each card that differs, and for each file
// that differs while no card does.
func (a *app) tellDriftBriefly(all *drift) {
	for _, c := range all.cards {
		line := fmt.Sprintf("%s: %s", c.Kind, c.shown())
		if summary := report.Summary(c.means.Changes, c.means.Asked()); summary != "" {
			line += ": " + summary
		}
		a.print(line)
	}
	for _, f := range all.alone {
		a.print(fmt.Sprintf("%s: %s", f.Kind, f.shown()))
	}
}
