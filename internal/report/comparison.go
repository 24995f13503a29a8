package report

import (
	"fmt"
	"io"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/secret"
)

// Comparison is what differs between cards, and what was found beside that.
type Comparison struct {
	*Sheet
	Agents []diff.Comparison
	// Threshold is the class from which differences are errors.
	Threshold diff.Class
	// Place is where a value of the newer card of an agent stands, none where
	// there is no such card.
	Place func(agent, pointer string) diag.Span

	// What a comment says besides.
	Verdict string   // before what the changes mean, such as "2 cards are out of date"
	Advice  string   // what to do, Markdown
	Files   []string // that differ, of which some are cards
}

// ComparisonFormats are what differences are printed as.
func ComparisonFormats() []string {
	return []string{"text", "json", "markdown", "sarif", "github"}
}

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

// Printable are the changes of agents, without the credentials that stand in their
// values.
func Printable(agents ...diff.Comparison) []diff.Change {
	changes := diff.All(agents)
	for i := range changes {
		changes[i] = Masked(changes[i])
	}
	showAlike(changes)
	return changes
}

// Masked is a change without the credentials that stand in it.
func Masked(c diff.Change) diff.Change {
	c.Old, c.New, c.Part = MaskedNode(c.Old), MaskedNode(c.New), MaskedNode(c.Part)
	c.Message, c.Owner, c.Key = secret.MaskText(c.Message), secret.MaskText(c.Owner), maskedKey(c.Key)
	c.Files = maskedFiles(c.Files)
	return c
}

const ruleBump = "version-bump"

// ShortVersions returns a finding for each version that moves less than it should.
func (c *Comparison) ShortVersions() diag.List {
	var found diag.List
	for _, a := range c.Agents {
		if !a.Short() {
			continue
		}
		moves := fmt.Sprintf("the version goes from %s to %s", diag.Quote(a.Old.Version), diag.Quote(a.New.Version))
		if a.Old.Version == a.New.Version {
			moves = "the version stays " + diag.Quote(a.Old.Version)
		}
		if a.Agent != "" {
			moves = fmt.Sprintf("agent %q: %s", a.Agent, moves)
		}
		found = append(found, diag.New(ruleBump, c.Place(a.Agent, "/version"),
			"%s, but the differences need a %s version", moves, a.Asked()).
			WithPointer("/version").
			WithHint("raise the version of the agent; cardwright diff lists the differences"))
	}
	return found
}

// findings returns the changes as findings in the new cards, errors from the
// threshold on and notes below it, with those about the versions.
func (c *Comparison) findings() diag.List {
	found := slices.Clone(c.Found)
	for _, change := range c.Changes() {
		if change.Class == diff.None {
			continue
		}
		f := diag.New(change.Rule, c.Place(change.Agent, change.NewPointer), "%s", Sentence(change)).
			WithSeverity(diag.Info).WithPointer(change.Pointer())
		if change.Class >= c.Threshold {
			f.Severity = diag.Error
		}
		f.Identity, f.Owner = Identity(change), change.Owner
		found = append(found, f)
	}
	return found.Sorted()
}

// Identity is what tells a change from others, wherever it stands.
func Identity(c diff.Change) diag.Identity {
	return diag.Identity{Agent: c.Agent, Key: c.Key, Old: diff.Compact(c.Old), New: diff.Compact(c.New)}
}

// changeRules are the rules of diff as SARIF explains them.
func changeRules() []Rule {
	rules := slices.DeleteFunc(Catalog(), func(r Rule) bool { return r.ID != ruleBump })
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

// People is where differences are printed for people, and how.
type People struct {
	Out, Err     io.Writer
	Color, Quiet bool
	// Threshold is the class from which quiet runs print differences.
	Threshold diff.Class
}

// Print prints changes for people, and what they come to.
func (p People) Print(changes []diff.Change, agents ...diff.Comparison) error {
	if p.Quiet {
		changes = slices.DeleteFunc(changes, func(c diff.Change) bool { return c.Class < p.Threshold })
	}
	if err := Changes(p.Out, changes, p.Color); err != nil {
		return err
	}
	if summary := Summary(changes, Bump(agents...)); summary != "" && !p.Quiet {
		if err := Line(p.Out, summary); err != nil {
			return err
		}
	}
	if rest := Meaningless(changes); rest != "" {
		return Line(p.Err, rest)
	}
	return nil
}

// Line prints a line without credentials, and with control characters shown escaped.
func Line(w io.Writer, text string) error {
	_, err := fmt.Fprintln(w, Escape(secret.MaskText(text)))
	return err
}
