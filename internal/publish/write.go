package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/tree"
)

// Options says how a tree is published. The zero value publishes a whole tree
// for everybody to read.
type Options struct {
	// Environment is that of the configuration that the tree is made for, "" for none.
	Environment string
	// Force takes over files that no earlier run wrote, a directory whose manifest
	// cannot be relied on, and the tree of another environment. Links, directories and
	// devices in the place of a file stop even such a run, as does what lacks the marker
	// of a file.
	Force bool
	// Private gives files and directories to their owner only.
	Private bool
	// Guard refuses to remove most of the agents, or most skills of one, unless Force
	// is set.
	Guard bool
	// Keep, unless nil, reports whether a file that the tree does not hold stays in
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
	data     []byte
	manifest tree.Manifest
}

// keeps reports whether a file of an earlier run stays, whatever the tree holds.
func (o Options) keeps(e tree.Entry) bool {
	return o.Keep != nil && o.Keep(e.Agent, e.Path)
}

// dirMode is what a new directory gets, less what the umask takes away.
func (o Options) dirMode() fs.FileMode {
	if o.Private {
		return 0o700
	}
	return 0o777
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

// Update is the change of an output directory, which is held so that no other run
// writes there in between.
type Update struct {
	dir   *files.Dir
	files []tree.File // with sidecars
	o     Options
	held  *held // nil for a directory that is not there yet
	*writer
}

// Begin waits until no other run writes to dir, keeps others out until the update is
// closed, and compares dir with the tree of files (see [Tree]). It changes nothing. A
// finding of severity [diag.Error] says why the tree cannot be written; an error is an
// interrupt. In both cases there is no update.
func Begin(ctx context.Context, dir *files.Dir, files []tree.File, o Options) (*Update, diag.List, error) {
	all, root, found := prepare(dir, files)
	u := &Update{dir: dir, files: all, o: o}
	var err error
	switch {
	case root != nil:
		found, err = u.look(ctx, root)
	case found == nil:
		if found = unwritable(dir.Root, dir.Name, "created"); found == nil {
			_, _, found = manifestOf(dir.Name, all, o)
		}
	}
	if found != nil || err != nil {
		u.Close()
		return nil, found, err
	}
	return u, nil, nil
}

// look takes the lock and looks what stands in the directory.
func (u *Update) look(ctx context.Context, root *os.Root) (found diag.List, err error) {
	if u.held, found, err = lock(ctx, root, u.dir.Name); u.held != nil {
		u.writer = newWriter(root, u.dir.Name, u.files, u.o)
		found = u.refusals(u.o.Force)
	}
	return found, err
}

// Close lets other runs in. It is harmless for nil.
func (u *Update) Close() {
	if u != nil && u.held != nil {
		u.held.Close()
		u.held = nil
	}
}

// Plan says what [Update.Write] would do, and which files would stay.
func (u *Update) Plan() (Report, diag.List) {
	if u.writer != nil {
		return u.report(), u.kept()
	}
	var report Report
	for _, f := range sorted(append(slices.Clone(u.files), tree.File{Path: tree.ManifestName})) {
		report = append(report, Result{Path: f.Path, State: Created})
	}
	return report, nil
}

// Write makes the directory hold the tree, creates it where it is missing, and
// removes what earlier runs wrote and this tree does not hold.
//
// A finding of severity [diag.Error] says why the directory cannot be made; other
// findings go with a complete report. An error is a full disk, an interrupt or the
// like. Then some files may be new and others old, each of them is whole, and the next
// run completes the work.
func (u *Update) Write(ctx context.Context) (Report, diag.List, error) {
	if u.held == nil {
		root, found, err := create(u.dir, u.o)
		if root != nil {
			found, err = u.look(ctx, root)
		}
		if found != nil || err != nil {
			return nil, found, err
		}
	}
	if err := u.run(ctx); err != nil {
		return nil, nil, fmt.Errorf("%w; no file in %s is half-written: fix the cause and run the command again", err,
			u.dir.Name)
	}
	if u.o.Last != nil {
		*u.o.Last = u.last
	}
	return u.report(), u.kept(), nil
}

// Write begins an update of one directory and carries it out.
func Write(ctx context.Context, dir *files.Dir, files []tree.File, o Options) (Report, diag.List, error) {
	u, found, err := Begin(ctx, dir, files, o)
	if u == nil {
		return nil, found, err
	}
	defer u.Close()
	return u.Write(ctx)
}

// Obstacles returns the findings that would keep [Write] from writing, and
// changes nothing.
func Obstacles(dir *files.Dir, files []tree.File, o Options) diag.List {
	all, root, found := prepare(dir, files)
	if root == nil {
		return found
	}
	return newWriter(root, dir.Name, all, o).refusals(o.Force)
}

// fewestLost is how many agents, or skills of one, may go without a question.
const fewestLost = 3

// losses refuses a run that removes more than half of the published agents, or more
// than half of the skills of one of them, where these are [fewestLost] or more: as a
// rule a file was cut off, or a directory is empty that should not be.
func (s *survey) losses() diag.List {
	before, after := map[string]string{}, map[string]*target{}
	for _, e := range s.old.Files {
		if isCard(e.Path) {
			before[e.Agent] = e.Path
		}
	}
	for _, t := range s.targets {
		if isCard(t.Path) {
			after[t.Agent] = t
		}
	}
	for _, e := range s.last.manifest.Files { // and those that the run leaves alone
		if isCard(e.Path) && after[e.Agent] == nil {
			after[e.Agent] = &target{site: same}
		}
	}
	var found diag.List
	ids := slices.Sorted(maps.Keys(before))
	gone := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return after[id] != nil })
	found = append(found, s.loss(tree.ManifestName, "published agents", gone, len(ids))...)
	for _, id := range ids {
		t := after[id]
		if t == nil || t.site == same {
			continue
		}
		data, err := read(s.root, before[id], tree.MaxFile)
		if err != nil {
			continue // there is no card any more, which the visit of its folder has found
		}
		was, now := skillsOf(data), skillsOf(t.Data)
		gone := slices.DeleteFunc(slices.Clone(was), func(skill string) bool { return slices.Contains(now, skill) })
		found = append(found, s.loss(before[id], fmt.Sprintf("skills of the agent %q", id), gone, len(was))...)
	}
	return found
}

func (s *survey) loss(file, what string, gone []string, of int) diag.List {
	if len(gone) < fewestLost || 2*len(gone) <= of {
		return nil
	}
	named := gone[:min(len(gone), 8)]
	rest := ""
	if n := len(gone) - len(named); n > 0 {
		rest = fmt.Sprintf(" and %d more", n)
	}
	return diag.List{problem(ruleRemoval, s.dir, file,
		fmt.Sprintf("the run would remove %d of the %d %s: %s%s", len(gone), of, what, strings.Join(named, ", "), rest),
		"check the configuration and the sources; if the removal is intended, run the command again with --force")}
}

func isCard(p string) bool {
	return !tree.InSkills(p) && slices.Contains([]string{path.Base(tree.CardPath), tree.ExtendedCardName}, path.Base(p))
}

// skillsOf returns the ids on a card in the form in which cards are written.
func skillsOf(card []byte) []string {
	var ids []string
	for line := range bytes.Lines(card) {
		if id, ok := bytes.CutPrefix(line, []byte(`      "id": "`)); ok {
			ids = append(ids, string(bytes.TrimRight(id, "\",\r\n")))
		}
	}
	return ids
}

// open returns the output directory, nothing at all where there is none.
func open(dir *files.Dir) (*os.Root, diag.List) {
	for len(dir.Rest) > 0 {
		stands, _, err := lstat(dir.Root, dir.Rest[0])
		if err == nil && stands == directory { // since the path was looked at
			err = dir.Enter()
		}
		switch {
		case err != nil:
			return nil, diag.List{unread(dir.Name, "", err)}
		case stands == absent:
			return nil, nil
		case stands != directory:
			return nil, diag.List{obstacle(dir.Reached(), "", stands, "a directory")}
		}
	}
	return dir.Root, nil
}

// create opens the output directory, and makes it where it is missing, with all
// that leads to it.
func create(dir *files.Dir, o Options) (*os.Root, diag.List, error) {
	if root, found := open(dir); root != nil || found != nil {
		return root, found, nil
	}
	switch err := mkdirAll(dir, o); {
	case files.FullDisk(err):
		return nil, nil, fmt.Errorf("creating %s: %w", dir.Name, files.Explain(err))
	case err != nil:
		return nil, diag.List{denied(dir.Name, "", "created", err)}, nil
	}
	return dir.Root, nil, nil
}

// mkdirAll makes what is missing of a directory and goes there.
func mkdirAll(dir *files.Dir, o Options) error {
	for len(dir.Rest) > 0 {
		name := dir.Reached()
		if err := o.fault.before("mkdir", name); err != nil {
			return err
		}
		err := dir.Root.Mkdir(dir.Rest[0], o.dirMode())
		if err != nil && !errors.Is(err, fs.ErrExist) { // another run may be faster
			return err
		}
		if err := dir.Enter(); err != nil {
			return err
		}
	}
	return nil
}
