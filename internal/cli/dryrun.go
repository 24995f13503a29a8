package cli

import (
	"fmt"
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/tree"
)

// dryRun says what would be written, and writes nothing. It ends as the run would
// that writes.
func (a *app) dryRun(run *built, trees []outTree) error {
	changed := map[string]bool{}
	var lines []string
	written, removed := 0, 0
	for _, t := range trees {
		if found := publish.Obstacles(t.dir, t.files, t.options); found.Worst() == diag.Error {
			return a.refuse(run, found)
		}
		drift, found := publish.Check(t.dir, t.files, t.options)
		if found.Worst() == diag.Error {
			return a.refuse(run, found)
		}
		run.Found = append(run.Found, found...).Sorted()
		for _, c := range drift {
			changed[t.key(c.Path)] = true
			verb := would(c)
			switch verb {
			case "remove":
				removed++
			case "create", "update":
				written++
			}
			lines = append(lines, fmt.Sprintf("would %s %s", verb, c.Shown(t.dir.Name)))
		}
	}
	if err := a.emit(run, run.Found, cards(run, changed)...); err != nil {
		return err
	}
	if run.options.format != "text" {
		return nil
	}
	for _, line := range lines {
		a.print(line)
	}
	if !a.quiet {
		a.talk(fmt.Sprintf("dry run: %s to write, %s to remove, nothing is written", report.Plural(written, "file"),
			report.Plural(removed, "file")))
	}
	return nil
}

// would says what a run does about a file that is not as it is generated.
func would(c publish.Change) string {
	switch {
	case c.Kind == publish.Missing:
		return "create"
	case c.Kind == publish.Changed, c.Kind == publish.Converted:
		return "update"
	case c.Kind == publish.Stale, tree.IsTemp(path.Base(c.Path)):
		return "remove"
	}
	return "keep" // edited since it was written
}
