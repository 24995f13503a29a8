package publish

import (
	"context"
	"fmt"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/tree"
)

// Options says how a tree is published. The zero value publishes a whole tree
// for everybody to read.
type Options struct {
	// Force takes over files that no earlier run wrote, and a directory whose
	// manifest cannot be relied on. Links, directories and devices in the place
	// of a file stop even such a run, as does what lacks the marker of a file.
	Force bool
	// Private gives files and directories to their owner only, with modes 0600
	// and 0700 instead of 0644 and 0755.
	Private bool
	// Keep, unless nil, tells whether a file that the tree does not hold stays in
	// the manifest and on disk: that of an agent, "" for the tree as a whole, at a
	// slash path. Both are what a manifest says that nobody has vouched for.
	Keep func(agent, file string) bool
	// URL, unless nil, tells where such a file is published, whatever the manifest
	// says.
	URL func(file string) string
	// Last, unless nil, is shared by runs that write the same directory one after the other.
	Last *Last
	// Written counts the files that are written, unless it is nil.
	Written *atomic.Int64

	fault fault
	// part compares what belongs to the agents of the tree only, where the
	// manifest lists that as it is.
	part bool
}

// Last is the manifest that a run wrote. The next one need not read it: of a large
// fleet, that takes longer than all else.
type Last struct {
	data    []byte
	entries []tree.Entry
}

// keeps tells whether a file of an earlier run stays, whatever the tree holds.
func (o Options) keeps(e tree.Entry) bool {
	return o.Keep != nil && o.Keep(e.Agent, e.Path)
}

func (o Options) modes() modes {
	if o.Private {
		return modes{file: 0o600, dir: 0o700}
	}
	return modes{file: 0o644, dir: 0o755}
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

// Report tells what publishing did, sorted by path.
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

// Write makes dir hold the tree of files (see [Tree]), creates dir where it is
// missing, and removes what earlier runs wrote and this tree does not hold.
//
// A finding of severity [diag.Error] says why the directory cannot be written;
// then nothing in it has changed. Other findings go with a complete report. An
// error is a full disk, an interrupt or the like. Then some files may be new and
// others old, each of them is whole, and the next call completes the work.
func Write(ctx context.Context, dir *paths.Dir, files []tree.File, o Options) (Report, diag.List, error) {
	all := withSidecars(files)
	if found := checkPaths(dir.Name, all); found != nil {
		return nil, found, nil
	}
	root, found, err := create(dir, o)
	if root == nil {
		return nil, found, err
	}
	held, found, err := lock(ctx, root, dir.Name)
	if held == nil {
		return nil, found, err
	}
	defer held.Close()

	w := newWriter(root, dir.Name, all, o)
	if refused := w.refusals(o.Force); refused != nil {
		return nil, refused, nil
	}
	if err := w.run(ctx, all); err != nil {
		return nil, nil, fmt.Errorf("%w; no file in %s is half-written: fix the cause and run the command again", err,
			dir.Name)
	}
	if o.Last != nil {
		*o.Last = w.last
	}
	return w.report(), w.edited(), nil
}

// Obstacles returns the findings that would keep [Write] from writing, and
// changes nothing. It serves those who write all of several trees or none.
func Obstacles(dir *paths.Dir, files []tree.File, o Options) diag.List {
	all := withSidecars(files)
	if found := checkPaths(dir.Name, all); found != nil {
		return found
	}
	root, found := open(dir)
	if root == nil {
		return found
	}
	return newWriter(root, dir.Name, all, o).refusals(o.Force)
}
