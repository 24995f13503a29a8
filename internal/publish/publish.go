package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// Update is a change of an output directory that nothing blocks: the tree, what is on disk
// in its place, and what earlier runs have written.
type Update struct {
	dir      *files.Dir
	o        Options
	files    []site.File   // the tree without its manifest
	old      site.Manifest // of earlier runs
	made     site.Manifest // of the tree
	onDisk   []byte        // the manifest of earlier runs, nil for none
	targets  []*target     // files, and what is in their place
	stale    []*target     // files that the old manifest lists and the tree does not hold
	manifest *target
	folders  map[string]folder
	found    diag.List // what blocks a run
}

// Begin compares dir with the tree of files (see [Tree]) and changes nothing. Findings of
// severity [diag.Error] say why the tree cannot be written; then there is no update.
func Begin(dir *files.Dir, files []site.File, o Options) (*Update, diag.List) {
	u, found := compare(dir, files, o)
	if u != nil {
		found = u.refusals()
	}
	if found != nil {
		return nil, found
	}
	return u, nil
}

// compare compares a directory with a tree, or says why it cannot hold one.
func compare(dir *files.Dir, files []site.File, o Options) (*Update, diag.List) {
	u := &Update{dir: dir, o: o, files: withSidecars(files)}
	found := checkPaths(dir.Name, u.files)
	if found == nil {
		found = open(dir)
	}
	if found != nil {
		return nil, found
	}
	u.scan()
	return u, nil
}

// Write makes the directory hold the tree, creates it where it is missing, and
// removes what earlier runs wrote and this tree does not hold.
//
// A finding of severity [diag.Error] says why the directory cannot be written; other
// findings go with a complete report. An error is a full disk, an interrupt or the
// like. Then some files may be new and others old, each of them is whole, and the next
// run completes the work.
func (u *Update) Write(ctx context.Context) (Report, diag.List, error) {
	if len(u.dir.Rest) > 0 {
		switch err := u.dir.Make(u.o.dirMode()); {
		case files.FullDisk(err):
			return nil, nil, fmt.Errorf("creating %s: %w", u.dir.Name, files.Explain(err))
		case err != nil:
			return nil, diag.List{problem(diag.OutputAccess, u.dir.Name, "", accessHint, "%q cannot be created: %s",
				u.dir.Name, files.Reason(err))}, nil
		}
		u.scan()
		if found := u.refusals(); found != nil { // another run was faster
			return nil, found, nil
		}
	}
	w := writer{u: u, ctx: ctx}
	switch err := w.run(); {
	case errors.Is(err, fs.ErrPermission):
		return nil, diag.List{problem(diag.OutputAccess, u.dir.Name, "", accessHint, "%s", err)}, nil
	case err != nil:
		return nil, nil, fmt.Errorf("%w; no file in %s is half-written: fix the cause and run the command again", err,
			u.dir.Name)
	}
	return u.report(), u.left(), nil
}

// open enters the output directory, or the deepest one above it that is there.
func open(dir *files.Dir) diag.List {
	for len(dir.Rest) > 0 {
		is, _, err := lstat(dir.Root, dir.Rest[0])
		if err == nil && is == directory { // since the path was opened
			err = dir.Enter()
		}
		switch {
		case err != nil:
			return diag.List{unread(dir.Name, "", err)}
		case is == absent:
			return nil
		case is != directory:
			return diag.List{obstacle(dir.Reached(), "", is, "a directory")}
		}
	}
	return nil
}

// dirMode is what a new directory gets, less what the umask takes away.
func (o Options) dirMode() fs.FileMode {
	if o.Private {
		return 0o700
	}
	return 0o777
}

// report says what a complete run did.
func (u *Update) report() Report {
	done := map[entry]State{absent: Created, differs: Updated, same: Unchanged}
	var report Report
	for _, t := range append(slices.Clone(u.targets), u.manifest) {
		report = append(report, Result{Path: t.file.Path, State: done[t.entry]})
	}
	for _, t := range u.stale {
		if t.removable() {
			report = append(report, Result{Path: t.file.Path, State: Removed})
		}
	}
	slices.SortFunc(report, func(a, b Result) int { return cmp.Compare(a.Path, b.Path) })
	return report
}
