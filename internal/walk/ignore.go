package walk

import (
	"io/fs"
	"path"
	"strings"

	"cardwright/internal/files"
)

// Ignores are the .gitignore files of a directory tree, which need no repository.
type Ignores struct {
	FS    fs.FS
	known map[string][]ignore // by directory
}

// ignore is a line of a .gitignore, see gitignore(5).
type ignore struct {
	pattern string // of paths relative to its directory
	again   bool   // the line begins with !
	dirs    bool   // it is about directories only
}

// IgnoreName is what the file is called that says what git ignores in a directory.
const IgnoreName = ".gitignore"

// longestIgnore is how many bytes of a .gitignore are read.
const longestIgnore = 64 << 10

// Has reports whether a file is ignored, or a directory above it. The file is a slash
// path in FS.
func (g *Ignores) Has(file string) bool {
	for i := 0; i < len(file); i++ {
		if next := strings.IndexByte(file[i:], '/'); next < 0 {
			break
		} else if i += next; g.Is(file[:i], true) {
			return true
		}
	}
	return g.Is(file, false)
}

// Is reports whether a file or directory is ignored by a line about itself: the last one
// that is about it decides.
func (g *Ignores) Is(name string, isDir bool) (ignored bool) {
	for at := -1; ; {
		dir, rest := ".", name
		if at >= 0 {
			dir, rest = name[:at], name[at+1:]
		}
		for _, line := range g.in(dir) {
			if (isDir || !line.dirs) && files.MatchPattern(line.pattern, rest) {
				ignored = !line.again
			}
		}
		next := strings.IndexByte(name[at+1:], '/')
		if next < 0 {
			return ignored
		}
		at += 1 + next
	}
}

// in returns the lines of the .gitignore in a directory.
func (g *Ignores) in(dir string) []ignore {
	lines, ok := g.known[dir]
	if ok {
		return lines
	}
	data, _ := files.ReadFile(g.FS, path.Join(dir, IgnoreName), longestIgnore) // most directories have none
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if bare := strings.TrimRight(line, " "); !strings.HasSuffix(bare, `\`) {
			line = bare
		}
		if line == "" || line[0] == '#' {
			continue
		}
		var one ignore
		line, one.again = strings.CutPrefix(line, "!")
		line, one.dirs = strings.CutSuffix(line, "/")
		if strings.Contains(line, "/") {
			one.pattern = strings.TrimPrefix(line, "/")
		} else {
			one.pattern = "**/" + line
		}
		lines = append(lines, one)
	}
	g.learn(dir, lines)
	return lines
}

// None says that a directory has no .gitignore, for whoever has listed it.
func (g *Ignores) None(dir string) { g.learn(dir, nil) }

func (g *Ignores) learn(dir string, lines []ignore) {
	if g.known == nil {
		g.known = map[string][]ignore{}
	}
	g.known[dir] = lines
}
