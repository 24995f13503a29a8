package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
)

// Options says how a tree is published. The zero value publishes for everybody to read.
type Options struct {
	// Environment is the configuration's environment that the tree is made for, "" for none.
	Environment string
	// Force takes over files that no earlier run wrote, replaces the tree of another
	// environment, and removes any number of cards. Links, directories and devices in the
	// place of a file stop even such a run.
	Force bool
	// Private gives files and directories to their owner only.
	Private bool
	// Written counts the files that are written, unless it is nil.
	Written *atomic.Int64
	// Ignored reports whether git ignores a file of the tree. Nil is for no file.
	Ignored func(file string) bool

	// fault is the seam for tests: called before each change, it may make it fail.
	fault func(op, path string) error
}

// Tree returns the whole output tree that files make for an environment, "" for none:
// the files themselves, the sidecars of those that ask for them, and the manifest,
// sorted by path bytewise. A file sorts before its sidecars.
func Tree(files []site.File, environment string) []site.File {
	all := withSidecars(files)
	return sorted(append(all, manifestFile(manifestOf(all, environment))))
}

// withSidecars returns files and their sidecars, sorted by path.
func withSidecars(files []site.File) []site.File {
	all := make([]site.File, 0, 3*len(files)+1)
	for _, f := range files {
		f = f.Hashed()
		all = append(append(all, f), f.SidecarFiles()...)
	}
	return sorted(all)
}

func sorted(files []site.File) []site.File {
	slices.SortStableFunc(files, func(a, b site.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// State is what publishing did with a file.
type State string

// The states a file can have.
const (
	Created   State = "created"
	Updated   State = "updated"
	Unchanged State = "unchanged" // not touched at all
	Removed   State = "removed"
)

// Result is what publishing did with one file.
type Result struct {
	Path  string // slash path relative to the output directory
	State State
}

// Report is what publishing did, sorted by path.
type Report []Result

// Count returns how many files have the given state.
func (r Report) Count(s State) int {
	n := 0
	for _, f := range r {
		if f.State == s {
			n++
		}
	}
	return n
}

// Update is a change of an output directory that nothing blocks.
type Update struct {
	dir    *files.Dir
	files  []site.File // with sidecars
	o      Options
	survey *survey // nil for a directory that is not there yet
}

// Begin compares dir with the tree of files (see [Tree]) and changes nothing. Findings of
// severity [diag.Error] say why the tree cannot be written; then there is no update.
func Begin(dir *files.Dir, files []site.File, o Options) (*Update, diag.List) {
	u := &Update{dir: dir, files: withSidecars(files), o: o}
	s, found := u.look()
	if u.survey = s; s != nil {
		found = s.refusals()
	}
	if found != nil {
		return nil, found
	}
	return u, nil
}

// look returns what is on disk, nil where there is no directory, or why it cannot be one.
func (u *Update) look() (*survey, diag.List) {
	if found := checkPaths(u.dir.Name, u.files); found != nil {
		return nil, found
	}
	root, found := open(u.dir)
	if root == nil {
		return nil, found
	}
	return look(root, u.dir.Name, u.files, u.o), nil
}

// Write makes the directory hold the tree, creates it where it is missing, and
// removes what earlier runs wrote and this tree does not hold.
//
// A finding of severity [diag.Error] says why the directory cannot be written; other
// findings go with a complete report. An error is a full disk, an interrupt or the
// like. Then some files may be new and others old, each of them is whole, and the next
// run completes the work.
func (u *Update) Write(ctx context.Context) (Report, diag.List, error) {
	if u.survey == nil {
		switch err := u.dir.Make(u.o.dirMode()); {
		case files.FullDisk(err):
			return nil, nil, fmt.Errorf("creating %s: %w", u.dir.Name, files.Explain(err))
		case err != nil:
			return nil, diag.List{problem(diag.OutputAccess, u.dir.Name, "", accessHint, "%q cannot be created: %s",
				u.dir.Name, files.Reason(err))}, nil
		}
		u.survey = look(u.dir.Root, u.dir.Name, u.files, u.o)
		if found := u.survey.refusals(); found != nil { // another run was faster
			return nil, found, nil
		}
	}
	w := writer{survey: u.survey, ctx: ctx}
	switch err := w.run(); {
	case errors.Is(err, fs.ErrPermission):
		return nil, diag.List{problem(diag.OutputAccess, u.dir.Name, "", accessHint, "%s", err)}, nil
	case err != nil:
		return nil, nil, fmt.Errorf("%w; no file in %s is half-written: fix the cause and run the command again", err,
			u.dir.Name)
	}
	return u.survey.report(), u.survey.left(), nil
}

// open returns the output directory, nil where there is none.
func open(dir *files.Dir) (*os.Root, diag.List) {
	for len(dir.Rest) > 0 {
		at, _, err := lstat(dir.Root, dir.Rest[0])
		if err == nil && at == directory { // since the path was looked at
			err = dir.Enter()
		}
		switch {
		case err != nil:
			return nil, diag.List{unread(dir.Name, "", err)}
		case at == absent:
			return nil, nil
		case at != directory:
			return nil, diag.List{obstacle(dir.Reached(), "", at, "a directory")}
		}
	}
	return dir.Root, nil
}

// dirMode is what a new directory gets, less what the umask takes away.
func (o Options) dirMode() fs.FileMode {
	if o.Private {
		return 0o700
	}
	return 0o777
}
