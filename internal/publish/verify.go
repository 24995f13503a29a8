package publish

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Remedy is the hint of findings about a tree that is not as cardwright wrote it.
const Remedy = "run cardwright generate"

// Verify reads the output tree in dir, and checks of the sidecars and copies that are
// there that they belong to their file. It returns the other files as [Write] takes them,
// the environment that they were made for, and a finding of severity [diag.Error] for
// every fault. What the tree consists of is what its manifest lists, or else what has the
// name of an output file.
func Verify(dir *files.Dir) (files []site.File, environment string, found diag.List) {
	root, found := open(dir)
	if found != nil {
		return nil, "", found
	}
	if root == nil {
		return nil, "", diag.List{problem(ruleMissing, dir.Name, "",
			fmt.Sprintf("there is no directory %q", shown(dir.Name, "")), "")}
	}
	v := verifier{root: root, dir: dir.Name, data: map[string][]byte{}}
	manifest := v.manifest()
	for _, p := range manifest.Files {
		v.read(p)
	}
	for _, p := range slices.Sorted(maps.Keys(v.data)) {
		v.file(p)
	}
	if len(v.files) == 0 && v.found == nil {
		v.fault(ruleMissing, "", "has no card")
	}
	return v.files, manifest.Environment, v.found.Sorted()
}

// verifier looks at the files of one tree.
type verifier struct {
	root  *os.Root
	dir   string
	data  map[string][]byte // of the files that are there, by path
	files []site.File
	found diag.List
}

func (v *verifier) fault(rule diag.RuleID, p, format string, args ...any) {
	v.found = append(v.found, problem(rule, v.dir, p, fmt.Sprintf("%q ", shown(v.dir, p))+fmt.Sprintf(format, args...),
		Remedy))
}

// manifest returns what the tree consists of.
func (v *verifier) manifest() site.Manifest {
	stands, err := lstat(v.root, site.ManifestName)
	if err == nil && stands.place == absent {
		return site.Manifest{Files: v.named()}
	}
	var data []byte
	if err == nil {
		data, err = read(v.root, site.ManifestName, site.MaxManifest)
	}
	if err != nil {
		v.found = append(v.found, unread(v.dir, site.ManifestName, err))
		return site.Manifest{}
	}
	manifest, found := site.ParseManifest(shown(v.dir, site.ManifestName), data)
	v.found = append(v.found, found...)
	return manifest
}

// mostLevels bounds how deep a directory without a manifest is searched.
const mostLevels = 16

// named are the files below the directory that have the name of an output file.
func (v *verifier) named() []string {
	var names []string
	_ = fs.WalkDir(v.root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		main, _ := sidecarOf(p)
		switch {
		case err != nil:
			v.found = append(v.found, unread(v.dir, p, err))
			return fs.SkipDir
		case e.IsDir() && (e.Name() == ".git" || strings.Count(p, "/") >= mostLevels):
			return fs.SkipDir
		case e.Type().IsRegular() && (site.IsOutput(path.Base(main)) || site.InSkills(p)):
			names = append(names, p)
		}
		return nil
	})
	return names
}

// read reads the regular file at p, which no link leads to. Only a card has to be there.
func (v *verifier) read(p string) {
	d, err := descend(v.root, path.Dir(p))
	if err != nil {
		v.found = append(v.found, unread(v.dir, p, err))
		return
	}
	defer d.in.Close()
	stands := standing{place: d.stands}
	if d.stands == directory {
		stands, err = lstat(d.in, path.Base(p))
	}
	var data []byte
	if err == nil && stands.place == differs && stands.size <= site.MaxFile {
		data, err = read(d.in, path.Base(p), site.MaxFile)
	}
	switch {
	case err != nil:
		v.found = append(v.found, unread(v.dir, p, err))
	case stands.place == absent && isCard(p):
		v.fault(ruleMissing, p, "is missing")
	case stands.place == absent:
	case stands.place != differs:
		v.found = append(v.found, obstacle(v.dir, p, stands.place, "a file"))
	case stands.size > site.MaxFile:
		v.fault(ruleUnread, p, "has %d bytes, which is too large", stands.size)
	default:
		v.data[p] = data
	}
}

// file checks one file of the tree.
func (v *verifier) file(p string) {
	data := v.data[p]
	main, suffix := sidecarOf(p)
	card := v.data[path.Join(path.Dir(p), path.Base(site.CardPath))]
	switch {
	case suffix != "" && v.data[main] == nil:
		v.fault(ruleSidecar, p, "belongs to a file that is not there")
	case suffix != "" && string(data) != site.SidecarText(main, suffix, site.DigestOf(v.data[main])):
		v.fault(ruleSidecar, p, "does not belong to %q", shown(v.dir, main))
	case suffix != "":
	default:
		if path.Base(p) == path.Base(site.LegacyCardPath) && card != nil && !bytes.Equal(card, data) && !pair(card, data) {
			v.fault(ruleCopy, p, "is neither a copy of the card nor its card for A2A 0.3")
		}
		_, sidecars := v.data[p+site.ChecksumSuffix]
		v.files = append(v.files, site.File{Path: p, Data: data, Sidecars: sidecars})
	}
}

// pair reports whether a card for older clients is not a copy of the card beside it, but
// describes the same agent for A2A 0.3, while the card is only for 1.0.
func pair(card, older []byte) bool {
	a, _ := source.ParseJSONUpTo("", card, site.MaxFile)
	b, _ := source.ParseJSONUpTo("", older, site.MaxFile)
	return schema.Pair(a, b)
}
