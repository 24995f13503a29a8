package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestWithin(t *testing.T) {
	link := func(target string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
	}
	fsys := fstest.MapFS{
		"a/b/c": {}, ".git/config": {},
		"l": link("a"), "m": link("l/b"), "a/up": link("../a/b"), "back": link("a/../l/b"),
		"out": link("../../etc"), "abs": link("/etc"), "again": link("../project/a"), "git": link("a/../.git"),
		"x": link("y"), "y": link("x"),
	}
	for _, test := range []struct {
		name, want string
		err        error
	}{
		{".", ".", nil},
		{"a/b", "a/b", nil},
		{"l/b/c", "a/b/c", nil},
		{"m", "a/b", nil},
		{"l/up/c", "a/b/c", nil},
		{"back", "a/b", nil},
		{"gone/and/more", "gone/and/more", nil},
		{"l/gone", "a/gone", nil},
		{"out", "", ErrOutside},
		{"abs", "", ErrOutside},
		{"again", "", ErrOutside},
		{"git/config", "", ErrGit},
		{".git", "", ErrGit},
		{"x", "", ErrCircle},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Within(fsys, test.name)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v, want %q, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestInGit(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, "a/.git/hooks": true, ".GIT": true, ".git.": true, ".git\x20": true, "git~1/x": true,
		".git::$INDEX_ALLOCATION": true, ".g\u200cit": true,
		".github": false, "git": false, "a.git": false, ".gitignore": false, "x/.gitmodules": false, "": false, "...": false,
	} {
		if got := inGit(name); got != want {
			t.Errorf("InGit(%q) is %t", name, got)
		}
	}
}

// town is a directory with two projects side by side.
type town struct {
	*testing.T
	dir     string
	project Checkout
}

func build(t *testing.T) *town {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &town{T: t, dir: dir}
	for _, d := range []string{"project/.git", "project/sub", "other/.git", "other/dist", "plain/real"} {
		w.must(os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	for _, f := range []string{"project/file", "other/file", "plain/file"} {
		w.must(os.WriteFile(filepath.Join(dir, f), nil, 0o644))
	}
	w.project, err = Around(filepath.Join(dir, "project"))
	w.must(err)
	return w
}

func (w *town) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *town) link(name, target string) {
	w.Helper()
	if err := os.Symlink(target, filepath.Join(w.dir, name)); err != nil {
		w.Skip(err)
	}
}

// Each author, each use, and each kind of place: where it may lead.
func TestResolve(t *testing.T) {
	w := build(t)
	w.link("project/in", "sub")
	w.link("project/out", "../other/dist")
	w.link("project/gone", "../nowhere")
	w.link("project/absolute", filepath.Join(w.dir, "project", "sub"))
	w.link("project/loop", "loop")
	w.link("project/git", ".git")
	w.link("project/sub/around", "../../project/sub")
	w.link("other/link", "../plain")
	w.link("other/own", "dist")
	w.link("plain/link", "real")
	w.link("plain/dangling", "nowhere")
	linked := &LinkError{}
	at := func(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }
	for _, test := range []struct {
		name  string
		by    Author
		to    use
		want  string
		fault any // an error, or the address of one
	}{
		{"sub/new", Committed, writing, "project/sub/new", nil},
		{"sub/../sub", Committed, writing, "project/sub", nil},
		{"../project/sub", Committed, writing, "project/sub", nil},
		{"in", Committed, writing, "", &linked},
		{"in/new", Committed, writing, "", &linked},
		{"in", Committed, reading, "project/sub", nil},
		{"out", Committed, writing, "", &linked},
		{"out", Committed, reading, "", ErrOutside},
		{"gone", Committed, reading, "", ErrOutside},
		{"absolute", Committed, reading, "project/sub", nil},
		{"sub/around", Committed, reading, "", ErrOutside},
		{"loop", Committed, reading, "", ErrCircle},
		{"git", Committed, reading, "", ErrGit},
		{"git/hooks", Committed, reading, "", ErrGit},
		{".git/hooks", Committed, writing, "", ErrGit},
		{"../other/dist", Committed, writing, "", ErrOutside},
		{"../nowhere", Committed, reading, "", ErrOutside},
		{at("project/sub"), Committed, writing, "", ErrAbsolute},
		{"C:/sub", Committed, writing, "", ErrAbsolute},
		{`sub\new`, Committed, writing, "", ErrSlash},

		{at("project/sub"), Typed, writing, "project/sub", nil},
		{at("project/in"), Typed, writing, "", &linked},
		{at("project/in"), Typed, reading, "project/sub", nil},
		{at("project/out"), Typed, writing, "", &linked},
		{at("project/out"), Typed, reading, "", ErrOutside},
		{at("project/git/hooks"), Typed, writing, "", &linked},
		{at("project/.git/hooks"), Typed, writing, "", ErrGit},
		{at("other/dist"), Typed, writing, "other/dist", nil},
		{at("other/.git"), Typed, writing, "", ErrGit},
		{at("other/own"), Typed, writing, "", &linked},
		{at("other/own"), Typed, reading, "other/dist", nil},
		{at("other/link"), Typed, reading, "", ErrOutside},
		{at("plain/link"), Typed, writing, "plain/real", nil},
		{at("plain/link/new/er"), Typed, writing, "plain/real/new/er", nil},
		{at("plain/dangling/new"), Typed, writing, "plain/nowhere/new", nil},
		{at("plain/file/x"), Typed, writing, "plain/file/x", nil},
	} {
		t.Run(filepath.ToSlash(test.name), func(t *testing.T) {
			dir, rest, err := w.project.resolve(test.name, test.by, test.to)
			want, _ := test.fault.(error)
			switch {
			case test.fault == nil && (err != nil || join(dir, rest) != at(test.want)):
				t.Errorf("leads to %q %q, %v, want %q", dir, rest, err, test.want)
			case test.fault == &linked && !errors.As(err, &linked), want != nil && !errors.Is(err, want):
				t.Errorf("leads to %q %q, %v, want %v", dir, rest, err, test.fault)
			}
		})
	}
}

// What takes the place of a directory between looking and opening is not entered.
func TestEnter(t *testing.T) {
	w := build(t)
	w.link("project/link", "sub")
	root, err := os.OpenRoot(w.project.Root)
	w.must(err)
	defer root.Close()
	for name, ok := range map[string]bool{"sub": true, "link": false, "file": false, "none": false} {
		next, err := Enter(root, name)
		if (err == nil) != ok {
			t.Errorf("Enter(%q) gives %v", name, err)
		}
		if next != nil {
			w.must(next.Close())
		}
	}
}

func TestContains(t *testing.T) {
	at := func(name string) *Dir { return &Dir{Path: filepath.FromSlash("/project/" + name)} }
	for _, test := range []struct {
		outer, inner string
		want         bool
	}{
		{"sub", "sub", true},
		{"sub", "sub/new", true},
		{"new", "NEW/er", true},
		{"new/er", "new", false},
		{"new", "newer", false},
		{"other", "sub", false},
	} {
		if got := at(test.outer).Contains(at(test.inner)); got != test.want {
			t.Errorf("%s contains %s: %t", test.outer, test.inner, got)
		}
	}
}

// A committed path that is accepted stays inside the project and out of .git, in
// the spelling of every system.
func FuzzCommitted(f *testing.F) {
	for _, name := range []string{
		"dist", "../project/dist", "a/../../b", ".git/x", "C:/x", `..\x`, "/abs", "a/.GIT./b",
		"//server/share", "",
	} {
		f.Add(name)
	}
	p := Checkout{Root: filepath.FromSlash("/srv/project"), Base: filepath.FromSlash("/srv/project/teams/a")}
	f.Fuzz(func(t *testing.T, name string) {
		rel, err := p.below(name)
		if err != nil {
			return
		}
		if !filepath.IsLocal(rel) || inGit(filepath.ToSlash(rel)) || strings.ContainsAny(name, `\`) ||
			!Inside(p.Root, filepath.Join(p.Root, rel)) {
			t.Errorf("%q is %q", name, rel)
		}
	})
}
