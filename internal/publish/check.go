package publish

import (
	"bytes"
	"fmt"
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
	// Unknown looks like a file of ours, and neither tree nor manifest lists it.
	Unknown Kind = "in no manifest"
	// Interrupted is the journal of a run that did not end.
	Interrupted Kind = "left by an interrupted run"
)

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
	all := withSidecars(files)
	if found := checkPaths(dir.Name, all); found != nil {
		return nil, found
	}
	root, found := open(dir)
	if found != nil {
		return nil, found
	}
	if root == nil {
		return allMissing(Tree(files, o.Environment)), nil
	}
	o.part = o.Keep != nil
	s := look(root, dir.Name, all, o)
	return s.drift(), s.found.Sorted()
}

func allMissing(all []tree.File) Drift {
	drift := make(Drift, len(all))
	for i, f := range all {
		drift[i] = Change{Path: f.Path, Kind: Missing}
	}
	return drift
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
	for _, r := range s.stale {
		switch r.site {
		case absent:
		case same:
			drift = append(drift, Change{Path: r.path, Kind: Stale})
		default:
			drift = append(drift, Change{Path: r.path, Kind: Extra})
		}
	}
	for _, m := range s.misspelled() {
		drift = append(drift, Change{Path: path.Join(m.dir, m.want), Kind: Misspelled})
	}
	for _, p := range s.temps {
		drift = append(drift, Change{Path: p, Kind: Extra})
	}
	for _, p := range s.strays {
		drift = append(drift, Change{Path: p, Kind: Unknown})
	}
	if s.journal != nil {
		drift = append(drift, Change{Path: tree.JournalName, Kind: Interrupted})
	}
	slices.SortFunc(drift, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
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
	switch c.Kind {
	case Converted:
		hint = KeepBytes(dir)
	case Unknown:
		hint = removeStray
	}
	d := problem(DriftRule, dir, c.Path, fmt.Sprintf(c.Kind.sentence(), c.Shown(dir)), hint)
	d.Span.Line = c.Line
	return d
}

const (
	strayMessage = "%q looks like a file of cardwright, but no manifest lists it"
	removeStray  = "remove it if you do not need it: generate never removes what no manifest lists"
)

// KeepBytes says how to have git leave the files of an output directory as they are.
func KeepBytes(dir string) string {
	return fmt.Sprintf("run cardwright init --gitattributes, which adds \"%s/** -text\", and check the files out again",
		path.Base(dir))
}

// Shown is the path of the file for people, in the output directory dir.
func (c Change) Shown(dir string) string { return shown(dir, c.Path) }

func (k Kind) sentence() string {
	switch k {
	case Changed:
		return "%q differs from what is generated"
	case Converted:
		return "%q has the line endings of Windows: a checkout converted them"
	case Misspelled:
		return "%q differs from its name on disk in upper and lower case"
	case Missing:
		return "%q is missing"
	case Stale:
		return "%q is no longer generated"
	case Unknown:
		return strayMessage
	case Interrupted:
		return "%q says that an earlier run was interrupted"
	default:
		return "%q was left by an earlier run, or edited since"
	}
}

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
