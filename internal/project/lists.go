package project

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// isList reports whether a file has the name of a list that a site publishes.
func isList(file string) bool {
	index := path.Join(site.SkillsDir, site.SkillsIndexName)
	older := path.Join(".well-known/skills", site.SkillsIndexName)
	for _, name := range []string{site.CatalogPath, site.KeySetPath, index, older} {
		if file == name || strings.HasSuffix(file, "/"+name) {
			return true
		}
	}
	return false
}

// siteOf returns the directory of the site that a list at a path belongs to: the one with
// .well-known in it.
func siteOf(name string) (dir string, ok bool) {
	dir, _, ok = strings.Cut("/"+name, "/.well-known/")
	return strings.TrimPrefix(dir, "/"), ok
}

// listed returns the files that a list on disk names. A reference is relative to the list,
// or begins at the root of the site. A whole URL is looked for by the end of its path; if
// nothing is there, the file may be on another host, unless the list names another file of
// this host that is there.
func (r Reader) listed(list Input) site.Files {
	root, inSite := siteOf(list.Path())
	hosts := sync.OnceValue(func() map[string]bool { return r.hosts(list, root) })
	return func(reference string) ([]byte, error) {
		u, err := url.Parse(reference)
		if err != nil || strings.Contains(u.Path, "..") {
			return nil, nil //nolint:nilerr // reported by its own rule
		}
		switch {
		case u.Host != "" && inSite:
			data, err := r.anyOf(root, strings.TrimPrefix(u.Path, "/"))
			if data == nil && err == nil && hosts()[u.Host] {
				err = fs.ErrNotExist
			}
			return data, err
		case u.Host != "" || list.Name == "-":
			return nil, nil
		case strings.HasPrefix(u.Path, "/") && inSite:
			return r.file(files.Join(root, u.Path))
		case strings.HasPrefix(u.Path, "/"):
			return nil, nil
		}
		return r.file(files.Join(path.Dir(list.Path()), u.Path))
	}
}

// hosts are the hosts of the whole URLs in a list whose files are in the site.
func (r Reader) hosts(list Input, root string) map[string]bool {
	hosts := map[string]bool{}
	document, _ := source.ParseJSON(list.Path(), list.Data)
	for _, m := range document.Fields() {
		for _, e := range m.Value.Elements() {
			u, err := url.Parse(e.Get("url").Word())
			if err != nil || u.Host == "" || hosts[u.Host] || strings.Contains(u.Path, "..") {
				continue
			}
			data, err := r.anyOf(root, strings.TrimPrefix(u.Path, "/"))
			hosts[u.Host] = data != nil && err == nil
		}
	}
	return hosts
}

// anyOf returns the file at a path below a site, or at the path without its first
// segments, which belong to the base URL.
func (r Reader) anyOf(root, name string) ([]byte, error) {
	for _, end := range site.Ends(name) {
		data, err := r.file(files.Join(root, end))
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, nil
}

// file reads a file that a list names.
func (r Reader) file(name string) ([]byte, error) {
	tree, err := r.Workspace.Given(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	data, err := files.ReadFile(tree.FS, tree.Root, site.MostBytes)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}
