package cli

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// starterSource is an entry of skills.from.
type starterSource struct {
	Type config.SourceType
	Path string
}

// String names the source for people.
func (s starterSource) String() string {
	if s.Type == config.SkillsSource {
		return s.Path
	}
	return s.Path + " (" + string(s.Type) + ")"
}

// sources names all of them for people.
func (s *starter) sources() string {
	var names []string
	for _, from := range s.Sources {
		names = append(names, from.String())
	}
	return strings.Join(names, ", ")
}

// findSources finds what skills can be made of: projects of Forge, agent files of
// fast-agent, packs, answers to tools/list, and directories that hold
// directories with a SKILL.md. Where one is inside another of its type, or of a
// project of Forge, which reads skills itself, the outer one is enough.
func findSources(root fs.FS) []starterSource {
	var all []starterSource
	_ = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // an unreadable directory holds nothing for us
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || strings.Count(name, "/") > 6):
			return fs.SkipDir
		}
		if s, ok := sourceAt(root, name, d); ok {
			all = append(all, s)
		}
		return nil
	})
	all = slices.DeleteFunc(all, func(s starterSource) bool {
		return s.Type == config.SkillsSource && slices.ContainsFunc(all, func(f starterSource) bool { return f.Type == config.ForgeSource && f.holds(s.Path) })
	})
	for i, s := range all {
		if s.Type == config.SkillsSource {
			all[i].Path = path.Dir(s.Path)
		}
	}
	slices.SortFunc(all, func(a, b starterSource) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Type, b.Type)) })
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(s starterSource) bool {
		return slices.ContainsFunc(all, func(outer starterSource) bool { return outer != s && outer.Type == s.Type && outer.holds(s.Path) })
	})
}

// holds tells whether a directory or file is that of the source, or lies below.
func (s starterSource) holds(name string) bool {
	return s.Path == "." || s.Path == name || strings.HasPrefix(name, s.Path+"/")
}

// reads tells whether a file is one that the source looks into.
func (s starterSource) reads(file string) bool {
	switch {
	case file == "" || file == configNames[0] || !s.holds(file):
		return false
	case s.Type == config.SkillsSource:
		return strings.EqualFold(path.Base(file), "SKILL.md")
	}
	return true
}

// sourceAt tells which source a file or directory is a part of. The path of a
// skill is its own directory.
func sourceAt(root fs.FS, name string, d fs.DirEntry) (s starterSource, ok bool) {
	base, ext := d.Name(), path.Ext(name)
	switch {
	case d.IsDir():
		s, ok = starterSource{config.FastAgentSource, name}, strings.HasSuffix("/"+name, "/.fast-agent/agent-cards")
	case strings.EqualFold(base, "SKILL.md"):
		s, ok = starterSource{config.SkillsSource, path.Dir(name)}, true
	case base == "forge.yaml":
		s, ok = starterSource{config.ForgeSource, path.Dir(name)}, true
	case strings.TrimSuffix(base, ext) == "helmdeck-pack" && slices.Contains([]string{".yaml", ".yml", ".json"}, ext):
		s, ok = starterSource{config.PacksSource, marketplace(root, path.Dir(path.Dir(name)))}, true
	case ext == ".json" && strings.Contains(base, "tools"):
		s, ok = starterSource{config.MCPSource, name}, listsTools(root, name)
	}
	return s, ok
}

// marketplace is the directory whose index lists the packs in dir, else dir.
func marketplace(root fs.FS, dir string) string {
	if _, err := fs.Stat(root, path.Join(dir, "..", "index.yaml")); err == nil && path.Base(dir) == "packs" {
		return path.Dir(dir)
	}
	return dir
}

// listsTools tells whether a file is an answer to tools/list.
func listsTools(root fs.FS, name string) bool {
	limits := source.Limits{}.WithDefaults()
	data, err := source.ReadFile(root, name, limits.Source)
	if err != nil {
		return false
	}
	document, _ := source.ParseJSON(name, data, limits)
	if document == nil {
		return false
	}
	skills, _ := mapping.MCP(document, nil)
	return slices.ContainsFunc(skills, func(s mapping.Skill) bool { return s.Input.Node != nil })
}

// FastAgent tells whether the URLs are those of the server of fast-agent, which
// the source brings.
func (s *starter) FastAgent() bool { return s.Guessed && s.has(config.FastAgentSource) }

// Secured tells whether a source may say how clients authenticate.
func (s *starter) Secured() bool { return s.has(config.FastAgentSource) || s.Forge }

func (s *starter) has(t config.SourceType) bool {
	return slices.ContainsFunc(s.Sources, func(s starterSource) bool { return s.Type == t })
}

// readForge takes what the card of a project of Forge says from its forge.yaml.
func (s *starter) readForge(root fs.FS) {
	i := slices.IndexFunc(s.Sources, func(s starterSource) bool { return s.Type == config.ForgeSource })
	if i < 0 {
		return
	}
	s.Forge = true
	limits := source.Limits{}.WithDefaults()
	name := path.Join(s.Sources[i].Path, "forge.yaml")
	data, err := source.ReadFile(root, name, limits.Source)
	if err != nil {
		return
	}
	document, _ := source.ParseYAML(name, data, "source-invalid", limits)
	project, _ := mapping.Forge(document)
	s.Name, s.Version = cmp.Or(project.Card.Name, s.Name), cmp.Or(project.Card.Version, s.Version)
}
