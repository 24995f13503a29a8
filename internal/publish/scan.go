package publish

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
)

// entry is what a path in the output directory leads to.
type entry uint8

const (
	absent    entry = iota
	same            // a regular file with the expected bytes
	differs         // a regular file with other bytes
	directory       //
	link            // a symbolic link, whatever it leads to
	device          // a pipe, socket, device or mount point
)

// String names the entry for a message.
func (e entry) String() string {
	return [...]string{"nothing", "a file", "a file", "a directory", "a symbolic link", "a device or pipe"}[e]
}

// lstat finds out what a name leads to; a regular file is taken to differ.
func lstat(root *os.Root, name string) (entry, fs.FileInfo, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absent, nil, nil
	case err != nil:
		return absent, nil, err
	}
	return entryOf(info.Mode()), info, nil
}

func entryOf(mode fs.FileMode) entry {
	switch {
	case mode.IsRegular():
		return differs
	case mode.IsDir():
		return directory
	case mode&fs.ModeSymlink != 0:
		return link
	}
	return device
}

// folder is how far one gets on the way to a directory, without following a link.
type folder struct {
	reached string // the element that the way ends at, the directory itself if all goes well
	entry   entry  // what is there; directory if all goes well
	err     error
}

// folder finds out how far one gets on the way to the directory p.
func (u *Update) folder(p string) folder {
	f, known := u.folders[p]
	if !known {
		if f = u.folder(path.Dir(p)); f.entry == directory && f.err == nil {
			is, _, err := lstat(u.dir.Root, p)
			f = folder{p, is, err}
		}
		u.folders[p] = f
	}
	return f
}

// target is a file of the tree, or one that only earlier runs have written, and what
// is in its place.
type target struct {
	file    site.File
	entry   entry
	mode    fs.FileMode // of the file that is there
	err     error       // why that cannot be read
	foreign bool        // a file of the tree: cardwright did not write what is there
	kept    bool        // a stale file: what is there is not of the kind that it was
}

// removable reports whether a stale file is to be removed.
func (t *target) removable() bool { return t.entry == differs && !t.kept }

// scan compares the tree with what is on disk. A missing directory is an empty one.
func (u *Update) scan() {
	u.old, u.onDisk, u.targets, u.stale, u.found = site.Manifest{}, nil, nil, nil, nil
	u.made = manifestOf(u.files, u.o.Environment)
	u.manifest = &target{file: manifestFile(u.made)}
	u.folders = map[string]folder{".": {reached: "."}}
	inTree := make(map[string]bool, len(u.files))
	for _, f := range u.files {
		inTree[f.Path] = true
		u.targets = append(u.targets, &target{file: f})
	}
	if len(u.dir.Rest) > 0 {
		return
	}
	u.folders["."] = folder{reached: ".", entry: directory}
	u.readManifest()
	for _, p := range u.old.Files {
		if !inTree[p] {
			u.stale = append(u.stale, &target{file: site.File{Path: p}})
		}
	}
	u.compare(append(slices.Clone(u.targets), u.manifest), false)
	u.compare(u.stale, true)
	u.own()
}

// readManifest reads what earlier runs wrote, and refuses to replace a tree that was made
// for another environment.
func (u *Update) readManifest() {
	var found diag.List
	is, _, err := lstat(u.dir.Root, site.ManifestName)
	if err == nil && is == differs {
		u.onDisk, err = u.dir.ReadFile(site.ManifestName, site.MaxManifest)
	}
	switch {
	case err != nil:
		found = diag.List{unread(u.dir.Name, site.ManifestName, err)}
	case u.onDisk != nil:
		u.old, found = site.ParseManifest(shown(u.dir.Name, site.ManifestName), u.onDisk)
	}
	switch {
	case u.o.Force: // and nothing is known to be ours where the manifest is damaged
	case found != nil:
		u.found = append(u.found, found...)
	case u.onDisk != nil && u.old.Environment != u.o.Environment:
		u.found = append(u.found, problem(diag.OutputEnvironment, u.dir.Name, site.ManifestName,
			"choose another directory with --out, or replace the tree with --force",
			"the tree in %q was made %s, and this run is %s", shown(u.dir.Name, ""), madeFor(u.old.Environment),
			madeFor(u.o.Environment)))
	}
}

// madeFor names the environment that a tree was made for, "" for none.
func madeFor(environment string) string {
	if environment == "" {
		return "without an environment"
	}
	return "for the environment " + diag.Quote(environment)
}

// compare finds out what is in the place of files. Only what is in the way of the tree is
// reported.
func (u *Update) compare(targets []*target, stale bool) {
	reported := map[string]bool{}
	groups := map[string][]*target{} // by directory
	for _, t := range targets {
		dir := path.Dir(t.file.Path)
		f := u.folder(dir)
		switch {
		case f.entry == directory && f.err == nil:
			groups[dir] = append(groups[dir], t)
		case reported[f.reached]:
		case f.err != nil:
			u.found = append(u.found, unread(u.dir.Name, f.reached, f.err))
		case f.entry != absent && !stale:
			u.found = append(u.found, obstacle(u.dir.Name, f.reached, f.entry, "a directory"))
		}
		reported[f.reached] = true
	}
	_ = files.All(slices.Collect(maps.Values(groups)), u.compareFolder)
	for _, t := range targets {
		switch {
		case t.err != nil:
			u.found = append(u.found, unread(u.dir.Name, t.file.Path, t.err))
		case t.entry > differs && !stale:
			u.found = append(u.found, obstacle(u.dir.Name, t.file.Path, t.entry, "a file"))
		}
	}
}

// compareFolder finds out what is in the place of files of one directory.
func (u *Update) compareFolder(group []*target) error {
	in, err := u.dir.Root.OpenRoot(path.Dir(group[0].file.Path))
	if err == nil {
		defer in.Close()
	}
	for _, t := range group {
		if t.err = err; err == nil {
			t.err = t.compare(in)
		}
	}
	return nil
}

// compare finds out what is in the place of a file.
func (t *target) compare(in *os.Root) error {
	is, info, err := lstat(in, path.Base(t.file.Path))
	if t.entry = is; is != differs {
		return err
	}
	if t.mode = info.Mode().Perm(); info.Size() != int64(len(t.file.Data)) {
		return nil
	}
	f, err := files.OpenIn(in, path.Base(t.file.Path))
	if err != nil {
		return err
	}
	defer f.Close()
	if equal, err := files.Equal(f, t.file.Data); err != nil || !equal {
		return err
	}
	t.entry = same
	return nil
}

// own finds out which files cardwright wrote, among the files of the tree that are not
// listed, and the listed ones that are not in the tree. A file comes before
// its sidecars, which share its fate.
func (u *Update) own() {
	listed := make(map[string]bool, len(u.old.Files))
	for _, p := range u.old.Files {
		listed[p] = true
	}
	others := map[string]bool{}
	ours := func(t *target, is func(data []byte) bool) bool {
		main, _ := sidecarOf(t.file.Path)
		data, err := u.dir.ReadFile(t.file.Path, site.MaxFile)
		others[t.file.Path] = err != nil || others[main] || !is(data)
		return !others[t.file.Path]
	}
	for _, t := range u.targets {
		if t.entry == differs && !listed[t.file.Path] && !u.o.Force {
			t.foreign = !ours(t, func(data []byte) bool { return replaces(t.file, data) })
		}
	}
	folded := map[string]*target{}
	for _, t := range u.targets {
		folded[files.Fold(t.file.Path)] = t
	}
	for _, t := range u.stale {
		switch {
		case t.entry != absent && u.aliased(t, folded[files.Fold(t.file.Path)]):
			t.entry = absent
		case t.entry == differs:
			t.kept = !ours(t, func(data []byte) bool { return isOfKind(t.file.Path, data) })
		case t.entry != absent:
			t.kept = true
		}
	}
}

// aliased reports whether a stale file is t of the tree, nil for none: their paths differ in
// letter case or normalization only, on a file system that takes both for one.
func (u *Update) aliased(gone, t *target) bool {
	if t == nil || t.entry == absent {
		return false
	}
	info, err := u.dir.Root.Lstat(gone.file.Path)
	other, missing := u.dir.Root.Lstat(t.file.Path)
	return err == nil && missing == nil && os.SameFile(info, other)
}

// refusals returns what stops a run before it changes anything.
func (u *Update) refusals() diag.List {
	refused := append(slices.Clone(u.found), u.guard()...)
	for _, t := range u.targets {
		if t.foreign {
			refused = append(refused, problem(diag.OutputForeign, u.dir.Name, t.file.Path,
				"move it away, or overwrite it with --force",
				"%q would be overwritten, but cardwright did not write it", shown(u.dir.Name, t.file.Path)))
		}
	}
	return refused.Sorted()
}

// guard refuses a run that removes two or more cards and at least half of them: as a rule
// a file was cut off, or a directory is empty that should not be.
func (u *Update) guard() diag.List {
	var gone []string
	for _, t := range u.stale {
		if site.IsCard(t.file.Path) && t.removable() {
			gone = append(gone, t.file.Path)
		}
	}
	before := 0
	for _, p := range u.old.Files {
		if site.IsCard(p) {
			before++
		}
	}
	if u.o.Force || len(gone) < 2 || 2*len(gone) < before {
		return nil
	}
	return diag.List{problem(diag.OutputRemoval, u.dir.Name, site.ManifestName,
		"check the configuration and the sources; if the removal is intended, run the command again with --force",
		"the run would remove %d of the %d cards: %s", len(gone), before, diag.Few(8, gone))}
}

// left warns about files of earlier runs that are not part of the tree and stay.
func (u *Update) left() diag.List {
	var found diag.List
	for _, t := range u.stale {
		if t.kept {
			found = append(found, problem(diag.OutputEdited, u.dir.Name, t.file.Path,
				"remove it if you do not need it; cardwright will not touch it again",
				"%q is no longer generated, but is kept because it may have been edited", shown(u.dir.Name, t.file.Path)).
				WithSeverity(diag.Warning))
		}
	}
	return found.Sorted()
}
