package files

import (
	"path/filepath"
	"testing"
	"testing/fstest"
)

// The deeper a file is, the later it counts, for what is below it.
// That patterns mean what git says is tried by internal/trials.
func TestIgnores(t *testing.T) {
	g := Ignores{FS: fstest.MapFS{
		".gitignore":     {Data: []byte("*.log\n/top.txt\nbuild/\na/**/z\nblank  \n\\#hash\nkeys\nall/**\n!all/kept\n")},
		"sub/.gitignore": {Data: []byte("!special.log\nown\n")},
	}}
	for name, want := range map[string]bool{
		"special.log": true, "sub/special.log": false, "sub/a.log": true, "own": false, "sub/deep/own": true,
		"top.txt": true, "sub/top.txt": false, "build": false, "build/x": true, "a/b/c/z": true, "b/z": false,
		"blank": true, "#hash": true, "sub/keys/x": true, "all/x": true, "all/kept": false,
	} {
		if got := g.Has(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]int{"a.log": 1, "top.txt": 2, "build/x": 3, "all/x": 8, "none": 0} {
		if line, ignored := g.Line(name); ignored != (want > 0) || line.Line != want {
			t.Errorf("%s: %+v %v, want line %d", name, line, ignored, want)
		}
	}
}

func TestIgnoresAround(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main/.git/info/exclude": "dist\n", "main/.git/worktrees/linked/commondir": "../..\n",
		"linked/.git": "gitdir: ../main/.git/worktrees/linked\n", "linked/docs/.gitignore": "!dist\n",
	} {
		write(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	for dir, want := range map[string]string{
		"main/dist": ".git/info/exclude", "linked/dist": ".git/info/exclude", "linked/docs/dist": "",
	} {
		g, below, err := IgnoresAround(filepath.Join(top, filepath.FromSlash(dir)))
		if err != nil {
			t.Fatal(err)
		}
		if line, ignored := g.Line(below + "/card.json"); ignored != (want != "") || ignored && line.File != want {
			t.Errorf("%s: %+v %v", dir, line, ignored)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}
