package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/secret"
)

// Comparison is what differs between cards, and what was found next to that.
type Comparison struct {
	*Sheet
	Agents []diff.Comparison
	// FailOn is the class from which differences end a run, unless they are declared.
	FailOn diff.Class
	// Place is where a value of the newer card of an agent stands, none where
	// there is no such card.
	Place func(agent, pointer string) diag.Span

	// What a comment says besides.
	Verdict string   // before what the changes mean, such as "2 cards are out of date"
	Advice  string   // what to do, Markdown
	Files   []string // that differ, cards among them
}

// ComparisonFormats are what differences are printed as.
func ComparisonFormats() []string { return []string{"text", "json", "markdown", "github"} }

// Write writes what differs in a format for programs.
func (c *Comparison) Write(w io.Writer, format string) error {
	s := *c.Sheet
	s.Found, s.Fails = c.findings(), diag.Error
	s.Forms = map[string]func(*Sheet, io.Writer) error{
		"json": func(_ *Sheet, w io.Writer) error {
			return JSON(w, c.Found, ChangeMembers(c.Changes(), diff.Asked(c.Agents))...)
		},
		"markdown": func(_ *Sheet, w io.Writer) error { return c.Markdown(w) },
		"sarif":    func(s *Sheet, w io.Writer) error { return s.sarif(w, s.Found, changeRules()) },
	}
	return s.Write(w, format)
}

// Changes are the differences of all agents, as they can be shown.
func (c *Comparison) Changes() []diff.Change { return Printable(c.Agents...) }

// Fails reports whether a difference ends a run.
func (c *Comparison) Fails() bool { return slices.ContainsFunc(diff.All(c.Agents), c.fails) }

func (c *Comparison) fails(change diff.Change) bool {
	return change.Class >= c.FailOn && change.Declared == ""
}

// People is where differences are printed for people, and how.
type People struct {
	Out, Err     io.Writer
	Color, Quiet bool
}

// Text prints the differences for people, then what they come to.
func (c *Comparison) Text(to People) error {
	changes := c.Changes()
	if to.Quiet {
		changes = slices.DeleteFunc(changes, func(change diff.Change) bool { return !c.fails(change) })
	}
	if err := Changes(to.Out, changes, to.Color); err != nil {
		return err
	}
	if rest := Meaningless(changes); rest != "" {
		if err := Line(to.Err, rest); err != nil {
			return err
		}
	}
	if summary := c.summary(); summary != "" && !to.Quiet {
		return Line(to.Out, summary)
	}
	return nil
}

// summary is [Summary] with what accepts a difference that no version declares.
func (c *Comparison) summary() string {
	summary := Summary(c.Agents...)
	open := func(change diff.Change) bool { return c.fails(change) && change.Class == diff.Breaking }
	if slices.ContainsFunc(diff.All(c.Agents), open) {
		summary += "; --fail-on none accepts what is not declared"
	}
	return summary
}

// findings returns the changes as findings in the new cards: errors where they end a run,
// infos otherwise.
func (c *Comparison) findings() diag.List {
	found := slices.Clone(c.Found)
	for _, change := range c.Changes() {
		if change.Class == diff.None {
			continue
		}
		f := diag.New(change.Rule, c.Place(change.Agent, change.NewPointer), "%s", Sentence(change)).
			WithSeverity(diag.Info).WithPointer(change.Pointer())
		if c.fails(change) {
			f.Severity = diag.Error
		}
		found = append(found, f)
	}
	return found.Sorted()
}

// changeRules are the rules of diff as SARIF explains them.
func changeRules() []Rule {
	var rules []Rule
	for _, r := range diff.Rules() {
		severity := diag.Info
		if r.Class == diff.Breaking {
			severity = diag.Error
		}
		if r.Class > diff.None {
			rules = append(rules, Rule{ID: r.ID, Severity: severity, Title: r.Title, Page: "docs/diff.md"})
		}
	}
	return rules
}

const (
	// changesShown is how many changes a comment lists, and filesShown how many files.
	changesShown = 20
	filesShown   = 20
)

// Markdown prints the difference for a comment: a heading with the verdict, errors, the
// changes, and the rest folded. As in [Markdown], everything that may quote input stands in
// code.
func (c *Comparison) Markdown(w io.Writer) error {
	var b strings.Builder
	verdict := cmp.Or(secret.MaskText(c.summary()), "no differences")
	if c.Verdict != "" {
		verdict = strings.TrimSuffix(c.Verdict+": "+secret.MaskText(c.summary()), ": ")
	}
	heading(&b, c.Title, inline(verdict))
	if c.Advice != "" {
		b.WriteString("\n" + c.Advice + "\n")
	}
	shared := shareChanges(c.Changes())
	visible := slices.IndexFunc(shared, func(s *sharedChange) bool { return s.change.Class == diff.Cosmetic })
	if visible < 0 {
		visible = len(shared)
	}
	if visible > 0 {
		b.WriteString("\n" + c.listChanges(shared[:visible]))
	}
	if rest := shared[visible:]; len(rest) > 0 {
		fold(&b, diag.Count(len(rest), "cosmetic change"), c.listChanges(rest))
	}
	if len(c.Found) > 0 {
		listFindings(&b, c.Found)
	}
	c.files(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Comparison) listChanges(changes []*sharedChange) string {
	var b strings.Builder
	for i, s := range changes {
		if i == changesShown {
			fmt.Fprintf(&b, "- and %d more\n", len(changes)-i)
			break
		}
		fmt.Fprintf(&b, "- **%s**", s.change.Class)
		if names := s.names(); names != "" {
			b.WriteString(" " + Code(names))
		}
		fmt.Fprintf(&b, " %s (%s)", codeOf(Change(s.change), 2*codeShown), Code(s.change.Rule.String()))
		if file := c.fileOf(s); file != "" {
			b.WriteString(" in " + Code(file))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// fileOf is the file that a change of one of several agents is about, so that a team finds
// its own.
func (c *Comparison) fileOf(s *sharedChange) string {
	if c.Place == nil || len(s.agents) != 1 || s.agents[0] == "" {
		return ""
	}
	return c.Place(s.change.Agent, s.change.NewPointer).File
}

// files lists the files that differ, folded.
func (c *Comparison) files(b *strings.Builder) {
	if len(c.Files) == 0 {
		return
	}
	var list strings.Builder
	for i, file := range c.Files {
		if i == filesShown {
			fmt.Fprintf(&list, "- and %d more\n", len(c.Files)-i)
			break
		}
		list.WriteString("- " + Code(file) + "\n")
	}
	noun := "files differ"
	if len(c.Files) == 1 {
		noun = "file differs"
	}
	fold(b, fmt.Sprintf("%d %s", len(c.Files), noun), list.String())
}

// Line prints a line without credentials, and with control characters shown escaped.
func Line(w io.Writer, text string) error {
	_, err := fmt.Fprintln(w, Escape(secret.MaskText(text)))
	return err
}
