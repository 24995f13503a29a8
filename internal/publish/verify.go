package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// Remedy is the hint of findings about a tree that is not as cardwright wrote it.
const Remedy = "run cardwright generate"

// Verify holds the output tree in dir against its own manifest: that every
// file is there with the bytes that the manifest lists, that sidecars belong to
// their file, that the copy of a card for clients before 0.3 is the same as the
// card, and that there are no other cards in their places. It returns the files that are as they
// should be, as [Write] takes them, the environment that they were made for, and a finding of
// severity [diag.Error] for every fault.
func Verify(dir *files.Dir) (files []tree.File, environment string, found diag.List) {
	root, found := open(dir)
	if found != nil {
		return nil, "", found
	}
	if root == nil {
		return nil, "", diag.List{problem(ruleMissing, dir.Name, "",
			fmt.Sprintf("there is no directory %q", shown(dir.Name, "")), "")}
	}
	v := newVerifier(root, dir)
	if v.found == nil { // else the manifest tells nothing
		v.unlisted()
	}
	for _, e := range v.manifest.Files {
		v.file(e)
	}
	return v.files, v.manifest.Environment, v.found.Sorted()
}

// Kept returns the files in dir that [Write] with these options would keep
// although its tree does not hold them, without their sidecars: none of another
// environment. What is not as the manifest lists it is a finding.
func Kept(dir *files.Dir, o Options) ([]tree.File, diag.List) {
	root, found := open(dir)
	if root == nil {
		return nil, found
	}
	if stands, _, err := lstat(root, tree.ManifestName); err == nil && stands == absent {
		return nil, nil
	}
	v := newVerifier(root, dir)
	for _, e := range v.manifest.Files {
		if v.manifest.Environment == o.Environment && o.keeps(e) {
			v.file(e)
		}
	}
	return v.files, v.found.Sorted()
}

// verifier looks at the files of one tree.
type verifier struct {
	root     *os.Root
	dir      string
	place    string // absolute path of dir
	manifest tree.Manifest
	sums     map[string]tree.Digest // by path, as the manifest lists them
	files    []tree.File
	found    diag.List
}

func newVerifier(root *os.Root, dir *files.Dir) *verifier {
	v := &verifier{root: root, dir: dir.Name, place: dir.Path, sums: map[string]tree.Digest{}}
	v.manifest = v.readManifest()
	for _, e := range v.manifest.Files {
		v.sums[e.Path] = e.Digest
	}
	return v
}

func (v *verifier) fault(rule, p, format string, args ...any) {
	v.found = append(v.found, problem(rule, v.dir, p, fmt.Sprintf("%q ", shown(v.dir, p))+fmt.Sprintf(format, args...),
		Remedy))
}

// readManifest returns the manifest, which has to be as cardwright would write it.
func (v *verifier) readManifest() tree.Manifest {
	data, ok := v.read(tree.ManifestName, tree.MaxManifest)
	if !ok {
		return tree.Manifest{}
	}
	manifest, found := tree.ParseManifest(shown(v.dir, tree.ManifestName), data)
	v.found = append(v.found, found...)
	if found == nil && !bytes.Equal(manifestFile(manifest).Data, data) {
		v.fault(tree.ManifestRule, tree.ManifestName, "has the right content, but not in the format that cardwright writes")
	}
	return manifest
}

// file checks one file of the tree.
func (v *verifier) file(e tree.Entry) {
	data, ok := v.read(e.Path, tree.MaxFile)
	if !ok {
		return
	}
	card := path.Join(path.Dir(e.Path), "agent-card.json")
	main, suffix := sidecarOf(e.Path)
	sum, known := v.sums[main]
	cardSum, copied := v.sums[card]
	switch {
	case tree.DigestOf(data) != e.Digest || len(data) != e.Size:
		v.fault(ruleChanged, e.Path, "differs from the manifest")
	case suffix != "" && known && string(data) != tree.SidecarText(main, suffix, sum):
		v.fault(ruleSidecar, e.Path, "does not belong to %q", shown(v.dir, main))
	case path.Base(e.Path) == "agent.json" && copied && cardSum != e.Digest && !v.pair(card, data):
		v.fault(ruleCopy, e.Path, "differs from %q, but must be a copy of it for older clients", shown(v.dir, card))
	case suffix == "" || !known:
		if last := len(v.files) - 1; last >= 0 && bytes.Equal(v.files[last].Data, data) {
			data = v.files[last].Data // a copy takes no memory of its own
		}
		_, sidecars := v.sums[e.Path+tree.ChecksumSuffix]
		v.files = append(v.files, tree.File{
			Path: e.Path, Data: data, Agent: e.Agent, URL: e.URL, Sidecars: sidecars, Age: e.Age, Server: e.Server,
		})
	}
}

// pair reports whether the file for older clients is not a copy of the card at a
// path, but describes the same agent for A2A 0.3, while the card is only for
// 1.0.
func (v *verifier) pair(card string, older []byte) bool {
	newer, ok := v.read(card, tree.MaxFile)
	if !ok {
		return false
	}
	a, _ := source.ParseJSON(card, newer, source.Limits{Card: tree.MaxFile})
	b, _ := source.ParseJSON(card, older, source.Limits{Card: tree.MaxFile})
	return schema.Pair(a, b)
}

// mostLevels bounds how deep directories are searched that no run has made.
const mostLevels = 16

// unlisted reports the cards and key sets that clients would find beside those that
// the manifest lists, and what runs have left that were interrupted. A directory with a
// manifest of its own belongs to somebody else.
func (v *verifier) unlisted() {
	root, err := files.RootOf(v.root)
	if err != nil {
		v.found = append(v.found, unread(v.dir, "", err))
		return
	}
	defer root.Close()
	ours := map[string]bool{".": true}
	for _, e := range v.manifest.Files {
		for p := path.Dir(e.Path); !ours[p]; p = path.Dir(p) {
			ours[p] = true
		}
	}
	_ = fs.WalkDir(root, ".", func(p string, e fs.DirEntry, err error) error {
		_, listed := v.sums[p]
		_, other := fs.Lstat(root, path.Join(p, tree.ManifestName))
		switch {
		case err != nil:
			if ours[p] || !errors.Is(err, fs.ErrPermission) { // as a directory of somebody else may be closed to us
				v.found = append(v.found, unread(v.dir, p, err))
			}
			return fs.SkipDir
		case e.Type()&fs.ModeSymlink != 0:
			v.linked(p)
		case found(p) && !listed:
			v.fault(ruleUnlisted, p, "is not in the manifest")
		case tree.IsTemp(e.Name()), p == tree.JournalName:
			v.fault(ruleUnlisted, p, "says that an earlier run was interrupted")
		case e.IsDir() && p != "." && (e.Name() == ".git" || other == nil || strings.Count(p, "/") >= mostLevels):
			return fs.SkipDir
		}
		return nil
	})
}

// linked reports what clients would find through a link, wherever it leads: a server may
// follow it. Nothing is read.
func (v *verifier) linked(link string) {
	for _, name := range []string{tree.CardPath, tree.LegacyCardPath, tree.KeySetPath, tree.ExtendedCardName} {
		for _, p := range []string{path.Join(link, name), path.Join(path.Dir(link), name)} {
			_, listed := v.sums[p]
			if _, err := os.Stat(filepath.Join(v.place, filepath.FromSlash(p))); err == nil &&
				strings.HasPrefix(p, link) && !listed {
				v.fault(ruleUnlisted, p, "is not in the manifest")
			}
		}
	}
}

// found reports whether clients look for a card or a key set at p.
func found(p string) bool {
	return path.Base(p) == tree.ExtendedCardName || slices.ContainsFunc([]string{
		tree.CardPath, tree.LegacyCardPath,
		tree.KeySetPath,
	}, func(name string) bool { return p == name || strings.HasSuffix(p, "/"+name) })
}

// read returns the regular file at p, which no link leads to.
func (v *verifier) read(p string, limit int64) ([]byte, bool) {
	d, err := descend(v.root, path.Dir(p))
	if err != nil {
		v.found = append(v.found, unread(v.dir, p, err))
		return nil, false
	}
	defer d.in.Close()
	stands, size := d.stands, int64(0)
	if stands == directory {
		stands, size, err = lstat(d.in, path.Base(p))
	}
	var data []byte
	if err == nil && stands == differs && size <= limit {
		data, err = d.in.ReadFile(path.Base(p))
	}
	switch {
	case err != nil:
		v.found = append(v.found, unread(v.dir, p, err))
	case stands == absent:
		v.fault(ruleMissing, p, "is missing")
	case stands != differs:
		v.fault(ruleChanged, p, "leads to %s, not to a file", stands)
	case size > limit:
		v.fault(ruleChanged, p, "has %d bytes, which is too large", size)
	default:
		return data, true
	}
	return nil, false
}

// sidecarOf returns the file that p is a sidecar of, by its name, and what is
// appended to that.
func sidecarOf(p string) (file, suffix string) {
	for _, suffix := range []string{tree.ETagSuffix, tree.ChecksumSuffix} {
		if file, ok := strings.CutSuffix(p, suffix); ok {
			return file, suffix
		}
	}
	return p, ""
}
