package project

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cardwright/internal/files"
)

// Remote is the URL of the git remote origin, "" for none.
func (s *Workspace) Remote() string {
	const longest = 1 << 20
	name := filepath.Join(files.GitDir(s.Checkout.Root), "config")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > longest {
		return ""
	}
	data, err := os.ReadFile(name)
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
