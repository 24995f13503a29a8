package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
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

// dryRun says what would be written, and writes nothing. It ends as the run would
// that writes.
func (run *outcome) dryRun(ctx context.Context, trees []project.Output) error {
	reports, blocked, err := project.DryRun(ctx, run.Run, trees)
	switch {
	case err != nil:
		return err
	case blocked != nil:
		return run.refuse(blocked)
	}
	difference, _ := project.PublicSkills(run.Unread, trees)
	public := report.Printable(difference)
	members := append(project.Members(run.Run, project.ChangedCards(trees, reports)), report.FileMembers(public)...)
	if err := run.report(members...); err != nil {
		return err
	}
	if run.Format != "text" {
		return nil
	}
	var written, removed int
	for i, t := range trees {
		removed += reports[i].Count(publish.Removed)
		written += reports[i].Count(publish.Created) + reports[i].Count(publish.Updated)
		for _, r := range reports[i] {
			if r.State != publish.Unchanged {
				run.Print(fmt.Sprintf("would %s %s", strings.TrimSuffix(string(r.State), "d"), files.Join(t.Dir.Name, r.Path)))
			}
		}
	}
	for _, line := range report.PublicFiles(public, run.All) {
		run.Print(line)
	}
	run.say(fmt.Sprintf("dry run: %s to write, %s to remove, nothing is written", diag.Count(written, "file"),
		diag.Count(removed, "file")))
	return nil
}

// checkTrees compares the trees with what is on disk, which the command update brings up
// to date.
func (run *outcome) checkTrees(trees []project.Output, update string) error {
	all, found := project.DriftOf(run.Run, trees)
	drifted := all.Findings()
	run.Differs = len(drifted) > 0
	if run.Format == "text" {
		if err := all.Text(run.people(diff.Breaking), run.All); err != nil {
			return err
		}
		if run.Differs {
			run.say(all.Verdict(update))
		}
	}
	// What there is to say of the sources, generate and lint say.
	shown := slices.DeleteFunc(slices.Clone(run.Found),
		func(d diag.Diagnostic) bool { return d.Rule != "signing-key-missing" })
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
