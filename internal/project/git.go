package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
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
		rel, outside := filepath.Rel(r.Workspace.Checkout.Root, full)
		if err != nil || outside != nil || !filepath.IsLocal(rel) {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		return ignores.Has(filepath.ToSlash(rel))
	}
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

// Remote is the URL of the git remote origin, "" for none.
func (s *Workspace) Remote() string {
	origin := false
	for line := range strings.Lines(files.GitConfig(s.Checkout.Root)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			origin = line == `[remote "origin"]`
		}
		if key, value, ok := strings.Cut(line, "="); ok && origin && strings.TrimSpace(key) == "url" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// GitIgnores returns a function that reports whether git ignores a file or directory of
// the working directory, by a line about itself.
func (s *Workspace) GitIgnores(root fs.FS) (func(name string, isDir bool) bool, error) {
	ignores, below, err := files.IgnoresAround(s.Checkout.Base)
	if err != nil || ignores == nil {
		return files.NewIgnores(root, s.Checkout.Base).Is, err
	}
	s.keep(ignores.Close)
	return func(name string, isDir bool) bool { return ignores.Is(path.Join(below, name), isDir) }, nil
}
