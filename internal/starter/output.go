package starter

import (
	"io/fs"
	"path"
	"strings"

	"cardwright/internal/site"
)

// output chooses the directory for the cards: one that git keeps and that nothing else
// fills.
func (p *project) output() string {
	if p.Out != "" {
		return p.Out
	}
	for _, dir := range []string{"dist", "public"} {
		exists := dirExists(p.root, dir)
		ours := isFile(p.root, path.Join(dir, site.ManifestName))
		site := isFile(p.root, path.Join(dir, "index.html"))
		if !p.Ignored(dir, true) && (ours || dir == "dist" && !exists || dir == "public" && site) {
			return dir
		}
	}
	return "agent-cards"
}

func dirExists(root fs.FS, name string) bool {
	info, err := fs.Stat(root, name)
	return err == nil && info.IsDir()
}

// gitIgnore keeps the sidecars out of git, and the cards in it where a pattern of the
// repository ignores files of their names.
func (p *project) gitIgnore(out string) []byte {
	lines := []string{
		"# Sidecars follow from the files beside them. Delete these two lines to commit them.",
		"*" + ".etag", "*" + ".sha256",
	}
	for _, keep := range []struct {
		pattern, name string
		isDir         bool
	}{
		{"!.gitignore", ".gitignore", false},
		{"!.well-known/", ".well-known", true},
		{"!*.json", ".well-known/agent-card.json", false},
	} {
		if p.Ignored(path.Join(out, keep.name), keep.isDir) {
			lines = append(lines, keep.pattern)
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
