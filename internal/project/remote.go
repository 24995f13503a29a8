package project

import (
	"io/fs"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/walk"
)

// Remote is the URL of the git remote origin of the working directory, "" for none.
func (s *Space) Remote() string {
	git := s.GitDir()
	if git == nil {
		return ""
	}
	data, err := files.ReadFile(git, "config", 1<<20)
	if err != nil {
		return ""
	}
	origin := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			origin = line == `[remote "origin"]`
		}
		if key, value, ok := strings.Cut(line, "="); ok && origin && strings.TrimSpace(key) == "url" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Ignored reports which files below root git ignores.
func (s *Space) Ignored(root fs.FS) func(name string, isDir bool) bool {
	g := walk.Ignores{FS: root}
	return g.Is
}
