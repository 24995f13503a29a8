package git

import (
	"crypto/sha1" //nolint:gosec // the name that git gives an object, which guards nothing here
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Changed returns the files at or below a slash path of the work tree that differ from
// the commit, sorted: changed, missing and new ones, what git ignores among them,
// whatever the index says of them. Their bytes are compared, so that git runs no
// filter; a file that a filter or the end of lines rewrites on checkout has changed.
// Links are followed inside of the work tree. What they lead to elsewhere, and a
// submodule, has changed, because the commit does not say what it was.
func (s *Snapshot) Changed(work fs.FS, name string) []string {
	known, ok := s.changed[name]
	if !ok {
		c := comparison{Snapshot: s, work: work, seen: map[string]bool{}}
		c.compare(name)
		slices.Sort(c.found)
		known = slices.Compact(c.found)
		s.changed[name] = known
	}
	return known
}

// comparison is one comparison with a work tree.
type comparison struct {
	*Snapshot
	work  fs.FS
	seen  map[string]bool // paths that were compared: links may lead in a circle
	found []string
}

func (c *comparison) differs(name string) { c.found = append(c.found, name) }

// compare compares what lies at or below a path with the commit.
func (c *comparison) compare(name string) {
	for i := range len(name) { // a directory on the way may be a link
		if name[i] == '/' && c.link(name[:i], name[i:]) {
			return
		}
	}
	c.at(name)
}

// at is compare where no link leads to the path.
func (c *comparison) at(name string) {
	if c.seen[name] {
		return
	}
	c.seen[name] = true
	info, err := fs.Lstat(c.work, name)
	switch {
	case err != nil:
		c.missing(name)
	case c.link(name, ""):
	case info.IsDir():
		c.directory(name)
	case !c.same(name, info):
		c.differs(name)
		c.missing(name)
	}
}

// missing notes the files of the commit at or below a path that is not there.
func (c *comparison) missing(name string) {
	for _, e := range c.below(name) {
		c.differs(e.path)
	}
}

// directory compares a directory, whose entry in the commit may be another thing.
func (c *comparison) directory(name string) {
	children, err := fs.ReadDir(c.work, name)
	if err != nil {
		c.differs(name)
	}
	here := make(map[string]bool, len(children))
	for _, child := range children {
		if child.Name() == ".git" || child.Name() == "node_modules" { // which no source reads
			continue
		}
		below := path.Join(name, child.Name())
		here[below] = true
		c.at(below)
	}
	for _, e := range c.below(name) {
		rest := strings.TrimPrefix(e.path, name+"/")
		first, _, _ := strings.Cut(rest, "/")
		if e.mode == submodule || e.path == name || !here[path.Join(name, first)] && first != "node_modules" {
			c.differs(e.path)
		}
	}
}

// link compares a symbolic link with the commit, and then what lies behind it and a
// rest of the way. It reports whether there is a link.
func (c *comparison) link(name, rest string) bool {
	info, err := fs.Lstat(c.work, name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	target, err := fs.ReadLink(c.work, name)
	if e := c.below(name); err != nil || len(e) != 1 || e[0].path != name || e[0].mode != symlink ||
		e[0].id != object(e[0].id, int64(len(target)), strings.NewReader(target)) {
		c.differs(name)
	}
	behind := path.Join(path.Dir(name), target) + rest
	if path.IsAbs(target) || !fs.ValidPath(behind) {
		c.differs(name)
		return true
	}
	c.compare(behind)
	return true
}

// same reports whether a file has the bytes that it has in the commit.
func (c *comparison) same(name string, info fs.FileInfo) bool {
	e := c.below(name)
	if !info.Mode().IsRegular() || len(e) != 1 || e[0].path != name || !strings.HasPrefix(e[0].mode, "100") {
		return false
	}
	f, err := c.work.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return e[0].id == object(e[0].id, info.Size(), f)
}

// object is the id of some content, by the hash that another id was made with. It is
// "" where the content cannot be read.
func object(other string, size int64, content io.Reader) string {
	h := sha1.New() //nolint:gosec // as above
	if len(other) == 2*sha256.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	if _, err := io.Copy(h, content); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
