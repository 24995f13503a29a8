package project

import (
	"io/fs"
	"path"
	"strings"

	"cardwright/mapping"
)

// String names the source for people.
func (s *StarterSource) String() string {
	if s.Type == mapping.TypeSkills {
		return s.Path
	}
	return s.Path + " (" + string(s.Type) + ")"
}

// sources names all of them for people.
func (a *StarterAgent) sources() string {
	var names []string
	for _, from := range a.Sources {
		names = append(names, from.String())
	}
	return strings.Join(names, ", ")
}

// holds reports whether a directory or file is that of the source, or lies below.
func (s StarterSource) holds(name string) bool {
	return s.Path == "." || s.Path == name || strings.HasPrefix(name, s.Path+"/")
}

// reads reports whether a file is one that the source looks into.
func (s StarterSource) reads(file string) bool {
	switch {
	case file == "" || !s.holds(file):
		return false
	case s.excludable():
		return strings.EqualFold(path.Ext(file), ".md")
	}
	return true
}

// excludable reports whether single skills can be left out of the source.
func (s StarterSource) excludable() bool {
	return s.Type == mapping.TypeSkills || s.Type == mapping.TypePlugin
}

// sourceAt returns the source which a file or directory is a part of. The path of a
// skill is its own directory.
func (s *survey) sourceAt(name string, d fs.DirEntry) (StarterSource, bool) {
	for _, f := range s.formats {
		if at, ok := f.Detect(s.root, name, d); ok {
			return StarterSource{Type: f.Type, Path: at}, true
		}
	}
	return StarterSource{}, false
}
