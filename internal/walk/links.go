package walk

import (
	"fmt"
	"io/fs"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// link reports a link that is not followed, unless it leads to a file, or
// keeps it for later.
func (w *Walker) link(name string) {
	info, err := fs.Stat(w.tree.FS, name)
	switch {
	case err != nil && w.src.FollowSymlinks:
		w.report("source-link", name, "the link cannot be followed: "+files.Reason(err), "")
	case err != nil:
		w.report("source-link", name, "the link is not followed: "+files.Reason(err), "").Severity = diag.Info
	case !info.IsDir():
	case w.src.FollowSymlinks:
		w.links = append(w.links, name)
	default:
		w.report("source-link", name, "the link to a directory is not followed",
			"to follow it, set followSymlinks: true on the source").Severity = diag.Info
	}
}

// follow searches the directory that a link leads to.
func (w *Walker) follow(name string) {
	target, err := files.Within(w.tree.FS, name)
	if err != nil {
		w.report("source-link", name, "the link cannot be followed: "+files.Reason(err), "")
		return
	}
	if w.visited[target] {
		w.report("source-link", name, fmt.Sprintf("the link leads to %s, which is already searched",
			diag.Quote(w.tree.Show(target))), "").Severity = diag.Info
		return
	}
	w.search(dir{name: name, real: target})
}

// seen reports whether d was searched before, and notes that it is now.
func (w *Walker) seen(d dir) bool {
	if !w.src.FollowSymlinks || d.why != nil {
		return false
	}
	before := w.visited[d.real]
	w.visited[d.real] = true
	return before
}
