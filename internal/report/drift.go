package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/source"
)

// Drift is how the trees on disk differ from what is generated.
type Drift struct {
	Cards   []Drifted // the worst for clients first, then in the order of their trees and paths
	Foreign []Drifted // files that cardwright did not write
	Derived []Drifted // all others, which follow from the cards where any card differs
}

// Drifted is a file that is not on disk as generated.
type Drifted struct {
	File  publish.Change
	Dir   string           // of its tree
	Key   string           // that distinguishes it from files of other trees
	Means diff.Comparison  // of a card: what the difference means to clients
	Newer *convert.Reading // of a card: what is generated, with the places in the sources; nil for none
}

// shown is the path of the file for people.
func (d *Drifted) shown() string { return d.File.Shown(d.Dir) }

// Changed are the cards that differ, by their keys.
func (a *Drift) Changed() map[string]bool {
	changed := map[string]bool{}
	for _, c := range a.Cards {
		changed[c.Key] = true
	}
	return changed
}

// Members are what the drift adds to findings in JSON.
func (a *Drift) Members() []source.Member {
	meaning := a.meaning()
	return ChangeMembers(Printable(meaning...), diff.Asked(meaning))
}

// meaning is what the differences of all cards mean to clients.
func (a *Drift) meaning() []diff.Comparison {
	var all []diff.Comparison
	for _, c := range a.Cards {
		all = append(all, c.Means)
	}
	return all
}

// files are the paths of all files that differ, sorted.
func (a *Drift) files() []string {
	var paths []string
	for _, d := range slices.Concat(a.Cards, a.Foreign, a.Derived) {
		paths = append(paths, d.shown())
	}
	slices.Sort(paths)
	return paths
}

// Findings describe the drift for programs: one finding for each card, else one for each
// file, and one for each foreign file.
func (a *Drift) Findings() diag.List {
	var found diag.List
	for i := range a.Cards {
		found = append(found, a.Cards[i].finding())
	}
	others := a.Foreign
	if len(a.Cards) == 0 {
		others = slices.Concat(a.Foreign, a.Derived)
	}
	for _, d := range others {
		found = append(found, d.File.Finding(d.Dir))
	}
	return found
}

// causesShown is how many changes the finding of a card lists.
const causesShown = 20

// finding describes a card that differs, at the place in the sources that the worst of its
// changes came from, or else at the card itself.
func (d *Drifted) finding() diag.Diagnostic {
	f := d.File.Finding(d.Dir)
	if summary := Summary(d.Means); summary != "" {
		f.Message += ": " + summary
	}
	if d.Newer == nil {
		return f
	}
	card, caused := f.Span, false
	for i, c := range Printable(d.Means) {
		if c.Class == diff.None || i == causesShown {
			break
		}
		at := d.Newer.Span(c.NewPointer)
		if at.Line > 0 && !caused {
			f.Span, f.Pointer, caused = at, c.Pointer(), true
		}
		f.Related = append(f.Related, diag.Related{
			Span: at, Message: fmt.Sprintf("%s: %s", c.Class, Change(c)), Pointer: c.Pointer(),
		})
	}
	if caused && d.File.Kind == publish.Changed {
		f.Related = append(f.Related, diag.Related{Span: card, Message: "the card on disk"})
	}
	return f
}

// Verdict is the last line of a check: how many cards differ, by what that means to
// clients, and what brings them up to date.
func (a *Drift) Verdict(command string) string {
	remedy := "run " + command
	for _, f := range slices.Concat(a.Cards, a.Foreign, a.Derived) {
		if f.File.Guarded {
			remedy = "if the removal is intended, run " + command + " --force"
		}
		if f.File.Kind == publish.Foreign {
			remedy = "move away " + f.shown() + ", or take it over with cardwright generate --force"
		}
		if f.File.Kind == publish.Converted {
			remedy = "git converted line endings: " + publish.KeepBytes(f.Dir)
		}
	}
	if len(a.Cards) == 0 {
		n := len(a.files())
		return fmt.Sprintf("%s %s; %s", diag.Count(n, "file"), map[bool]string{true: "differs", false: "differ"}[n == 1],
			remedy)
	}
	var counts [diff.Breaking + 1]int
	for _, c := range a.Cards {
		counts[diff.Worst(c.Means.Changes)]++
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
	return fmt.Sprintf("%s: %s; %s", diag.Count(len(a.Cards), "card"), strings.Join(parts, ", "), remedy)
}

// Comparison is what a comment says about trees that are out of date, whose sheet
// has the findings.
func (a *Drift) Comparison(sheet Sheet) *Comparison {
	sheet.Title += " --check"
	// The changes say what the findings of the drift would say.
	sheet.Found = slices.DeleteFunc(slices.Clone(sheet.Found),
		func(f diag.Diagnostic) bool { return f.Rule == diag.OutputDrift })
	d := &Comparison{Sheet: &sheet, Agents: a.meaning(), Files: a.files(), FailOn: diff.Never}
	n, what := len(a.Cards), "card"
	if n == 0 {
		n, what = len(d.Files), "file"
	}
	switch n {
	case 0:
		d.Verdict = cmp.Or(Count(d.Found), "up to date")
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
// for clients, the diff of each card, a count of derived files, and foreign files. With all
// it leaves nothing out.
func (a *Drift) Text(to People, all bool) error {
	var b strings.Builder // which never fails
	_ = Changes(&b, Printable(a.meaning()...), to.Color)
	most := diffsShown
	switch {
	case to.Quiet:
		most = 0
	case all:
		most = len(a.Cards)
	}
	for i, c := range a.Cards {
		if i < most {
			c.print(&b, to)
		}
	}
	if rest := len(a.Cards) - most; rest > 0 && !to.Quiet {
		_ = Line(&b, fmt.Sprintf("and the diffs of %s (--all shows them)", diag.Count(rest, "more card")))
	}
	a.printOthers(&b, to, all)
	_, err := io.WriteString(to.Out, b.String())
	return err
}

// printOthers prints the files that are no cards.
func (a *Drift) printOthers(b *strings.Builder, to People, all bool) {
	if len(a.Cards) > 0 && len(a.Derived) > 0 && !all {
		_ = Line(b, "and "+diag.Count(len(a.Derived), "derived file"))
	} else {
		for i, f := range a.Derived {
			if i == filesNamed && !all {
				_ = Line(b, fmt.Sprintf("and %s (--all shows them)", diag.Count(len(a.Derived)-i, "more file")))
				break
			}
			f.print(b, to)
		}
	}
	for _, f := range a.Foreign {
		_ = Line(b, fmt.Sprintf("%s: %s", f.File.Kind, f.shown()))
	}
}

// print prints the lines of a file that differ, or how an archive or a file that is missing
// or should not be there differs.
func (d *Drifted) print(b *strings.Builder, to People) {
	if d.File.Diff == nil || to.Quiet {
		_ = Line(b, fmt.Sprintf("%s: %s", d.File.Kind, d.shown()))
		return
	}
	_ = Unified(b, d.File.Diff, to.Color)
}
