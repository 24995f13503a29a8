package publish

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// survey is what stands on disk where an output tree goes.
type survey struct {
	root    *os.Root
	dir     string
	old     tree.Manifest // of an earlier run
	left    []claim       // what interrupted runs may have left besides
	rest    []claim       // those of them that this run leaves to one for all agents
	journal []byte        // as it is on disk, nil when no run was interrupted
	last    Last          // the manifest of the tree
	lost    bool          // the manifest is there and cannot be relied on
	targets []*target     // the tree with its manifest, sorted by path
	stale   []*target     // what the manifest lists and the tree does not hold
	folders []*folder     // the directories of both
	temps   []string      // left by killed runs
	found   diag.List     // what stands in the way of reading or writing the tree
}

// target is a file of the tree, or one that only earlier runs have written, and what
// stands in its place.
type target struct {
	tree.File
	site  site
	owned bool // an earlier run wrote what stands there
	// foreign tells that what stands there lacks the marker of the file.
	foreign bool
	stale   []tree.Digest // of a file that the tree does not hold: what was written there
}

// changes reports whether the file has to be written or removed.
func (t *target) changes() bool { return (t.site == same) == (t.stale != nil) }

// folder is one directory of the tree and what belongs into it.
type folder struct {
	path    string
	targets []*target
	temps   []string
	found   diag.List
}

// look compares all files of a tree but its manifest with what is on disk.
func look(root *os.Root, dir string, all []tree.File, o Options) *survey {
	s := &survey{root: root, dir: dir}
	made, manifest, found := manifestOf(dir, all, o)
	if s.found = found; found == nil {
		manifest.Data = s.readManifest(manifest.Data, made, o)
	}
	s.readJournal()

	inTree := make(map[string]bool, len(made.Files))
	for _, e := range made.Files {
		inTree[e.Path] = true
	}
	var kept []tree.Entry
	owned := make(map[string]bool, len(s.old.Files)+len(s.left))
	stale := map[string]*target{}
	drop := func(p string, sum tree.Digest) {
		if stale[p] == nil {
			stale[p] = &target{File: tree.File{Path: p}}
			s.stale = append(s.stale, stale[p])
		}
		stale[p].stale = append(stale[p].stale, sum)
	}
	known := make(map[claim]bool, len(s.old.Files))
	for _, e := range s.old.Files {
		owned[e.Path] = true
		switch {
		case inTree[e.Path]:
		case o.keeps(e):
			if e.URL != "" && o.URL != nil {
				e.URL = o.URL(e.Path)
			}
			kept = append(kept, e)
			known[claim{e.Path, e.Digest}] = true
		default:
			drop(e.Path, e.Digest)
		}
	}
	for _, c := range s.left {
		owned[c.path] = true
		switch {
		case inTree[c.path], known[c]:
		case o.Keep != nil && stale[c.path] == nil: // nothing tells whose it is
			s.rest = append(s.rest, c)
		default:
			drop(c.path, c.sum)
		}
	}
	owned[tree.ManifestName] = true
	if kept != nil {
		made.Files = tree.Merged(made.Files, kept)
		manifest = manifestFile(made)
	}
	s.last = Last{manifest.Data, made}
	for _, f := range sorted(append(slices.Clone(all), manifest)) {
		s.targets = append(s.targets, &target{File: f, owned: owned[f.Path]})
	}

	s.group()
	_ = parallel.All(s.folders, func(f *folder) error {
		s.visit(f)
		return nil
	})
	for _, f := range s.folders {
		s.found, s.temps = append(s.found, f.found...), append(s.temps, f.temps...)
	}
	s.unalias()
	if o.Guard && !o.Force {
		s.found = append(s.found, s.losses()...)
	}
	return s
}

// manifestOf makes the manifest of a tree and its file, which is a finding where the next
// run would refuse it.
func manifestOf(dir string, all []tree.File, o Options) (tree.Manifest, tree.File, diag.List) {
	made := tree.Manifest{Environment: o.Environment, Files: tree.Entries(all)}
	file := manifestFile(made)
	if len(file.Data) <= tree.MaxManifest {
		return made, file, nil
	}
	return made, file, diag.List{diag.New("output-manifest", diag.Span{File: shown(dir, tree.ManifestName)},
		"the tree would have %s, and its manifest more than the %d MiB that are read", diag.Count(len(all), "file"),
		tree.MaxManifest>>20).
		WithHint("set agentSkills.legacy to false, publish fewer skills, or divide the agents among several directories")}
}

// readManifest reads what an earlier run wrote, and returns what is expected to be there
// after this one: the manifest that is made of the present tree, or what stands there
// where that lists more, and this is of no concern.
func (s *survey) readManifest(made []byte, manifest tree.Manifest, o Options) (expected []byte) {
	stands, _, err := lstat(s.root, tree.ManifestName)
	var data []byte
	if err == nil && stands == differs { // else none, or one that the visit of its folder reports
		data, err = read(s.root, tree.ManifestName, tree.MaxManifest)
	}
	switch {
	case err != nil:
		s.found = append(s.found, unread(s.dir, tree.ManifestName, err))
	case stands != differs:
	case bytes.Equal(data, made):
		s.old = manifest
	case o.Last != nil && bytes.Equal(data, o.Last.data):
		s.old = o.Last.manifest
	case o.part && lists(data, manifest):
		s.old = manifest
		return data
	default:
		s.parse(data, o)
	}
	return made
}

// parse reads a manifest that is not the expected one. Of one that git has merged
// with conflicts, both sides say what is ours. Without a manifest to rely on nobody
// can tell whose the files are.
func (s *survey) parse(data []byte, o Options) {
	name := shown(s.dir, tree.ManifestName)
	old, found := tree.ParseManifest(name, data)
	ours, theirs := source.Sides(data)
	switch {
	case found == nil || ours == nil:
	case o.Keep != nil:
		for i := range found {
			found[i].Hint = Remedy + " for all agents"
		}
	default:
		var more diag.List
		other, unread := tree.ParseManifest(name, theirs)
		for _, e := range other.Files {
			s.left = append(s.left, claim{e.Path, e.Digest})
		}
		if old, more = tree.ParseManifest(name, ours); more == nil || unread == nil {
			found = nil
		}
		if unread == nil && (more != nil || old.Environment == o.Environment) {
			old.Environment = other.Environment
		}
	}
	s.old, s.lost = old, found != nil
	if !o.Force {
		s.found = append(s.found, found...)
	}
	if !s.lost {
		s.keepEnvironment(old, o)
	}
}

// keepEnvironment refuses to replace a tree that was made for another environment. A run
// for some agents does not even with force: the tree would be of both.
func (s *survey) keepEnvironment(old tree.Manifest, o Options) {
	if old.Environment == o.Environment || o.Force && o.Keep == nil {
		return
	}
	hint := "choose another directory with --out, or replace the tree with --force"
	if o.Keep != nil {
		hint = "choose another directory with --out, or run it for all agents with --force"
	}
	s.found = append(s.found, problem(EnvironmentRule, s.dir, tree.ManifestName, fmt.Sprintf(
		"the tree in %q was made %s, and this run is %s", shown(s.dir, ""), tree.MadeFor(old.Environment),
		tree.MadeFor(o.Environment),
	), hint))
}

// readJournal reads what interrupted runs may have left.
func (s *survey) readJournal() {
	stands, _, err := lstat(s.root, tree.JournalName)
	if err == nil && stands == differs {
		s.journal, err = read(s.root, tree.JournalName, tree.MaxManifest)
	}
	switch {
	case err != nil:
		s.found = append(s.found, unread(s.dir, tree.JournalName, err))
	case stands > differs:
		s.found = append(s.found, obstacle(s.dir, tree.JournalName, stands, "a file"))
	case stands == differs:
		s.left = append(s.left, readClaims(s.journal)...)
		s.journal = append([]byte{}, s.journal...) // an empty one is one
	}
}

// group fills the folders.
func (s *survey) group() {
	known := map[string]*folder{}
	for _, t := range slices.Concat(s.targets, s.stale) {
		dir := path.Dir(t.Path)
		if known[dir] == nil {
			known[dir] = &folder{path: dir}
			s.folders = append(s.folders, known[dir])
		}
		known[dir].targets = append(known[dir].targets, t)
	}
}

// visit looks at everything in one directory.
func (s *survey) visit(f *folder) {
	d, err := descend(s.root, f.path)
	if err != nil {
		f.found = append(f.found, unread(s.dir, f.path, err))
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
		if slices.ContainsFunc(f.targets, func(t *target) bool { return t.stale == nil }) {
			f.found = append(f.found, obstacle(s.dir, d.reached, d.stands, "a directory"))
		}
		return
	}
	names, err := listed(d.in, ".")
	if err != nil {
		f.found = append(f.found, unread(s.dir, f.path, err))
		return
	}
	for _, name := range names {
		if !tree.IsTemp(name) {
			continue
		}
		if stands, _, _ := lstat(d.in, name); stands == differs {
			f.temps = append(f.temps, path.Join(f.path, name))
		}
	}
	for _, t := range f.targets {
		name := path.Base(t.Path)
		size, equal := len(t.Data), files.Equal(t.Data)
		if t.stale != nil {
			size, equal = anySize, t.written
		}
		t.site, err = compare(d.in, name, size, equal)
		switch {
		case err != nil || t.stale != nil:
		case t.site > differs:
			f.found = append(f.found, obstacle(s.dir, t.Path, t.site, "a file"))
		case t.site == differs && t.Marker != "":
			var data []byte
			data, err = read(d.in, name, tree.MarkerReach)
			t.foreign = !t.MayReplace(data)
		}
		if err != nil {
			f.found = append(f.found, unread(s.dir, t.Path, err))
		}
	}
}

// written reports whether a reader holds what an earlier run wrote, with or without
// the conflicts of a merge in git.
func (t *target) written(in io.Reader) (bool, error) {
	data, err := io.ReadAll(io.LimitReader(in, tree.MaxFile+1))
	return slices.Contains(t.stale, tree.DigestOf(data)) || conflicted(data), err
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
	for _, gone := range s.stale {
		if t := now[tree.Fold(gone.Path)]; t != nil && s.oneFile(gone.Path, t.Path) {
			t.owned = true
			gone.site = absent
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
