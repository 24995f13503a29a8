package publish

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/tree"
)

// survey is what stands on disk where an output tree goes.
type survey struct {
	root    *os.Root
	dir     string
	old     []tree.Entry // what the manifest of an earlier run lists
	last    Last         // the manifest of the tree
	lost    bool         // the manifest is there and cannot be relied on
	targets []*target    // the tree with its manifest, sorted by path
	stale   []*remnant   // what the manifest lists and the tree does not hold
	folders []*folder    // the directories of both
	found   diag.List    // what stands in the way of reading or writing the tree
}

// target is a file of the tree, and what stands in its place.
type target struct {
	tree.File
	site  site
	owned bool // an earlier run wrote what stands there
	// foreign tells that what stands there lacks the marker of the file.
	foreign bool
}

// remnant is a file of an earlier run, and what stands in its place.
type remnant struct {
	tree.Entry
	site site
}

// folder is one directory of the tree and what belongs into it.
type folder struct {
	path    string
	targets []*target
	stale   []*remnant
	temps   []string // left by a killed run
	found   diag.List
}

// look compares all files of a tree but its manifest with what is on disk.
func look(root *os.Root, dir string, all []tree.File, o Options) *survey {
	s := &survey{root: root, dir: dir}
	entries := tree.Entries(all)
	manifest := manifestFile(entries)
	if same := s.readManifest(manifest.Data, entries, o); same != nil {
		manifest.Data = same
	}

	inTree := make(map[string]bool, len(entries))
	for _, e := range entries {
		inTree[e.Path] = true
	}
	var kept []tree.Entry
	owned := make(map[string]bool, len(s.old))
	for _, e := range s.old {
		owned[e.Path] = true
		switch {
		case inTree[e.Path]:
		case o.keeps(e):
			if e.URL != "" && o.URL != nil {
				e.URL = o.URL(e.Path)
			}
			kept = append(kept, e)
		default:
			s.stale = append(s.stale, &remnant{Entry: e})
		}
	}
	owned[tree.ManifestName] = true
	if kept != nil {
		entries = tree.Merged(entries, kept)
		manifest = manifestFile(entries)
	}
	s.last = Last{manifest.Data, entries}
	for _, f := range sorted(append(slices.Clone(all), manifest)) {
		s.targets = append(s.targets, &target{File: f, owned: owned[f.Path]})
	}

	s.group()
	_ = parallel.All(s.folders, func(f *folder) error {
		s.visit(f)
		return nil
	})
	for _, f := range s.folders {
		s.found = append(s.found, f.found...)
	}
	s.unalias()
	return s
}

// readManifest reads what an earlier run wrote. expected is the manifest of the
// present tree with its entries: as a rule it is what stands there. Where it lists
// more, and this is of no concern, it is returned.
func (s *survey) readManifest(expected []byte, entries []tree.Entry, o Options) (same []byte) {
	stands, _, err := lstat(s.root, tree.ManifestName)
	switch {
	case err != nil:
		s.found = append(s.found, denied(s.dir, tree.ManifestName, "read", err))
		return nil
	case stands != differs: // none, or one that the visit of its folder reports
		return nil
	}
	data, err := s.read(tree.ManifestName, tree.MaxManifest)
	if err != nil {
		s.found = append(s.found, denied(s.dir, tree.ManifestName, "read", err))
		return nil
	}
	if string(data) == string(expected) {
		s.old = entries
		return nil
	}
	if o.Last != nil && bytes.Equal(data, o.Last.data) {
		s.old = o.Last.entries
		return nil
	}
	if o.part && lists(data, entries) {
		s.old = entries
		return data
	}
	old, found := tree.ParseManifest(shown(s.dir, tree.ManifestName), data)
	if found != nil {
		s.distrust(found, o.Force)
		return nil
	}
	s.old = old
	return nil
}

// distrust treats the directory as one without a manifest.
func (s *survey) distrust(found diag.List, force bool) {
	s.lost = true
	if !force {
		s.found = append(s.found, found...)
	}
}

// group fills the folders.
func (s *survey) group() {
	known := map[string]*folder{}
	in := func(p string) *folder {
		dir := path.Dir(p)
		f, ok := known[dir]
		if !ok {
			f = &folder{path: dir}
			known[dir] = f
			s.folders = append(s.folders, f)
		}
		return f
	}
	for _, t := range s.targets {
		f := in(t.Path)
		f.targets = append(f.targets, t)
	}
	for _, r := range s.stale {
		f := in(r.Path)
		f.stale = append(f.stale, r)
	}
}

// visit looks at everything in one directory.
func (s *survey) visit(f *folder) {
	d, err := descend(s.root, f.path)
	if err != nil {
		f.found = append(f.found, denied(s.dir, f.path, "read", err))
		return
	}
	defer d.in.Close()
	switch {
	case d.stands == absent:
		return
	case d.stands != directory:
		for _, t := range f.targets {
			t.site = unreachable
		}
		for _, r := range f.stale {
			r.site = unreachable
		}
		if len(f.targets) > 0 {
			f.found = append(f.found, obstacle(s.dir, d.reached, d.stands, "a directory"))
		}
		return
	}
	for _, t := range f.targets {
		name := path.Base(t.Path)
		if t.site, err = compare(d.in, name, len(t.Data), holds(t.Data)); err != nil {
			f.found = append(f.found, denied(s.dir, t.Path, "read", err))
		} else if t.site > differs {
			f.found = append(f.found, obstacle(s.dir, t.Path, t.site, "a file"))
		} else if t.site == differs && t.Marker != "" {
			t.foreign = !t.MayReplace(beginning(d.in, name))
		}
	}
	for _, r := range f.stale {
		if r.site, err = compare(d.in, path.Base(r.Path), r.Size, hashes(r.Digest)); err != nil {
			f.found = append(f.found, denied(s.dir, r.Path, "read", err))
		}
	}
	if f.temps, err = leftovers(d.in); err != nil {
		f.found = append(f.found, denied(s.dir, f.path, "read", err))
	}
}

// hashes returns a comparison of what a reader holds with a SHA-256.
func hashes(sum tree.Digest) func(io.Reader) (bool, error) {
	return func(r io.Reader) (bool, error) {
		h := sha256.New()
		_, err := io.Copy(h, r)
		return tree.Digest(h.Sum(nil)) == sum, err
	}
}

// obstacle returns the finding that something else stands where output goes.
// It is never written through and never removed, not even by force.
func obstacle(dir, p string, stands site, wanted string) diag.Diagnostic {
	rule := ruleBlocked
	if stands == link {
		rule = ruleLink
	}
	hint := "move it away, or choose another output directory"
	if stands == device {
		hint = "choose another output directory"
	}
	return problem(rule, dir, p, fmt.Sprintf("%q is %s, but %s must be written there", shown(dir, p), stands,
		wanted), hint)
}

// unalias finds files of an earlier run whose path now differs in letter case
// or normalization only, on a file system where both paths are one file. They
// belong to the tree and are not stale.
func (s *survey) unalias() {
	if len(s.stale) == 0 {
		return
	}
	now := make(map[string]*target, len(s.targets))
	for _, t := range s.targets {
		now[tree.Fold(t.Path)] = t
	}
	for _, r := range s.stale {
		if t := now[tree.Fold(r.Path)]; t != nil && s.oneFile(r.Path, t.Path) {
			t.owned = true
			r.site = absent
		}
	}
}

func (s *survey) oneFile(a, b string) bool {
	infoA, err := s.root.Lstat(a)
	if err != nil {
		return false
	}
	infoB, err := s.root.Lstat(b)
	return err == nil && os.SameFile(infoA, infoB)
}
