package publish

import (
	"bytes"
	"io/fs"
	"maps"
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
// there that they belong to their file. It returns the other files, and a finding of
// severity [diag.Error] for every fault. What the tree consists of is what its manifest
// lists, or else what has the name of an output file.
func Verify(dir *files.Dir) ([]site.File, diag.List) {
	root, found := open(dir)
	if found != nil {
		return nil, found
	}
	if root == nil {
		return nil, diag.List{problem(diag.OutputDrift, dir.Name, "", "", "there is no directory %q", shown(dir.Name, ""))}
	}
	v := verifier{ground: newGround(root, dir.Name), data: map[string][]byte{}}
	for _, p := range v.listed() {
		v.read(p)
	}
	for _, p := range slices.Sorted(maps.Keys(v.data)) {
		v.file(p)
	}
	if len(v.files) == 0 && v.found == nil {
		v.fault(diag.OutputDrift, "", "has no card")
	}
	return v.files, v.found.Sorted()
}

// verifier looks at the files of one tree.
type verifier struct {
	*ground
	data  map[string][]byte // of the files that are there, by path
	files []site.File
}

func (v *verifier) fault(rule diag.RuleID, p, format string, args ...any) {
	v.found = append(v.found, problem(rule, v.dir, p, Remedy, "%q "+format, append([]any{shown(v.dir, p)}, args...)...))
}

// listed are the files that the tree consists of.
func (v *verifier) listed() []string {
	manifest, found := v.manifestOnDisk()
	if v.onDisk == nil && found == nil {
		return v.named()
	}
	v.found = append(v.found, found...)
	return manifest.Files
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
	f := v.folder(path.Dir(p))
	at, err := f.place, f.err
	var data []byte
	if err == nil && at == directory {
		at, _, err = lstat(v.root, p)
	} else if at == differs {
		at = absent
	}
	if err == nil && at == differs {
		data, err = read(v.root, p, site.MaxFile)
	}
	switch {
	case err != nil:
		v.found = append(v.found, unread(v.dir, p, err))
	case at == absent && isCard(p):
		v.fault(diag.OutputDrift, p, "is missing")
	case at == absent:
	case at != differs:
		v.found = append(v.found, obstacle(v.dir, p, at, "a file"))
	case len(data) > site.MaxFile:
		v.fault(diag.InputUnreadable, p, "has more than %d bytes, which is too large", site.MaxFile)
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
	case suffix != "" && string(data) != site.SidecarText(main, suffix, site.DigestOf(v.data[main])):
		v.fault(diag.OutputSidecar, p, "does not belong to %q", shown(v.dir, main))
	case suffix != "":
	default:
		if path.Base(p) == path.Base(site.LegacyCardPath) && card != nil && !bytes.Equal(card, data) && !pair(card, data) {
			v.fault(diag.OutputSidecar, p, "is neither a copy of the card nor its card for A2A 0.3")
		}
		v.files = append(v.files, site.File{Path: p, Data: data})
	}
}

// pair reports whether a card for older clients is not a copy of the card beside it, but
// describes the same agent for A2A 0.3, while the card is only for 1.0.
func pair(card, older []byte) bool {
	a, _ := source.ParseJSONUpTo("", card, site.MaxFile)
	b, _ := source.ParseJSONUpTo("", older, site.MaxFile)
	return schema.Pair(a, b)
}
