package cli

import (
	"io"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/report"
)

// refuse ends a run that cannot write, and says why.
func (run *outcome) refuse(blocked diag.List) error {
	run.Final = slices.ContainsFunc(blocked, func(d diag.Diagnostic) bool { return d.Rule == publish.EnvironmentRule })
	if run.Final {
		run.Found = nil // which compare with cards of another environment
	}
	run.Note(blocked)
	if err := run.report(project.Members(run.Run, nil)...); err != nil {
		return err
	}
	return run.exit()
}

// reportDrift says how the trees on disk differ from what is generated. The command update
// brings them up to date.
func (run *outcome) reportDrift(update string) error {
	all, found := run.Drift, run.Uncompared
	drifted := all.Findings()
	run.Differs = len(drifted) > 0
	// What there is to say of the sources, generate and lint say.
	shown := ofRule(run.Found, diag.SigningKeyMissing)
	if run.Format == "text" {
		for _, d := range ofRule(run.Found, diag.OutputIgnored) {
			run.say(d.Span.String() + ": " + d.Message)
		}
		if err := all.Text(run.people(), run.All); err != nil {
			return err
		}
		if run.Differs {
			run.say(all.Verdict(update))
		}
	}
	shown = append(shown, found...).Sorted()
	run.Note(append(found, drifted...))
	run.Forms = map[string]func(*report.Sheet, io.Writer) error{
		"markdown": func(s *report.Sheet, w io.Writer) error { return all.Comparison(*s).Markdown(w) },
	}
	if err := run.emit(shown, all.Members(run.Run)...); err != nil {
		return err
	}
	return run.exit()
}

func ofRule(found diag.List, rule diag.RuleID) diag.List {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Rule != rule.String() })
}
