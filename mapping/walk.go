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
	FS    fs.FS
	Root  string                   // slash path of the source within FS, "." for all of it
	Show  func(name string) string // how findings spell the path of a file in FS
	Meter *Meter                   // of the run, nil outside of one
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

// FindOptions says what to find in a source.
type FindOptions struct {
	Path    string    // as the configuration spells it
	Span    diag.Span // of that
	Usage   string    // the hint where it cannot be read
	Exclude []string  // patterns
	// Base is the directory that links may lead into, "" for the source.
	Base string
	// Foreign says why nothing in a directory below the source counts, "" where
	// something may; nil for all.
	Foreign func(dir string) string
	Flat    bool // also other Markdown files of the source itself
}

// Match is a file that was found.
type Match struct {
	Path    string // slash path as shown in findings
	Name    string // in the file system
	Dir     string // name of its directory, for a skill without one of its own; "" when unknown
	AnyName bool   // the skill need not have the name of its directory
	Flat    bool   // it may be no skill at all: one has both name and description
}

// FindSkills finds the skill files of one source and yields each at once, so that it can
// be read while the search goes on, until yield returns false. Every other file that looks
// like one is named in a finding.
func FindSkills(tree Tree, o FindOptions, yield func(Match) bool) diag.List {
	w := NewWalker(tree, o)
	w.wanted, w.take, w.yield = IsSkillName, w.takeSkill, yield
	w.walk()
	return w.Found
}

// All finds the files of the source with the names that are wanted, in bytewise order
// of their paths. Shallow means the files of the source itself, and not of directories
// in it.
func (w *Walker) All(wanted func(name string) bool, shallow bool) []Match {
	w.wanted, w.take, w.shallow = wanted, w.takeAll, shallow
	w.walk()
	return w.files
}

// OneLevel finds the Markdown files of a directory, and the skill of each directory in
// that: all of them as flat ones, but for those called SKILL.md.
func (w *Walker) OneLevel(name string) {
	top := dir{name: name}
	if info, err := fs.Stat(w.tree.FS, name); err != nil || !info.IsDir() {
		return
	}
	entries := w.Entries(name)
	w.wanted = func(name string) bool { return path.Ext(name) == ".md" }
	w.takeAll(top, entries)
	for i, f := range w.files {
		w.files[i].Flat, w.files[i].Dir = true, strings.TrimSuffix(path.Base(f.Name), ".md")
	}
	w.wanted = IsSkillName
	for _, e := range entries {
		switch sub := top.child(e.Name()); {
		case w.excluded(sub) != nil:
		case e.IsDir():
			w.takeSkill(sub, w.Entries(sub.name))
		case e.Type()&fs.ModeSymlink != 0 && path.Ext(e.Name()) != ".md":
			w.link(sub.name)
		}
	}
}

// Add adds a file that was found in another way.
func (w *Walker) Add(name string) { w.add(Match{Name: name, Dir: base(path.Dir(name)), AnyName: true}) }

// AddLinked adds a file that was found in another way, unless it is a link out of the source.
func (w *Walker) AddLinked(name string) {
	if err := w.inside(name); err != nil {
		d := w.report(diag.SourceLink, name, "the link cannot be followed: "+files.Reason(err), "")
		*d = d.LeavesOut()
		return
	}
	w.Add(name)
}

// Files are those that were found.
func (w *Walker) Files() []Match { return w.files }

// walk finds the files of a source, wherever they lie in it.
func (w *Walker) walk() {
	root := w.tree.Root
	info, err := fs.Stat(w.tree.FS, root)
	switch {
	case err != nil:
		w.Found = append(w.Found, w.tree.Unreadable(w.src, err))
	case info.Mode().IsRegular():
		dir := base(path.Dir(root))
		if !IsSkillName(path.Base(root)) {
			dir = strings.TrimSuffix(path.Base(root), path.Ext(root))
		}
		w.add(Match{Name: root, Dir: dir, AnyName: true})
	case !info.IsDir():
		w.Found = append(w.Found, w.src.Unusable("it is "+files.FileKind(info.Mode())))
	default:
		w.start()
	}
	slices.SortFunc(w.files, func(a, b Match) int { return strings.Compare(a.Name, b.Name) })
	w.Found = append(w.Found, sameOnSomeSystems(w.files)...)
}

// Unusable reports a source that cannot be read.
func (o FindOptions) Unusable(why string) diag.Diagnostic {
	return diag.New(diag.SourceUnreadable, o.Span, "the source %s cannot be read: %s", diag.Quote(o.Path), why).
		WithSeverity(diag.Error).
		WithHint(o.Usage)
}

// Unreadable reports a source that cannot be opened, and what the path may stand for.
func (t Tree) Unreadable(o FindOptions, err error) diag.Diagnostic {
	d := o.Unusable(files.Reason(err))
	if !errors.Is(err, fs.ErrNotExist) {
		return d
	}
	if dir, _, pattern := strings.Cut(o.Path, "*"); pattern {
		d.Hint = fmt.Sprintf("a path has no patterns: write %s, which includes the directories below it",
			diag.Quote(path.Dir(dir+"x")))
		return d
	}
	entries, err := fs.ReadDir(t.FS, path.Dir(t.Root))
	if err != nil {
		return d
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if meant, ok := diag.Nearest(path.Base(t.Root), names); ok {
		d.Hint = diag.Meant(path.Join(path.Dir(o.Path), meant))
	}
	return d
}

// Walker walks over the directories of one source.
type Walker struct {
	Found   diag.List
	tree    Tree
	src     FindOptions
	wanted  func(name string) bool
	take    func(dir, []fs.DirEntry) (holder string) // takes the wanted ones among the entries
	shallow bool                                     // only the source itself is searched
	paths   *files.PatternSet                        // exclude, for paths in the source
	// exclude, for names in any directory; "" where a pattern is about paths only
	names   *files.PatternSet
	ignores *files.Ignores // nil where the source itself is ignored: who names it means it
	files   []Match
	yield   func(Match) bool // takes each of them and returns whether to go on; nil for none
	deep    bool             // the bound on levels was hit
	full    bool             // the bound on skills was hit, or yield wants no more
}

// NewWalker returns a walker over a source that has found nothing yet.
func NewWalker(tree Tree, o FindOptions) *Walker {
	w := &Walker{tree: tree, src: o}
	paths := make([]string, len(o.Exclude))
	names := make([]string, len(o.Exclude))
	for i, pattern := range o.Exclude {
		if err := files.CheckPattern(pattern); err != nil {
			w.Found = append(w.Found, MalformedPattern(pattern, err, o.Span))
		}
		paths[i] = strings.Trim(pattern, "/") // a slash in front is for what lies in the source itself
		if !strings.Contains(pattern, "/") {
			names[i] = pattern
		}
	}
	w.paths, w.names = files.NewPatternSet(paths), files.NewPatternSet(names)
	if w.paths.Full() {
		w.Found = append(w.Found, TooManyPatterns("the source's exclude", o.Span))
	}
	return w
}

// dir is a directory on the walk.
type dir struct {
	name string // in the file system
	// why is set in a directory that is searched only to name what is left out.
	why *diag.Diagnostic
}

func (d dir) child(name string) dir {
	return dir{name: inside(d.name, name), why: d.why}
}

// below returns the path of an entry of a directory, as [path.Join] does, which looks at
// each letter of both.
func inside(dir, entry string) string {
	if dir == "." {
		return entry
	}
	return dir + "/" + entry
}

// start searches the source.
func (w *Walker) start() {
	if ignores := (&files.Ignores{FS: w.tree.FS}); !ignores.Has(w.tree.Root + "/.") {
		w.ignores = ignores
	}
	w.search(dir{name: w.tree.Root})
}

// OutputManifest is the file that marks a directory as an output tree.
const OutputManifest = "cardwright.manifest.json"

// search finds the files in d and below.
func (w *Walker) search(d dir) {
	if w.full || w.tooDeep(d) {
		return
	}
	entries := w.entries(d)
	if w.ignores != nil && !has(entries, files.IgnoreName) {
		w.ignores.None(d.name)
	}
	// What a run has published is no source of the next one: a skill would outlive its file.
	if d.why == nil && d.name != w.tree.Root && has(entries, OutputManifest) {
		why := diag.New(diag.SourceExcluded, diag.Span{}, "the file is in the output tree %s, so it is left out of the card",
			diag.Quote(w.tree.Show(d.name))).
			WithHint("narrow the path of the source, or add the tree to exclude").CostsSkill()
		d.why = &why
	}
	holder := w.take(d, entries)
	if holder != "" && len(entries) > 1 && d.why == nil {
		why := diag.New(diag.SourceExcluded, diag.Span{}, "the file is inside the skill %s, so it is left out of the card",
			diag.Quote(w.tree.Show(holder))).
			WithHint("move it out of the directory of that skill").CostsSkill()
		d.why = &why
		if d.name == w.tree.Root { // which hides all that the source is for
			d.why.Severity = diag.Warning
		}
	}
	for _, e := range entries {
		w.visit(d, e)
	}
}

// has reports whether a file is among the entries of a directory.
func has(entries []fs.DirEntry, name string) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
}

// Entries returns what is in a directory, in bytewise order of the names.
func (w *Walker) Entries(name string) []fs.DirEntry { return w.entries(dir{name: name}) }

func (w *Walker) entries(d dir) []fs.DirEntry {
	entries, err := fs.ReadDir(w.tree.FS, d.name)
	w.tree.Meter.Take(0, 1+len(entries))
	if w.tree.Meter.Empty() {
		w.full = true
	}
	if err != nil && d.why == nil {
		w.report(diag.SourceUnreadable, d.name, "the directory cannot be read: "+files.Reason(err), "")
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// takeAll adds every file of d that is wanted.
func (w *Walker) takeAll(d dir, entries []fs.DirEntry) (holder string) {
	for _, name := range w.wantedIn(d, entries) {
		w.add(Match{Name: name, Dir: base(d.name), AnyName: true})
	}
	return ""
}

// wantedIn returns the names of what is wanted in d and can be read.
func (w *Walker) wantedIn(d dir, entries []fs.DirEntry) []string {
	var usable []string
	for _, e := range entries {
		if !w.wanted(e.Name()) {
			continue
		}
		c := d.child(e.Name())
		if c.why = cmp.Or(w.excluded(c), w.outside(c, false)); c.why != nil {
			left := *c.why
			left.Span = diag.Top(w.tree.Show(c.name))
			w.Found = append(w.Found, left)
		} else if w.usable(c.name, e) {
			usable = append(usable, c.name)
		}
	}
	return usable
}

// visit looks at one entry of d that is not wanted for itself.
func (w *Walker) visit(d dir, e fs.DirEntry) {
	stem, markdown := cutSuffixFold(e.Name(), ".md")
	flat := markdown && w.src.Flat && d.name == w.tree.Root
	link := e.Type()&fs.ModeSymlink != 0
	hidden := strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"
	if w.wanted(e.Name()) || hidden || e.IsDir() && w.shallow || !e.IsDir() && !link && !flat {
		return
	}
	c := d.child(e.Name())
	if c.why = w.excluded(c); c.why == nil {
		c.why = w.outside(c, e.IsDir())
	}
	switch {
	case e.IsDir():
		w.search(c)
	case c.why != nil:
	case flat && w.isFile(c.name, e):
		w.add(Match{Name: c.name, Dir: stem, AnyName: true, Flat: true})
	case link && !w.shallow:
		w.link(c.name)
	}
}

// takeSkill adds the SKILL.md of d and returns its name, "" when there is none.
// Of several that differ in letter case, one counts.
func (w *Walker) takeSkill(d dir, entries []fs.DirEntry) string {
	usable := w.wantedIn(d, entries)
	if len(usable) == 0 {
		return ""
	}
	best := max(0, slices.Index(usable, inside(d.name, SkillName)))
	for i, name := range usable {
		if i != best {
			w.Found = append(w.Found, diag.New(diag.SourceIDCollision,
				diag.Top(w.tree.Show(name)), "%s is in the same directory, so this file is left out of the card",
				diag.Quote(path.Base(usable[best]))).
				WithHint("keep one of the two").CostsSkill())
		}
	}
	w.add(Match{Name: usable[best], Dir: base(d.name), AnyName: d.name == w.tree.Root})
	return usable[best]
}

// usable reports whether what is wanted is a file that can be read, and reports
// when it is not.
func (w *Walker) usable(name string, e fs.DirEntry) bool {
	var d *diag.Diagnostic
	switch mode, err := w.mode(name, e); {
	case err != nil:
		d = w.report(diag.SourceLink, name, "the link cannot be followed: "+files.Reason(err), "")
	case mode.IsRegular():
		return true
	default:
		d = w.report(diag.SourceUnreadable, name, fmt.Sprintf("%s must be a file, this is %s", diag.Quote(path.Base(name)),
			files.FileKind(mode)), "")
	}
	*d = d.LeavesOut()
	return false
}

// mode is the type of an entry, or of what a link leads to.
func (w *Walker) mode(name string, e fs.DirEntry) (fs.FileMode, error) {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type(), nil
	}
	info, err := fs.Stat(w.tree.FS, name)
	if err != nil {
		return 0, err
	}
	return info.Mode().Type(), w.inside(name)
}

// errLeaves is about a link out of the source.
var errLeaves = errors.New("it leaves the directory of the source")

// inside returns an error where a link leads out of the directory of the source.
func (w *Walker) inside(name string) error {
	if info, err := fs.Stat(w.tree.FS, w.tree.Root); err == nil && !info.IsDir() {
		return nil // the configuration names the link itself
	}
	base, err := files.Within(w.tree.FS, cmp.Or(w.src.Base, w.tree.Root))
	if err != nil {
		return err
	}
	real, err := files.Within(w.tree.FS, name)
	if err == nil && base != "." && real != base && !strings.HasPrefix(real, base+"/") {
		err = errLeaves
	}
	return err
}

// isFile reports whether an entry is a regular file or a link to one.
func (w *Walker) isFile(name string, e fs.DirEntry) bool {
	mode, err := w.mode(name, e)
	return err == nil && mode.IsRegular()
}

// tooDeep reports whether d lies below the deepest level that is searched.
func (w *Walker) tooDeep(d dir) bool {
	rel := w.tree.Relative(d.name)
	if rel == "." || strings.Count(rel, "/") < source.MaxLevels {
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
func (w *Walker) add(f Match) {
	if w.full {
		return
	}
	if len(w.files) == source.MaxSkills {
		w.report(diag.SourceInvalid, f.Name, fmt.Sprintf("the source holds more than %d skills", source.MaxSkills),
			"split the source over several agents")
		w.full = true
		return
	}
	f.Path = w.tree.Show(f.Name)
	w.files = append(w.files, f)
	w.full = w.yield != nil && !w.yield(f)
}

// excluded returns why the skills in d are left out: for the reason of its
// parent, or because it matches an exclude pattern itself.
func (w *Walker) excluded(d dir) *diag.Diagnostic {
	if d.why != nil {
		return d.why
	}
	rel := w.tree.Relative(d.name)
	found := append(w.paths.Match(rel), w.names.Match(path.Base(rel))...)
	if len(found) == 0 {
		return nil
	}
	why := diag.New(diag.SourceExcluded, diag.Span{}, "the file is left out of the card by the pattern %s of exclude",
		diag.Quote(w.src.Exclude[slices.Min(found)])).CostsSkill()
	return &why
}

// outside returns why a file or directory is no part of the project, nil where it is.
func (w *Walker) outside(d dir, isDir bool) *diag.Diagnostic {
	reason := ""
	switch {
	case w.ignores != nil && w.ignores.Is(d.name, isDir):
		reason = "git ignores " + diag.Quote(w.tree.Show(d.name))
	case isDir && w.src.Foreign != nil:
		if what := w.src.Foreign(d.name); what != "" {
			reason = diag.Quote(w.tree.Show(d.name)) + " holds " + what
		}
	}
	if reason == "" {
		return nil
	}
	why := diag.New(diag.SourceExcluded, diag.Span{}, "the file is left out of the card: %s", reason).
		WithHint("to publish it, name its directory as a source of its own").CostsSkill()
	return &why
}

// link reports a link to a directory, or to nothing: links are not followed.
func (w *Walker) link(name string) {
	info, err := fs.Stat(w.tree.FS, name)
	switch {
	case err != nil:
		w.report(diag.SourceLink, name, "the link is not followed: "+files.Reason(err), "").Severity = diag.Info
	case info.IsDir():
		w.report(diag.SourceLink, name, "the link to a directory is not followed",
			"name the directory that it leads to").Severity = diag.Info
	}
}

// report adds a finding about a file, and returns it.
func (w *Walker) report(rule diag.RuleID, name, message, hint string) *diag.Diagnostic {
	w.Found = append(w.Found, diag.New(rule, diag.Span{File: w.tree.Show(name)}, "%s", message).WithHint(hint))
	return &w.Found[len(w.Found)-1]
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
