package publish

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/tree"
)

// Kind is how a file on disk departs from the tree.
type Kind string

// The kinds of departure.
const (
	Changed Kind = "changed" // it has other bytes
	// Converted is the same lines with the line endings of Windows, as a checkout
	// writes them when .gitattributes does not keep the bytes.
	Converted Kind = "line endings were converted"
	// Misspelled is there in letters of another case, on a disk that ignores it.
	Misspelled Kind = "different upper and lower case"
	Missing    Kind = "missing" // it is not there
	Stale      Kind = "stale"   // an earlier run wrote it, and it is no longer part of the tree
	Extra      Kind = "extra"   // as [Stale], but edited since, or a temporary file of a killed run
	// Interrupted is the journal of a run that did not end.
	Interrupted Kind = "left by an interrupted run"
)

var sentences = map[Kind]string{
	Changed:     "%q differs from what is generated",
	Converted:   "%q has the line endings of Windows: a checkout converted them",
	Misspelled:  "%q differs from its name on disk in upper and lower case",
	Missing:     "%q is missing",
	Stale:       "%q is no longer generated",
	Extra:       "%q was left by an earlier run, or edited since",
	Interrupted: "%q says that an earlier run was interrupted",
}

// Change is one departure from the tree.
type Change struct {
	Path string // slash path relative to the output directory
	Kind Kind
	Line int // of a Changed file: where it first differs, counted from 1
	// Edited tells of a Changed file that it is not what the manifest lists either.
	Edited bool
	Diff   []string // of a Changed file: the lines of a unified diff from disk to tree
}

// Drift is how the files on disk depart from the tree, sorted by path. It is
// empty when every byte is the same.
type Drift []Change

// Check compares dir with the tree of files (see [Tree]), as [Write] with the
// same options would find it, and changes nothing. Findings of severity
// [diag.Error] say why a place cannot be compared, such as a link in it.
func Check(dir *files.Dir, files []tree.File, o Options) (Drift, diag.List) {
	all, root, found := prepare(dir, files)
	if found != nil {
		return nil, found
	}
	if root == nil {
		var drift Drift
		for _, f := range Tree(files, o.Environment) {
			drift = append(drift, Change{Path: f.Path, Kind: Missing})
		}
		return drift, nil
	}
	o.part = o.Keep != nil
	s := look(root, dir.Name, all, o)
	return s.drift(), s.found.Sorted()
}

// prepare returns a tree with its sidecars, and the directory where it goes, nil where
// there is none.
func prepare(dir *files.Dir, files []tree.File) (all []tree.File, root *os.Root, found diag.List) {
	all = withSidecars(files)
	if found = checkPaths(dir.Name, all); found == nil {
		root, found = open(dir)
	}
	return all, root, found
}

func (s *survey) drift() Drift {
	var drift Drift
	for _, t := range s.targets {
		switch t.site {
		case absent:
			drift = append(drift, Change{Path: t.Path, Kind: Missing})
		case differs:
			drift = append(drift, s.changed(t.File))
		default: // the same, or something that the survey has a finding about
		}
	}
	also := func(p string, k Kind) { drift = append(drift, Change{Path: p, Kind: k}) }
	for _, t := range s.stale {
		switch t.site {
		case absent:
		case same:
			also(t.Path, Stale)
		default:
			also(t.Path, Extra)
		}
	}
	for _, m := range s.misspelled() {
		also(path.Join(m.dir, m.want), Misspelled)
	}
	for _, p := range s.temps {
		also(p, Extra)
	}
	if s.journal != nil {
		also(tree.JournalName, Interrupted)
	}
	slices.SortStableFunc(drift, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return drift
}

// changed describes how a file on disk differs from f.
func (s *survey) changed(f tree.File) Change {
	c := Change{Path: f.Path, Kind: Changed}
	found, err := read(s.root, f.Path, maxDiffSize)
	if err != nil {
		s.found = append(s.found, unread(s.dir, f.Path, err))
		return c
	}
	if bytes.Equal(bytes.ReplaceAll(found, []byte("\r\n"), []byte("\n")), f.Data) {
		c.Kind = Converted
		return c
	}
	c.Line, c.Diff = unified(shown(s.dir, f.Path), found, f.Data)
	i := slices.IndexFunc(s.old.Files, func(e tree.Entry) bool { return e.Path == f.Path })
	digest := tree.DigestOf(found)
	c.Edited = i >= 0 && s.old.Files[i].Digest != digest && !slices.Contains(s.left, claim{f.Path, digest})
	return c
}

// Finding describes the change for programs.
func (c Change) Finding(dir string) diag.Diagnostic {
	hint := Remedy
	if c.Kind == Converted {
		hint = KeepBytes(dir)
	}
	d := problem(DriftRule, dir, c.Path, fmt.Sprintf(sentences[c.Kind], c.Shown(dir)), hint)
	d.Span.Line = c.Line
	return d
}

// KeepBytes says how to have git leave the files of an output directory as they are.
func KeepBytes(dir string) string {
	return fmt.Sprintf("run cardwright init --gitattributes, which adds \"%s/** -text\", and check the files out again",
		path.Base(dir))
}

// Shown is the path of the file for people, in the output directory dir.
func (c Change) Shown(dir string) string { return shown(dir, c.Path) }

// maxDiffSize bounds the files that are compared line by line, in bytes.
const maxDiffSize = 8 << 20

// Difference returns the lines of a unified diff between two versions of a file,
// of which the newer has a name of its own.
func Difference(name, newer string, before, after []byte) []string {
	text := diff.Diff(name, before, newer, after)
	_, text, _ = bytes.Cut(text, []byte("\n")) // the command that would have printed it
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// unified returns the number of the first line in which before and after
// differ, and the lines of a unified diff between them without their ends.
func unified(name string, before, after []byte) (line int, lines []string) {
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	line = bytes.Count(before[:same], []byte("\n")) + 1
	generated := name + " (generated)"
	var why string
	switch {
	case max(len(before), len(after)) > maxDiffSize:
		why = "too large to compare line by line"
	case !utf8.Valid(before), !utf8.Valid(after): // an archive
		why = "no text, so there are no lines to compare"
	default:
		return line, Difference(name, generated, before, after)
	}
	return line, []string{"--- " + name, "+++ " + generated, fmt.Sprintf("@@ -%d +%[1]d @@ %s", line, why)}
}
