package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/secret"
)

// Comparison is what differs between cards.
type Comparison struct {
	Agents []diff.Comparison
	// FailOn is the class from which differences end a run, unless they are declared.
	FailOn diff.Class
	// Place is where a value of the newer card of an agent stands, none where
	// there is no such card.
	Place func(agent, pointer string) diag.Span

	// What a comment says besides, about drift.
	verdict string   // before what the changes mean, such as "2 cards are out of date"
	advice  string   // what to do, Markdown
	files   []string // that differ, cards among them
	found   diag.List
}

// ComparisonFormats are what differences are printed as.
func ComparisonFormats() []string { return []string{"text", "json", "markdown", "github"} }

// Report makes the changes findings of a report: errors where they end a run, infos
// otherwise, at their places in the new cards.
func (c *Comparison) Report(r *Report) *Report {
	r.Found = nil
	for _, change := range printable(c.Agents...) {
		if change.Class == diff.None {
			continue
		}
		message := sentence(change)
		if change.Agent != "" {
			message = fmt.Sprintf("agent %q: %s", change.Agent, message)
		}
		f := diag.New(change.Rule, c.Place(change.Agent, change.NewPointer), "%s", message).
			WithSeverity(diag.Info).WithPointer(change.Pointer())
		if c.fails(change) {
			f.Severity = diag.Error
		}
		r.Found = append(r.Found, f)
	}
	r.Found = r.Found.Sorted()
	r.Members, r.Rules = changeMembers(c.Agents), changeRules()
	r.Comment = func(r *Report) string { return c.comment(r.Title) }
	return r
}

// Fails reports whether a difference ends a run.
func (c *Comparison) Fails() bool { return slices.ContainsFunc(diff.All(c.Agents), c.fails) }

func (c *Comparison) fails(change diff.Change) bool {
	return change.Class >= c.FailOn && change.Declared == ""
}

// Text prints the differences for people, then what they come to. What means nothing to
// clients is an aside.
func (c *Comparison) Text(o Style) (text, aside string) {
	changes := printable(c.Agents...)
	if o.Quiet {
		changes = slices.DeleteFunc(changes, func(change diff.Change) bool { return !c.fails(change) })
	}
	text = printChanges(changes, o.Color)
	if summary := c.summary(); summary != "" && !o.Quiet {
		text += line(summary)
	}
	return text, meaningless(changes)
}

// summary is [summarize] with what accepts a difference that no version declares.
func (c *Comparison) summary() string {
	summary := summarize(c.Agents...)
	open := func(change diff.Change) bool { return c.fails(change) && change.Class == diff.Breaking }
	if slices.ContainsFunc(diff.All(c.Agents), open) {
		summary += "; --fail-on none accepts what is not declared"
	}
	return summary
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

// bulletsShown is how many changes or files a comment lists.
const bulletsShown = 20

// comment prints the difference in Markdown: a heading with the verdict, errors, the
// changes, and the rest folded. As in [Report.markdown], everything that may quote input
// stands in code.
func (c *Comparison) comment(title string) string {
	verdict := cmp.Or(secret.MaskText(c.summary()), "no differences")
	if c.verdict != "" {
		verdict = strings.TrimSuffix(c.verdict+": "+secret.MaskText(c.summary()), ": ")
	}
	text := heading(title, inline(verdict))
	if c.advice != "" {
		text += "\n" + c.advice + "\n"
	}
	var open, cosmetic []string
	for _, s := range shareChanges(printable(c.Agents...)) {
		if s.change.Class == diff.Cosmetic {
			cosmetic = append(cosmetic, c.bullet(s))
		} else {
			open = append(open, c.bullet(s))
		}
	}
	if len(open) > 0 {
		text += "\n" + bullets(open)
	}
	if len(cosmetic) > 0 {
		text += fold(diag.Count(len(cosmetic), "cosmetic change"), bullets(cosmetic))
	}
	if len(c.found) > 0 {
		text += listFindings(c.found)
	}
	var files []string
	for _, file := range c.files {
		files = append(files, Code(file))
	}
	if len(files) > 0 {
		text += fold(differ(len(files)), bullets(files))
	}
	return text
}

// bullet is a change, in the file that it is about where only one agent has it, so that a
// team finds its own.
func (c *Comparison) bullet(s *sharedChange) string {
	text := fmt.Sprintf("**%s**", s.change.Class)
	if names := s.names(); names != "" {
		text += " " + Code(names)
	}
	text += fmt.Sprintf(" %s (%s)", codeOf(sentence(s.change), 2*codeShown), Code(s.change.Rule.String()))
	if c.Place != nil && len(s.agents) == 1 && s.agents[0] != "" {
		if file := c.Place(s.change.Agent, s.change.NewPointer).File; file != "" {
			text += " in " + Code(file)
		}
	}
	return text
}

// bullets lists the first items.
func bullets(items []string) string {
	if rest := len(items) - bulletsShown; rest > 0 {
		items = append(items[:bulletsShown:bulletsShown], fmt.Sprintf("and %d more", rest))
	}
	return "- " + strings.Join(items, "\n- ") + "\n"
}

// differ counts files that differ.
func differ(n int) string {
	if n == 1 {
		return "1 file differs"
	}
	return fmt.Sprintf("%d files differ", n)
}
