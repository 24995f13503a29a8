package report

import (
	"fmt"
	"io"
	"strings"

	"cardwright/internal/diff"
)

// Changelog prints the difference as release notes in Markdown: a section for each
// agent that changed, with its version, and what changed by what that means to
// clients. Everything that may quote input stands in code.
func (d Difference) Changelog(w io.Writer) error {
	var b strings.Builder
	sections := []struct {
		class diff.Class
		title string
	}{{diff.Breaking, "Breaking"}, {diff.Additive, "Added"}, {diff.Cosmetic, "Changed"}}
	for _, a := range d.Agents {
		var lists [diff.Breaking + 1][]string
		count := 0
		for _, c := range a.Changes {
			if c.Class > diff.None {
				lists[c.Class] = append(lists[c.Class], "- "+codeOf(Change(c), textShown)+"\n")
				count++
			}
		}
		if count == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("## " + a.title() + "\n")
		for _, s := range sections {
			if len(lists[s.class]) > 0 {
				fmt.Fprintf(&b, "\n### %s\n\n%s", s.title, strings.Join(lists[s.class], ""))
			}
		}
	}
	if b.Len() == 0 {
		b.WriteString("No card has changed.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// title is the agent with its version, and what that was.
func (a AgentDifference) title() string {
	var words []string
	if a.Agent != "" {
		words = append(words, codeOf(a.Agent, nameShown))
	}
	switch {
	case a.New == "" && a.Old != "":
		return strings.Join(append(words, "(gone, was "+codeOf(a.Old, nameShown)+")"), " ")
	case a.New == "":
		return strings.Join(append(words, "(gone)"), " ")
	}
	words = append(words, codeOf(a.New, nameShown))
	switch a.Old {
	case "":
		words = append(words, "(new)")
	case a.New:
	default:
		words = append(words, "(was "+codeOf(a.Old, nameShown)+")")
	}
	return strings.Join(words, " ")
}
