package project

import (
	"io"
	"io/fs"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// broken is a file system in which one file cannot be opened or read.
type broken struct {
	fstest.MapFS
	name       string
	open, read error
}

func (b broken) Open(name string) (fs.File, error) {
	f, err := b.MapFS.Open(name)
	switch {
	case name != b.name:
		return f, err
	case b.open != nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: b.open}
	}
	return brokenFile{f, b.read}, err
}

func (b broken) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.name && b.open != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: b.open}
	}
	return b.MapFS.ReadDir(name)
}

type brokenFile struct {
	fs.File
	err error
}

func (f brokenFile) Read([]byte) (int, error) { return 0, f.err }

func TestUnread(t *testing.T) {
	files := fstest.MapFS{
		"skills/a/SKILL.md": {Data: []byte("a")}, "skills/b/SKILL.md": {Data: []byte("b")},
		"skills/c": {Mode: fs.ModeSymlink, Data: []byte("nowhere")},
	}
	for name, test := range map[string]struct {
		fsys broken
		want string
	}{
		"nothing":       {broken{}, ""},
		"no permission": {broken{name: "skills/a", open: syscall.EACCES}, `"p/skills/a" cannot be read: permission denied`},
		"a broken disk": {
			broken{name: "skills/a/SKILL.md", read: syscall.EIO},
			`"p/skills/a/SKILL.md" cannot be read: input/output error`,
		},
		"a stale handle":    {broken{name: "skills", open: syscall.ESTALE}, `"p/skills" cannot be read: stale file handle`},
		"too many levels":   {broken{name: "skills/a/SKILL.md", open: syscall.ELOOP}, ""},
		"the end":           {broken{name: "skills/a/SKILL.md", read: io.EOF}, ""},
		"a link to nowhere": {broken{name: "skills/c", open: syscall.ENOENT}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.fsys.MapFS = files
			var unread ReadErrors
			fsys := unread.FS(test.fsys, func(name string) string { return "p/" + name })
			_ = fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					_, _ = fs.ReadFile(fsys, name)
					_, _ = fs.ReadFile(fsys, name) // is reported once
				}
				return nil
			})
			_, _ = fs.Stat(fsys, "skills/none")
			got := ""
			for _, d := range unread.Findings() {
				got += d.Message
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
