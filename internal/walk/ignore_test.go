package walk

import (
	"testing"
	"testing/fstest"
)

func TestIgnores(t *testing.T) {
	g := Ignores{FS: fstest.MapFS{
		".gitignore": {Data: []byte("# a comment\n\n*.log\n!keep.log\n/top.txt\nbuild/\ndocs/*.tmp\na/**/z\nblank  \n" +
			"\\#hash\r\nkeys\n[xy].md\n")},
		"sub/.gitignore": {Data: []byte("!special.log\nown\n")},
		"sub/keys/x":     {},
	}}
	for name, want := range map[string]bool{
		"a.log": true, "sub/a.log": true, "keep.log": false, "sub/keep.log": false, "sub/special.log": false,
		"special.log": true, "top.txt": true, "sub/top.txt": false, "build": false, "build/x": true, "sub/build/x": true,
		"docs/a.tmp": true, "sub/docs/a.tmp": false, "a/z": true, "a/b/c/z": true, "b/z": false, "blank": true,
		"#hash": true, "keys": true, "keys/keep.log": true, "sub/keys/x": true, "x.md": true, "z.md": false,
		"own": false, "sub/own": true, "sub/deep/own": true, "# a comment": false,
	} {
		if got := g.Has(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
