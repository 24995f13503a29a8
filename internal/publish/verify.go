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

// Verify reads the cards, key sets and lists below dir, and checks of the sidecars and
// copies that are there that they belong to their file. It returns the files but
// these, and a finding of severity [diag.Error] for every fault.
func Verify(dir *files.Dir) ([]site.File, diag.List) {
	v := verifier{dir: dir, data: map[string][]byte{}}
	if v.found = open(dir); v.found != nil {
		return nil, v.found
	}
	if len(dir.Rest) > 0 {
		return nil, diag.List{problem(diag.OutputDrift, dir.Name, "", "", "there is no directory %q", shown(dir.Name, ""))}
	}
	_ = fs.WalkDir(dir.Root.FS(), ".", v.visit)
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
	dir   *files.Dir
	data  map[string][]byte // of the files that are there, by path
	files []site.File
	found diag.List
}

func (v *verifier) fault(rule diag.RuleID, p, format string, args ...any) {
	v.found = append(v.found, problem(rule, v.dir.Name, p, Remedy, "%q "+format,
		append([]any{shown(v.dir.Name, p)}, args...)...))
}

// mostLevels bounds how deep a directory is searched.
const mostLevels = 16

// visit reads a file that has the name of an output file. It follows no link.
func (v *verifier) visit(p string, e fs.DirEntry, err error) error {
	main, _ := sidecarOf(p)
	switch {
	case err != nil:
		v.found = append(v.found, unread(v.dir.Name, p, err))
		return fs.SkipDir
	case e.IsDir() && (e.Name() == ".git" || strings.Count(p, "/") >= mostLevels):
		return fs.SkipDir
	case e.IsDir() || p == site.ManifestName || !site.IsOutput(path.Base(main)) && !site.InSkills(p):
	case !e.Type().IsRegular():
		v.found = append(v.found, obstacle(v.dir.Name, p, entryOf(e.Type()), "a file"))
	default:
		data, err := v.dir.ReadFile(p, site.MaxFile)
		if err != nil {
			v.found = append(v.found, unread(v.dir.Name, p, err))
			return nil
		}
		v.data[p] = data
	}
	return nil
}

// file checks one file of the tree. Sidecars, and copies of a card, are none of its files.
func (v *verifier) file(p string) {
	data := v.data[p]
	main, suffix := sidecarOf(p)
	card := v.data[path.Join(path.Dir(p), path.Base(site.CardPath))]
	copied := path.Base(p) == path.Base(site.LegacyCardPath) && card != nil
	switch {
	case suffix != "" && string(data) != site.SidecarText(main, suffix, site.DigestOf(v.data[main])):
		v.fault(diag.OutputSidecar, p, "does not belong to %q", shown(v.dir.Name, main))
	case suffix != "", copied && bytes.Equal(card, data):
	default:
		if copied && !pair(card, data) {
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
