package hosting

import (
	"fmt"
	"io/fs"
	"net"
	"path"
	"slices"
	"strings"

	"cardwright/internal/site"
)

// URLs are what to open in a tree that is served on addr: the cards by their path, and
// then page and catalog of each site, below the path of their URL.
func URLs(served fs.FS, s Settings, addr net.Addr) ([]string, error) {
	cards, err := cardDirs(served)
	if err != nil {
		return nil, fmt.Errorf("reading the output tree: %w", err)
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return nil, fmt.Errorf("address of the server: %w", err)
	}
	sites := []string{"."}
	at := func(file string) string { return fmt.Sprintf("http://%s%s/%s", addr, s.Base, file) }
	if s.HostLayout {
		sites = cards
		at = func(file string) string {
			host, rest, _ := strings.Cut(file, "/")
			host = strings.TrimSuffix(host, ".localhost") + ".localhost"
			return fmt.Sprintf("http://%s/%s", net.JoinHostPort(host, port), rest)
		}
	}
	var urls []string
	for _, dir := range cards {
		urls = append(urls, at(path.Join(dir, site.CardPath)))
	}
	for _, dir := range sites {
		if page := path.Join(dir, site.PagePath); regular(served, page) {
			urls = append(urls, strings.TrimSuffix(at(page), site.PagePath))
		}
		if catalog := path.Join(dir, site.CatalogPath); regular(served, catalog) {
			urls = append(urls, at(catalog))
		}
	}
	return urls, nil
}

// deepest is how many directories deep a card may be: more than a configuration can say.
const deepest = 10

// cardDirs are the directories of a tree that have a card, sorted.
func cardDirs(served fs.FS) ([]string, error) {
	var dirs []string
	err := fs.WalkDir(served, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case name != "." && strings.HasPrefix(d.Name(), "."), strings.Count(name, "/") >= deepest:
			return fs.SkipDir
		case regular(served, path.Join(name, site.CardPath)):
			dirs = append(dirs, name)
		}
		return nil
	})
	slices.Sort(dirs)
	return dirs, err
}

// HostLayout reports whether a tree has a directory per host: all its cards are in
// directories of the top that are named like hosts.
func HostLayout(served fs.FS) bool {
	dirs, err := cardDirs(served)
	return err == nil && len(dirs) > 0 && !slices.ContainsFunc(dirs, func(dir string) bool {
		return strings.Contains(dir, "/") || !strings.Contains(strings.Trim(dir, "."), ".")
	})
}
