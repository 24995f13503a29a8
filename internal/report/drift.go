package report

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/secret"
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
func (a *Drift) Members() []source.Member { return changeMembers(a.agents()) }

// agents are what the differences of all cards mean to clients.
func (a *Drift) agents() (all []diff.Comparison) {
	for _, c := range a.Cards {
		all = append(all, c.Means)
	}
	return all
}

func (a *Drift) all() []Drifted { return slices.Concat(a.Cards, a.Foreign, a.Derived) }

// Findings describe the drift for programs: one finding for each card, else one for each
// file, and one for each foreign file.
func (a *Drift) Findings() diag.List {
	var found diag.List
	for i := range a.Cards {
		found = append(found, a.Cards[i].finding())
	}
	others := a.Foreign
	if len(a.Cards) == 0 {
		others = a.all()
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
	if summary := summarize(d.Means); summary != "" {
		f.Message += ": " + summary
	}
	if d.Newer == nil {
		return f
	}
	card, caused := f.Span, false
	for i, c := range printable(d.Means) {
		if c.Class == diff.None || i == causesShown {
			break
		}
		at := d.Newer.Span(c.NewPointer)
		if at.Line > 0 && !caused {
			f.Span, f.Pointer, caused = at, c.Pointer(), true
		}
		f.Related = append(f.Related, diag.Related{
			Span: at, Message: fmt.Sprintf("%s: %s", c.Class, sentence(c)), Pointer: c.Pointer(),
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
	for _, d := range a.all() {
		switch {
		case d.File.Guarded:
			remedy = "if the removal is intended, run " + command + " --force"
		case d.File.Kind == publish.Foreign:
			remedy = "move away " + d.shown() + ", or take it over with cardwright generate --force"
		case d.File.Kind == publish.Converted:
			remedy = "git converted line endings: " + publish.KeepBytes(d.Dir)
		}
	}
	if len(a.Cards) == 0 {
		return differ(len(a.all())) + "; " + remedy
	}
	var counts [diff.Breaking + 1]int
	for _, c := range a.Cards {
		counts[diff.Worst(c.Means.Changes)]++
	}
	parts := []string{countClasses(counts)}
	if n := counts[diff.None]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d without effect on clients", n))
	}
	return fmt.Sprintf("%s: %s; %s", diag.Count(len(a.Cards), "card"),
		strings.TrimPrefix(strings.Join(parts, ", "), ", "), remedy)
}

// Comment is what a comment says about trees that are out of date. The changes say what
// the findings of the drift would say.
func (a *Drift) Comment(r *Report) string {
	c, title := Comparison{Agents: a.agents(), FailOn: diff.Never}, r.Title+" --check"
	c.found = slices.DeleteFunc(slices.Clone(r.Found), func(d diag.Diagnostic) bool { return d.Rule == diag.OutputDrift })
	for _, d := range a.all() {
		c.files = append(c.files, d.shown())
	}
	slices.Sort(c.files)
	n, what := len(a.Cards), "card"
	if n == 0 {
		n, what = len(c.files), "file"
	}
	switch n {
	case 0:
		c.verdict = cmp.Or(count(c.found), "up to date")
		return c.comment(title)
	case 1:
		c.verdict = "1 " + what + " is out of date"
	default:
		c.verdict = diag.Count(n, what) + " are out of date"
	}
	c.advice = "Run `cardwright generate` and commit the result."
	return c.comment(title)
}

// diffsShown is how many cards people see the lines of, and filesNamed how many files they
// see by name.
const (
	diffsShown = 5
	filesNamed = 10
)

// Text prints for people how the trees on disk differ from what is generated: what changes
// for clients, the diff of each card, a count of derived files, and foreign files.
func (a *Drift) Text(o Style) string {
	p := printer{color: o.Color}
	p.out.WriteString(printChanges(printable(a.agents()...), o.Color))
	cards, files := diffsShown, filesNamed
	switch {
	case o.All:
		cards, files = len(a.Cards), len(a.Derived)
	case o.Quiet:
		cards = 0
	}
	for i := range a.Cards[:min(cards, len(a.Cards))] {
		p.drifted(&a.Cards[i], o.Quiet)
	}
	if rest := len(a.Cards) - cards; rest > 0 && !o.Quiet {
		p.line(fmt.Sprintf("and the diffs of %s (--all shows them)", diag.Count(rest, "more card")))
	}
	if len(a.Cards) > 0 && len(a.Derived) > 0 && !o.All {
		p.line("and " + diag.Count(len(a.Derived), "derived file"))
	} else {
		for i := range a.Derived[:min(files, len(a.Derived))] {
			p.drifted(&a.Derived[i], o.Quiet)
		}
		if rest := len(a.Derived) - files; rest > 0 {
			p.line(fmt.Sprintf("and %s (--all shows them)", diag.Count(rest, "more file")))
		}
	}
	for _, f := range a.Foreign {
		p.line(fmt.Sprintf("%s: %s", f.File.Kind, f.shown()))
	}
	return p.out.String()
}

// drifted prints the lines of a JSON file that differ, else how the file departs from what
// is generated.
func (p *printer) drifted(d *Drifted, quiet bool) {
	if d.File.Diff == nil || path.Ext(d.File.Path) != ".json" || quiet {
		p.line(fmt.Sprintf("%s: %s", d.File.Kind, d.shown()))
		return
	}
	for _, line := range d.File.Diff {
		p.paint(lineColor(line), Escape(maskedLine(line)))
		p.out.WriteByte('\n')
	}
}

func (p *printer) line(text string) { p.out.WriteString(line(text)) }

// maskedLine masks the credentials in a line of a diff. A key over several lines, which
// no JSON has, shows by lines that say nothing but base64.
func maskedLine(line string) string {
	if line != "" && lineOfKey().MatchString(line[1:]) {
		return line[:1] + strings.Repeat("*", len(line)-1)
	}
	return secret.MaskText(line)
}

var lineOfKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[0-9A-Za-z+/]{60,}={0,2}\s*$`)
})

// lineColor is the color of a line of a unified diff, "" for none.
func lineColor(line string) string {
	for _, c := range []struct{ prefix, color string }{
		{"--- ", bold}, {"+++ ", bold}, {"@@ ", cyan}, {"-", red}, {"+", green},
	} {
		if strings.HasPrefix(line, c.prefix) {
			return c.color
		}
	}
	return ""
}
