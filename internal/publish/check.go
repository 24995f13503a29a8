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
	"cardwright/internal/site"
)

// Kind is how a file on disk departs from the tree.
type Kind string

// The kinds of departure.
const (
	Changed Kind = "changed" // it has other bytes
	// Converted is the same lines with the line endings of Windows, as a checkout
	// writes them when .gitattributes does not keep the bytes.
	Converted Kind = "line endings were converted"
	Missing   Kind = "missing" // it is not there
	Stale     Kind = "stale"   // an earlier run wrote it, and it is no longer part of the tree
	// Foreign is a file that cardwright did not write, which stops a run that writes.
	Foreign Kind = "not written by cardwright"
)

var sentences = map[Kind]string{
	Changed:   "%q differs from what is generated",
	Converted: "%q has the line endings of Windows: a checkout converted them",
	Missing:   "%q is missing",
	Stale:     "%q is no longer generated",
	Foreign:   "%q is in the way: cardwright did not write it",
}

// Change is one departure from the tree.
type Change struct {
	Path string // slash path relative to the output directory
	Kind Kind
	Line int      // of a Changed file: where it first differs, counted from 1
	Diff []string // of a Changed file: the lines of a unified diff from disk to tree
	// Guarded marks a Stale card of a run that removes so many that it takes --force.
	Guarded bool
}

// Drift is how the files on disk depart from the tree, sorted by path. It is
// empty when every byte is the same.
type Drift []Change

// Check compares dir with the tree of files (see [Tree]), as [Update.Write] with the
// same options would find it, and changes nothing. It leaves out derived files that git
// ignores, and each kind of them that is absent altogether. Findings of severity
// [diag.Error] say why a place cannot be compared, such as a link in it.
func Check(dir *files.Dir, files []site.File, o Options) (Drift, diag.List) {
	u := Update{dir: dir, files: withSidecars(files), o: o}
	s, found := u.look()
	if s != nil {
		return s.drift(), s.found.Sorted()
	}
	var drift Drift
	for _, f := range u.files {
		if found == nil && derivedKind(f, nil) == "" {
			drift = append(drift, Change{Path: f.Path, Kind: Missing})
		}
	}
	return drift, found
}

func (s *survey) drift() Drift {
	var drift Drift
	for _, t := range s.compared() {
		switch {
		case t.place == absent:
			drift = append(drift, Change{Path: t.Path, Kind: Missing})
		case t.foreign:
			drift = append(drift, Change{Path: t.Path, Kind: Foreign})
		case t.place == differs:
			drift = append(drift, s.changed(t.File))
		}
	}
	guarded := len(s.guard()) > 0
	for _, t := range s.stale {
		if t.removable() && !s.ignored(t.File) {
			drift = append(drift, Change{Path: t.Path, Kind: Stale, Guarded: guarded && isCard(t.Path)})
		}
	}
	slices.SortStableFunc(drift, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return drift
}

// compared are the files that a check compares: cards, and the derived files that git
// does not ignore, of each kind that exists.
func (s *survey) compared() []*target {
	cards := map[string][]byte{}
	for _, t := range s.targets {
		if isCard(t.Path) {
			cards[path.Dir(t.Path)] = t.Data
		}
	}
	all := append(slices.Clone(s.targets), s.manifest)
	present := map[string]bool{"": true}
	for _, t := range all {
		if t.place != absent {
			present[derivedKind(t.File, cards)] = true
		}
	}
	return slices.DeleteFunc(all, func(t *target) bool {
		kind := derivedKind(t.File, cards)
		return !present[kind] || kind != "" && s.ignored(t.File)
	})
}

func (s *survey) ignored(f site.File) bool {
	return !isCard(f.Path) && s.o.Ignored != nil && s.o.Ignored(f.Path)
}

// derivedKind names the kind of a file that follows from the cards, "" for a card. The
// cards are by their directories.
func derivedKind(f site.File, cards map[string][]byte) string {
	_, suffix := sidecarOf(f.Path)
	base := path.Base(f.Path)
	switch {
	case suffix != "":
		return "sidecar"
	case site.InSkills(f.Path), base == path.Base(site.CatalogPath):
		return "list"
	case base == path.Base(site.LegacyCardPath):
		if card, ok := cards[path.Dir(f.Path)]; ok && !bytes.Equal(card, f.Data) {
			return "" // a card of its own
		}
		return "copy"
	case isCard(f.Path):
		return ""
	case f.Marker != "":
		return "server configuration"
	}
	return base // key sets, page, manifest
}

// changed describes how a file on disk differs from f.
func (s *survey) changed(f site.File) Change {
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
	return c
}

// Finding describes the change for programs.
func (c Change) Finding(dir string) diag.Diagnostic {
	hint := Remedy
	switch c.Kind {
	case Converted:
		hint = KeepBytes(dir)
	case Stale:
		if c.Guarded {
			hint = Remedy + " --force, if the removal is intended"
		}
	case Foreign:
		hint = "move it away, or overwrite it with cardwright generate --force"
	}
	d := problem(diag.OutputDrift, dir, c.Path, hint, sentences[c.Kind], c.Shown(dir))
	d.Span.Line = c.Line
	return d
}

// KeepBytes says how to have git leave the files of an output directory as they are.
func KeepBytes(dir string) string {
	return fmt.Sprintf("add the line \"%s/** -text\" to .gitattributes, and check the files out again", path.Base(dir))
}

// Shown is the path of the file for people, in the output directory dir.
func (c Change) Shown(dir string) string { return shown(dir, c.Path) }

// maxDiffSize bounds the files that are compared line by line, in bytes.
const maxDiffSize = 8 << 20

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
		_, text, _ := bytes.Cut(diff.Diff(name, before, generated, after), []byte("\n")) // without the command
		return line, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	return line, []string{"--- " + name, "+++ " + generated, fmt.Sprintf("@@ -%d +%[1]d @@ %s", line, why)}
}
