package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Files is where a configuration finds the files that it names in include and
// extends: a project, or what a commit holds of one.
type Files struct {
	FS   fs.FS
	Name string                   // slash path of the configuration in FS
	Show func(name string) string // how findings spell a file of FS
}

const (
	mostExtends  = 8    // files that extend one another
	mostIncludes = 4096 // files of include
)

// siteKeys are the keys that ask for files about all agents of a site. A run for
// one agent needs to know the others then.
func (l *loader) siteKeys() []string {
	if l.SkipLists {
		return []string{"agentSkills", "servers"}
	}
	return []string{"agentSkills", "servers", "catalog", "html", "ard", "mcp"}
}

// fileList is what a loader knows of the files of the configuration.
type fileList struct {
	names    []string          // as they are shown, the configuration itself first
	dirs     map[string]string // directory in FS by the name that is shown
	frame    map[string]bool   // the configuration and those that it extends, without links
	included map[string]bool   // likewise the files of include
	local    []int             // the index of an agent in its own file
	teams    map[string]*team  // the files of include, as they are shown
	shares   []string          // directories in [Files] that entries of include share
	owner    string            // of the configuration itself
	wrote    []*team           // whose an agent is, by its index; nil for the configuration's own
	shared   int               // how many of the names concern every agent
	room     int               // bytes that may still be read
	skipped  int               // files of include that the run does not need
	looked   int               // directory entries that patterns of include have looked at
}

// gather adds to a configuration what the files hold that it names.
func (l *loader) gather(root *source.Node) *source.Node {
	l.names, l.dirs = []string{l.File}, map[string]string{}
	l.frame, l.included, l.teams = map[string]bool{}, map[string]bool{}, map[string]*team{}
	l.room = copies * l.bounds.Source
	if l.Files == nil {
		for _, key := range []string{"extends", "include"} {
			if m := root.Member(key); m != nil {
				l.fileFault(m.Value, fmt.Sprintf("%s names other files, but there are none here", key), "")
			}
		}
		return root
	}
	l.owner = root.Get("owner").ScalarText()
	l.dirs[l.File] = path.Dir(l.Files.Name)
	l.frame[l.realName(l.Files.Name)] = true
	root = l.extend(root, l.Files.Name, []string{l.File})
	l.shared = len(l.names)
	return l.include(root)
}

// fileFault reports a file that is named at n and cannot be used.
func (l *loader) fileFault(n *source.Node, message, hint string) {
	l.report(diag.New("config-file", n.Span, "%s", message).WithHint(hint))
}

// extend merges a configuration into the one that it extends, and its values
// win. chain names the files that led here, as they are shown.
func (l *loader) extend(root *source.Node, file string, chain []string) *source.Node {
	n := root.Get("extends")
	if !n.Is(source.String) || n.Text == "" {
		return root // the schema reports what is no path
	}
	name, ok := l.resolveName(n, n.Text, path.Dir(file))
	if !ok {
		return root
	}
	shown := l.Files.Show(name)
	switch {
	case l.frame[l.realName(name)]:
		l.fileFault(n, "extends leads in a circle: "+strings.Join(append(chain, shown), " → "),
			"remove one of these extends")
		return root
	case len(chain) > mostExtends:
		l.fileFault(n, fmt.Sprintf("more than %d files extend one another", mostExtends), "join some of them")
		return root
	}
	l.frame[l.realName(name)] = true
	data, ok := l.bytes(n, name)
	if !ok {
		return root
	}
	doc := document{name: name, data: data}
	doc.parse(l)
	base := l.take(&doc)
	if base == nil {
		return root
	}
	for _, key := range []string{"agents", "include"} {
		if m := base.Member(key); m != nil {
			l.report(diag.New("config-file", m.KeySpan, "a configuration that others extend cannot have %q", key).
				WithHint(fmt.Sprintf("move it to %s, which extends this file", l.Files.Show(file))))
			base = base.Without(key)
		}
	}
	return merge(l.extend(base, name, append(chain, shown)), root)
}

// include adds the agents of the files that the configuration includes.
func (l *loader) include(root *source.Node) *source.Node {
	entries := root.Get("include").Elements()
	if len(entries) == 0 {
		return root
	}
	by := map[string]*team{} // by the name of the file
	var names []string
	for _, entry := range entries {
		files := entry
		if entry.Kind == source.Object {
			files = entry.Get("files")
		}
		if !files.Is(source.String) || files.Text == "" {
			continue // the schema reports it
		}
		dirs, keys := l.reads(entry.Get("reads"))
		l.shares = append(l.shares, dirs...)
		for _, name := range l.expandInclude(files) {
			t := by[name]
			if t == nil {
				t = &team{file: l.Files.Show(name), name: name, entry: files, dirs: []string{path.Dir(name)}}
				by[name], l.teams[t.file] = t, t
				names = append(names, name)
			}
			t.dirs, t.keys = append(t.dirs, dirs...), append(t.keys, keys...)
		}
		if len(names) > mostIncludes {
			l.fileFault(root.Get("include"), fmt.Sprintf("include names more than %d files", mostIncludes),
				"write several agents into one file")
			return root
		}
	}
	slices.Sort(names)
	agents := &source.Node{Kind: source.Array, Span: root.Get("include").Span}
	if own := root.Get("agents"); own.Is(source.Array) {
		agents.Span, agents.Items = own.Span, slices.Clone(own.Items)
	} else if own != nil {
		return root // the schema reports it
	}
	for i := range agents.Items {
		l.local, l.wrote = append(l.local, i), append(l.wrote, nil)
	}
	for _, f := range l.read(names, by, l.chooser(root)) {
		for i, agent := range l.agentsIn(f) {
			l.local, l.wrote = append(l.local, i), append(l.wrote, f.team)
			agents.Items = append(agents.Items, agent)
		}
	}
	if len(agents.Items) == 0 {
		return root
	}
	return with(root, "agents", agents)
}

// reads returns the directories in [Files] that an entry of include shares, and the
// environment variables that hold keys.
func (l *loader) reads(list *source.Node) (dirs, keys []string) {
	for _, n := range list.Elements() {
		if strings.HasPrefix(n.ScalarText(), "env:") {
			keys = append(keys, n.Text)
		} else if dir, ok := l.resolveName(n, n.ScalarText(), path.Dir(l.Files.Name)); ok {
			dirs = append(dirs, dir)
		}
	}
	return dirs, keys
}

// chooser returns a function that reports whether the run needs an included file,
// by its text: a run for some agents needs the files that mention them. It is
// nil when all files are needed.
func (l *loader) chooser(root *source.Node) func(text []byte) bool {
	if len(l.Agents) == 0 {
		return nil
	}
	chosen := root.Get("environments").Get(l.Environment)
	flags := strings.Join(l.Set, "\n")
	if hides(root.Get("defaults")) || hides(chosen) || keepsPrivate([]byte(flags)) {
		return nil // what is private for one agent is for all
	}
	for _, key := range l.siteKeys() {
		if !blank(root.Get(key)) || !blank(chosen.Get(key)) {
			return nil
		}
	}
	wanted := map[string]bool{}
	for _, id := range l.Agents {
		wanted[id] = true
	}
	return func(text []byte) bool {
		for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return !idRune(r) }) {
			if wanted[string(word)] {
				return true
			}
		}
		return false
	}
}

// idRune reports whether the id of an agent may have a character.
func idRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-_", r)
}

// blank reports whether the value of a key asks for nothing.
func blank(n *source.Node) bool { return n.Empty() || n.Text == "false" }

// included is a file of include, as it was read.
type included struct {
	*team
	document
}

// read reads the files of include that the run needs, of which some may be one by
// different names.
func (l *loader) read(names []string, by map[string]*team, choose func([]byte) bool) []*included {
	var files []*included
	for _, name := range names {
		real := l.realName(name)
		if l.frame[real] {
			l.fileFault(by[name].entry, fmt.Sprintf("include leads in a circle: %s includes %s", l.File, l.Files.Show(name)),
				"name the files with further agents only")
			continue
		}
		if l.included[real] {
			continue
		}
		l.included[real] = true
		data, ok := l.bytes(by[name].entry, name)
		switch {
		case !ok:
			l.confine(by[name].file)
		case choose != nil && !choose(data) && !hidesKey(data) && !keepsPrivate(data):
			l.skipped++
			for _, key := range keyVariable().FindAllSubmatch(data, -1) {
				l.keys[strings.ToUpper(string(key[1]))] = true
			}
		default:
			files = append(files, &included{by[name], document{name: name, data: data}})
		}
	}
	_ = parallel.All(files, func(f *included) error {
		data := f.data
		f.parse(l)
		if owner := ownerIn().FindSubmatch(data); f.found.Worst() == diag.Error && owner != nil {
			f.owner = string(bytes.TrimSpace(slices.Concat(owner[1:]...)))
		}
		return nil
	})
	return files
}

// agentsIn returns the agents of an included file, with its defaults.
func (l *loader) agentsIn(f *included) []*source.Node {
	root := l.take(&f.document)
	if root == nil {
		return nil
	}
	l.checkIncluded(root)
	defaults := root.Get("defaults")
	if defaults != nil && defaults.Kind != source.Object {
		l.fileFault(defaults, "defaults is "+article(defaults.Kind)+", must be a map of keys", "")
		defaults = nil
	}
	for _, n := range append([]*source.Node{defaults}, root.Get("agents").Elements()...) {
		f.owner = cmp.Or(f.owner, n.Get("owner").ScalarText())
	}
	var agents []*source.Node
	for _, agent := range root.Get("agents").Elements() {
		if agent.Kind == source.Object {
			agent = merge(defaults, agent)
		}
		if l.room -= schema.Size(agent); l.room < 0 {
			l.fileFault(f.entry, fmt.Sprintf("the included files make more than %d bytes with their defaults",
				copies*l.bounds.Source), "raise the limit with --limit source=N")
			l.confine(f.file)
			return nil
		}
		agents = append(agents, agent)
	}
	return agents
}

// hidesKey reports whether the variable of a signing key may stand in the text of a
// file in another way than keyVariable matches: with escapes or made of variables.
func hidesKey(text []byte) bool {
	return bytes.IndexByte(text, '\\') >= 0 || bytes.Contains(text, []byte("${")) &&
		bytes.Contains(text, []byte("signing"))
}

// keepsPrivate reports whether the text of a file may say that a skill is private,
// which is then so for all agents.
func keepsPrivate(text []byte) bool {
	return bytes.Contains(text, []byte("extended")) || bytes.Contains(text, []byte("visibility"))
}

// hides reports whether anything in a value may make a skill private.
func hides(n *source.Node) bool {
	for v := range n.All() {
		if slices.ContainsFunc(v.Members, func(m source.Member) bool { return keepsPrivate([]byte(m.Key)) }) {
			return true
		}
	}
	return false
}

// keyVariable matches the variable of a signing key in a file that is not parsed.
var keyVariable = parallel.Regexp(`env:\s*([A-Za-z_][A-Za-z0-9_]*)`)

// checkIncluded reports what a file of agents may not hold.
func (l *loader) checkIncluded(root *source.Node) {
	known := []string{"agents", "defaults", "version"}
	for _, m := range root.Members {
		switch {
		case slices.Contains(known, m.Key):
		case m.Key == "include" || m.Key == "extends":
			l.report(diag.New("config-file", m.KeySpan, "an included file cannot have %q itself", m.Key).
				WithHint("move it to " + l.File))
		default:
			l.report(diag.New("config-key-unknown", m.KeySpan, "unknown key %s in an included file", diag.Quote(m.Key)).
				WithHint(diag.Hint(m.Key, known, "an included file has only agents and defaults; the rest belongs in "+l.File)))
		}
	}
	if v := root.Get("version"); v != nil && v.ScalarText() != "1" {
		l.report(diag.New("config-value", v.Span, "version must be 1"))
	}
	switch agents := root.Get("agents"); {
	case agents == nil:
		l.fileFault(root, "the included file has no agents", "")
	case agents.Kind != source.Array:
		l.fileFault(agents, "agents is "+article(agents.Kind)+", must be a list", "")
	case len(agents.Items) == 0:
		l.fileFault(agents, "agents is empty, must hold at least one entry", "")
	}
}

// bytes reads the text of a file of the configuration.
func (l *loader) bytes(n *source.Node, name string) ([]byte, bool) {
	shown := l.Files.Show(name)
	data, err := files.ReadFile(l.Files.FS, name, l.bounds.Source)
	if large, ok := errors.AsType[*files.TooLargeError](err); ok {
		l.fileFault(n, fmt.Sprintf("%s has more than %d bytes, the limit for a source", diag.Quote(shown), large.Limit),
			"raise the limit with --limit source=N")
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
		l.fileFault(n, fmt.Sprintf("the files of the configuration have more than %d bytes", copies*l.bounds.Source),
			"raise the limit with --limit source=N")
		return nil, false
	}
	return data, true
}

// document is a file of the configuration.
type document struct {
	name  string // in [Files]
	data  []byte
	root  *source.Node // once it is parsed
	found diag.List
}

func (d *document) parse(l *loader) {
	d.root, d.found = source.ParseYAML(l.Files.Show(d.name), d.data, "config-value", l.bounds)
	d.data = nil
}

// take returns what a file that is parsed holds. It is nil where there is nothing to
// go on with.
func (l *loader) take(d *document) *source.Node {
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
		l.fileFault(d.root, "the file is "+article(d.root.Kind)+", must be a map of keys", "")
		return nil
	}
	return d.root
}

// resolveName finds a file that a file in dir names at n.
func (l *loader) resolveName(n *source.Node, name, dir string) (string, bool) {
	if strings.Contains(name, "${") {
		l.fileFault(n, fmt.Sprintf("%s has a variable, but files are read before variables are replaced",
			diag.Quote(clip(name))), "write the path out")
		return "", false
	}
	_, file, err := files.Checkout{Root: "/project", Base: path.Join("/project", dir)}.Source(name, files.Committed)
	if err != nil {
		l.fileFault(n, fmt.Sprintf("%s cannot be read: %s", diag.Quote(clip(n.Text)), files.Reason(err)),
			"name a file of the project, relative to this one")
		return "", false
	}
	return file, true
}

// realName returns the name of a file without links.
func (l *loader) realName(name string) string {
	if real, err := files.Within(l.Files.FS, name); err == nil {
		return real
	}
	return name
}
