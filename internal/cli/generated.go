package cli

import (
	"io"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/project"
)

// refuse ends a run that cannot write, and says why.
func (out *outcome) refuse(blocked diag.List) error {
	out.Final = slices.ContainsFunc(blocked, func(d diag.Diagnostic) bool { return d.Rule == diag.OutputEnvironment })
	if out.Final {
		out.run.Found = nil // which compare with cards of another environment
	}
	out.run.Note(blocked)
	if err := out.report(project.Members(out.run, nil)...); err != nil {
		return err
	}
	return out.exit()
}

// reportDrift says how the trees on disk differ from what is generated. The command update
// brings them up to date. The verdict is the last line.
func (out *outcome) reportDrift(update string) error {
	all, found := out.run.Drift, out.run.Uncompared
	drifted := all.Findings()
	out.Differs = len(drifted) > 0
	shown := out.run.Found
	if out.Differs { // generate and lint report the rest
		shown = ofRules(shown, diag.OutputIgnored, diag.SigningKeyMissing)
	}
	shown = append(slices.Clone(shown), found...).Sorted()
	out.run.Note(append(found, drifted...))
	out.Comment = all.Comment
	if err := out.emit(shown, append(project.Members(out.run, all.Changed()), all.Members()...)...); err != nil {
		return err
	}
	if out.Format == "text" {
		if _, err := io.WriteString(out.Out, all.Text(out.style(out.Out))); err != nil {
			return err
		}
		out.sayVerdict(update)
	}
	return out.exit()
}

// sayVerdict ends a check, unless a place could not be compared.
func (out *outcome) sayVerdict(update string) {
	switch {
	case out.Differs:
		out.say(out.run.Drift.Verdict(update))
	case out.run.Uncompared.Worst() != diag.Error:
		out.say(diag.Count(len(out.run.Result.Cards), "card") + ": up to date")
	}
}

func ofRules(found diag.List, rules ...diag.RuleID) diag.List {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return !slices.Contains(rules, d.Rule) })
}
