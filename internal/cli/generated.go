package cli

import (
	"io"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/report"
)

// refuse ends a run that cannot write, and says why.
func refuse(c *console, o reporting, run *project.Run, blocked diag.List) error {
	final := slices.ContainsFunc(blocked, func(d diag.Diagnostic) bool { return d.Rule == publish.EnvironmentRule })
	if final {
		run.Found = nil // which compare with cards of another environment
	}
	run.Note(blocked)
	if err := outcomeOf(c, o, run).report(project.Members(run, nil)...); err != nil {
		return err
	}
	if final {
		return finalError{done(exitCode(blocked))}
	}
	return done(exitCode(blocked))
}

// dryRun says what would be written, and writes nothing. It ends as the run would
// that writes.
func dryRun(c *console, o reporting, run *project.Run, trees []project.Tree) error {
	preview, blocked := project.DryRun(run, trees)
	if blocked != nil {
		return refuse(c, o, run, blocked)
	}
	difference, _ := project.PublicSkills(trees)
	public := report.Printable(difference)
	members := append(project.Members(run, preview.Changed), report.FileMembers(public)...)
	if err := outcomeOf(c, o, run).report(members...); err != nil {
		return err
	}
	if o.Format != "text" {
		return nil
	}
	for _, line := range append(preview.Lines, report.PublicFiles(public, o.All)...) {
		c.Print(line)
	}
	c.say(preview.String())
	return nil
}

// checkTrees compares the trees with what is on disk, which the command update brings up
// to date.
func checkTrees(c *console, o reporting, run *project.Run, trees []project.Tree, update string) error {
	all, found := project.DriftOf(run, trees)
	drifted := all.Findings()
	if o.Format == "text" {
		if err := all.Text(c.people(diff.Breaking), o.All); err != nil {
			return err
		}
	}
	code := OK
	if len(drifted) > 0 {
		code = Findings
		if o.Format == "text" && !c.Quiet {
			c.talk(all.Verdict(update))
		}
	}
	if found.Worst() == diag.Error {
		code = max(code, exitCode(found))
	}
	// What there is to say of the sources, generate and lint say.
	shown := slices.DeleteFunc(slices.Clone(run.Found),
		func(d diag.Diagnostic) bool { return d.Rule != "signing-key-missing" })
	shown = append(shown, found...).Sorted()
	run.Note(append(found, drifted...))
	out := outcomeOf(c, o, run)
	out.Forms = map[string]func(io.Writer) error{"markdown": func(w io.Writer) error {
		return all.Difference(&out.Sheet).Markdown(w)
	}}
	if err := out.emit(shown, all.Members(run)...); err != nil {
		return err
	}
	return done(code)
}
