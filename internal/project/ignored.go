package project

import (
	"path"
	"path/filepath"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// ignored returns a function that reports whether git ignores a file, as findings spell
// it. It is safe for concurrent use. A file outside of the project is not ignored.
func (r *Run) ignored() func(file string) bool {
	var mu sync.Mutex
	ignores := files.NewIgnores(r.Whole.FS, r.Root)
	return func(file string) bool {
		full, err := filepath.Abs(filepath.FromSlash(file))
		if err != nil || !files.Inside(r.Root, full) {
			return false
		}
		rel, err := filepath.Rel(r.Root, full)
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

// IgnoredOutput warns that git ignores cards of the public tree, at each line that makes
// git do so: a commit leaves them out.
func IgnoredOutput(run *Run, trees []Output) (diag.List, error) {
	public := trees[0]
	ignores, below, err := files.IgnoresAround(public.Dir.Path)
	if err != nil || ignores == nil {
		return nil, err
	}
	defer ignores.Close()
	var found diag.List
	seen := map[files.IgnoreLine]bool{}
	for _, card := range public.cards(run) {
		line, ignored := ignores.Line(path.Join(below, card.Path))
		if !ignored || seen[line] {
			continue
		}
		seen[line] = true
		at := diag.Span{File: run.show(ignores.Top)(line.File), Line: line.Line, Column: 1}
		found = append(found, diag.New(diag.OutputIgnored, at, "git ignores %s because of the line %s, so a commit leaves it out",
			diag.Quote(files.Join(public.Dir.Name, card.Path)), diag.Quote(line.Text)).
			WithHint("choose another out in cardwright.yaml, or change the line; if you do not commit the cards, "+
				"set output-ignored: off in rules"))
	}
	return found, nil
}
