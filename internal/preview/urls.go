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

// HostLayout reports whether a published tree has a directory per host: each of its cards
// lies in one whose name has a dot.
func HostLayout(published fs.FS) bool {
	hosts := 0
	for _, p := range manifestOf(published).Files {
		dir, card := strings.CutSuffix(p, tree.CardPath)
		switch host, ok := strings.CutSuffix(dir, "/"); {
		case !card:
		case !ok || strings.Contains(host, "/") || !strings.Contains(host, "."):
			return false
		default:
			hosts++
		}
	}
	return hosts > 0
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
	listed := map[string]bool{} // so that nobody asks a large tree for what it has not
	var deep []string
	for _, p := range manifestOf(published).Files {
		listed[p] = true
		if dir, ok := strings.CutSuffix(p, "/"+tree.CardPath); ok && strings.Contains(dir, "/") {
			deep = append(deep, dir)
		}
	}
	has := func(name string) bool {
		if len(listed) > 0 && !listed[name] {
			return false
		}
		_, err := fs.Stat(published, name)
		return err == nil
	}
	var cards, indexes []string
	add := func(dir, at string, site bool) {
		if has(path.Join(dir, tree.CardPath)) {
			cards = append(cards, at+tree.CardPath)
		}
		if site && has(path.Join(dir, tree.PagePath)) {
			indexes = append(indexes, at)
		}
		if site && has(path.Join(dir, tree.CatalogPath)) {
			indexes = append(indexes, at+tree.CatalogPath)
		}
	}
	if !s.HostLayout {
		add(".", fmt.Sprintf("http://%s%s/", addr, s.Base), true)
		for _, dir := range agentDirs(entries, deep) {
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
func agentDirs(top []fs.DirEntry, deep []string) []string {
	for _, e := range top {
		deep = append(deep, e.Name())
	}
	slices.Sort(deep)
	return deep
}
