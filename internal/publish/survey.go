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

// survey is what stands on disk where an output tree goes.
type survey struct {
	root     *os.Root
	dir      string
	o        Options
	onDisk   []byte        // the manifest of earlier runs, nil for none
	old      site.Manifest // the same
	listed   map[string]bool
	made     site.Manifest // of the tree
	targets  []*target     // the tree without its manifest, sorted by path
	stale    []*target     // files that the manifest lists and the tree does not hold
	manifest *target
	found    diag.List // what stands in the way
}

// target is a file of the tree, or one that only earlier runs have written, and what
// stands in its place.
type target struct {
	site.File
	place   place
	mode    fs.FileMode // of the file that stands there
	foreign bool        // a file of the tree: somebody else's file stands there
	kept    bool        // a stale file: what stands there is not of the kind that it was
}

// look compares all files of a tree but its manifest with what is on disk.
func look(root *os.Root, dir string, all []site.File, o Options) *survey {
	s := &survey{root: root, dir: dir, o: o, listed: map[string]bool{}, made: manifestOf(all, o.Environment)}
	s.readManifest()
	for _, p := range s.old.Files {
		s.listed[p] = true
	}
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

// readManifest reads what earlier runs wrote. Without a manifest to rely on nothing tells
// whose the files are.
func (s *survey) readManifest() {
	stands, err := lstat(s.root, site.ManifestName)
	if err == nil && stands.place == differs { // else none, or the visit reports what it is
		s.onDisk, err = read(s.root, site.ManifestName, site.MaxManifest)
	}
	if err != nil {
		s.found = append(s.found, unread(s.dir, site.ManifestName, err))
	}
	if s.onDisk == nil {
		return
	}
	old, found := site.ParseManifest(shown(s.dir, site.ManifestName), s.onDisk)
	switch {
	case found == nil:
		s.old = old
		s.keepEnvironment()
	case !s.o.Force:
		s.found = append(s.found, found...)
	}
}

// keepEnvironment refuses to replace a tree that was made for another environment.
func (s *survey) keepEnvironment() {
	if s.old.Environment == s.o.Environment || s.o.Force {
		return
	}
	s.found = append(s.found, problem(EnvironmentRule, s.dir, site.ManifestName, fmt.Sprintf(
		"the tree in %q was made %s, and this run is %s", shown(s.dir, ""), madeFor(s.old.Environment),
		madeFor(s.o.Environment),
	), "choose another directory with --out, or replace the tree with --force"))
}

// visitAll looks at what stands in the place of files, directory by directory.
func (s *survey) visitAll(targets []*target, stale bool) {
	var folders [][]*target
	at := map[string]int{}
	for _, t := range targets {
		dir := path.Dir(t.Path)
		i, known := at[dir]
		if !known {
			i = len(folders)
			at[dir], folders = i, append(folders, nil)
		}
		folders[i] = append(folders[i], t)
	}
	found := make([]diag.List, len(folders))
	_ = files.Work(slices.Values(folders), func(i int, folder []*target) error {
		found[i] = s.visit(folder, stale)
		return nil
	})
	s.found = append(s.found, slices.Concat(found...)...)
}

// visit looks at the targets of one directory.
func (s *survey) visit(targets []*target, stale bool) (found diag.List) {
	d, err := descend(s.root, path.Dir(targets[0].Path))
	if err != nil {
		return diag.List{unread(s.dir, path.Dir(targets[0].Path), err)}
	}
	defer d.in.Close()
	switch {
	case d.stands == absent:
		return nil
	case d.stands != directory && stale:
		return nil
	case d.stands != directory:
		return diag.List{obstacle(s.dir, d.reached, d.stands, "a directory")}
	}
	for _, t := range targets {
		err := t.compare(d.in)
		switch {
		case err != nil:
			found = append(found, unread(s.dir, t.Path, err))
		case t.place > differs && !stale:
			found = append(found, obstacle(s.dir, t.Path, t.place, "a file"))
		}
	}
	return found
}

// compare finds out what stands in the place of a file in its directory.
func (t *target) compare(dir *os.Root) error {
	name := path.Base(t.Path)
	stands, err := lstat(dir, name)
	t.place, t.mode = stands.place, stands.mode
	if err != nil || t.place != differs || stands.size != int64(len(t.Data)) {
		return err
	}
	f, err := files.OpenIn(dir, name)
	if err != nil {
		return err
	}
	defer f.Close()
	if equal, err := files.Equal(t.Data)(f); err != nil || !equal {
		return err
	}
	t.place = same
	return nil
}

// own finds out whose the files are that are not as the tree has them: those of the tree
// that are not listed, and those that are listed and not in the tree.
func (s *survey) own() {
	foreign := map[string]bool{}
	for _, t := range s.targets { // a file comes before its sidecars
		if t.place != differs || s.listed[t.Path] || s.o.Force {
			continue
		}
		main, _ := sidecarOf(t.Path)
		data, err := read(s.root, t.Path, site.MaxFile)
		t.foreign = err != nil || foreign[main] || !replaces(t.File, data)
		foreign[t.Path] = t.foreign
	}
	kept := map[string]bool{}
	for _, t := range s.stale {
		switch {
		case s.aliased(t):
			t.place = absent
		case t.place == differs:
			main, _ := sidecarOf(t.Path)
			data, err := read(s.root, t.Path, site.MaxFile)
			t.kept = err != nil || kept[main] || !isOfKind(t.Path, data)
			kept[t.Path] = t.kept
		case t.place != absent:
			t.kept = true
		}
	}
}

// aliased reports whether a stale file is one of the tree: their paths differ in letter
// case or normalization only, on a file system that takes both for one.
func (s *survey) aliased(gone *target) bool {
	if gone.place == absent {
		return false
	}
	return slices.ContainsFunc(s.targets, func(t *target) bool {
		return t.place != absent && strings.EqualFold(t.Path, gone.Path) && s.oneFile(t.Path, gone.Path)
	})
}

func (s *survey) oneFile(a, b string) bool {
	infoA, err := s.root.Lstat(a)
	if err != nil {
		return false
	}
	infoB, err := s.root.Lstat(b)
	return err == nil && os.SameFile(infoA, infoB)
}

// guard refuses a run that removes two or more cards and at least half of them: as a rule
// a file was cut off, or a directory is empty that should not be.
func (s *survey) guard() diag.List {
	var gone []string
	for _, t := range s.stale {
		if isCard(t.Path) && t.place == differs && !t.kept {
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
	return diag.List{problem(ruleRemoval, s.dir, site.ManifestName,
		fmt.Sprintf("the run would remove %d of the %d cards: %s", len(gone), before, list),
		"check the configuration and the sources; if the removal is intended, run the command again with --force")}
}

// refusals returns what stops a run before it changes anything.
func (s *survey) refusals() diag.List {
	refused := append(slices.Clone(s.found), s.guard()...)
	for _, t := range s.targets {
		if t.foreign {
			refused = append(refused, problem(ruleForeign, s.dir, t.Path,
				fmt.Sprintf("%q would be overwritten, but cardwright did not write it", shown(s.dir, t.Path)),
				"move it away, or overwrite it with --force"))
		}
	}
	return refused.Sorted()
}

// left warns about files of earlier runs that are not part of the tree and stay.
func (s *survey) left() diag.List {
	var found diag.List
	for _, t := range s.stale {
		if t.kept {
			found = append(found, problem(ruleEdited, s.dir, t.Path, fmt.Sprintf(
				"%q is no longer generated, but is kept because it was edited", shown(s.dir, t.Path)),
				"remove it if you do not need it; cardwright will not touch it again").WithSeverity(diag.Warning))
		}
	}
	return found.Sorted()
}

// place is what stands at a place in the output directory.
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
func (s place) String() string {
	return [...]string{"nothing", "a file", "a file", "a directory", "a symbolic link", "a device or pipe"}[s]
}

// standing describes a place in a directory; a regular file is taken to differ.
type standing struct {
	place place
	size  int64
	mode  fs.FileMode
}

func lstat(dir *os.Root, name string) (standing, error) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return standing{}, nil
	}
	if err != nil {
		return standing{}, err
	}
	s := standing{place: device, size: info.Size(), mode: info.Mode().Perm()}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		s.place = differs
	case mode.IsDir():
		s.place = directory
	case mode&fs.ModeSymlink != 0:
		s.place = link
	}
	return s, nil
}

// read returns the file at name in dir, up to one byte more than most.
func read(dir *os.Root, name string, most int64) ([]byte, error) {
	f, err := files.OpenIn(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// descent is how far one gets on the way to a directory without following links.
type descent struct {
	in      *os.Root // the deepest directory reached
	reached string   // path of the element the way ends at, the directory itself if all goes well
	stands  place    // what stands there; directory if all goes well
}

// descend opens the directory dir below root one element at a time. The caller
// closes what it returns unless there is an error.
func descend(root *os.Root, dir string) (descent, error) {
	in, err := root.OpenRoot(".")
	d := descent{in: in, reached: ".", stands: directory}
	if err != nil || dir == "." {
		return d, err
	}
	for element := range strings.SplitSeq(dir, "/") {
		d.reached = path.Join(d.reached, element)
		stands, err := lstat(d.in, element)
		if d.stands = stands.place; err != nil {
			return d, errors.Join(err, d.in.Close())
		}
		if d.stands != directory {
			return d, nil
		}
		next, err := files.Enter(d.in, element)
		_ = d.in.Close()
		if err != nil {
			return d, err
		}
		d.in = next
	}
	return d, nil
}

// sides returns the text, or its first version where git has merged it with conflicts.
func sides(data []byte) []byte {
	if ours, _ := source.Sides(data); ours != nil {
		return ours
	}
	return data
}

// madeFor names the environment that a tree was made for, "" for none.
func madeFor(environment string) string {
	if environment == "" {
		return "without an environment"
	}
	return "for the environment " + diag.Quote(environment)
}
