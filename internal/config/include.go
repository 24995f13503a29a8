package config

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// mostEntries bounds the directory entries that all patterns of include look at.
const mostEntries = 100_000

// expandInclude returns the names in FS of the files that an entry of include matches.
func (l *loader) expandInclude(entry *source.Node) []string {
	dir := path.Dir(l.Files.Name)
	if !strings.ContainsAny(entry.Text, `*?[`) {
		name, ok := l.resolveName(entry, entry.Text, dir)
		if !ok {
			return nil
		}
		return []string{name}
	}
	fixed, pattern := doublestar.SplitPattern(entry.Text)
	if err := files.CheckPattern(pattern); err != nil {
		l.fileFault(entry, fmt.Sprintf("the pattern %s has %s", diag.Quote(clip(entry.Text)), err), "")
		return nil
	}
	if strings.Contains("/"+pattern+"/", "/../") {
		l.fileFault(entry, fmt.Sprintf("the pattern %s has .. behind a wildcard", diag.Quote(clip(entry.Text))),
			"begin it with the ..")
		return nil
	}
	start, ok := l.resolveName(entry, fixed, dir)
	if !ok {
		return nil
	}
	faults := len(l.found)
	names := l.matching(entry, start, pattern)
	if len(names) == 0 && len(l.found) == faults {
		l.fileFault(entry, fmt.Sprintf("the pattern %s matches no file", diag.Quote(clip(entry.Text))),
			"patterns are relative to "+l.File)
	}
	return names
}

// matching returns the files below a directory that a pattern matches. Links to
// directories are not followed.
func (l *loader) matching(entry *source.Node, start, pattern string) (names []string) {
	_ = fs.WalkDir(l.Files.FS, start, func(name string, e fs.DirEntry, err error) error {
		below := relative(start, name)
		if l.looked++; l.looked > mostEntries {
			l.fileFault(entry, fmt.Sprintf("include looks at more than %d files and directories", mostEntries),
				"begin each pattern with the directory that the files are in")
			return fs.SkipAll
		}
		switch {
		case err != nil:
			l.fileFault(entry, fmt.Sprintf("the directory %s cannot be read: %s", diag.Quote(l.Files.Show(name)),
				files.Reason(err)), "")
			return fs.SkipDir
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules" || tooDeep(pattern, below)):
			return fs.SkipDir
		case !e.IsDir() && files.MatchPattern(pattern, below):
			names = append(names, name)
		}
		return nil
	})
	return names
}

// tooDeep reports whether a pattern matches nothing below a directory, by the number of
// its elements.
func tooDeep(pattern, dir string) bool {
	return dir != "" && !strings.Contains(pattern, "**") && strings.Count(dir, "/") >= strings.Count(pattern, "/")
}
