package outcome

import (
	"io"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/drift"
	"cardwright/internal/output"
	"cardwright/internal/project"
)

// Refuse ends a run that cannot write, and says why.
func Refuse(c *Console, o Options, run *project.Run, blocked diag.List) error {
	run.Note(blocked)
	if err := Of(c, o, run).Report(output.Members(run, nil)...); err != nil {
		return err
	}
	return Done(Code(blocked))
}

// DryRun says what would be written, and writes nothing. It ends as the run would
// that writes.
func DryRun(c *Console, o Options, run *project.Run, trees []output.Tree) error {
	preview, blocked := output.DryRun(run, trees)
	if blocked != nil {
		return Refuse(c, o, run, blocked)
	}
	if err := Of(c, o, run).Report(output.Members(run, preview.Changed)...); err != nil {
		return err
	}
	if o.Format != "text" {
		return nil
	}
	for _, line := range preview.Lines {
		c.Print(line)
	}
	c.Say(preview.String())
	return nil
}

// Check compares the trees with what is on disk, which the command update brings up
// to date.
func Check(c *Console, o Options, run *project.Run, trees []output.Tree, update string) error {
	all, found := drift.Of(run, trees)
	drifted := all.Findings()
	if o.Format == "text" {
		if err := all.Text(c.People(diff.Breaking), o.All); err != nil {
			return err
		}
	}
	code := OK
	if len(drifted) > 0 {
		code = Findings
		if o.Format == "text" && !c.Quiet {
			c.Talk("the files on disk are out of date; " + all.Remedy(update))
		}
	}
	if found.Worst() == diag.Error {
		code = max(code, Code(found))
	}
	// What there is to say of the sources, generate and lint say.
	shown := slices.DeleteFunc(slices.Clone(run.Found),
		func(d diag.Diagnostic) bool { return d.Rule != "signing-key-missing" })
	shown = append(shown, found...).Sorted()
	run.Note(append(found, drifted...))
	out := Of(c, o, run)
	out.Forms = map[string]func(io.Writer) error{"markdown": func(w io.Writer) error {
		return all.Difference(&out.Sheet).Markdown(w)
	}}
	if err := out.Emit(shown, all.Members(run)...); err != nil {
		return err
	}
	return Done(code)
}
