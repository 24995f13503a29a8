package config

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Files is where a configuration finds the files that it names in include.
type Files struct {
	FS   fs.FS
	Name string                   // slash path of the configuration in FS
	Show func(name string) string // how findings spell a file of FS
}

// mostEntries bounds the directory entries that all patterns of include look at.
const mostEntries = 100_000

// included are the files that a configuration includes.
type included struct {
	*Files
	main   string       // the configuration, as findings spell it
	root   *source.Node // the configuration
	report func(diag.Diagnostic)

	names   []string          // of files as findings spell them, the configuration first
	dirs    map[string]string // directory in FS by the name in names
	local   []int             // the index of an agent in its own file
	left    int               // bytes that may still be read
	visited int               // directory entries that patterns have looked at
}

// document is a file of include.
type document struct {
	entry *source.Node // of include, which names it
	name  string       // in [Files]
	data  []byte
	root  *source.Node // once it is parsed
	found diag.List
}

// agents returns the configuration with the agents of the files that it includes.
func (i *included) agents() *source.Node {
	own := i.root.Get("agents")
	if own != nil && !own.Is(source.Array) {
		return i.root // the schema reports it
	}
	agents := &source.Node{Kind: source.Array, Span: spanOf(i.root.Get("include"))}
	if own != nil {
		agents.Span = own.Span
	}
	add := func(more []*source.Node) {
		for n := range more {
			i.local = append(i.local, n)
		}
		agents.Items = append(agents.Items, more...)
	}
	add(own.Elements())
	for _, d := range i.read(i.find()) {
		add(i.agentsIn(d))
	}
	if len(agents.Items) == 0 {
		return i.root
	}
	return with(i.root, "agents", agents)
}

// refuse reports a file that is named at n and cannot be used.
func (i *included) refuse(n *source.Node, hint, format string, args ...any) {
	i.report(diag.New(diag.ConfigValue, n.Span, format, args...).WithHint(hint))
}

// find returns the files of include, sorted, each once.
func (i *included) find() (all []*document) {
	for _, entry := range i.root.Get("include").Elements() {
		if !entry.Is(source.String) || entry.Text == "" {
			continue // the schema reports it
		}
		if i.Files == nil {
			i.refuse(entry, "", "include names other files, but there are none here")
			return nil
		}
		for _, name := range i.matches(entry) {
			if name == i.Name {
				i.refuse(entry, "name the files with further agents only", "include leads in a circle: %s includes %s", i.main,
					i.Show(name))
				continue
			}
			all = append(all, &document{entry: entry, name: name})
		}
	}
	slices.SortStableFunc(all, func(a, b *document) int { return strings.Compare(a.name, b.name) })
	return slices.CompactFunc(all, func(a, b *document) bool { return a.name == b.name })
}

// matches returns the names in FS of the files that an entry of include matches.
func (i *included) matches(entry *source.Node) []string {
	fixed, pattern := entry.Text, ""
	if strings.ContainsAny(entry.Text, `*?[`) {
		fixed, pattern = doublestar.SplitPattern(entry.Text)
	}
	switch {
	case files.CheckPattern(pattern) != nil:
		i.refuse(entry, "", "the pattern %s has %s", diag.Quote(entry.Text), files.CheckPattern(pattern))
		return nil
	case strings.Contains("/"+pattern+"/", "/../"):
		i.refuse(entry, "begin it with the ..", "the pattern %s has .. behind a wildcard", diag.Quote(entry.Text))
		return nil
	case strings.Contains(fixed, "${"):
		i.refuse(entry, "write the path out", "%s has a variable, but files are read before variables are replaced",
			diag.Quote(fixed))
		return nil
	}
	base := path.Join("/project", path.Dir(i.Name))
	_, start, err := files.Checkout{Root: "/project", Base: base}.Source(fixed, files.Committed)
	if err != nil {
		i.refuse(entry, "name a file of the project, relative to this one", "%s cannot be read: %s", diag.Quote(entry.Text),
			files.Reason(err))
		return nil
	}
	if pattern == "" {
		return []string{start}
	}
	names, err := i.search(start, pattern)
	switch {
	case err != nil:
		i.refuse(entry, "begin each pattern with the directory that the files are in", "%s", err)
	case len(names) == 0:
		i.refuse(entry, "patterns are relative to "+i.main, "the pattern %s matches no file", diag.Quote(entry.Text))
	}
	return names
}

// search returns the files below a directory that a pattern matches. Links to
// directories are not followed.
func (i *included) search(start, pattern string) (names []string, err error) {
	err = fs.WalkDir(i.FS, start, func(name string, e fs.DirEntry, err error) error {
		below := relative(start, name)
		switch i.visited++; {
		case i.visited > mostEntries:
			return fmt.Errorf("include looks at more than %d files and directories", mostEntries)
		case err != nil:
			return fmt.Errorf("the directory %s cannot be read: %s", diag.Quote(i.Show(name)), files.Reason(err))
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules" || tooDeep(pattern, below)):
			return fs.SkipDir
		case !e.IsDir() && files.MatchPattern(pattern, below):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// tooDeep reports whether a pattern matches nothing below a directory, by the number of
// its elements.
func tooDeep(pattern, dir string) bool {
	return dir != "." && !strings.Contains(pattern, "**") && strings.Count(dir, "/") >= strings.Count(pattern, "/")
}

// read reads and parses files of include, without those that cannot be read.
func (i *included) read(all []*document) []*document {
	all = slices.DeleteFunc(all, func(d *document) bool {
		data, err := files.ReadFile(i.FS, d.name, source.MaxSource)
		i.left -= len(data)
		switch d.data = data; {
		case err != nil:
			i.refuse(d.entry, "", "%s cannot be read: %s", diag.Quote(i.Show(d.name)), files.Reason(err))
		case i.left < 0:
			i.refuse(d.entry, "", "the files of the configuration have more than %d bytes", copies*source.MaxSource)
		}
		return err != nil || i.left < 0
	})
	_ = files.All(all, func(d *document) error {
		d.root, d.found = parse(i.Show(d.name), d.data)
		d.data = nil
		return nil
	})
	return all
}

// agentsIn returns the agents of an included file, with its defaults.
func (i *included) agentsIn(d *document) (agents []*source.Node) {
	shown := i.Show(d.name)
	i.names = append(i.names, shown)
	i.dirs[shown] = path.Dir(d.name)
	for _, f := range d.found {
		i.report(f)
	}
	if d.root == nil || d.found.Worst() == diag.Error {
		return nil
	}
	i.check(d.root)
	defaults := d.root.Get("defaults")
	i.checkAuthority(defaults)
	for _, agent := range d.root.Get("agents").Elements() {
		i.checkAuthority(agent)
		if agent.Kind == source.Object && defaults.Is(source.Object) {
			agent = merge(defaults, agent)
		}
		if i.left -= schema.Size(agent); i.left < 0 {
			i.refuse(d.entry, "include fewer files", "the included files make more than %d bytes with their defaults",
				copies*source.MaxSource)
			return nil
		}
		agents = append(agents, agent)
	}
	return agents
}

// check reports what a file of agents may not hold. The schema checks its agents.
func (i *included) check(root *source.Node) {
	known := []string{"agents", "defaults", "version"}
	for _, m := range root.Fields() {
		if !slices.Contains(known, m.Key) {
			i.report(diag.New(diag.ConfigKeyUnknown, m.KeySpan, "unknown key %s in an included file", diag.Quote(m.Key)).
				WithHint(diag.Hint(m.Key, known, "an included file has only agents and defaults; the rest belongs in "+i.main)))
		}
	}
	if v := root.Get("version"); v != nil && v.ScalarText() != "1" {
		i.refuse(v, "", "version must be 1")
	}
	if v := root.Get("defaults"); v != nil && v.Kind != source.Object {
		i.refuse(v, "", "defaults is %s, must be an object", source.Article(v.Kind.String()))
	}
	if len(root.Get("agents").Elements()) == 0 {
		i.refuse(root, "", "the included file has no agents")
	}
}

// checkAuthority reports what only the configuration itself decides about an agent of an
// included file: how its card is signed, and that a guarding rule counts less.
func (i *included) checkAuthority(agent *source.Node) {
	if m := agent.Member("signing"); m != nil {
		i.report(diag.New(diag.ConfigValue, m.KeySpan, "an included file cannot say how cards are signed").
			WithHint("set signing in " + i.main))
	}
	for _, m := range agent.Get("rules").Fields() {
		severity, ok := diag.ParseSeverity(m.Value.ScalarText())
		rule, _ := diag.ParseRuleID(m.Key)
		if least := i.floor(rule); ok && rule.Guards() && severity < least {
			i.refuse(m.Value, "set it in "+i.main, "an included file cannot lower the guarding rule %q to %s, below %s", m.Key,
				severity, least)
		}
	}
}

// floor is what a guarding rule counts at least in an included file.
func (i *included) floor(rule diag.RuleID) diag.Severity {
	known, _ := rule.Rule()
	least := known.Severity
	for _, rules := range []*source.Node{i.root.Get("rules"), i.root.Get("defaults").Get("rules")} {
		if severity, ok := diag.ParseSeverity(rules.Get(rule.String()).ScalarText()); ok {
			least = severity
		}
	}
	return least
}

// rebase makes the paths that stand in included files relative to the configuration; they
// must stay in the directory of their file. Nothing but this run knows the nodes yet.
func (i *included) rebase(agents *source.Node, unset map[*source.Node]bool) {
	for _, agent := range agents.Elements() {
		for _, from := range agent.Get("skills").Get("from").Elements() {
			n := from.Get("path")
			dir, is := i.dirs[spanOf(n).File]
			switch {
			case !is || !n.Is(source.String) || unset[n], n.Text == "", path.IsAbs(n.Text), strings.Contains(n.Text, `\`):
				// opening it reports what is wrong
			case !fs.ValidPath(path.Clean(n.Text)):
				i.refuse(n, "move the agent to "+i.main, "%s leads out of the directory of this included file",
					diag.Quote(n.Text))
			default:
				n.Text = relative(path.Dir(i.Name), path.Join(dir, n.Text))
			}
		}
	}
}

// relative returns the path of a file seen from a directory. Both are clean names in one
// file system.
func relative(dir, name string) string {
	up := ""
	for dir != "." && dir != name && !strings.HasPrefix(name, dir+"/") {
		dir, up = path.Dir(dir), up+"../"
	}
	if dir == name {
		return path.Join(up, ".")
	}
	if dir != "." {
		name = name[len(dir)+1:]
	}
	return path.Join(up, name)
}
