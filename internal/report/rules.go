package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"cardwright/internal/diff"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// Rules lists the rules, and the kinds of difference, for people.
func Rules(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, r := range lint.Rules() {
		var versions []string
		for _, p := range r.Protocols() {
			versions = append(versions, p.String())
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, strings.Join(versions, " "), r.Title)
	}
	for _, r := range diff.Rules() {
		fmt.Fprintf(w, "%s\t%s\t\t%s\n", r.ID, r.Class, r.Title)
	}
	return w.Flush()
}

// RulesJSON lists the same for programs.
func RulesJSON(w io.Writer) error {
	rules, differences := &source.Node{Kind: source.Array}, &source.Node{Kind: source.Array}
	for _, r := range lint.Rules() {
		n := source.NewObject(6)
		n.SetText("id", r.ID)
		n.SetText("severity", r.Severity.String())
		n.SetText("title", r.Title)
		var versions []string
		for _, p := range r.Protocols() {
			versions = append(versions, p.String())
		}
		n.SetTexts("protocols", versions)
		n.Set("fixed", source.NewBool(r.Fixed))
		n.Set("optional", source.NewBool(r.Optional))
		rules.Items = append(rules.Items, n)
	}
	for _, r := range diff.Rules() {
		n := source.NewObject(4)
		n.SetText("id", r.ID)
		n.SetText("class", r.Class.String())
		n.SetText("title", r.Title)
		n.SetText("mirror", r.Mirror)
		differences.Items = append(differences.Items, n)
	}
	root := source.NewObject(3)
	root.Set("version", source.NewInt(1))
	root.Set("rules", rules)
	root.Set("differences", differences)
	return Document(w, root)
}

// Explain explains a rule or a kind of difference.
func Explain(w io.Writer, id string) error {
	for _, r := range diff.Rules() {
		if r.ID == id {
			_, err := fmt.Fprintf(w, "%s: %s\nclass %s; the reverse difference is %s\n", r.ID, r.Title, r.Class, r.Mirror)
			return err
		}
	}
	if err := lint.Known(id); err != nil {
		return err
	}
	r, _ := lint.Find(id)
	_, err := fmt.Fprintf(w, "%s: %s\n%s\n\n%s", r.ID, r.Title, r.Standing(), r.Page())
	return err
}
