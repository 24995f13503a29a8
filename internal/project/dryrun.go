package project

import (
	"fmt"
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// Preview is what writing would do.
type Preview struct {
	Lines   []string        // one for each file that is not as it is generated
	Changed map[string]bool // these files, by [Tree.key]

	written, removed int
}

// DryRun says what would be written, and writes nothing. What stands in the way of
// writing is returned.
func DryRun(run *Run, trees []Output) (p Preview, blocked diag.List) {
	p.Changed = map[string]bool{}
	for _, t := range trees {
		if found := publish.Obstacles(t.Dir, t.Files, t.options); found.Worst() == diag.Error {
			return p, found
		}
		drift, found := t.drift()
		if found.Worst() == diag.Error {
			return p, found
		}
		run.Note(found)
		for _, c := range drift {
			p.Changed[t.key(c.Path)] = true
			verb := would(c)
			switch verb {
			case "remove":
				p.removed++
			case "create", "update":
				p.written++
			}
			p.Lines = append(p.Lines, fmt.Sprintf("would %s %s", verb, c.Shown(t.Dir.Name)))
		}
	}
	return p, nil
}

// String sums up the preview.
func (p Preview) String() string {
	return fmt.Sprintf("dry run: %s to write, %s to remove, nothing is written", diag.Count(p.written, "file"),
		diag.Count(p.removed, "file"))
}

// would says what a run does about a file that is not as it is generated.
func would(c publish.Change) string {
	switch {
	case c.Kind == publish.Missing:
		return "create"
	case c.Kind == publish.Changed, c.Kind == publish.Converted:
		return "update"
	case c.Kind == publish.Stale, c.Kind == publish.Interrupted, tree.IsTemp(path.Base(c.Path)):
		return "remove"
	}
	return "keep" // edited since it was written
}
