package cli

import (
	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/outcome"
	"cardwright/internal/publish"
	"cardwright/internal/report"
)

// fix repairs what has one right answer in the files that were judged, and tells
// whether there was anything.
func (a *app) fix(run *outcome.Outcome, o *lintOptions) (bool, error) {
	reader := a.reader(run.Space, o.bounds)
	repaired := reader.FixHeaders(run.Found)
	if len(o.Sources) > 0 {
		var err error
		if repaired, err = reader.FixAll(o.Sources); err != nil {
			return false, err
		}
	}
	fixed := 0
	for _, f := range repaired {
		kept := ""
		switch {
		case f.Tree != "":
			kept = "it is part of the generated tree " + f.Tree + "; fix its sources and generate again"
		case run.Space.IsLink(f.Path()):
			kept = "it is a symbolic link; fix the file that it leads to"
		}
		if kept != "" {
			if !a.Quiet {
				a.Talk(f.Path() + " is not fixed: " + kept)
			}
			continue
		}
		fixed++
		if err := a.put(run, o, f); err != nil {
			return true, err
		}
	}
	if !a.Quiet && o.preview {
		a.Talk("dry run: " + diag.Count(fixed, "file") + " to fix, nothing is written")
	}
	return fixed > 0, nil
}

// put writes a file that was repaired, or shows how it differs.
func (a *app) put(run *outcome.Outcome, o *lintOptions, f cardfile.Fixed) error {
	name := f.Path()
	if o.preview {
		return report.Unified(a.Out, publish.Difference(name, name+" (fixed)", f.Data, f.Text), a.Colored(a.Out))
	}
	if _, err := run.Space.Write("--fix", name, f.Text, false); err != nil {
		return err
	}
	if !a.Quiet {
		a.Talk("fixed " + name)
	}
	return nil
}
