package publish

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/mapping"
	"cardwright/schema"
)

// survey is what stands on disk where an output tree goes.
type survey struct {
	root    *os.Root
	dir     string
	old     []entry    // what the manifest of an earlier run lists
	lost    bool       // the manifest is there and cannot be relied on
	targets []*target  // the tree with its manifest, sorted by path
	stale   []*remnant // what the manifest lists and the tree does not hold
	folders []*folder  // the directories of both
	found   diag.List  // what stands in the way of reading or writing the tree
}

// target is a file of the tree, and what stands in its place.
type target struct {
	schema.File
	site  site
	owned bool // an earlier run wrote what stands there
	// foreign tells that what stands there lacks the marker of the file.
	foreign bool
}

// remnant is a file of an earlier run, and what stands in its place.
type remnant struct {
	entry
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

// look compares tree, a tree without its manifest, with what is on disk.
func look(root *os.Root, dir string, tree []schema.File, o Options) *survey {
	s := &survey{root: root, dir: dir}
	entries := entriesOf(tree)
	manifest := manifestFile(entries)
	s.readManifest(manifest.Data, entries, o.Force)

	inTree := make(map[string]bool, len(entries))
	for _, e := range entries {
		inTree[e.path] = true
	}
	var kept []entry
	owned := make(map[string]bool, len(s.old))
	for _, e := range s.old {
		owned[e.path] = true
		switch {
		case inTree[e.path]:
		case o.keeps(e):
			kept = append(kept, e)
		default:
			s.stale = append(s.stale, &remnant{entry: e})
		}
	}
	owned[ManifestName] = true
	if kept != nil {
		manifest = manifestFile(merged(entries, kept))
	}
	for _, f := range sorted(append(slices.Clone(tree), manifest)) {
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
// present tree with its entries: as a rule it is what stands there.
func (s *survey) readManifest(expected []byte, entries []entry, force bool) {
	stands, size, err := lstat(s.root, ManifestName)
	switch {
	case err != nil:
		s.found = append(s.found, denied(s.dir, ManifestName, "read", err))
		return
	case stands != differs: // none, or one that the visit of its folder reports
		return
	case size > MaxManifest:
		s.distrust(diag.List{problem(ruleManifest, s.dir, ManifestName,
			fmt.Sprintf("the manifest has %d bytes, more than %d", size, MaxManifest), manifestHint)}, force)
		return
	}
	data, err := s.root.ReadFile(ManifestName)
	if err != nil {
		s.found = append(s.found, denied(s.dir, ManifestName, "read", err))
		return
	}
	if string(data) == string(expected) {
		s.old = entries
		return
	}
	old, found := parseManifest(shown(s.dir, ManifestName), data)
	if found != nil {
		s.distrust(found, force)
		return
	}
	s.old = old
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
		f := in(r.path)
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
		if r.site, err = compare(d.in, path.Base(r.path), r.size, hashes(r.sum)); err != nil {
			f.found = append(f.found, denied(s.dir, r.path, "read", err))
		}
	}
	if f.temps, err = leftovers(d.in); err != nil {
		f.found = append(f.found, denied(s.dir, f.path, "read", err))
	}
}

// hashes returns a comparison of what a reader holds with a SHA-256.
func hashes(sum schema.Digest) func(io.Reader) (bool, error) {
	return func(r io.Reader) (bool, error) {
		h := sha256.New()
		_, err := io.Copy(h, r)
		return schema.Digest(h.Sum(nil)) == sum, err
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
	return problem(rule, dir, p, fmt.Sprintf("%q is %s, and %s is to be written there", shown(dir, p), stands, wanted), hint)
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
		now[mapping.Fold(t.Path)] = t
	}
	for _, r := range s.stale {
		if t := now[mapping.Fold(r.path)]; t != nil && s.oneFile(r.path, t.Path) {
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
