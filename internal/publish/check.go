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
	Diff []string // of a Changed text: the lines of a unified diff from disk to tree
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
	u, found := compare(dir, files, o)
	if u == nil {
		return nil, found
	}
	return u.drift(), u.found.Sorted()
}

func (u *Update) drift() Drift {
	var drift Drift
	for _, t := range u.compared() {
		switch {
		case t.entry == absent:
			drift = append(drift, Change{Path: t.file.Path, Kind: Missing})
		case t.foreign:
			drift = append(drift, Change{Path: t.file.Path, Kind: Foreign})
		case t.entry == differs:
			drift = append(drift, u.changed(t.file))
		}
	}
	guarded := len(u.guard()) > 0
	for _, t := range u.stale {
		if t.removable() && !u.ignored(t.file) {
			drift = append(drift, Change{Path: t.file.Path, Kind: Stale, Guarded: guarded && site.IsCard(t.file.Path)})
		}
	}
	slices.SortStableFunc(drift, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return drift
}

// compared are the files that a check compares: cards, and the derived files that git
// does not ignore, of each kind that exists.
func (u *Update) compared() []*target {
	cards := map[string][]byte{}
	for _, t := range u.targets {
		if site.IsCard(t.file.Path) {
			cards[path.Dir(t.file.Path)] = t.file.Data
		}
	}
	all := append(slices.Clone(u.targets), u.manifest)
	present := map[string]bool{"": true}
	for _, t := range all {
		if t.entry != absent {
			present[derivedKind(t.file, cards)] = true
		}
	}
	return slices.DeleteFunc(all, func(t *target) bool {
		kind := derivedKind(t.file, cards)
		return !present[kind] || kind != "" && u.ignored(t.file)
	})
}

func (u *Update) ignored(f site.File) bool {
	return !site.IsCard(f.Path) && u.o.Ignored != nil && u.o.Ignored(f.Path)
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
	case site.IsCard(f.Path):
		return ""
	case f.Marker != "":
		return "server configuration"
	}
	return base // key sets, page, manifest
}

// changed describes how a file on disk differs from f.
func (u *Update) changed(f site.File) Change {
	c := Change{Path: f.Path, Kind: Changed}
	found, err := u.dir.ReadFile(f.Path, site.MaxFile)
	if err != nil {
		u.found = append(u.found, unread(u.dir.Name, f.Path, err))
		return c
	}
	if bytes.Equal(bytes.ReplaceAll(found, []byte("\r\n"), []byte("\n")), f.Data) {
		c.Kind = Converted
		return c
	}
	equal := 0
	for equal < len(found) && equal < len(f.Data) && found[equal] == f.Data[equal] {
		equal++
	}
	c.Line = bytes.Count(found[:equal], []byte("\n")) + 1
	if utf8.Valid(found) && utf8.Valid(f.Data) {
		c.Diff = unified(shown(u.dir.Name, f.Path), found, f.Data)
	}
	return c
}

// unified returns the lines of a unified diff without their ends.
func unified(name string, before, after []byte) []string {
	_, text, _ := bytes.Cut(diff.Diff(name, before, name+" (generated)", after), []byte("\n")) // without the command
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
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
