package project

import (
	"path"
	"strings"

	"cardwright/internal/walk"
	"cardwright/mapping"
)

// String names the source for people.
func (s *starterSource) String() string {
	if s.Type == mapping.TypeSkills {
		return s.Path
	}
	return s.Path + " (" + string(s.Type) + ")"
}

// sources names all of them for people.
func (a *starterAgent) sources() string {
	var names []string
	for _, from := range a.Sources {
		names = append(names, from.String())
	}
	return strings.Join(names, ", ")
}

// holds reports whether a file or directory is a directory, or lies below it.
func holds(dir, name string) bool {
	return dir == "." || dir == name || len(name) > len(dir) && name[len(dir)] == '/' && strings.HasPrefix(name, dir)
}

// below is the path of a file that a directory holds, relative to that.
func below(dir, file string) string {
	if dir == "." {
		return file
	}
	return strings.TrimPrefix(file, dir+"/")
}

// skill is how a pattern in exclude spells the skill that a file of the source belongs to:
// its directory, when it has one.
func (s *starterSource) skill(file string) string {
	file = below(s.Path, file)
	if walk.IsSkillName(path.Base(file)) && path.Dir(file) != "." {
		file = path.Dir(file)
	}
	return file
}

// reads reports whether a file is one that the source looks into.
func (s starterSource) reads(file string) bool {
	switch {
	case file == "" || !holds(s.Path, file):
		return false
	case s.excludable():
		return strings.EqualFold(path.Ext(file), ".md")
	}
	return true
}

// excludable reports whether single skills can be left out of the source.
func (s starterSource) excludable() bool {
	return s.Type == mapping.TypeSkills || s.Type == mapping.TypePlugin
}
