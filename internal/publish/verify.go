package publish

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// maxFile bounds a file that [Verify] reads, in bytes.
const maxFile = 64 << 20

// Remedy is the hint of findings about a tree that is not as cardwright wrote it.
const Remedy = "run cardwright generate"

// Verify holds the output tree in dir against its own manifest: that every
// file is there with the bytes that the manifest lists, that sidecars belong to
// their file, that the copy of a card for clients before 0.3 is the same as the
// card, and that there are no other cards in their places. It returns the files that are as they should be, as [Write] takes
// them, and a finding of severity [diag.Error] for every fault.
func Verify(dir string) ([]schema.File, diag.List) {
	dir = filepath.Clean(dir)
	root, found := open(dir)
	if found != nil {
		return nil, found
	}
	if root == nil {
		return nil, diag.List{problem(ruleMissing, dir, "", fmt.Sprintf("there is no directory %q", shown(dir, "")), "")}
	}
	defer root.Close()
	v := newVerifier(root, dir)
	if v.found == nil { // else the manifest tells nothing
		v.unlisted()
	}
	for _, e := range v.entries {
		v.file(e)
	}
	return v.files, v.found.Sorted()
}

// Kept returns the files in dir that [Write] with these options would keep
// although its tree does not hold them, without their sidecars. What is not as
// the manifest lists it is a finding.
func Kept(dir string, o Options) ([]schema.File, diag.List) {
	dir = filepath.Clean(dir)
	root, found := open(dir)
	if root == nil {
		return nil, found
	}
	defer root.Close()
	if stands, _, err := lstat(root, ManifestName); err == nil && stands == absent {
		return nil, nil
	}
	v := newVerifier(root, dir)
	for _, e := range v.entries {
		if o.keeps(e) {
			v.file(e)
		}
	}
	return v.files, v.found.Sorted()
}

// verifier looks at the files of one tree.
type verifier struct {
	root    *os.Root
	dir     string
	entries []entry
	sums    map[string]schema.Digest // by path, as the manifest lists them
	files   []schema.File
	found   diag.List
}

func newVerifier(root *os.Root, dir string) *verifier {
	v := &verifier{root: root, dir: dir, sums: map[string]schema.Digest{}}
	v.entries = v.manifest()
	for _, e := range v.entries {
		v.sums[e.path] = e.sum
	}
	return v
}

func (v *verifier) fault(rule, p, format string, args ...any) {
	v.found = append(v.found, problem(rule, v.dir, p, fmt.Sprintf("%q ", shown(v.dir, p))+fmt.Sprintf(format, args...),
		Remedy))
}

// manifest returns the entries of the manifest, which has to be the one that
// cardwright would write about them.
func (v *verifier) manifest() []entry {
	data, ok := v.read(ManifestName, MaxManifest)
	if !ok {
		return nil
	}
	entries, found := parseManifest(shown(v.dir, ManifestName), data)
	v.found = append(v.found, found...)
	if found == nil && !bytes.Equal(manifestFile(entries).Data, data) {
		v.fault(ruleManifest, ManifestName, "is not as cardwright writes it, though all that it says can be read")
	}
	return entries
}

// file checks one file of the tree.
func (v *verifier) file(e entry) {
	data, ok := v.read(e.path, maxFile)
	if !ok {
		return
	}
	card := path.Join(path.Dir(e.path), "agent-card.json")
	main, suffix := sidecarOf(e.path)
	sum, known := v.sums[main]
	cardSum, copied := v.sums[card]
	switch {
	case schema.DigestOf(data) != e.sum || len(data) != e.size:
		v.fault(ruleChanged, e.path, "has other bytes than the manifest lists")
	case suffix != "" && known && string(data) != schema.SidecarText(main, suffix, sum):
		v.fault(ruleSidecar, e.path, "does not belong to %q", shown(v.dir, main))
	case path.Base(e.path) == "agent.json" && copied && cardSum != e.sum:
		v.fault(ruleCopy, e.path, "differs from %q, of which it is the copy for older clients", shown(v.dir, card))
	case suffix == "" || !known:
		_, sidecars := v.sums[e.path+schema.ChecksumSuffix]
		v.files = append(v.files, schema.File{Path: e.path, Data: data, Agent: e.agent, ContentType: e.contentType, URL: e.url, Sidecars: sidecars})
	}
}

// unlisted reports the cards and key sets that clients would find beside those
// that the manifest lists: in the root of the tree, and in each directory below.
func (v *verifier) unlisted() {
	entries, err := os.ReadDir(v.dir)
	if err != nil {
		v.found = append(v.found, denied(v.dir, "", "listed", err))
		return
	}
	dirs := []string{"."}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			dirs = append(dirs, e.Name())
		}
	}
	for _, dir := range dirs {
		for _, name := range []string{".well-known/agent-card.json", ".well-known/agent.json", ".well-known/jwks.json", "extended-agent-card.json"} {
			p := path.Join(dir, name)
			if _, listed := v.sums[p]; listed {
				continue
			}
			// Links count, wherever they lead: a server may follow them.
			if _, err := os.Stat(filepath.Join(v.dir, filepath.FromSlash(p))); err == nil {
				v.fault(ruleUnlisted, p, "is not in the manifest")
			}
		}
	}
}

// read returns the regular file at p, which no link leads to.
func (v *verifier) read(p string, limit int64) ([]byte, bool) {
	d, err := descend(v.root, path.Dir(p))
	if err != nil {
		v.found = append(v.found, denied(v.dir, p, "read", err))
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
		v.found = append(v.found, denied(v.dir, p, "read", err))
	case stands == absent:
		v.fault(ruleMissing, p, "is missing")
	case stands != differs:
		v.fault(ruleChanged, p, "leads to %s, not to a file", stands)
	case size > limit:
		v.fault(ruleChanged, p, "has %d bytes, more than are read", size)
	default:
		return data, true
	}
	return nil, false
}

// sidecarOf returns the file that p is a sidecar of, by its name, and what is
// appended to that.
func sidecarOf(p string) (file, suffix string) {
	for _, suffix := range []string{schema.ETagSuffix, schema.ChecksumSuffix} {
		if file, ok := strings.CutSuffix(p, suffix); ok {
			return file, suffix
		}
	}
	return p, ""
}
