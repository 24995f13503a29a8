package probe

import (
	"io/fs"
	"net/url"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

// tree is the output tree that was deployed, which may be nil.
type tree struct{ fs.FS }

// deployed returns the URLs of the files that the manifest of the local tree lists for the
// host of a card. If the tree does not have that card, it returns none.
func (t tree) deployed(card *url.URL) (list []*url.URL) {
	base, rest := t.place(card)
	for _, p := range site.ManifestIn(t.read).Files {
		name, here := strings.CutPrefix(p, base)
		if rest != "" && here && !hosting.InRoot(name) && !site.IsSidecar(name) {
			list = append(list, at(card, strings.TrimSuffix(card.Path, rest)+name))
		}
	}
	return list
}

// local is the file of the tree that belongs at a URL, nil if there is none.
func (t tree) local(u *url.URL) []byte {
	base, rest := t.place(u)
	data, _ := t.read(base+rest, maxBody)
	return data
}

// read reads a file of the tree.
func (t tree) read(name string, limit int) ([]byte, error) {
	if t.FS == nil || name == "" {
		return nil, fs.ErrNotExist
	}
	return files.ReadFile(t.FS, name, limit)
}

// place finds the file for a URL in the tree. rest is its path below base, and the end of
// the path of the URL; base is "" or the directory of the host. What comes before rest in
// the URL is where the tree is deployed. Without such a file both are "".
func (t tree) place(u *url.URL) (base, rest string) {
	there := func(name string) bool {
		_, err := t.read(name, maxBody)
		return err == nil
	}
	tail := strings.TrimPrefix(u.Path, "/")
	for _, host := range []string{u.Hostname(), strings.TrimSuffix(u.Hostname(), ".localhost")} {
		if there(host + "/" + tail) {
			return host + "/", tail
		}
	}
	for _, end := range site.Ends(tail) {
		if there(end) {
			return "", end
		}
	}
	return "", ""
}
