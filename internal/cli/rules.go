package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/lint"
	"cardwright/internal/nearest"
)

func (a *app) rulesCommand() *ucli.Command {
	return page("rules", nil, func(ctx context.Context, args []string) error {
		switch len(args) {
		case 0:
			return a.listRules()
		case 1:
			return a.explainRule(args[0])
		}
		return usageError("", "rules takes one ID at most")
	})
}

func (a *app) listRules() error {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
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

func (a *app) explainRule(id string) error {
	for _, r := range diff.Rules() {
		if r.ID == id {
			_, err := fmt.Fprintf(a.Out, "%s: %s\nclass %s; the reverse difference is %s\n", r.ID, r.Title, r.Class, r.Mirror)
			return err
		}
	}
	if err := knownRules(id); err != nil {
		return err
	}
	r, _ := lint.Find(id)
	_, err := fmt.Fprintf(a.Out, "%s: %s\n%s\n\n%s", r.ID, r.Title, r.Standing(), r.Page())
	return err
}

// knownRules returns a usage error for the first of the ids that no rule has.
func knownRules(ids ...string) error {
	for _, id := range ids {
		if _, ok := lint.Find(id); ok {
			continue
		}
		return usageError(nearest.Hint(id, diag.RuleIDs(), "run cardwright rules for a list"), "there is no rule %s",
			diag.Quote(id))
	}
	return nil
}
