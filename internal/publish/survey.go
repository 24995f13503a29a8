package publish

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// place is what a path in the output directory leads to.
type place uint8

const (
	absent    place = iota
	same            // a regular file with the expected bytes
	differs         // a regular file with other bytes
	directory       //
	link            // a symbolic link, whatever it leads to
	device          // a pipe, socket, device or mount point
)

// String names the place for a message.
func (p place) String() string {
	return [...]string{"nothing", "a file", "a file", "a directory", "a symbolic link", "a device or pipe"}[p]
}

// lstat finds out what a name leads to; a regular file is taken to differ.
func lstat(root *os.Root, name string) (place, fs.FileInfo, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absent, nil, nil
	case err != nil:
		return absent, nil, err
	case info.Mode().IsRegular():
		return differs, info, nil
	case info.IsDir():
		return directory, info, nil
	case info.Mode()&fs.ModeSymlink != 0:
		return link, info, nil
	}
	return device, info, nil
}

// read returns the file at name, up to one byte more than most.
func read(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := files.OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// ground is an output directory and the directories in it, as they were found. Nothing
// in it is looked at through a link.
type ground struct {
	root    *os.Root
	dir     string // as shown
	folders map[string]folder
	onDisk  []byte    // the manifest of earlier runs, nil for none
	found   diag.List // what blocks a run
}

// folder is how far one gets on the way to a directory.
type folder struct {
	reached string // the element that the way ends at, the directory itself if all goes well
	place   place  // what is there; directory if all goes well
	err     error
}

func newGround(root *os.Root, dir string) *ground {
	return &ground{root: root, dir: dir, folders: map[string]folder{".": {reached: ".", place: directory}}}
}

// folder finds out how far one gets on the way to the directory p.
func (g *ground) folder(p string) folder {
	f, known := g.folders[p]
	if !known {
		if f = g.folder(path.Dir(p)); f.place == directory && f.err == nil {
			at, _, err := lstat(g.root, p)
			f = folder{p, at, err}
		}
		g.folders[p] = f
	}
	return f
}

// survey is what is on disk where an output tree goes.
type survey struct {
	*ground
	o        Options
	old      site.Manifest // of earlier runs
	made     site.Manifest // of the tree
	targets  []*target     // the tree without its manifest, sorted by path
	stale    []*target     // files that the manifest lists and the tree does not hold
	manifest *target
}

// target is a file of the tree, or one that only earlier runs have written, and what
// has its place.
type target struct {
	site.File
	place   place
	mode    fs.FileMode // of the file that is there
	err     error       // why that cannot be read
	foreign bool        // a file of the tree: cardwright did not write what is there
	kept    bool        // a stale file: what is there is not of the kind that it was
}

// removable reports whether a stale file is to be removed.
func (t *target) removable() bool { return t.place == differs && !t.kept }

// look compares all files of a tree but its manifest with what is on disk.
func look(root *os.Root, dir string, all []site.File, o Options) *survey {
	s := &survey{ground: newGround(root, dir), o: o, made: manifestOf(all, o.Environment)}
	s.readManifest()
	inTree := make(map[string]bool, len(all))
	for _, f := range all {
		inTree[f.Path] = true
		s.targets = append(s.targets, &target{File: f})
	}
	for _, p := range s.old.Files {
		if !inTree[p] {
			s.stale = append(s.stale, &target{File: site.File{Path: p}})
		}
	}
	s.manifest = &target{File: manifestFile(s.made)}
	s.visitAll(append(slices.Clone(s.targets), s.manifest), false)
	s.visitAll(s.stale, true)
	s.own()
	return s
}

// readManifest reads what earlier runs wrote, and refuses to replace a tree that was made
// for another environment.
func (s *survey) readManifest() {
	old, found := s.manifestOnDisk()
	switch {
	case s.o.Force && found.Worst() == diag.Error: // and nothing is known to be ours
	case found != nil:
		s.found = append(s.found, found...)
	case s.onDisk != nil && old.Environment != s.o.Environment && !s.o.Force:
		s.found = append(s.found, problem(diag.OutputEnvironment, s.dir, site.ManifestName,
			"choose another directory with --out, or replace the tree with --force",
			"the tree in %q was made %s, and this run is %s", shown(s.dir, ""), madeFor(old.Environment),
			madeFor(s.o.Environment)))
	}
	s.old = old
}

// manifestOnDisk reads the manifest of earlier runs, unless there is none, or what is in
// its place is no file.
func (g *ground) manifestOnDisk() (m site.Manifest, found diag.List) {
	at, _, err := lstat(g.root, site.ManifestName)
	if err == nil && at == differs {
		g.onDisk, err = read(g.root, site.ManifestName, site.MaxManifest)
	}
	if err != nil {
		return m, diag.List{unread(g.dir, site.ManifestName, err)}
	}
	if g.onDisk != nil {
		m, found = site.ParseManifest(shown(g.dir, site.ManifestName), g.onDisk)
	}
	return m, found
}

// madeFor names the environment that a tree was made for, "" for none.
func madeFor(environment string) string {
	if environment == "" {
		return "without an environment"
	}
	return "for the environment " + diag.Quote(environment)
}

// visitAll looks at the places of files. Only what is in the way of the tree is reported.
func (s *survey) visitAll(targets []*target, stale bool) {
	reported := map[string]bool{}
	var groups [][]*target // of one directory each
	for _, t := range targets {
		n := len(groups) - 1
		switch f := s.folder(path.Dir(t.Path)); {
		case f.place == directory && f.err == nil && n >= 0 && path.Dir(groups[n][0].Path) == f.reached:
			groups[n] = append(groups[n], t)
		case f.place == directory && f.err == nil:
			groups = append(groups, []*target{t})
		case reported[f.reached]:
		case f.err != nil:
			s.found = append(s.found, unread(s.dir, f.reached, f.err))
			reported[f.reached] = true
		case f.place != absent && !stale:
			s.found = append(s.found, obstacle(s.dir, f.reached, f.place, "a directory"))
			reported[f.reached] = true
		}
	}
	_ = files.All(groups, s.compare)
	for _, t := range slices.Concat(groups...) {
		switch {
		case t.err != nil:
			s.found = append(s.found, unread(s.dir, t.Path, t.err))
		case t.place > differs && !stale:
			s.found = append(s.found, obstacle(s.dir, t.Path, t.place, "a file"))
		}
	}
}

// compare finds out what has the places of files of one directory.
func (s *survey) compare(group []*target) error {
	in, err := s.root.OpenRoot(path.Dir(group[0].Path))
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

// compare finds out what has the place of a file.
func (t *target) compare(in *os.Root) error {
	at, info, err := lstat(in, path.Base(t.Path))
	if t.place = at; at != differs {
		return err
	}
	if t.mode = info.Mode().Perm(); info.Size() != int64(len(t.Data)) {
		return nil
	}
	f, err := files.OpenIn(in, path.Base(t.Path))
	if err != nil {
		return err
	}
	defer f.Close()
	if equal, err := files.Equal(f, t.Data); err != nil || !equal {
		return err
	}
	t.place = same
	return nil
}

// own finds out which files cardwright wrote, among the files of the tree that are not
// listed, and the listed ones that are not in the tree. A file comes before
// its sidecars, which share its fate.
func (s *survey) own() {
	listed := make(map[string]bool, len(s.old.Files))
	for _, p := range s.old.Files {
		listed[p] = true
	}
	others := map[string]bool{}
	ours := func(t *target, is func(data []byte) bool) bool {
		main, _ := sidecarOf(t.Path)
		data, err := read(s.root, t.Path, site.MaxFile)
		others[t.Path] = err != nil || others[main] || !is(data)
		return !others[t.Path]
	}
	for _, t := range s.targets {
		if t.place == differs && !listed[t.Path] && !s.o.Force {
			t.foreign = !ours(t, func(data []byte) bool { return replaces(t.File, data) })
		}
	}
	for _, t := range s.stale {
		switch {
		case t.place != absent && s.aliased(t):
			t.place = absent
		case t.place == differs:
			t.kept = !ours(t, func(data []byte) bool { return isOfKind(t.Path, data) })
		case t.place != absent:
			t.kept = true
		}
	}
}

// aliased reports whether a stale file is one of the tree: their paths differ in letter
// case or normalization only, on a file system that takes both for one.
func (s *survey) aliased(gone *target) bool {
	info, err := s.root.Lstat(gone.Path)
	return err == nil && slices.ContainsFunc(s.targets, func(t *target) bool {
		if t.place == absent || !strings.EqualFold(t.Path, gone.Path) {
			return false
		}
		other, err := s.root.Lstat(t.Path)
		return err == nil && os.SameFile(info, other)
	})
}

// refusals returns what stops a run before it changes anything.
func (s *survey) refusals() diag.List {
	refused := append(slices.Clone(s.found), s.guard()...)
	for _, t := range s.targets {
		if t.foreign {
			refused = append(refused, problem(diag.OutputForeign, s.dir, t.Path, "move it away, or overwrite it with --force",
				"%q would be overwritten, but cardwright did not write it", shown(s.dir, t.Path)))
		}
	}
	return refused.Sorted()
}

// guard refuses a run that removes two or more cards and at least half of them: as a rule
// a file was cut off, or a directory is empty that should not be.
func (s *survey) guard() diag.List {
	var gone []string
	for _, t := range s.stale {
		if isCard(t.Path) && t.removable() {
			gone = append(gone, t.Path)
		}
	}
	before := 0
	for _, p := range s.old.Files {
		if isCard(p) {
			before++
		}
	}
	if s.o.Force || len(gone) < 2 || 2*len(gone) < before {
		return nil
	}
	const named = 8
	list := strings.Join(gone[:min(len(gone), named)], ", ")
	if n := len(gone) - named; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return diag.List{problem(diag.OutputRemoval, s.dir, site.ManifestName,
		"check the configuration and the sources; if the removal is intended, run the command again with --force",
		"the run would remove %d of the %d cards: %s", len(gone), before, list)}
}

// left warns about files of earlier runs that are not part of the tree and stay.
func (s *survey) left() diag.List {
	var found diag.List
	for _, t := range s.stale {
		if t.kept {
			found = append(found, problem(diag.OutputEdited, s.dir, t.Path,
				"remove it if you do not need it; cardwright will not touch it again",
				"%q is no longer generated, but is kept because it was edited", shown(s.dir, t.Path)).WithSeverity(diag.Warning))
		}
	}
	return found.Sorted()
}

// sides returns the text, or its first version where git has merged it with conflicts.
func sides(data []byte) []byte {
	if ours, _ := source.Sides(data); ours != nil {
		return ours
	}
	return data
}
