package config

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// mostEntries bounds the directory entries that all patterns of include look at.
const mostEntries = 100_000

// expandInclude returns the names in FS of the files that an entry of include
// matches.
func (l *loader) expandInclude(entry *source.Node) []string {
	dir := path.Dir(l.Files.Name)
	if !strings.ContainsAny(entry.Text, `*?[`) {
		name, ok := l.resolveName(entry, entry.Text, dir)
		if !ok {
			return nil
		}
		return []string{name}
	}
	fixed, segments := splitPattern(entry.Text)
	if err := files.CheckPattern(path.Join(segments...)); err != nil {
		l.fileFault(entry, fmt.Sprintf("the pattern %s has %s", diag.Quote(clip(entry.Text)), err), "")
		return nil
	}
	if slices.Contains(segments, "..") {
		l.fileFault(entry, fmt.Sprintf("the pattern %s has .. behind a wildcard", diag.Quote(clip(entry.Text))),
			"begin it with the ..")
		return nil
	}
	start, ok := l.resolveName(entry, fixed, dir)
	if !ok {
		return nil
	}
	s := search{loader: l, entry: entry, seen: map[place]bool{}, reported: l.looked > mostEntries}
	s.walk(start, segments)
	if len(s.names) == 0 && !s.reported {
		l.fileFault(entry, fmt.Sprintf("the pattern %s matches no file", diag.Quote(clip(entry.Text))),
			"patterns are relative to "+l.File)
	}
	return s.names
}

// splitPattern splits a pattern into the directory before its first wildcard
// and the segments from there on.
func splitPattern(pattern string) (dir string, segments []string) {
	segments = strings.Split(pattern, "/")
	wild := slices.IndexFunc(segments, func(s string) bool { return strings.ContainsAny(s, `*?[`) })
	dir = strings.Join(segments[:wild], "/")
	if dir == "" && wild > 0 {
		return "/", segments[wild:] // absolute, which is refused
	}
	rest := slices.DeleteFunc(segments[wild:], func(s string) bool { return s == "" || s == "." })
	return path.Clean(dir), rest
}

// search looks for the files that match a pattern.
type search struct {
	*loader
	entry    *source.Node
	seen     map[place]bool
	names    []string
	reported bool // why there may be too few names
}

// place is a directory and how many segments of the pattern are left there.
type place struct {
	dir  string
	left int
}

func (s *search) fault(message, hint string) {
	s.reported = true
	s.fileFault(s.entry, message, hint)
}

// walk looks in a directory for what the segments match.
func (s *search) walk(dir string, segments []string) {
	at := place{dir, len(segments)}
	if s.looked > mostEntries || s.seen[at] {
		return
	}
	s.seen[at] = true
	if !strings.ContainsAny(segments[0], `*?[`) {
		name := path.Join(dir, segments[0])
		if info, err := fs.Lstat(s.Files.FS, name); err == nil {
			s.visit(name, fs.FileInfoToDirEntry(info), segments)
		}
		return
	}
	deep := segments[0] == "**"
	if deep && len(segments) > 1 {
		s.walk(dir, segments[1:])
	}
	entries, err := fs.ReadDir(s.Files.FS, dir)
	if err != nil {
		s.fault(fmt.Sprintf("the directory %s cannot be read: %s", diag.Quote(s.Files.Show(dir)), files.Reason(err)), "")
		if len(s.seen) > 1 { // below where the pattern begins, whoever made it is to fix it
			s.confine(s.Files.Show(dir))
		}
		return
	}
	if s.looked += len(entries) + 1; s.looked > mostEntries {
		s.fault(fmt.Sprintf("with the pattern %s, include looks at more than %d files and directories",
			diag.Quote(clip(s.entry.Text)), mostEntries), "begin each pattern with the directory that the files are in")
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.Name() == ".git" || e.Name() == "node_modules":
		case deep && e.IsDir():
			s.walk(name, segments)
		case !deep && !files.MatchPattern(segments[0], e.Name()):
		default:
			s.visit(name, e, segments)
		}
	}
}

// visit looks at what the first segment matches.
func (s *search) visit(name string, e fs.DirEntry, segments []string) {
	last := len(segments) == 1
	dir := e.IsDir()
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := fs.Stat(s.Files.FS, name)
		if err == nil && info.IsDir() {
			s.fault(fmt.Sprintf("%s is a link to a directory, which patterns do not follow", diag.Quote(s.Files.Show(name))),
				"name the directory itself in include")
			s.confine(s.Files.Show(name))
			return
		}
	}
	switch {
	case last && !dir:
		s.names = append(s.names, name)
	case !last && dir:
		s.walk(name, segments[1:])
	}
}
