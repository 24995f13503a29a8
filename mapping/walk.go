package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// SkillName is the name of a file that holds a skill; any letter case will do.
const SkillName = "SKILL.md"

// Tree is a directory tree that a source is read from.
type Tree struct {
	FS     fs.FS
	Root   string                   // slash path of the source within FS, "." for all of it
	Show   func(name string) string // how findings spell the path of a file in FS
	Budget *Budget                  // of the run, nil outside of one
	Top    string                   // absolute path of FS, where git keeps info/exclude; "" for none
}

// Relative returns the path of a file or directory below the root of its source,
// "." for that itself.
func (t Tree) Relative(name string) string {
	if t.Root == "." {
		return name
	}
	if name == t.Root {
		return "."
	}
	return strings.TrimPrefix(name, t.Root+"/")
}

// Match is a file that was found.
type Match struct {
	Path    string // slash path as shown in findings
	Name    string // in the file system
	Dir     string // name of its directory, for a skill without one of its own; "" when unknown
	AnyName bool   // the skill need not have the name of its directory
	Flat    bool   // it may be no skill at all: one has both name and description
}

// findSkills finds the skill files of one source and yields each at once, so that it can
// be read while the search goes on, until yield returns false. Every other file that looks
// like one is named in a finding, but in directories with a dot and node_modules.
func findSkills(tree Tree, src Source, yield func(Match) bool) diag.List {
	w := newWalker(tree, src)
	w.wanted, w.accept, w.yield = IsSkillName, w.acceptSkill, yield
	w.walk()
	return w.found
}

// all finds the files of the source with the names that are wanted, in bytewise order
// of their paths. Shallow means the files of the source itself, and not of directories
// in it.
func (w *walker) all(wanted func(name string) bool, shallow bool) []Match {
	w.wanted, w.accept, w.shallow = wanted, w.acceptAll, shallow
	w.walk()
	return w.files
}

// oneLevel finds the Markdown files of a directory, and the skill of each directory in
// that: all of them as flat ones, but for those called SKILL.md.
func (w *walker) oneLevel(name string) {
	top := dir{name: name}
	if info, err := fs.Stat(w.tree.FS, name); err != nil || !info.IsDir() {
		return
	}
	entries := w.entries(top)
	w.wanted = func(name string) bool { return path.Ext(name) == ".md" }
	w.acceptAll(top, entries)
	for i, f := range w.files {
		w.files[i].Flat, w.files[i].Dir = true, strings.TrimSuffix(path.Base(f.Name), ".md")
	}
	w.wanted = IsSkillName
	for _, e := range entries {
		switch sub := top.child(e.Name()); {
		case !e.IsDir():
			w.link(sub.name, e)
		default:
			if w.excluded(sub.name) == nil {
				w.acceptSkill(sub, w.entries(sub))
			}
		}
	}
}

// addLinked adds a file that was found in another way, unless it is a link out of the source.
func (w *walker) addLinked(name string) {
	if err := w.inside(name); err != nil {
		w.leaveOut(diag.SourceLink, name, "the link cannot be followed: "+files.Reason(err))
		return
	}
	w.add(Match{Name: name, Dir: base(path.Dir(name)), AnyName: true})
}

// walk finds the files of a source, wherever they lie in it.
func (w *walker) walk() {
	root := w.tree.Root
	info, err := fs.Stat(w.tree.FS, root)
	switch {
	case err != nil:
		w.found = append(w.found, w.src.unreadable(w.tree, err))
	case info.Mode().IsRegular() && w.src.left != nil:
		w.excludes(dir{root, w.src.left})
	case info.Mode().IsRegular():
		dir := base(path.Dir(root))
		if !IsSkillName(path.Base(root)) {
			dir = strings.TrimSuffix(path.Base(root), path.Ext(root))
		}
		w.add(Match{Name: root, Dir: dir, AnyName: true})
	case !info.IsDir():
		w.found = append(w.found, w.src.unusable("it is "+files.FileKind(info.Mode())))
	default:
		if ignores := files.NewIgnores(w.tree.FS, w.tree.Top); !ignores.Has(root + "/.") {
			w.ignores = ignores
		}
		w.search(dir{root, w.src.left})
	}
	slices.SortFunc(w.files, func(a, b Match) int { return strings.Compare(a.Name, b.Name) })
	w.found = append(w.found, sameOnSomeSystems(w.files)...)
}

// unusable reports a source that cannot be read.
func (s Source) unusable(why string) diag.Diagnostic {
	return diag.New(diag.SourceUnreadable, s.Span, "the source %s cannot be read: %s", diag.Quote(s.Path), why).
		WithSeverity(diag.Error).
		WithHint(FormatOf(s).usage)
}

// unreadable reports a source that cannot be opened, and what the path may stand for.
func (s Source) unreadable(t Tree, err error) diag.Diagnostic {
	d := s.unusable(files.Reason(err))
	if !errors.Is(err, fs.ErrNotExist) {
		return d
	}
	if dir, _, pattern := strings.Cut(s.Path, "*"); pattern {
		return d.WithHint(fmt.Sprintf("a path has no patterns: write %s, which includes the directories below it",
			diag.Quote(path.Dir(dir+"x"))))
	}
	entries, _ := fs.ReadDir(t.FS, path.Dir(t.Root)) // none where there is no such directory
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if meant, ok := diag.Nearest(path.Base(t.Root), names); ok {
		d.Hint = diag.Meant(path.Join(path.Dir(s.Path), meant))
	}
	return d
}

// walker walks over the directories of one source.
type walker struct {
	found   diag.List
	tree    Tree
	src     Source
	wanted  func(name string) bool
	accept  func(dir, []fs.DirEntry) (holder string) // adds the wanted ones among the entries
	shallow bool                                     // only the source itself is searched
	paths   *files.PatternSet                        // exclude, for paths in the source
	// exclude, for names in any directory; "" where a pattern is about paths only
	names   *files.PatternSet
	ignores *files.Ignores // nil where the source itself is ignored: who names it means it
	files   []Match
	yield   func(Match) bool // reads each of them and returns whether to go on; nil for none
	deep    bool             // the bound on levels was hit
	full    bool             // the bound on skills was hit, or yield wants no more
}

// newWalker returns a walker over a source that has found nothing yet.
func newWalker(tree Tree, src Source) *walker {
	w := &walker{tree: tree, src: src}
	paths, names := make([]string, len(src.Exclude)), make([]string, len(src.Exclude))
	for i, pattern := range src.Exclude {
		if err := files.CheckPattern(pattern); err != nil {
			w.found = append(w.found, MalformedPattern(pattern, err, src.Span))
		}
		paths[i] = strings.Trim(pattern, "/") // a slash in front is for what lies in the source itself
		if !strings.Contains(pattern, "/") {
			names[i] = pattern
		}
	}
	w.paths, w.names = files.NewPatternSet(paths), files.NewPatternSet(names)
	if w.paths.Full() {
		w.found = append(w.found, TooManyPatterns("the source's exclude", src.Span))
	}
	return w
}

// dir is a file or directory on the walk.
type dir struct {
	name string // in the file system
	why  *left  // set where the search goes on only to name what is left out
}

// left is why files are left out of the card.
type left struct {
	warn          bool // it is more than an info
	message, hint string
}

func (d dir) child(name string) dir {
	if d.name == "." {
		return dir{name, d.why}
	}
	return dir{d.name + "/" + name, d.why} // path.Join looks at each letter
}

// OutputManifest is the file that marks a directory as an output tree.
const OutputManifest = "cardwright.manifest.json"

// search finds the files in d and below.
func (w *walker) search(d dir) {
	if w.full || w.tooDeep(d) {
		return
	}
	entries := w.entries(d)
	if w.ignores != nil && !has(entries, files.IgnoreName) {
		w.ignores.None(d.name)
	}
	// What a run has published is no source of the next one: a skill would outlive its file.
	if d.why == nil && d.name != w.tree.Root && has(entries, OutputManifest) {
		d.why = &left{message: fmt.Sprintf("the file is in the output tree %s, so it is left out of the card",
			diag.Quote(w.tree.Show(d.name))), hint: "narrow the path of the source, or add the tree to exclude"}
	}
	if holder := w.accept(d, entries); holder != "" && len(entries) > 1 && d.why == nil {
		d.why = &left{message: fmt.Sprintf("the file is inside the skill %s, so it is left out of the card",
			diag.Quote(w.tree.Show(holder))), hint: "move it out of the directory of that skill"}
		d.why.warn = d.name == w.tree.Root // it hides all that the source is for
	}
	for _, e := range entries {
		w.visit(d, e)
	}
}

// has reports whether a file is among the entries of a directory.
func has(entries []fs.DirEntry, name string) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
}

// entries returns what is in a directory, in bytewise order of the names.
func (w *walker) entries(d dir) []fs.DirEntry {
	entries, err := fs.ReadDir(w.tree.FS, d.name)
	w.tree.Budget.Spend(0, 1+len(entries))
	w.full = w.full || w.tree.Budget.Empty()
	if err != nil && d.why == nil {
		w.report(diag.SourceUnreadable, d.name, "the directory cannot be read: "+files.Reason(err), "")
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// acceptAll adds every file of d that is wanted.
func (w *walker) acceptAll(d dir, entries []fs.DirEntry) (holder string) {
	for _, name := range w.wantedIn(d, entries) {
		w.add(Match{Name: name, Dir: base(d.name), AnyName: true})
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
		if c := w.withReason(d.child(e.Name()), false); c.why != nil {
			w.excludes(c)
		} else if w.usable(c.name, e) {
			usable = append(usable, c.name)
		}
	}
	return usable
}

// excludes names a file that is left out of the card, and why.
func (w *walker) excludes(file dir) {
	d := diag.New(diag.SourceExcluded, diag.Top(w.tree.Show(file.name)), "%s", file.why.message).WithHint(file.why.hint)
	if file.why.warn {
		d.Severity = diag.Warning
	}
	w.found = append(w.found, d.CostsSkill())
}

// visit looks at one entry of d that is not wanted for itself.
func (w *walker) visit(d dir, e fs.DirEntry) {
	stem, markdown := cutSuffixFold(e.Name(), ".md")
	flat := markdown && w.src.Flat && d.name == w.tree.Root && !e.IsDir()
	link := e.Type()&fs.ModeSymlink != 0
	hidden := strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"
	if w.wanted(e.Name()) || hidden || w.shallow && !flat || !e.IsDir() && !link && !flat {
		return
	}
	switch c := w.withReason(d.child(e.Name()), e.IsDir()); {
	case e.IsDir():
		w.search(c)
	case c.why != nil:
	case !flat:
		w.link(c.name, e)
	case w.usable(c.name, e):
		w.add(Match{Name: c.name, Dir: stem, AnyName: true, Flat: true})
	}
}

// acceptSkill adds the SKILL.md of d and returns its name, "" when there is none.
// Of several that differ in letter case, one counts.
func (w *walker) acceptSkill(d dir, entries []fs.DirEntry) string {
	usable := w.wantedIn(d, entries)
	if len(usable) == 0 {
		return ""
	}
	best := max(0, slices.Index(usable, d.child(SkillName).name))
	for i, name := range usable {
		if i != best {
			w.found = append(w.found, diag.New(diag.SourceIDCollision,
				diag.Top(w.tree.Show(name)), "%s is in the same directory, so this file is left out of the card",
				diag.Quote(path.Base(usable[best]))).
				WithHint("keep one of the two").CostsSkill())
		}
	}
	w.add(Match{Name: usable[best], Dir: base(d.name), AnyName: d.name == w.tree.Root})
	return usable[best]
}

// usable reports whether what is wanted is a file that can be read, and adds a finding
// when it is not.
func (w *walker) usable(name string, e fs.DirEntry) bool {
	mode, err := e.Type(), error(nil)
	if mode&fs.ModeSymlink != 0 {
		var info fs.FileInfo
		if info, err = fs.Stat(w.tree.FS, name); err == nil {
			mode, err = info.Mode().Type(), w.inside(name)
		}
	}
	switch {
	case err != nil:
		w.leaveOut(diag.SourceLink, name, "the link cannot be followed: "+files.Reason(err))
	case mode.IsRegular():
		return true
	default:
		w.leaveOut(diag.SourceUnreadable, name, fmt.Sprintf("%s must be a file, this is %s", diag.Quote(path.Base(name)),
			files.FileKind(mode)))
	}
	return false
}

// errLeaves is about a link out of the source.
var errLeaves = errors.New("it leaves the directory of the source")

// inside returns an error where a link leads out of the directory of the source.
func (w *walker) inside(name string) error {
	if info, err := fs.Stat(w.tree.FS, w.tree.Root); err == nil && !info.IsDir() {
		return nil // the configuration names the link itself
	}
	return inside(w.tree.FS, cmp.Or(w.src.base, w.tree.Root), name)
}

// inside returns an error where a path leads out of a directory by a link.
func inside(fsys fs.FS, dir, name string) error {
	dir, err := files.Within(fsys, dir)
	if err != nil {
		return err
	}
	if name, err = files.Within(fsys, name); err == nil && !within(dir, name) {
		err = errLeaves
	}
	return err
}

// within reports whether a path is a directory, or lies below it.
func within(dir, name string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// tooDeep reports whether d lies below the deepest level that is searched.
func (w *walker) tooDeep(d dir) bool {
	if strings.Count(w.tree.Relative(d.name), "/") < source.MaxLevels {
		return false
	}
	if !w.deep && d.why == nil {
		w.deep = true
		w.report(diag.SourceInvalid, d.name,
			fmt.Sprintf("the directory is more than %d levels below the source", source.MaxLevels),
			"name a directory further down")
	}
	return true
}

// add adds a skill file, as long as the bound on their number allows it.
func (w *walker) add(f Match) {
	switch {
	case w.full:
	case len(w.files) == source.MaxSkills:
		w.report(diag.SourceInvalid, f.Name, fmt.Sprintf("the source holds more than %d skills", source.MaxSkills),
			"split the source over several agents")
		w.full = true
	default:
		f.Path = w.tree.Show(f.Name)
		w.files = append(w.files, f)
		w.full = w.yield != nil && !w.yield(f)
	}
}

// withReason returns d with the reason why it is left out, if there is one: the one of its
// directory, a pattern of exclude, or that it is no part of the project.
func (w *walker) withReason(d dir, isDir bool) dir {
	if d.why != nil {
		return d
	}
	if d.why = w.excluded(d.name); d.why != nil {
		return d
	}
	reason := ""
	if w.ignores != nil && w.ignores.Is(d.name, isDir) {
		reason = "git ignores " + diag.Quote(w.tree.Show(d.name))
	} else if what := Foreign(d.name); isDir && what != "" {
		reason = diag.Quote(w.tree.Show(d.name)) + " holds " + what
	}
	if reason != "" {
		d.why = &left{
			message: "the file is left out of the card: " + reason,
			hint:    "to publish it, name its directory as a source of its own",
		}
	}
	return d
}

// excluded returns the first pattern of exclude that a path matches, as a reason, and nil
// where there is none.
func (w *walker) excluded(name string) *left {
	rel := w.tree.Relative(name)
	found := append(w.paths.Match(rel), w.names.Match(path.Base(rel))...)
	if len(found) == 0 {
		return nil
	}
	pattern := diag.Quote(w.src.Exclude[slices.Min(found)])
	return &left{message: "the file is left out of the card by the pattern " + pattern + " of exclude"}
}

// excludedAbove is excluded for a path, or for the nearest directory above it in the source.
func (w *walker) excludedAbove(name string) (why *left) {
	for ; why == nil && name != w.tree.Root && name != "."; name = path.Dir(name) {
		why = w.excluded(name)
	}
	return why
}

// link reports a link to a directory, or to nothing that can be read: links are not followed.
func (w *walker) link(name string, e fs.DirEntry) {
	info, err := fs.Stat(w.tree.FS, name)
	if e.Type()&fs.ModeSymlink == 0 || err == nil && !info.IsDir() {
		return
	}
	message, hint := "the link to a directory is not followed", "name the directory that it leads to"
	if err != nil {
		message, hint = "the link is not followed: "+files.Reason(err), ""
	}
	w.report(diag.SourceLink, name, message, hint).Severity = diag.Info
}

// leaveOut adds a finding about a file that cannot be a skill.
func (w *walker) leaveOut(rule diag.RuleID, name, message string) {
	d := w.report(rule, name, message, "")
	*d = d.LeavesOut()
}

// report adds a finding about a file, and returns it.
func (w *walker) report(rule diag.RuleID, name, message, hint string) *diag.Diagnostic {
	w.found = append(w.found, diag.New(rule, diag.Span{File: w.tree.Show(name)}, "%s", message).WithHint(hint))
	return &w.found[len(w.found)-1]
}

// IsSkillName reports whether a file of that name holds a skill.
func IsSkillName(name string) bool {
	stem, ok := cutSuffixFold(name, SkillName)
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
func sameOnSomeSystems(matches []Match) diag.List {
	var found diag.List
	first := make(map[string]string, len(matches)) // path by what counts of the name
	for _, f := range matches {
		key := files.Fold(f.Name)
		if other, ok := first[key]; ok {
			found = append(found, diag.New(diag.SourceIDCollision, diag.Top(f.Path),
				"some systems see the same path as %s, because they ignore letter case or the composition of characters",
				diag.Quote(other)).
				WithHint("rename one of the two").
				WithRelated(diag.Related{Span: diag.Top(other), Message: "the other one"}))
			continue
		}
		first[key] = f.Path
	}
	return found
}

// TooManyPatterns reports patterns that are too many to compare everything with them.
func TooManyPatterns(key string, span diag.Span) diag.Diagnostic {
	return diag.New(diag.ConfigValue, span, "the patterns of %s that have wildcards hold more than %d bytes", key,
		files.MaxWild).
		WithHint("write fewer and wider patterns; names without wildcards are not limited")
}

// MalformedPattern reports a pattern that cannot be read.
func MalformedPattern(pattern string, err error, span diag.Span) diag.Diagnostic {
	return diag.New(diag.ConfigValue, span, "the pattern %s has %s", diag.Quote(pattern), err)
}
