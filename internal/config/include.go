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
	var names []string
	faults := len(l.found)
	if l.looked <= mostEntries {
		_ = fs.WalkDir(l.Files.FS, start, func(name string, e fs.DirEntry, err error) error {
			below := elements(relative(start, name))
			matches, next := l.look(entry, segments, below, name, e, err)
			if matches {
				names = append(names, name)
			}
			return next
		})
	}
	if len(names) == 0 && len(l.found) == faults && l.looked <= mostEntries {
		l.fileFault(entry, fmt.Sprintf("the pattern %s matches no file", diag.Quote(clip(entry.Text))),
			"patterns are relative to "+l.File)
	}
	return names
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

// look reports whether the segments match a file, by its path below where they begin, and
// says how the search goes on.
func (l *loader) look(entry *source.Node, segments, below []string, name string, e fs.DirEntry, err error) (
	matches bool, next error,
) {
	shown := l.Files.Show(name)
	if l.looked++; l.looked > mostEntries {
		l.fileFault(entry, fmt.Sprintf("with the pattern %s, include looks at more than %d files and directories",
			diag.Quote(clip(entry.Text)), mostEntries), "begin each pattern with the directory that the files are in")
		return false, fs.SkipAll
	}
	matches = files.MatchPattern(path.Join(segments...), path.Join(below...))
	switch {
	case err != nil:
		l.fileFault(entry, fmt.Sprintf("the directory %s cannot be read: %s", diag.Quote(shown), files.Reason(err)), "")
		if len(below) > 0 { // whoever made it is to fix it
			l.confine(shown)
		}
		return false, fs.SkipDir
	case e.IsDir() && matches && slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)):
		l.fileFault(entry, fmt.Sprintf("%s is a directory, not a file", diag.Quote(shown)),
			"include a file in it, or leave it out of the pattern")
		l.confine(shown)
		return false, fs.SkipDir
	case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules" || !leadsTo(segments, below)):
		return false, fs.SkipDir
	case e.Type()&fs.ModeSymlink != 0 && (matches || leadsTo(segments, below)):
		if info, err := fs.Stat(l.Files.FS, name); err == nil && info.IsDir() {
			l.fileFault(entry, fmt.Sprintf("%s is a link to a directory, which patterns do not follow", diag.Quote(shown)),
				"name the directory itself in include")
			l.confine(shown)
			return false, nil
		}
	}
	return matches && !e.IsDir(), nil
}

// leadsTo reports whether the segments may match something below a directory.
func leadsTo(segments, dir []string) bool {
	n := len(dir)
	if deep := slices.Index(segments, "**"); deep >= 0 {
		n = min(n, deep)
	} else if n >= len(segments) {
		return false
	}
	return files.MatchPattern(path.Join(segments[:n]...), path.Join(dir[:n]...))
}
