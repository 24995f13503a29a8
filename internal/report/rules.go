package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"cardwright/internal/diff"
	"cardwright/internal/lint"
)

// Rules lists the rules, and the kinds of difference, for people.
func Rules(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, r := range lint.Rules() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, strings.Join(versions(r), " "), r.Title)
	}
	for _, r := range diff.Rules() {
		fmt.Fprintf(w, "%s\t%s\t\t%s\n", r.ID, r.Class, r.Title)
	}
	return w.Flush()
}

// versions are the versions of the cards that a rule is about.
func versions(r lint.Rule) []string {
	var names []string
	for _, p := range r.Protocols() {
		names = append(names, p.String())
	}
	return names
}

// Explain explains a rule or a kind of difference.
func Explain(w io.Writer, id string) error {
	for _, r := range diff.Rules() {
		if r.ID.String() == id {
			_, err := fmt.Fprintf(w, "%s: %s\nclass %s; the reverse difference is %s\n", r.ID, r.Title, r.Class, r.Mirror)
			return err
		}
	}
	r, err := lint.Find(id)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s\n%s\n\n%s", r.ID, r.Title, r.Summary(), r.Page())
	return err
}
