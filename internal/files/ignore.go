package files

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Ignores reads which files of a work tree git ignores: by the .gitignore of each
// directory, and by .git/info/exclude. It is the one reader of these files, and starts
// no program. A file that is tracked all the same counts as ignored.
type Ignores struct {
	FS      fs.FS                   // the work tree
	Top     string                  // where it is, absolute
	exclude []IgnoreLine            // of .git/info/exclude, which any .gitignore overrides
	known   map[string][]IgnoreLine // by directory
}

// IgnoreLine is a line of an ignore file, see gitignore(5).
type IgnoreLine struct {
	File string // slash path below the root of the work tree
	Line int    // counted from 1
	Text string // as spelled

	pattern string // of paths relative to its directory, parsed
	again   bool   // the line begins with !
	dirs    bool   // it is about directories only
}

// IgnoreName is the name of the file that says what git ignores in a directory.
const IgnoreName = ".gitignore"

const (
	excludeName   = ".git/info/exclude"
	longestIgnore = 64 << 10 // bytes of an ignore file that are read
)

// IgnoresAround opens the work tree around a directory, which is absolute, has no links
// in it and may be missing. It returns the slash path of the directory in the work tree,
// and nil where there is none. Close it.
func IgnoresAround(dir string) (g *Ignores, below string, err error) {
	top, err := workTree(dir, "")
	if err != nil || top == "" {
		return nil, "", err
	}
	root, err := OpenRoot(top)
	if err != nil {
		return nil, "", err
	}
	return NewIgnores(root, top), filepath.ToSlash(relative(top, dir)), nil
}

// NewIgnores returns the ignore files of a work tree whose root is at top, "" for a tree
// without .git/info/exclude.
func NewIgnores(fsys fs.FS, top string) *Ignores {
	if top == "" {
		return &Ignores{FS: fsys}
	}
	data := small(filepath.Join(gitDir(top), "info", "exclude"), longestIgnore)
	return &Ignores{FS: fsys, Top: top, exclude: ignoreLines(excludeName, []byte(data))}
}

// Close closes the work tree.
func (g *Ignores) Close() error {
	if root, ok := g.FS.(*Root); ok {
		return root.Close()
	}
	return nil
}

// gitDir returns the directory in which git keeps what all work trees of the repository
// share, such as config and info/exclude: .git, or where the file .git of a linked work
// tree or a submodule leads to.
func gitDir(top string) string {
	dir := filepath.Join(top, ".git")
	if link, ok := strings.CutPrefix(pointer(dir), "gitdir: "); ok {
		dir = absolute(top, link)
		if common := pointer(filepath.Join(dir, "commondir")); common != "" {
			dir = absolute(dir, common)
		}
	}
	return dir
}

// GitConfig returns the configuration that all work trees of the repository share, "" for
// none.
func GitConfig(top string) string { return small(filepath.Join(gitDir(top), "config"), 1<<20) }

// pointer returns the one line of a small regular file, "" where there is none.
func pointer(name string) string { return strings.TrimSpace(small(name, 4<<10)) }

// small returns the text of a regular file of at most so many bytes, "" where there is none.
func small(name string, most int64) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	data, _ := os.ReadFile(name)
	return string(data)
}

func absolute(dir, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// Has reports whether a file is ignored, or a directory above it. The file is a slash
// path in FS.
func (g *Ignores) Has(file string) bool {
	_, ignored := g.Line(file)
	return ignored
}

// Line returns the line that makes git ignore a file: one about the file, or about the
// first directory above it that is ignored, in which no line can take a file back.
func (g *Ignores) Line(file string) (line IgnoreLine, ignored bool) {
	for i := range len(file) {
		if file[i] == '/' {
			if line, ignored := g.last(file[:i], true); ignored {
				return line, true
			}
		}
	}
	return g.last(file, false)
}

// Is reports whether a file or directory is ignored by a line about itself.
func (g *Ignores) Is(name string, isDir bool) bool {
	_, ignored := g.last(name, isDir)
	return ignored
}

// last returns the last line about a file or directory, which decides: the deeper its
// .gitignore, the later.
func (g *Ignores) last(name string, isDir bool) (last IgnoreLine, ignored bool) {
	decide := func(lines []IgnoreLine, rest string) {
		for _, line := range lines {
			if (isDir || !line.dirs) && doublestar.MatchUnvalidated(line.pattern, rest) {
				last, ignored = line, !line.again
			}
		}
	}
	decide(g.exclude, name)
	decide(g.in("."), name)
	for i := range len(name) {
		if name[i] == '/' {
			decide(g.in(name[:i]), name[i+1:])
		}
	}
	return last, ignored
}

// in returns the lines of the .gitignore in a directory.
func (g *Ignores) in(dir string) []IgnoreLine {
	lines, ok := g.known[dir]
	if !ok {
		name := path.Join(dir, IgnoreName)
		data, _ := ReadFile(g.FS, name, longestIgnore) // most directories have none
		lines = ignoreLines(name, data)
		g.learn(dir, lines)
	}
	return lines
}

func ignoreLines(file string, data []byte) []IgnoreLine {
	var lines []IgnoreLine
	n := 0
	for text := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		n++
		if line, ok := ignoreLine(strings.TrimRight(text, "\r\n")); ok {
			line.File, line.Line = file, n
			lines = append(lines, line)
		}
	}
	return lines
}

func ignoreLine(text string) (line IgnoreLine, ok bool) {
	if bare := strings.TrimRight(text, " "); !strings.HasSuffix(bare, `\`) {
		text = bare
	}
	if text == "" || text[0] == '#' {
		return line, false
	}
	line.Text = text
	text, line.again = strings.CutPrefix(text, "!")
	text, line.dirs = strings.CutSuffix(text, "/")
	switch {
	case !strings.Contains(text, "/"):
		text = "**/" + text
	case strings.HasSuffix(text, "/**"): // all that is in the directory, and not itself
		text += "/*"
	}
	line.pattern, ok = parse(strings.TrimPrefix(text, "/"))
	return line, ok
}

// None says that a directory has no .gitignore, as its listing has shown.
func (g *Ignores) None(dir string) { g.learn(dir, nil) }

func (g *Ignores) learn(dir string, lines []IgnoreLine) {
	if g.known == nil {
		g.known = map[string][]IgnoreLine{}
	}
	g.known[dir] = lines
}
