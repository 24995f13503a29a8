package project

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/git"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
	"cardwright/mapping"
	"cardwright/schema"
)

// survey is what a project holds that an agent can be made of.
type survey struct {
	root      fs.FS
	formats   []mapping.Format
	manifests []mapping.Manifest
	ignores   git.Ignores
	why       map[string]string // of directories, why nothing in them counts
	skills    []string          // files that count
	all       []string          // every SKILL.md that a source could read
	kind      map[string]skillKind
	plugins   map[string]bool   // directories
	packages  map[string]bool   // directories
	cards     map[string]string // files by the directory of their agent
	crews     []string          // directories with subagents
	others    []StarterSource
	listed    bool                // a marketplace says what is public
	left      map[string][]string // files that do not count, by the reason
}

// skillKind tells copies of a skill: files with one id, and with one text.
type skillKind struct {
	id    string
	named bool // by its header
	text  [sha256.Size]byte
}

// deepest is how many levels of directories are searched, as in a source.
var deepest = source.Limits{}.WithDefaults().Depth

// look finds everything once.
func look(root fs.FS) *survey {
	s := &survey{
		root: root, formats: mapping.Formats(), manifests: mapping.Manifests(), ignores: git.Ignores{FS: root},
		why: map[string]string{}, kind: map[string]skillKind{},
		plugins: map[string]bool{}, packages: map[string]bool{}, cards: map[string]string{}, left: map[string][]string{},
	}
	s.search(".")
	s.unnest()
	s.drop("no header", func(f string) bool { return path.Dir(f) == "." && !s.kindOf(f).named })
	s.drop("archives, backups, examples and translations", s.aside)
	return s
}

// search lists each directory once: asking for single files takes longer than all else.
func (s *survey) search(dir string) {
	entries, err := fs.ReadDir(s.root, dir)
	if err != nil {
		return // an unreadable directory holds nothing for us
	}
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	if dir != "." && has(tree.ManifestName) {
		return // what a run has published
	}
	if !has(git.IgnoreName) {
		s.ignores.None(dir)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !e.IsDir():
			s.file(name, e)
		case e.Name() != ".git" && e.Name() != "node_modules" && strings.Count(name, "/") < deepest:
			s.enter(name, e)
			s.search(name)
		}
	}
}

func (s *survey) enter(name string, d fs.DirEntry) {
	s.why[name] = s.why[path.Dir(name)]
	switch {
	case s.why[name] != "":
	case s.ignores.Has(name + "/."):
		s.why[name] = "ignored by git"
	default:
		s.why[name] = mapping.Foreign(name)
	}
	if from, ok := s.sourceAt(name, d); ok && s.why[name] == "" {
		s.others = append(s.others, from)
	}
}

func (s *survey) file(name string, d fs.DirEntry) {
	dir, base := path.Dir(name), path.Base(name)
	why := s.why[dir]
	if walk.IsSkillName(base) {
		s.all = append(s.all, name)
		if why == "" && s.ignores.Has(name) {
			why = "ignored by git"
		}
		if why != "" {
			s.left[why] = append(s.left[why], name)
		} else {
			s.skills = append(s.skills, name)
		}
		return
	}
	if why != "" || s.aside(name) && dir != "." {
		return
	}
	for _, m := range s.manifests {
		at, ok := strings.CutSuffix("/"+name, "/"+m.Name)
		switch at = cmp.Or(strings.TrimPrefix(at, "/"), "."); {
		case !ok:
		case m.Type == mapping.TypePackage:
			s.packages[at] = true
		case m.List:
			s.market(name, at)
		default:
			s.plugins[at] = true
		}
	}
	switch {
	case isCardName(name):
		s.cards[cardHome(name)] = cmp.Or(s.cards[cardHome(name)], name)
	case path.Ext(base) == ".md" && path.Base(dir) == "agents" && !slices.Contains(s.crews, dir):
		s.crews = append(s.crews, dir)
	}
	if from, ok := s.sourceAt(name, d); ok && from.Type != mapping.TypeSkills {
		s.others = append(s.others, from)
	}
}

// market takes the directories that a marketplace lists.
func (s *survey) market(name, dir string) {
	data, err := safefile.ReadFile(s.root, name, source.Limits{}.WithDefaults().Source)
	if err != nil {
		return
	}
	root, _ := source.ParseJSON(name, data, source.Limits{})
	for _, e := range mapping.Marketplace(root, dir) {
		if info, err := fs.Stat(s.root, e.Dir); err == nil && info.IsDir() {
			s.plugins[e.Dir], s.listed = true, true
		}
	}
}

// aside reports whether a file lies in a directory for what stands elsewhere too.
func (s *survey) aside(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(path.Dir(name)), "/"), mapping.Aside)
}

// drop takes files from those that count, unless none would be left.
func (s *survey) drop(why string, is func(string) bool) {
	kept := slices.DeleteFunc(slices.Clone(s.skills), is)
	if len(kept) == 0 || len(kept) == len(s.skills) {
		return
	}
	s.leave(why, slices.DeleteFunc(slices.Clone(s.skills), func(f string) bool { return !is(f) })...)
	s.skills = kept
}

func (s *survey) leave(why string, files ...string) { s.left[why] = append(s.left[why], files...) }

// unnest forgets the files that belong to another skill, whose directory they are in.
// A skill in the root of the project has no others in it.
func (s *survey) unnest() {
	holders := map[string]bool{}
	for _, f := range s.all {
		holders[path.Dir(f)] = true
	}
	nested := func(f string) bool {
		for dir := path.Dir(path.Dir(f)); dir != "." && path.Dir(f) != "."; dir = path.Dir(dir) {
			if holders[dir] {
				return true
			}
		}
		return false
	}
	s.all, s.skills = slices.DeleteFunc(s.all, nested), slices.DeleteFunc(s.skills, nested)
}

// isCardName reports whether an agent's card may have that name.
func isCardName(name string) bool {
	return slices.Contains([]string{"agent-card.json", "agent_card.json"}, path.Base(name)) ||
		strings.HasSuffix("/"+name, "/.well-known/agent.json")
}

// cardHome is the directory of the agent that a card describes.
func cardHome(name string) string {
	dir := path.Dir(name)
	for slices.Contains([]string{".well-known", "public", "static"}, path.Base(dir)) {
		dir = path.Dir(dir)
	}
	return dir
}

// headerName finds the name in a header.
var headerName = regexp.MustCompile(`(?m)^name:[ \t]*["']?([^"'\r\n#]+)`)

// kindOf returns what tells copies of a skill.
func (s *survey) kindOf(file string) skillKind {
	if k, ok := s.kind[file]; ok {
		return k
	}
	k := skillKind{id: schema.Slug(path.Base(path.Dir(file)))}
	if f, err := s.root.Open(file); err == nil {
		head := make([]byte, 4<<10)
		n, _ := f.Read(head)
		_ = f.Close() // it was only read
		text := bytes.ReplaceAll(head[:n], []byte("\r"), nil)
		if name := headerName.FindSubmatch(text); name != nil {
			k.id, k.named = schema.Slug(string(bytes.TrimSpace(name[1]))), true
		}
		k.text = sha256.Sum256(text)
	}
	s.kind[file] = k
	return k
}

// best keeps of the files with one id the one that a run would publish.
func (s *survey) best(files []string) []string {
	chosen := map[string]string{}
	for _, f := range files {
		id := s.kindOf(f).id
		if other, ok := chosen[id]; !ok || mapping.Before(f, other) {
			chosen[id] = f
		}
	}
	var kept []string
	for _, f := range files {
		if chosen[s.kindOf(f).id] == f {
			kept = append(kept, f)
		} else {
			s.leave(whyCopies, f)
		}
	}
	return kept
}

const (
	whyCopies = "copies of other skills"
	whyDrafts = "not listed as public"
)

// folders are the directories to list as sources so that they hold all files: the
// one called skills that is outermost, and of those that have no name in common
// their common directory, so that the directories become tags.
func folders(files []string) []string {
	set := map[string]bool{}
	for _, f := range files {
		if path.Dir(f) == "." {
			set[f] = true
			continue
		}
		dir := path.Dir(path.Dir(f))
		parts := strings.Split(dir, "/")
		if i := slices.Index(parts, "skills"); i >= 0 {
			dir = path.Join(parts[:i+1]...)
		}
		set[dir] = true
	}
	list := outermost(slices.Sorted(maps.Keys(set)))
	var own, tools []string
	for _, dir := range list {
		if strings.HasPrefix(dir, ".") && dir != "." || !strings.Contains(dir, "/") {
			tools = append(tools, dir)
		} else {
			own = append(own, dir)
		}
	}
	if len(own) > 1 {
		own = []string{common(own)}
	}
	return outermost(slices.Sorted(slices.Values(append(own, tools...))))
}

// outermost drops the directories that lie in another one. A file in the root stays.
func outermost(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(dir string) bool {
		return slices.ContainsFunc(list, func(other string) bool {
			return other != dir && (!walk.IsSkillName(dir) || other == ".") && StarterSource{Path: other}.holds(dir)
		})
	})
}

func common(dirs []string) string {
	all := strings.Split(dirs[0], "/")
	for _, dir := range dirs[1:] {
		parts := strings.Split(dir, "/")
		for i := range all {
			if i >= len(parts) || parts[i] != all[i] {
				all = all[:i]
				break
			}
		}
	}
	return cmp.Or(path.Join(all...), ".")
}

// except returns the patterns that keep a source to the files that are to be in it.
func (s *survey) except(dir string, kept []string) []string {
	keeps := map[string]bool{}
	for _, f := range kept {
		for at := f; ; at = path.Dir(at) {
			keeps[at] = true
			if at == "." {
				break
			}
		}
	}
	var out []string
	for _, f := range s.all {
		if !(StarterSource{Path: dir}).holds(f) || keeps[f] {
			continue
		}
		top := f
		for up := path.Dir(top); up != dir && up != "." && !keeps[up]; up = path.Dir(up) {
			top = up
		}
		if dir != "." {
			top = strings.TrimPrefix(top, dir+"/")
		}
		if !strings.Contains(top, "/") && walk.IsSkillName(top) {
			top = "/" + top // not those of the directories
		}
		if !slices.Contains(out, top) && !strings.ContainsAny(top, `*?[\`) {
			out = append(out, top)
		}
	}
	return out
}
