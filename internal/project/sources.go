package project

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// StarterSource is an entry of skills.from.
type StarterSource struct {
	Type  mapping.SourceType
	Path  string
	Whole bool // of a card: it describes the agent
}

// String names the source for people.
func (s StarterSource) String() string {
	if s.Type == mapping.TypeSkills {
		return s.Path
	}
	return s.Path + " (" + string(s.Type) + ")"
}

// component is the directory whose skills the source holds, and whether its place
// says so.
func (s StarterSource) component() (string, bool) {
	switch s.Type {
	case mapping.TypeSkills:
		if path.Base(s.Path) != "skills" {
			return path.Dir(s.Path), false
		}
		dir := path.Dir(s.Path)
		if base := path.Base(dir); strings.HasPrefix(base, ".") && base != "." {
			dir = path.Dir(dir) // .agents, .claude
		}
		return dir, true
	case mapping.TypeForge:
		return s.Path, s.Path != "."
	}
	return path.Dir(s.Path), false
}

// sources names all of them for people.
func (a *StarterAgent) sources() string {
	var names []string
	for _, from := range a.Sources {
		names = append(names, from.String())
	}
	return strings.Join(names, ", ")
}

// findSources finds what skills can be made of: projects of Forge, agent files of
// fast-agent, packs, answers to tools/list, and directories that hold
// directories with a SKILL.md. Where one is inside another of its type, or of a
// project of Forge, which reads skills itself, the outer one is enough.
func findSources(root fs.FS) []StarterSource {
	var all []StarterSource
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
	all = slices.DeleteFunc(all, func(s StarterSource) bool {
		return s.Type == mapping.TypeSkills && slices.ContainsFunc(all,
			func(f StarterSource) bool { return f.Type == mapping.TypeForge && f.holds(s.Path) })
	})
	for i, s := range all {
		if s.Type == mapping.TypeSkills {
			all[i].Path = path.Dir(s.Path)
		}
	}
	slices.SortFunc(all, func(a, b StarterSource) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Type, b.Type))
	})
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(s StarterSource) bool {
		return slices.ContainsFunc(all, func(outer StarterSource) bool {
			return outer != s && outer.Type == s.Type &&
				outer.holds(s.Path)
		})
	})
}

// holds tells whether a directory or file is that of the source, or lies below.
func (s StarterSource) holds(name string) bool {
	return s.Path == "." || s.Path == name || strings.HasPrefix(name, s.Path+"/")
}

// reads tells whether a file is one that the source looks into.
func (s StarterSource) reads(file string) bool {
	switch {
	case file == "" || !s.holds(file):
		return false
	case s.Type == mapping.TypeSkills:
		return strings.EqualFold(path.Base(file), "SKILL.md")
	}
	return true
}

// sourceAt tells which source a file or directory is a part of. The path of a
// skill is its own directory.
func sourceAt(root fs.FS, name string, d fs.DirEntry) (StarterSource, bool) {
	for _, f := range mapping.Formats() {
		if at, ok := f.Detect(root, name, d); ok {
			return StarterSource{Type: f.Type, Path: at}, true
		}
	}
	return StarterSource{}, false
}

// FastAgent tells whether the URLs are those of the server of fast-agent, which
// the source brings.
func (a *StarterAgent) FastAgent() bool { return a.Guessed && a.alone && a.has(mapping.TypeFastAgent) }

// AtBase tells whether the URL is that of Forge, which the source brings too.
func (a *StarterAgent) AtBase() bool { return a.Guessed && a.alone && a.Forge && !a.FastAgent() }

// Secured tells whether a source may say how clients authenticate.
func (a *StarterAgent) Secured() bool { return a.has(mapping.TypeFastAgent) || a.Forge }

func (a *StarterAgent) has(t mapping.SourceType) bool {
	return slices.ContainsFunc(a.Sources, func(s StarterSource) bool { return s.Type == t })
}

// readForge takes what the card of a project of Forge says from its forge.yaml.
func (a *StarterAgent) readForge(root fs.FS) {
	i := slices.IndexFunc(a.Sources, func(s StarterSource) bool { return s.Type == mapping.TypeForge })
	if i < 0 {
		return
	}
	a.Forge = true
	limits := source.Limits{}.WithDefaults()
	name := path.Join(a.Sources[i].Path, "forge.yaml")
	data, err := safefile.ReadFile(root, name, limits.Source)
	if err != nil {
		return
	}
	document, _ := source.ParseYAML(name, data, "source-invalid", limits)
	project, _ := mapping.Forge(document)
	a.forgeName, a.forgeVersion = project.Card.Name, project.Card.Version
	a.Name, a.Version = cmp.Or(a.forgeName, a.Name), cmp.Or(a.forgeVersion, a.Version)
}

// Brings says which members of the agent its source gives, so that the
// configuration need not repeat them.
func (a *StarterAgent) Brings() (b struct{ Name, Description, Version, Interfaces, Rest bool }) {
	if a.card != nil {
		b.Name, b.Rest, b.Interfaces = a.card.Name == a.Name, true, !a.Guessed
		b.Description, b.Version = a.card.Description != "", a.card.Version != ""
	} else if a.has(mapping.TypeForge) {
		b.Name = a.forgeName != "" && a.forgeName == a.Name
		b.Version = a.forgeVersion != "" && a.forgeVersion == a.Version
	}
	return b
}
