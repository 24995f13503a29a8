package config

import (
	"errors"
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

// fileList is what a loader knows of the files of the configuration.
type fileList struct {
	names  []string          // as they are shown, the configuration itself first
	dirs   map[string]string // directory in FS by the name that is shown, of included files
	local  []int             // the index of an agent in its own file
	room   int               // bytes that may still be read
	looked int               // directory entries that patterns of include have looked at
}

// include returns the configuration with the agents of the files that it includes.
func (l *loader) include(root *source.Node) *source.Node {
	l.names, l.dirs, l.room = []string{l.File}, map[string]string{}, copies*source.MaxSource
	entries := root.Get("include").Elements()
	own := root.Get("agents")
	if own != nil && !own.Is(source.Array) {
		return root // the schema reports it
	}
	agents := &source.Node{Kind: source.Array, Span: spanOf(root.Get("include"))}
	if own != nil {
		agents.Span = own.Span
	}
	add := func(more []*source.Node) {
		for i := range more {
			l.local = append(l.local, i)
		}
		agents.Items = append(agents.Items, more...)
	}
	add(own.Elements())
	for _, d := range l.read(l.included(entries)) {
		add(l.agentsIn(d, root))
	}
	if len(agents.Items) == 0 {
		return root
	}
	return with(root, "agents", agents)
}

// fileFault reports a file that is named at n and cannot be used.
func (l *loader) fileFault(n *source.Node, message, hint string) {
	l.report(diag.New(diag.ConfigValue, n.Span, "%s", message).WithHint(hint))
}

// document is a file of include.
type document struct {
	entry *source.Node // of include, which names it
	name  string       // in [Files]
	data  []byte
	root  *source.Node // once it is parsed
	found diag.List
}

// included returns the files of include, sorted, each once whatever it is called.
func (l *loader) included(entries []*source.Node) (all []*document) {
	seen := map[string]bool{}
	for _, entry := range entries {
		if !entry.Is(source.String) || entry.Text == "" {
			continue // the schema reports it
		}
		if l.Files == nil {
			l.fileFault(entry, "include names other files, but there are none here", "")
			return nil
		}
		for _, name := range l.matches(entry) {
			real := l.realName(name)
			switch {
			case real == l.realName(l.Files.Name):
				l.fileFault(entry, fmt.Sprintf("include leads in a circle: %s includes %s", l.File, l.Files.Show(name)),
					"name the files with further agents only")
			case !seen[real]:
				all = append(all, &document{entry: entry, name: name})
			}
			seen[real] = true
		}
	}
	slices.SortFunc(all, func(a, b *document) int { return strings.Compare(a.name, b.name) })
	return all
}

// matches returns the names in FS of the files that an entry of include matches.
func (l *loader) matches(entry *source.Node) []string {
	if !strings.ContainsAny(entry.Text, `*?[`) {
		if name, ok := l.resolveName(entry, entry.Text); ok {
			return []string{name}
		}
		return nil
	}
	fixed, pattern := doublestar.SplitPattern(entry.Text)
	if err := files.CheckPattern(pattern); err != nil {
		l.fileFault(entry, fmt.Sprintf("the pattern %s has %s", diag.Quote(entry.Text), err), "")
		return nil
	}
	if strings.Contains("/"+pattern+"/", "/../") {
		l.fileFault(entry, fmt.Sprintf("the pattern %s has .. behind a wildcard", diag.Quote(entry.Text)),
			"begin it with the ..")
		return nil
	}
	start, ok := l.resolveName(entry, fixed)
	if !ok {
		return nil
	}
	faults := len(l.found)
	names := l.matching(entry, start, pattern)
	if len(names) == 0 && len(l.found) == faults {
		l.fileFault(entry, fmt.Sprintf("the pattern %s matches no file", diag.Quote(entry.Text)),
			"patterns are relative to "+l.File)
	}
	return names
}

// matching returns the files below a directory that a pattern matches. Links to
// directories are not followed.
func (l *loader) matching(entry *source.Node, start, pattern string) (names []string) {
	_ = fs.WalkDir(l.Files.FS, start, func(name string, e fs.DirEntry, err error) error {
		below := relative(start, name)
		if l.looked++; l.looked > mostEntries {
			l.fileFault(entry, fmt.Sprintf("include looks at more than %d files and directories", mostEntries),
				"begin each pattern with the directory that the files are in")
			return fs.SkipAll
		}
		switch {
		case err != nil:
			l.fileFault(entry, fmt.Sprintf("the directory %s cannot be read: %s", diag.Quote(l.Files.Show(name)),
				files.Reason(err)), "")
			return fs.SkipDir
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules" || tooDeep(pattern, below)):
			return fs.SkipDir
		case !e.IsDir() && files.MatchPattern(pattern, below):
			names = append(names, name)
		}
		return nil
	})
	return names
}

// tooDeep reports whether a pattern matches nothing below a directory, by the number of
// its elements.
func tooDeep(pattern, dir string) bool {
	return dir != "." && !strings.Contains(pattern, "**") && strings.Count(dir, "/") >= strings.Count(pattern, "/")
}

// read reads and parses files of include, without those that cannot be read.
func (l *loader) read(all []*document) []*document {
	all = slices.DeleteFunc(all, func(d *document) bool {
		data, ok := l.bytes(d.entry, d.name)
		d.data = data
		return !ok
	})
	_ = files.All(all, func(d *document) error {
		d.root, d.found = source.ParseYAML(l.Files.Show(d.name), d.data, diag.ConfigValue)
		d.data = nil
		return nil
	})
	return all
}

// agentsIn returns the agents of an included file, with its defaults.
func (l *loader) agentsIn(d *document, config *source.Node) []*source.Node {
	shown := l.Files.Show(d.name)
	l.names = append(l.names, shown)
	l.dirs[shown] = path.Dir(d.name)
	for _, f := range d.found {
		l.report(f)
	}
	switch {
	case d.root == nil || d.found.Worst() == diag.Error:
		return nil
	case d.root.Kind != source.Object:
		l.fileFault(d.root, "the file is "+source.Article(d.root.Kind.String())+", must be an object", "")
		return nil
	}
	l.checkIncluded(d.root)
	defaults := d.root.Get("defaults")
	if defaults != nil && defaults.Kind != source.Object {
		l.fileFault(defaults, "defaults is "+source.Article(defaults.Kind.String())+", must be an object", "")
		defaults = nil
	}
	l.checkAuthority(defaults, config)
	var agents []*source.Node
	for _, agent := range d.root.Get("agents").Elements() {
		l.checkAuthority(agent, config)
		if agent.Kind == source.Object {
			agent = merge(defaults, agent)
		}
		if l.room -= schema.Size(agent); l.room < 0 {
			l.fileFault(d.entry, fmt.Sprintf("the included files make more than %d bytes with their defaults",
				copies*source.MaxSource), "include fewer files")
			return nil
		}
		agents = append(agents, agent)
	}
	return agents
}

// checkIncluded reports what a file of agents may not hold.
func (l *loader) checkIncluded(root *source.Node) {
	known := []string{"agents", "defaults", "version"}
	for _, m := range root.Members {
		switch {
		case slices.Contains(known, m.Key):
		case m.Key == "include":
			l.report(diag.New(diag.ConfigValue, m.KeySpan, "an included file cannot have %q itself", m.Key).
				WithHint("move it to " + l.File))
		default:
			l.report(diag.New(diag.ConfigKeyUnknown, m.KeySpan, "unknown key %s in an included file", diag.Quote(m.Key)).
				WithHint(diag.Hint(m.Key, known, "an included file has only agents and defaults; the rest belongs in "+l.File)))
		}
	}
	if v := root.Get("version"); v != nil && v.ScalarText() != "1" {
		l.report(diag.New(diag.ConfigValue, v.Span, "version must be 1"))
	}
	switch agents := root.Get("agents"); {
	case agents == nil:
		l.fileFault(root, "the included file has no agents", "")
	case agents.Kind != source.Array:
		l.fileFault(agents, "agents is "+source.Article(agents.Kind.String())+", must be an array", "")
	case len(agents.Items) == 0:
		l.fileFault(agents, "agents is empty, must hold at least one entry", "")
	}
}

// checkAuthority reports what only the configuration itself decides about an agent of an
// included file: how its card is signed, and that a guarding rule counts less.
func (l *loader) checkAuthority(agent, config *source.Node) {
	if m := agent.Member("signing"); m != nil {
		l.report(diag.New(diag.ConfigValue, m.KeySpan, "an included file cannot say how cards are signed").
			WithHint("set signing in " + l.File))
	}
	for _, m := range agent.Get("rules").Fields() {
		severity, ok := diag.ParseSeverity(m.Value.ScalarText())
		rule, _ := diag.ParseRuleID(m.Key)
		if least := floorOf(rule, config); ok && rule.Guards() && severity < least {
			l.report(diag.New(diag.ConfigValue, m.Value.Span,
				"an included file cannot lower the guarding rule %q to %s, below %s", m.Key, severity, least).
				WithHint("set it in " + l.File))
		}
	}
}

// floorOf is what a guarding rule counts at least in an included file.
func floorOf(rule diag.RuleID, config *source.Node) diag.Severity {
	known, _ := rule.Rule()
	least := known.Severity
	for _, rules := range []*source.Node{config.Get("rules"), config.Get("defaults").Get("rules")} {
		if severity, ok := diag.ParseSeverity(rules.Get(rule.String()).ScalarText()); ok {
			least = severity
		}
	}
	return least
}

// bytes reads the text of a file of the configuration.
func (l *loader) bytes(n *source.Node, name string) ([]byte, bool) {
	shown := l.Files.Show(name)
	data, err := files.ReadFile(l.Files.FS, name, source.MaxSource)
	if large, ok := errors.AsType[*files.TooLargeError](err); ok {
		l.fileFault(n, fmt.Sprintf("%s has more than %d bytes, the limit for a source", diag.Quote(shown), large.Limit), "")
		return nil, false
	}
	if err != nil {
		hint := ""
		if info, statErr := fs.Stat(l.Files.FS, name); statErr == nil && info.IsDir() {
			hint = "name the files in it, such as " + path.Join(n.Text, "*.yaml")
		}
		l.fileFault(n, fmt.Sprintf("%s cannot be read: %s", diag.Quote(shown), files.Reason(err)), hint)
		return nil, false
	}
	if l.room -= len(data); l.room < 0 {
		l.fileFault(n, fmt.Sprintf("the files of the configuration have more than %d bytes", copies*source.MaxSource), "")
		return nil, false
	}
	return data, true
}

// resolveName finds a file that the configuration names at n.
func (l *loader) resolveName(n *source.Node, name string) (string, bool) {
	if strings.Contains(name, "${") {
		l.fileFault(n, fmt.Sprintf("%s has a variable, but files are read before variables are replaced",
			diag.Quote(name)), "write the path out")
		return "", false
	}
	base := path.Join("/project", path.Dir(l.Files.Name))
	_, file, err := files.Checkout{Root: "/project", Base: base}.Source(name, files.Committed)
	if err != nil {
		l.fileFault(n, fmt.Sprintf("%s cannot be read: %s", diag.Quote(n.Text), files.Reason(err)),
			"name a file of the project, relative to this one")
	}
	return file, err == nil
}

// realName returns the name of a file without links.
func (l *loader) realName(name string) string {
	if real, err := files.Within(l.Files.FS, name); err == nil {
		return real
	}
	return name
}

// rebase makes the paths that stand in included files relative to the configuration.
// Nothing but this run knows the nodes yet.
func (l *loader) rebase(root *source.Node) {
	for _, agent := range root.Get("agents").Elements() {
		for _, from := range agent.Get("skills").Get("from").Elements() {
			n := from.Get("path")
			if dir, included := l.dirs[spanOf(n).File]; included && n.Is(source.String) && !l.unset[n] {
				l.rebasePath(n, dir)
			}
		}
	}
}

// rebasePath makes a path of a file in a directory relative to the configuration. It must
// stay in that directory.
func (l *loader) rebasePath(n *source.Node, dir string) {
	switch {
	case n.Text == "" || path.IsAbs(n.Text) || strings.Contains(n.Text, `\`):
		return // opening it reports what is wrong
	case !fs.ValidPath(path.Clean(n.Text)):
		l.report(diag.New(diag.ConfigValue, n.Span, "%s leads out of the directory of this included file",
			diag.Quote(n.Text)).WithHint("move the agent to " + l.File))
		return
	}
	n.Text = relative(path.Dir(l.Files.Name), path.Join(dir, n.Text))
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
