package project

import (
	"io/fs"
	"path"
	"strings"

	"cardwright/internal/files"
)

// Remote is the URL of the git remote origin, "" for none.
func (s *Workspace) Remote() string {
	origin := false
	for line := range strings.Lines(files.GitConfig(s.Checkout.Root)) {
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

// GitIgnores returns a function that reports whether git ignores a file or directory of
// the working directory, by a line about itself.
func (s *Workspace) GitIgnores(root fs.FS) (func(name string, isDir bool) bool, error) {
	ignores, below, err := files.IgnoresAround(s.Checkout.Base)
	if err != nil || ignores == nil {
		return files.NewIgnores(root, s.Checkout.Base).Is, err
	}
	s.keep(ignores.Close)
	return func(name string, isDir bool) bool { return ignores.Is(path.Join(below, name), isDir) }, nil
}
