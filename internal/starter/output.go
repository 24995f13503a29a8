package starter

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// fallbacks are output directories where the usual ones are taken.
var fallbacks = []string{"agent-cards", "a2a"}

// output chooses the directory for the cards: one that git keeps and that nothing else
// fills.
func (p *project) output() string {
	if p.Out != "" {
		return p.Out
	}
	for _, dir := range []string{"dist", "public"} {
		exists := isThere(p.root, dir)
		ours := isFile(p.root, path.Join(dir, site.ManifestName))
		isSite := isFile(p.root, path.Join(dir, "index.html"))
		if p.keeps(dir) && (ours || dir == "dist" && !exists || dir == "public" && isSite) {
			return dir
		}
	}
	for _, parent := range p.parents() {
		for _, name := range fallbacks {
			if dir := path.Join(parent, name); !isFile(p.root, dir) && p.keeps(dir) {
				return dir
			}
		}
	}
	return fallbacks[0] // which generate warns about
}

// parents are the directories that may hold the output: the project, or one below it
// without skills.
func (p *project) parents() []string {
	parents := []string{"."}
	entries, _ := fs.ReadDir(p.root, ".") // the scan has reported errors
	for _, e := range entries {
		holds := func(file string) bool { return strings.HasPrefix(file, e.Name()+"/") }
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.ContainsFunc(p.scan.read, holds) {
			parents = append(parents, e.Name())
		}
	}
	return parents
}

func isThere(root fs.FS, name string) bool {
	_, err := fs.Stat(root, name)
	return err == nil
}

// keeps reports whether git takes the cards in a directory, at the latest with the
// .gitignore that init writes there: lines of it override lines of the directories above,
// unless one of these ignores the directory itself.
func (p *project) keeps(dir string) bool {
	if p.ignoresDir(dir) {
		return false
	}
	return !isFile(p.root, path.Join(dir, files.IgnoreName)) ||
		!slices.ContainsFunc(p.outputs(), func(o keptFile) bool { return p.ignores(dir, o) })
}

// ignoresDir reports whether git ignores a directory, or one above it.
func (p *project) ignoresDir(dir string) bool {
	return dir != "." && (p.Ignored(dir, true) || p.ignoresDir(path.Dir(dir)))
}

// keptFile is a file or directory of the output that belongs into a commit, and the
// pattern that keeps it there.
type keptFile struct {
	pattern, name string
	isDir         bool
}

// outputs are the files that a first run makes, and the directories of these.
func (p *project) outputs() []keptFile {
	list := []keptFile{{"!.gitignore", files.IgnoreName, false}}
	wellKnown, card, copied := path.Dir(site.CardPath), site.CardPath, site.LegacyCardPath
	if len(p.agents) > 1 {
		id := p.agents[0].ID
		list = append(list, keptFile{"!*/", id, true})
		wellKnown, card, copied = path.Join(id, wellKnown), path.Join(id, card), path.Join(id, copied)
	}
	list = append(list, keptFile{"!.well-known/", wellKnown, true})
	for _, name := range []string{card, copied, site.ManifestName} {
		list = append(list, keptFile{"!*.json", name, false})
	}
	return list
}

func (p *project) ignores(out string, o keptFile) bool {
	return p.Ignored(path.Join(out, o.name), o.isDir)
}

// gitIgnore keeps the sidecars out of git, and the cards in it where a pattern of the
// repository ignores files of their names.
func (p *project) gitIgnore(out string) []byte {
	lines := []string{
		"# Sidecars follow from the files beside them. Delete these two lines to commit them.",
		"*" + site.ETagSuffix, "*" + site.ChecksumSuffix,
	}
	for _, o := range p.outputs() {
		if p.ignores(out, o) && !slices.Contains(lines, o.pattern) {
			lines = append(lines, o.pattern)
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
