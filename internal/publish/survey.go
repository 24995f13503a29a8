package publish

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"cardwright/internal/diag"
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
	stale   []*remnant    // what the manifest lists and the tree does not hold
	folders []*folder     // the directories of both
	temps   []string      // left by killed runs
	strays  []string      // look like files of ours, and nobody knows of them
	found   diag.List     // what stands in the way of reading or writing the tree
}

// target is a file of the tree, and what stands in its place.
type target struct {
	tree.File
	site  site
	owned bool // an earlier run wrote what stands there
	// foreign tells that what stands there lacks the marker of the file.
	foreign bool
}

// remnant is a file of earlier runs, with the bytes that they wrote there, and what
// stands in its place.
type remnant struct {
	path string
	sums []tree.Digest
	site site
}

// folder is one directory of the tree and what belongs into it.
type folder struct {
	path    string
	targets []*target
	stale   []*remnant
	here    bool // it is a directory
	found   diag.List
}

// look compares all files of a tree but its manifest with what is on disk.
func look(root *os.Root, dir string, all []tree.File, o Options) *survey {
	s := &survey{root: root, dir: dir}
	made, manifest := manifestOf(all, o)
	if same := s.readManifest(manifest.Data, made, o); same != nil {
		manifest.Data = same
	}
	s.readJournal()

	inTree := make(map[string]bool, len(made.Files))
	for _, e := range made.Files {
		inTree[e.Path] = true
	}
	var kept []tree.Entry
	owned := make(map[string]bool, len(s.old.Files)+len(s.left))
	stale := map[string]*remnant{}
	drop := func(p string, sum tree.Digest) {
		r := stale[p]
		if r == nil {
			r = &remnant{path: p}
			stale[p], s.stale = r, append(s.stale, r)
		}
		r.sums = append(r.sums, sum)
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
		s.found = append(s.found, f.found...)
	}
	s.unalias()
	s.explore(owned, o.Keep == nil)
	if o.Guard && !o.Force {
		s.found = append(s.found, s.losses()...)
	}
	return s
}

// explore finds temporary files in the directories of the tree and, of a whole one,
// files that look like ours and that nobody knows of.
func (s *survey) explore(owned map[string]bool, whole bool) {
	x, err := newExplorer(s.root)
	if err != nil {
		s.found = append(s.found, unread(s.dir, "", err))
		return
	}
	defer x.files.Close()
	here := make(map[string]bool, len(s.folders))
	for _, f := range s.folders {
		for p := f.path; f.here && !here[p]; p = path.Dir(p) {
			here[p] = true
		}
	}
	for _, t := range s.targets {
		owned[t.Path] = true
	}
	x.known = func(p string) bool { return owned[p] }
	x.ours = func(p string) bool { return here[p] }
	x.denied = func(p string, err error) { s.found = append(s.found, unread(s.dir, p, err)) }
	if whole {
		x.all(".", mostLevels)
	}
	for _, f := range s.folders {
		if f.here && !whole {
			x.list(f.path)
		}
	}
	s.temps = x.temps
	// A catalog may stand beside cards that were made one by one.
	if whole && slices.ContainsFunc(s.targets, func(t *target) bool { return t.Agent != "" }) {
		s.strays = x.strays
	}
}

// manifestOf makes the manifest of a tree, and its file.
func manifestOf(all []tree.File, o Options) (tree.Manifest, tree.File) {
	made := tree.Manifest{Environment: o.Environment, Files: tree.Entries(all)}
	return made, manifestFile(made)
}

// tooLarge refuses a manifest that the next run would refuse.
func tooLarge(dir string, data []byte, made tree.Manifest) diag.List {
	if len(data) <= tree.MaxManifest {
		return nil
	}
	return diag.List{diag.New("output-manifest", diag.Span{File: shown(dir, tree.ManifestName)},
		"the tree would have %s, and its manifest more than the %d MiB that are read", diag.Count(len(made.Files), "file"),
		tree.MaxManifest>>20).
		WithHint("set agentSkills.legacy to false, publish fewer skills, or divide the agents among several directories")}
}

// readManifest reads what an earlier run wrote. expected is the manifest that is made
// of the present tree: as a rule it is what stands there. Where it lists more, and this
// is of no concern, it is returned.
func (s *survey) readManifest(expected []byte, made tree.Manifest, o Options) (same []byte) {
	if found := tooLarge(s.dir, expected, made); found != nil {
		s.found = append(s.found, found...)
		return nil
	}
	stands, _, err := lstat(s.root, tree.ManifestName)
	switch {
	case err != nil:
		s.found = append(s.found, unread(s.dir, tree.ManifestName, err))
		return nil
	case stands != differs: // none, or one that the visit of its folder reports
		return nil
	}
	data, err := read(s.root, tree.ManifestName, tree.MaxManifest)
	if err != nil {
		s.found = append(s.found, unread(s.dir, tree.ManifestName, err))
		return nil
	}
	if string(data) == string(expected) {
		s.old = made
		return nil
	}
	if o.Last != nil && bytes.Equal(data, o.Last.data) {
		s.old = o.Last.manifest
		return nil
	}
	if o.part && lists(data, made) {
		s.old = made
		return data
	}
	s.parse(data, o)
	return nil
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
		tree.MadeFor(o.Environment)), hint))
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
		for _, r := range f.stale {
			r.site = unreachable
		}
		if len(f.targets) > 0 {
			f.found = append(f.found, obstacle(s.dir, d.reached, d.stands, "a directory"))
		}
		return
	}
	f.here = true
	for _, t := range f.targets {
		name := path.Base(t.Path)
		if t.site, err = compare(d.in, name, len(t.Data), holds(t.Data)); err != nil {
			f.found = append(f.found, unread(s.dir, t.Path, err))
		} else if t.site > differs {
			f.found = append(f.found, obstacle(s.dir, t.Path, t.site, "a file"))
		} else if t.site == differs && t.Marker != "" {
			data, err := read(d.in, name, tree.MarkerReach)
			if t.foreign = !t.MayReplace(data); err != nil {
				f.found = append(f.found, unread(s.dir, t.Path, err))
			}
		}
	}
	for _, r := range f.stale {
		if r.site, err = compare(d.in, path.Base(r.path), anySize, r.written); err != nil {
			f.found = append(f.found, unread(s.dir, r.path, err))
		}
	}
}

// written reports whether a reader holds what an earlier run wrote, with or without
// the conflicts of a merge in git.
func (r *remnant) written(in io.Reader) (bool, error) {
	data, err := io.ReadAll(io.LimitReader(in, tree.MaxFile+1))
	return slices.Contains(r.sums, tree.DigestOf(data)) || conflicted(data), err
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
		if t := now[tree.Fold(r.path)]; t != nil && s.oneFile(r.path, t.Path) {
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
