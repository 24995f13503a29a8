package starter

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// Why files are on no card.
const (
	whyIgnored  = "ignored by git"
	whyAside    = "in tests, templates, examples, archives or translations"
	whyCopy     = "copies of other skills"
	whyTaken    = "with the id of another skill"
	whyUnlisted = "not listed by the manifest"
	whyUnread   = "not to be read as a skill"
	whyBare     = "plugins without a skill"
	whyBroken   = "not to be read as an agent card"
)

// maxDepth is how many levels of directories are searched, as in a source.
const maxDepth = 16

// scan is what a project holds that an agent can be made of.
type scan struct {
	root      fs.FS
	ignored   Ignored
	formats   []mapping.Format
	manifests []mapping.Manifest

	skills   []string            // SKILL.md files that may be published
	read     []string            // every SKILL.md that a source above it would read
	plugins  map[string]bool     // directories with a plugin manifest, or in a marketplace
	packages map[string]bool     // directories with a package manifest
	forges   []string            // directories with a forge.yaml
	cards    map[string]string   // agent cards by the directory of their agent
	crews    []string            // directories called agents that hold Markdown files
	others   []entry             // sources of other formats
	lists    bool                // a marketplace lists the skills of its entries
	left     map[string][]string // files that are left out, by the reason
}

// scanProject lists each directory once.
func scanProject(root fs.FS, o Options) *scan {
	s := &scan{
		root: root, ignored: o.Ignored, formats: mapping.Formats(), manifests: mapping.Manifests(),
		plugins: map[string]bool{}, packages: map[string]bool{}, cards: map[string]string{}, left: map[string][]string{},
	}
	dirs := o.Dirs
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		s.directory(path.Clean(dir), "", false)
	}
	return s
}

// directory searches a directory. Nothing in it is published for the reason why, ""
// where something may be; inSkill means that it belongs to a skill above it.
func (s *scan) directory(dir, why string, inSkill bool) {
	entries, err := fs.ReadDir(s.root, dir)
	if err != nil {
		return // an unreadable directory holds nothing for us
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	if dir != "." && names[site.ManifestName] {
		return // an output tree
	}
	if why == "" && !aside(dir) {
		s.describe(dir, names)
		if info, err := fs.Stat(s.root, dir); err == nil {
			s.detect(dir, fs.FileInfoToDirEntry(info))
		}
	}
	holds := false
	for _, e := range entries {
		if !e.IsDir() && mapping.IsSkillName(e.Name()) && !inSkill && !holds {
			holds = true
			s.skill(path.Join(dir, e.Name()), why)
		}
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !e.IsDir():
			s.file(name, e, why)
		case !hidden(e.Name()) && strings.Count(name, "/") < maxDepth:
			s.directory(name, cmp.Or(why, s.reason(name)), inSkill || holds && dir != ".")
		}
	}
}

// hidden reports whether no directory of that name is searched, nor entered by a source.
func hidden(base string) bool {
	return strings.HasPrefix(base, ".") || base == "node_modules"
}

// reason says why nothing in a directory is published, "" where something may be.
func (s *scan) reason(dir string) string {
	switch {
	case s.ignored(dir, true):
		return whyIgnored
	case mapping.Foreign(dir) != "":
		return mapping.Foreign(dir)
	}
	return ""
}

// aside reports whether what a directory says is about an example, a test or a copy.
func aside(dir string) bool { return mapping.IsAside(path.Join(dir, "agent", "manifest")) }

// skill notes a SKILL.md.
func (s *scan) skill(file, why string) {
	switch {
	case why != "":
	case s.ignored(file, false):
		why = whyIgnored
	case mapping.IsAside(file):
		why = whyAside
	}
	if why != whyIgnored {
		s.read = append(s.read, file)
	}
	if why != "" {
		s.leave(why, file)
		return
	}
	s.skills = append(s.skills, file)
}

func (s *scan) leave(why string, files ...string) { s.left[why] = append(s.left[why], files...) }

// reasons are why skills are left out, the most frequent first.
func (s *scan) reasons() []string {
	maps.DeleteFunc(s.left, func(_ string, files []string) bool { return len(files) == 0 })
	return slices.SortedFunc(maps.Keys(s.left), func(a, b string) int {
		return cmp.Or(len(s.left[b])-len(s.left[a]), strings.Compare(a, b))
	})
}

func (s *scan) leftAfter(reasons []string) (n int) {
	for _, why := range reasons {
		n += len(s.left[why])
	}
	return n
}

// describe notes the manifests of a directory.
func (s *scan) describe(dir string, names map[string]bool) {
	for _, m := range s.manifests {
		top, _, deep := strings.Cut(m.Name, "/")
		file := path.Join(dir, m.Name)
		if !names[top] || deep && !isFile(s.root, file) || s.ignored(file, false) {
			continue
		}
		switch {
		case m.List:
			s.market(file, dir)
		case m.Type == mapping.TypePackage:
			s.packages[dir] = true
		default:
			s.plugins[dir] = true
		}
	}
	if names["forge.yaml"] {
		s.forges = append(s.forges, dir)
	}
	for _, name := range []string{".well-known/agent-card.json", ".well-known/agent.json"} {
		if names[".well-known"] && isFile(s.root, path.Join(dir, name)) {
			s.card(path.Join(dir, name))
		}
	}
}

// file notes a file that is a source, or that describes an agent.
func (s *scan) file(name string, e fs.DirEntry, why string) {
	if why != "" || aside(path.Dir(name)) || s.ignored(name, false) {
		return
	}
	dir := path.Dir(name)
	switch {
	case e.Name() == "agent-card.json", e.Name() == "agent_card.json":
		s.card(name)
	case path.Ext(e.Name()) == ".md" && path.Base(dir) == "agents" && !slices.Contains(s.crews, dir):
		s.crews = append(s.crews, dir)
	}
	s.detect(name, e)
}

// detect notes the source of another format that a file or directory is a part of.
func (s *scan) detect(name string, e fs.DirEntry) {
	for _, f := range s.formats {
		if f.Type == mapping.TypeSkills || f.Type == mapping.TypeForge {
			continue
		}
		at, ok := f.Detect(s.root, name, e)
		if ok && !slices.ContainsFunc(s.others, func(o entry) bool { return o.Type == f.Type && o.Path == at }) {
			s.others = append(s.others, entry{Type: f.Type, Path: at})
		}
	}
}

// card notes an agent card. It describes the directory that its web root lies in.
func (s *scan) card(name string) {
	dir := path.Dir(name)
	for slices.Contains([]string{".well-known", "public", "static"}, path.Base(dir)) {
		dir = path.Dir(dir)
	}
	s.cards[dir] = cmp.Or(s.cards[dir], name)
}

// market notes the directories that a marketplace lists.
func (s *scan) market(name, dir string) {
	data, err := files.ReadFile(s.root, name, source.MaxSource)
	if err != nil {
		return
	}
	root, _ := source.ParseJSON(name, data)
	for _, e := range mapping.Marketplace(root, dir) {
		if info, err := fs.Stat(s.root, e.Dir); err == nil && info.IsDir() {
			s.plugins[e.Dir] = true
			s.lists = s.lists || e.Node.Get("skills").Is(source.Array)
		}
	}
}

func isFile(root fs.FS, name string) bool {
	info, err := fs.Stat(root, name)
	return err == nil && info.Mode().IsRegular()
}
