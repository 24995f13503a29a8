package discovery

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// trees is the directory of the golden trees.
const trees = "../../golden"

// golden returns the files of all golden trees whose paths end so, as absolute paths.
func golden(t *testing.T, suffix string) []string {
	t.Helper()
	root, err := filepath.Abs(trees)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(filepath.ToSlash(name), suffix) {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden tree has %s, %v", suffix, err)
	}
	return names
}

// A validator of HTML accepts every page, and finds what is wrong in a bad one.
func TestPagesAreHTML(t *testing.T) {
	t.Parallel()
	node, dir := install(t), t.TempDir()
	if out := run(t, node, dir, append([]string{"html.mjs"}, golden(t, "/index.html")...)...); out != "" {
		t.Error(out)
	}
	write(t, dir, map[string]string{
		"bad.html": "<!doctype html>\n<html lang=\"en\"><title>t</title><body><p><div></div></p></body></html>\n",
	})
	if out := run(t, node, dir, "html.mjs", "bad.html"); !strings.Contains(out, "bad.html:2: ") {
		t.Errorf("a bad page is accepted: %s", out)
	}
}
