package preview

import (
	"fmt"
	"io/fs"
	"net"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// HostLayout reports whether a published tree has a directory per host, by what
// its manifest says about where the files will be found.
func HostLayout(published fs.FS) bool {
	return slices.ContainsFunc(manifestOf(published).Files, func(e tree.Entry) bool { return e.URL == "https://"+e.Path })
}

func manifestOf(published fs.FS) tree.Manifest {
	return tree.ManifestIn(func(name string, limit int) ([]byte, error) { return files.ReadFile(published, name, limit) })
}

// URLs are what to open in a tree that is served on addr: the cards by their
// path, and then page and catalog of each site, below the path of their URL.
func URLs(published fs.FS, s hosting.Settings, addr net.Addr) ([]string, error) {
	entries, err := fs.ReadDir(published, ".")
	if err != nil {
		return nil, fmt.Errorf("reading the output tree: %w", err)
	}
	var cards, indexes []string
	add := func(dir, at string, site bool) {
		if _, err := fs.Stat(published, path.Join(dir, tree.CardPath)); err == nil {
			cards = append(cards, at+tree.CardPath)
		}
		if _, err := fs.Stat(published, path.Join(dir, tree.PagePath)); site && err == nil {
			indexes = append(indexes, at)
		}
		if _, err := fs.Stat(published, path.Join(dir, tree.CatalogPath)); site && err == nil {
			indexes = append(indexes, at+tree.CatalogPath)
		}
	}
	if !s.HostLayout {
		add(".", fmt.Sprintf("http://%s%s/", addr, s.Base), true)
		for _, dir := range agentDirs(published, entries) {
			add(dir, fmt.Sprintf("http://%s%s/%s/", addr, s.Base, dir), false)
		}
		return append(cards, indexes...), nil
	}
	for _, e := range entries {
		_, port, err := net.SplitHostPort(addr.String())
		if err != nil {
			return nil, fmt.Errorf("address of the server: %w", err)
		}
		host := strings.TrimSuffix(e.Name(), ".localhost") + ".localhost"
		add(e.Name(), fmt.Sprintf("http://%s/", net.JoinHostPort(host, port)), true)
	}
	return append(cards, indexes...), nil
}

// agentDirs are the directories that may have a card: those at the top, and those
// that the manifest knows deeper.
func agentDirs(published fs.FS, top []fs.DirEntry) []string {
	var dirs []string
	for _, e := range top {
		dirs = append(dirs, e.Name())
	}
	for _, e := range manifestOf(published).Files {
		if dir, ok := strings.CutSuffix(e.Path, "/"+tree.CardPath); ok && strings.Contains(dir, "/") {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}
