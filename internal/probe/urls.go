package probe

import (
	"net/url"
	"path"
	"strings"
)

// union adds the URLs of more that are not in list.
func union(list, more []*url.URL) []*url.URL {
	known := make(map[string]bool, len(list))
	for _, u := range list {
		known[u.String()] = true
	}
	for _, u := range more {
		if !known[u.String()] {
			known[u.String()] = true
			list = append(list, u)
		}
	}
	return list
}

// at is the URL of another path of the same host.
func at(u *url.URL, name string) *url.URL {
	c := *u
	c.Path, c.RawPath, c.RawQuery = name, "", ""
	return &c
}

// beside is the URL of another file in the same directory.
func beside(u *url.URL, name string) *url.URL { return at(u, path.Join(path.Dir(u.Path), name)) }

// dirOf is the path of the site or agent that has a document below /.well-known.
func dirOf(u *url.URL) string {
	dir, _, _ := strings.Cut(u.Path, "/.well-known/")
	if dir == u.Path {
		dir = path.Dir(dir)
	}
	return path.Join("/", dir)
}
