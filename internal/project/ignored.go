package project

import (
	"path"
	"path/filepath"
	"sync"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// ignored returns a function that reports whether git ignores a file, as findings spell
// it. It is safe for concurrent use. A file outside of the project is not ignored.
func (r *Run) ignored() func(file string) bool {
	var mu sync.Mutex
	ignores := files.NewIgnores(r.Project.Whole.FS, r.Workspace.Checkout.Root)
	return func(file string) bool {
		full, err := filepath.Abs(filepath.FromSlash(file))
		if err != nil || !files.Inside(r.Workspace.Checkout.Root, full) {
			return false
		}
		rel, err := filepath.Rel(r.Workspace.Checkout.Root, full)
		if err != nil {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		return ignores.Has(filepath.ToSlash(rel))
	}
}

// ignoredIn returns a function that reports whether git ignores a file of an output
// directory, nil where no directory is given.
func (r *Run) ignoredIn(dir *files.Dir) func(file string) bool {
	if dir == nil {
		return nil
	}
	ignored := r.ignored()
	return func(file string) bool { return ignored(files.Join(dir.Name, file)) }
}

// ignoreLines returns a function that finds the line that makes git ignore a file of an
// output directory, which is open until done is called. It is nil where git ignores
// nothing.
func (r *Run) ignoreLines(dir *files.Dir) (line func(file string) *generate.IgnoreLine, done func(), err error) {
	ignores, below, err := files.IgnoresAround(dir.Path)
	if err != nil || ignores == nil {
		return nil, func() {}, err
	}
	line = func(file string) *generate.IgnoreLine {
		l, ignored := ignores.Line(path.Join(below, file))
		if !ignored {
			return nil
		}
		return &generate.IgnoreLine{
			Span: diag.Span{File: r.Workspace.show(ignores.Top)(l.File), Line: l.Line, Column: 1}, Text: l.Text,
			Card: files.Join(dir.Name, file),
		}
	}
	return line, func() { _ = ignores.Close() }, nil
}
