package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/git"
)

// unpublishable returns a function that says why a file, as findings spell it, may
// not be published as it is: git does not track it. It says "" for any other file.
// Outside of git, what a .gitignore names may not be published.
func (r *Run) unpublishable(ctx context.Context) func(file string) (why string, err error) {
	var mu sync.Mutex
	known := tracking{ctx: ctx, run: r, trees: map[string]*tracked{}}
	return func(file string) (string, error) {
		full, err := filepath.Abs(filepath.FromSlash(file))
		if err != nil {
			return "", fmt.Errorf("finding %s: %w", diag.Quote(file), err)
		}
		root := r.Root
		if !files.Inside(root, full) {
			around, err := files.Around(filepath.Dir(full))
			if err != nil {
				return "", fmt.Errorf("finding the project of %s: %w", diag.Quote(file), err)
			}
			root = around.Root
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return "", fmt.Errorf("finding %s: %w", diag.Quote(file), err)
		}
		mu.Lock()
		defer mu.Unlock()
		return known.why(root, filepath.ToSlash(rel))
	}
}

// tracking knows the work trees that files were looked up in, by their roots.
type tracking struct {
	ctx   context.Context // of the one run that it belongs to
	run   *Run
	trees map[string]*tracked
}

// tracked is a work tree, or the directory of a project outside of git.
type tracked struct {
	git     bool
	files   map[string]bool // in git: and directories of submodules
	ignores files.Ignores
	err     error
}

func (t tracking) why(root, file string) (string, error) {
	tree := t.tree(root)
	switch {
	case tree.err != nil:
		return "", tree.err
	case !tree.git && tree.ignores.Has(file):
		return "a .gitignore names it", nil
	case !tree.git, tree.files[file]:
		return "", nil
	}
	for i := range len(file) {
		if file[i] == '/' && tree.files[file[:i]] { // a submodule, which knows its files itself
			return t.why(filepath.Join(root, filepath.FromSlash(file[:i])), file[i+1:])
		}
	}
	if tree.ignores.Has(file) {
		return "git ignores it", nil
	}
	return "git does not track it", nil
}

func (t tracking) tree(root string) *tracked {
	if known := t.trees[root]; known != nil {
		return known
	}
	tree := &tracked{}
	t.trees[root] = tree
	top, err := files.OpenRoot(root)
	if err != nil {
		tree.err = errors.New("the directory of the project cannot be read: " + files.Reason(err))
		return tree
	}
	t.run.keep(top.Close)
	tree.ignores.FS = t.run.Unread.FS(top, t.run.show(root)) // what cannot be read may name a file
	if _, err := fs.Lstat(tree.ignores.FS, ".git"); err != nil {
		return tree
	}
	tree.git, tree.files = true, map[string]bool{}
	files, err := git.Repository{Root: root, Getenv: t.run.Getenv}.Tracked(t.ctx, ".")
	if err != nil {
		tree.err = fmt.Errorf("git cannot say which files it tracks: %s", strings.TrimPrefix(err.Error(), "--git "))
	}
	for _, file := range files {
		tree.files[file] = true
	}
	return tree
}
