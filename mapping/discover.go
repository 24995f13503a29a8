package mapping

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/glob"
	"cardwright/internal/paths"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// skillName is the name of a file that holds a skill; any letter case will do.
const skillName = "SKILL.md"

// skillFile is a file that is expected to hold a skill.
type skillFile struct {
	SkillFile
	name string // in the file system
	flat bool   // found by flat: true, so it is a skill only with both name and description
}

// discover finds the skill files of one source and yields each when it comes to
// it, until yield returns false. Every other file that looks like one is named
// in a finding.
func discover(tree Tree, src Source, limits source.Limits, yield func(skillFile) bool) diag.List {
	w := newWalker(tree, src, limits)
	w.wanted, w.take, w.yield = isSkillName, w.takeSkill, yield
	_, found := w.walk()
	return found
}

// walk finds the files of a source, wherever they lie in it, and returns them
// in bytewise order of their paths.
func (w *walker) walk() ([]skillFile, diag.List) {
	root := w.tree.Root
	info, err := fs.Stat(w.tree.FS, root)
	switch {
	case err != nil:
		w.found = append(w.found, unusableSource(w.src, safefile.Reason(err)))
	case info.Mode().IsRegular():
		w.add(skillFile{name: root, SkillFile: SkillFile{Dir: base(path.Dir(root)), AnyName: true}})
	case !info.IsDir():
		w.found = append(w.found, unusableSource(w.src, "it is "+safefile.FileKind(info.Mode())))
	default:
		w.start()
	}
	slices.SortFunc(w.files, func(a, b skillFile) int { return strings.Compare(a.name, b.name) })
	w.found = append(w.found, sameOnSomeSystems(w.files)...)
	return w.files, w.found
}

func unusableSource(src Source, why string) diag.Diagnostic {
	return diag.New("source-unreadable", src.Span, "the source %s cannot be read: %s", diag.Quote(src.Path), why).
		WithSeverity(diag.Error).
		WithHint(FormatOf(src).usage)
}

// walker walks over the directories of one source.
type walker struct {
	tree    Tree
	src     Source
	limits  source.Limits
	wanted  func(name string) bool
	take    func(dir, []fs.DirEntry) (holder string) // takes the wanted ones among the entries
	shallow bool                                     // only the source itself is searched
	paths   *glob.Set                                // exclude, for paths in the source
	// exclude, for names in any directory; "" where a pattern is about paths only
	names   *glob.Set
	visited map[string]bool      // directories that were searched, by their path without links
	links   []string             // to directories that are still to be followed
	yield   func(skillFile) bool // is told of every file at once, and whether to go on
	files   []skillFile
	found   diag.List
	deep    bool // the bound on levels was hit
	full    bool // the bound on skills was hit, or nobody wants more
}

func newWalker(tree Tree, src Source, limits source.Limits) *walker {
	w := &walker{tree: tree, src: src, limits: limits.WithDefaults(), visited: map[string]bool{}}
	w.yield = func(skillFile) bool { return true }
	paths := make([]string, len(src.Exclude))
	names := make([]string, len(src.Exclude))
	for i, pattern := range src.Exclude {
		if err := glob.Check(pattern); err != nil {
			w.found = append(w.found, MalformedPattern(pattern, err, src.Span))
		}
		paths[i] = strings.TrimSuffix(pattern, "/")
		if !strings.Contains(pattern, "/") {
			names[i] = pattern
		}
	}
	w.paths, w.names = glob.NewSet(paths), glob.NewSet(names)
	if w.paths.Full() {
		w.found = append(w.found, TooManyPatterns("the source's exclude", src.Span))
	}
	return w
}

// dir is a directory on the walk.
type dir struct {
	name string // in the file system
	real string // the same without links, "" unless links are followed
	// why tells for a directory that is searched only to name what is left out.
	why *diag.Diagnostic
}

func (d dir) child(name string) dir {
	c := dir{name: path.Join(d.name, name), why: d.why}
	if d.real != "" {
		c.real = path.Join(d.real, name)
	}
	return c
}

// start searches the source, then what links in it lead to: so every directory
// is searched once and under its own name where it has one in the source.
func (w *walker) start() {
	root := dir{name: w.tree.Root}
	if w.src.FollowSymlinks {
		root.real, _ = paths.Within(w.tree.FS, root.name) // can be read, so it has one
	}
	w.search(root)
	for len(w.links) > 0 {
		name := w.links[0]
		w.links = w.links[1:]
		w.follow(name)
	}
}

// search finds the files in d and below.
func (w *walker) search(d dir) {
	if w.full || w.tooDeep(d) || w.seen(d) {
		return
	}
	entries := w.entries(d)
	holder := w.take(d, entries)
	if holder != "" && !w.src.Nested && d.why == nil {
		why := diag.New("source-nested", diag.Span{}, "the file is inside the skill %s, so it is left out of the card",
			diag.Quote(w.tree.Show(holder))).
			WithHint("to publish such files as skills, set nested: true on the source")
		d.why = &why
		if d.name == w.tree.Root { // which hides all that the source is for
			d.why.Severity = diag.Warning
		}
	}
	for _, e := range entries {
		w.visit(d, e)
	}
}

// entries returns what is in d, in bytewise order of the names.
func (w *walker) entries(d dir) []fs.DirEntry {
	entries, err := fs.ReadDir(w.tree.FS, d.name)
	w.tree.Meter.take(entryCost * (1 + len(entries)))
	if w.tree.Meter.Empty() {
		w.full = true
	}
	if err != nil && d.why == nil {
		w.report("source-unreadable", d.name, "the directory cannot be read: "+safefile.Reason(err), "")
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// takeAll adds every file of d that is wanted.
func (w *walker) takeAll(d dir, entries []fs.DirEntry) (holder string) {
	for _, name := range w.wantedIn(d, entries) {
		w.add(skillFile{name: name, SkillFile: SkillFile{Dir: base(d.name), AnyName: true}})
	}
	return ""
}

// wantedIn returns the names of what is wanted in d and can be read.
func (w *walker) wantedIn(d dir, entries []fs.DirEntry) []string {
	var usable []string
	for _, e := range entries {
		if !w.wanted(e.Name()) {
			continue
		}
		c := d.child(e.Name())
		if c.why = w.excluded(c); c.why != nil {
			w.leaveOut(c)
		} else if w.usable(c.name, e) {
			usable = append(usable, c.name)
		}
	}
	return usable
}

// visit looks at one entry of d that is not wanted for itself.
func (w *walker) visit(d dir, e fs.DirEntry) {
	stem, markdown := cutSuffixFold(e.Name(), ".md")
	flat := markdown && w.src.Flat && d.name == w.tree.Root
	link := e.Type()&fs.ModeSymlink != 0
	if w.wanted(e.Name()) || e.Name() == ".git" || e.Name() == "node_modules" || e.IsDir() && w.shallow || !e.IsDir() &&
		!link && !flat {
		return
	}
	c := d.child(e.Name())
	c.why = w.excluded(c)
	switch {
	case e.IsDir():
		w.search(c)
	case c.why != nil:
	case flat && w.regular(c.name, e):
		w.add(skillFile{name: c.name, flat: true, SkillFile: SkillFile{Dir: stem, AnyName: true}})
	case link && !w.shallow:
		w.link(c.name)
	}
}

// takeSkill adds the SKILL.md of d and returns its name, "" when there is none.
// Of several that differ in letter case, one counts.
func (w *walker) takeSkill(d dir, entries []fs.DirEntry) string {
	usable := w.wantedIn(d, entries)
	if len(usable) == 0 {
		return ""
	}
	best := max(0, slices.Index(usable, path.Join(d.name, skillName)))
	for i, name := range usable {
		if i != best {
			w.found = append(w.found, diag.New("source-path-case",
				top(w.tree.Show(name)), "%s is in the same directory, so this file is left out of the card",
				diag.Quote(path.Base(usable[best]))).
				WithHint("keep one of the two"))
		}
	}
	w.add(skillFile{name: usable[best], SkillFile: SkillFile{Dir: base(d.name), AnyName: d.name == w.tree.Root}})
	return usable[best]
}

// usable tells whether what is wanted is a file that can be read, and reports
// when it is not.
func (w *walker) usable(name string, e fs.DirEntry) bool {
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := fs.Stat(w.tree.FS, name)
		if err != nil {
			w.report("source-link", name, "the link cannot be followed: "+safefile.Reason(err), "")
			w.leftOut()
			return false
		}
		mode = info.Mode().Type()
	}
	if !mode.IsRegular() {
		w.report("source-unreadable", name, fmt.Sprintf("%s must be a file, this is %s", diag.Quote(path.Base(name)),
			safefile.FileKind(mode)), "")
		w.leftOut()
		return false
	}
	return true
}

// regular tells whether e is a regular file or a link to one.
func (w *walker) regular(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := fs.Stat(w.tree.FS, name)
	return err == nil && info.Mode().IsRegular()
}

// tooDeep tells whether d lies below the deepest level that is searched.
func (w *walker) tooDeep(d dir) bool {
	rel := w.relative(d.name)
	if rel == "." || strings.Count(rel, "/") < w.limits.Depth {
		return false
	}
	if !w.deep && d.why == nil {
		w.deep = true
		w.report("source-bound", d.name, fmt.Sprintf("the directory is more than %d levels below the source", w.limits.Depth),
			"raise the limit with --limit depth=N")
	}
	return true
}

// add adds a skill file, as long as the bound on their number allows it.
func (w *walker) add(f skillFile) {
	if w.full {
		return
	}
	if len(w.files) == w.limits.Skills {
		w.report("source-bound", f.name, fmt.Sprintf("the source holds more than %d skills", w.limits.Skills),
			"raise the limit with --limit skills=N")
		w.full = true
		return
	}
	f.Path = w.tree.Show(f.name)
	w.files = append(w.files, f)
	w.full = !w.yield(f)
}

func (w *walker) leaveOut(d dir) {
	finding := *d.why
	finding.Span = top(w.tree.Show(d.name))
	w.found = append(w.found, finding)
}

// excluded returns why the skills in d are left out: for the reason of its
// parent, or because it matches an exclude pattern itself.
func (w *walker) excluded(d dir) *diag.Diagnostic {
	if d.why != nil {
		return d.why
	}
	rel := w.relative(d.name)
	found := append(w.paths.Match(rel), w.names.Match(path.Base(rel))...)
	if len(found) == 0 {
		return nil
	}
	why := diag.New("source-excluded", diag.Span{}, "the file is left out of the card by the pattern %s of exclude",
		diag.Quote(w.src.Exclude[slices.Min(found)]))
	return &why
}

func (w *walker) relative(name string) string { return relative(w.tree, name) }

// relative returns the path of a file or directory below the root of its source,
// "." for that itself.
func relative(tree Tree, name string) string {
	if tree.Root == "." {
		return name
	}
	if name == tree.Root {
		return "."
	}
	return strings.TrimPrefix(name, tree.Root+"/")
}

// report adds a finding about a file, and returns it.
func (w *walker) report(rule, name, message, hint string) *diag.Diagnostic {
	w.found = append(w.found, diag.New(rule, diag.Span{File: w.tree.Show(name)}, "%s", message).WithHint(hint))
	return &w.found[len(w.found)-1]
}

// leftOut says of the last finding that it costs a skill.
func (w *walker) leftOut() {
	last := &w.found[len(w.found)-1]
	*last = last.LeavesOut()
}

// top is the place of a finding about a file as a whole.
func top(file string) diag.Span { return diag.Span{File: file, Line: 1, Column: 1} }

func isSkillName(name string) bool {
	stem, ok := cutSuffixFold(name, skillName)
	return ok && stem == ""
}

// cutSuffixFold cuts an ASCII suffix off name, whatever its letter case.
func cutSuffixFold(name, suffix string) (string, bool) {
	i := len(name) - len(suffix)
	if i < 0 || !strings.EqualFold(name[i:], suffix) {
		return name, false
	}
	return name[:i], true
}

// base returns the last element of a slash path, "" when it has none.
func base(name string) string {
	if name == "." {
		return ""
	}
	return path.Base(name)
}

// sameOnSomeSystems reports files whose paths are one on a file system that
// ignores letter case or normalizes names.
func sameOnSomeSystems(files []skillFile) diag.List {
	var found diag.List
	first := make(map[string]string, len(files)) // path by what counts of the name
	for _, f := range files {
		key := tree.Fold(f.name)
		if other, ok := first[key]; ok {
			found = append(found, diag.New("source-path-case", top(f.Path),
				"some systems see the same path as %s, because they ignore letter case or the composition of characters",
				diag.Quote(other)).
				WithHint("rename one of the two").
				WithRelated(diag.Related{Span: top(other), Message: "the other one"}))
			continue
		}
		first[key] = f.Path
	}
	return found
}

// TooManyPatterns reports patterns that are too many to compare everything with them.
func TooManyPatterns(key string, span diag.Span) diag.Diagnostic {
	return diag.New("config-value", span, "the patterns of %s that have wildcards hold more than %d bytes", key,
		glob.MaxWild).
		WithHint("write fewer and wider patterns; names without wildcards are not limited")
}

// MalformedPattern reports a pattern that cannot be read.
func MalformedPattern(pattern string, err error, span diag.Span) diag.Diagnostic {
	return diag.New("config-value", span, "the pattern %s has %s", diag.Quote(pattern), err)
}
