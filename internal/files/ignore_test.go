package files

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// What people write to keep build output out of git, and whether it takes a card with it.
func TestIgnoreLineOfCard(t *testing.T) {
	const card = "dist/.well-known/agent-card.json"
	for _, test := range []struct {
		ignore string
		line   int // 0 where git takes the card
	}{
		{"dist", 1},
		{"dist/", 1},
		{"/dist/", 1},
		{"node_modules\n\ndist/\n", 3},
		{"*.json", 1},
		{"*.json\n!*.json", 0},
		{".*", 1},
		{"**/.well-known", 1},
		{"**/dist/**", 1},
		{"dist/*", 1},
		{"dist/*\n!dist/.well-known", 0},
		{"dist\n!dist/.well-known", 1},
		{"dist\n!dist", 0},
		{"d?st", 1},
		{"[a-e]ist", 1},
		{"dist/.well-known/*.json", 1},
		{"#dist", 0},
		{".*\n!.well-known", 0},
		{"*.etag\n*.sha256", 0},
		{"build\r\ndist\r\n", 2},
		{"\ufeffdist\n", 1},
	} {
		g := Ignores{FS: fstest.MapFS{".gitignore": {Data: []byte(test.ignore)}}}
		line, ignored := g.Line(card)
		if ignored != (test.line > 0) || ignored && (line.Line != test.line || line.File != ".gitignore") {
			t.Errorf("%q: %+v %v, want line %d", test.ignore, line, ignored, test.line)
		}
	}
}

// The deeper a file is, the later it counts, for what is below it.
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
}

func TestIgnoresAround(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		name = filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("main/.git/info/exclude", "dist\n")
	write("main/.git/worktrees/linked/commondir", "../..\n")
	write("linked/.git", "gitdir: ../main/.git/worktrees/linked\n")
	write("linked/docs/.gitignore", "!dist\n")
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
