package project

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/files"
	"cardwright/internal/parallel"
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
	manifests map[string][]mapping.Manifest // by the last elements of their names
	ignores   files.Ignores
	skills    []string // files that count
	all       []string // every SKILL.md that a source reads
	kind      map[string]skillKind
	plugins   map[string]bool   // directories
	packages  map[string]bool   // directories
	cards     map[string]string // files by the directory of their agent
	crews     []string          // directories with subagents
	others    []starterSource
	listed    bool                // a marketplace says what is public
	left      map[string][]string // files that do not count, by the reason
}

// skillKind tells copies of a skill: files with one id, and with one description.
type skillKind struct {
	id    string
	name  string   // for people, "" when the header has none
	named bool     // by its header
	text  [32]byte // of the description
}

// deepest is how many levels of directories are searched, as in a source.
var deepest = source.Limits{}.WithDefaults().Depth

// look finds everything once.
func look(root fs.FS) *survey {
	s := &survey{
		root: root, formats: mapping.Formats(), manifests: map[string][]mapping.Manifest{}, ignores: files.Ignores{FS: root},
		plugins: map[string]bool{}, packages: map[string]bool{}, cards: map[string]string{}, left: map[string][]string{},
	}
	for _, m := range mapping.Manifests() {
		s.manifests[path.Base(m.Name)] = append(s.manifests[path.Base(m.Name)], m)
	}
	s.search(".", "")
	s.unnest()
	s.readKinds()
	s.drop("no header", func(f string) bool { return path.Dir(f) == "." && !s.kind[f].named })
	s.drop("archives, backups, examples and translations", mapping.IsAside)
	return s
}

// search lists each directory once: asking for single files takes longer than all else.
// It says why nothing in the directory counts, "" where something does.
func (s *survey) search(dir, why string) {
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
	if !has(files.IgnoreName) {
		s.ignores.None(dir)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !e.IsDir():
			s.file(name, e, why)
		case e.Name() != ".git" && e.Name() != "node_modules" && strings.Count(name, "/") < deepest:
			s.search(name, s.enter(name, e, why))
		}
	}
}

// enter says why nothing in a directory counts.
func (s *survey) enter(name string, d fs.DirEntry, why string) string {
	switch {
	case why != "":
	case s.ignores.Is(name, true):
		why = "ignored by git"
	default:
		why = mapping.Foreign(name)
	}
	if why == "" {
		s.other(name, d)
	}
	return why
}

func (s *survey) file(name string, d fs.DirEntry, why string) {
	dir, base := path.Dir(name), d.Name()
	if walk.IsSkillName(base) {
		if why == "" && s.ignores.Is(name, false) {
			why = "ignored by git"
		}
		if why != "" {
			s.leave(why, name)
		} else {
			s.all, s.skills = append(s.all, name), append(s.skills, name)
		}
		return
	}
	if why != "" || dir != "." && mapping.IsAside(name) {
		return
	}
	for _, m := range s.manifests[base] {
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
	s.other(name, d)
}

// other notes the source which a file or directory is a part of, but for skills.
func (s *survey) other(name string, d fs.DirEntry) {
	for _, f := range s.formats {
		if at, ok := f.Detect(s.root, name, d); ok {
			s.others = append(s.others, starterSource{Type: f.Type, Path: at})
			return
		}
	}
}

// market takes the directories that a marketplace lists.
func (s *survey) market(name, dir string) {
	data, err := files.ReadFile(s.root, name, source.Limits{}.WithDefaults().Source)
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

// drop takes files from those that count, unless none would be left.
func (s *survey) drop(why string, is func(string) bool) {
	kept := slices.DeleteFunc(slices.Clone(s.skills), is)
	if len(kept) == 0 || len(kept) == len(s.skills) {
		return
	}
	for _, f := range s.skills {
		if is(f) {
			s.leave(why, f)
			delete(s.kind, f)
		}
	}
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

// These find what is needed of a header.
var (
	headerName  = parallel.Regexp(`(?m)^name:[ \t]*["']?([^"'\n#]+)`)
	headerTitle = parallel.Regexp(`(?m)^[ \t]*(?:a2a-name|displayName|display_name|display-name|title):` +
		`[ \t]*["']?([^"'\n#]+)`)
	headerText = parallel.Regexp(`(?m)^description:(.*(?:\n(?:[ \t].*)?)*)`)
)

// readKinds reads what tells copies of skills.
func (s *survey) readKinds() {
	kinds := make([]skillKind, len(s.skills))
	_ = parallel.Work(slices.Values(s.skills), func(i int, file string) error {
		kinds[i] = readKind(s.root, file)
		return nil
	})
	s.kind = make(map[string]skillKind, len(kinds))
	for i, k := range kinds {
		s.kind[s.skills[i]] = k
	}
}

// headSize is how much of a file is read for that.
const headSize = 4 << 10

func readKind(root fs.FS, file string) skillKind {
	k := skillKind{id: schema.Slug(path.Base(path.Dir(file)))}
	f, err := root.Open(file)
	if err != nil {
		return k
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, _ := io.ReadFull(f, head)
	text := bytes.ReplaceAll(head[:n], []byte("\r"), nil)
	if begin, rest, ok := bytes.Cut(text, []byte("---\n")); ok && len(begin) <= len("\ufeff") {
		text, _, _ = bytes.Cut(rest, []byte("\n---"))
	}
	words := ""
	if m := headerText().FindSubmatch(text); m != nil {
		words = string(m[1])
	}
	if name := headerName().FindSubmatch(text); name != nil {
		k.name, k.named = string(bytes.TrimSpace(name[1])), true
		k.id = schema.Slug(k.name)
	}
	k.text = sum(words)
	if title := headerTitle().FindSubmatch(text); title != nil {
		k.name = string(bytes.TrimSpace(title[1]))
	}
	k.name = mapping.Title(cmp.Or(k.name, k.id), words)
	return k
}

// sum tells texts apart that differ in more than punctuation.
func sum(text string) [32]byte {
	return sha256.Sum256([]byte(strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")))
}

// best keeps of the files with one id the one that a run would publish.
func (s *survey) best(files []string) []string {
	chosen := make(map[string]string, len(files))
	for _, f := range files {
		id := s.kind[f].id
		if other, ok := chosen[id]; !ok || mapping.Before(f, other) {
			chosen[id] = f
		}
	}
	var kept []string
	for _, f := range files {
		switch first := chosen[s.kind[f].id]; {
		case first == f:
			kept = append(kept, f)
		case s.kind[f].text == s.kind[first].text:
			s.leave(whyCopies, f)
		default:
			s.leave(whyTaken, f)
		}
	}
	return kept
}

// own keeps the files outside of directories for the tools of whoever works on the
// project, such as .claude/skills, unless there are no others.
func (s *survey) own(files []string) []string {
	kept := slices.DeleteFunc(slices.Clone(files), ofTool)
	if len(kept) == 0 {
		return files
	}
	for _, f := range files {
		if ofTool(f) {
			s.leave(whyTools, f)
		}
	}
	return kept
}

func ofTool(file string) bool {
	return strings.HasPrefix(file, ".") || strings.Contains(file, "/.")
}

const (
	whyCopies = "copies of other skills"
	whyTaken  = "with the id of another skill"
	whyDrafts = "not listed as public"
	whyTools  = "for tools of this repository"
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
	var own, tools []string
	for _, dir := range outermost(slices.Sorted(maps.Keys(set))) {
		switch top, _, _ := strings.Cut(dir, "/"); {
		case dir == walk.SkillName || path.Base(dir) == "skills" && (top == dir || ofTool(dir)):
			tools = append(tools, dir)
		default:
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
			return other != dir && (!walk.IsSkillName(dir) || other == ".") && holds(other, dir)
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
	seen := map[string]bool{}
	for _, f := range s.all {
		if keeps[f] || !holds(dir, f) {
			continue
		}
		top := f
		for up := path.Dir(top); up != dir && up != "." && !keeps[up]; up = path.Dir(up) {
			top = up
		}
		top = below(dir, top)
		if !strings.Contains(top, "/") && walk.IsSkillName(top) {
			top = "/" + top // not those of the directories
		}
		if !seen[top] && !strings.ContainsAny(top, `*?[\`) {
			out = append(out, top)
		}
		seen[top] = true
	}
	return out
}
