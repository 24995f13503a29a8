package publish

import (
	"os"
	"path/filepath"
	"testing"
)

// An id that changes in letter case only has its folder renamed, on a disk that
// takes both for one, and a check that sees the old letters.
func TestWriteRespells(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o600))
	if _, err := os.Stat(filepath.Join(dir, "X")); err != nil {
		t.Skip("this disk tells letters apart")
	}
	must(t, os.Remove(filepath.Join(dir, "x")))
	publish(t, dir, project("review", "one"), Options{})
	drift, found := Check(at(t, dir), project("Review", "one"), Options{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	kinds := map[string]Kind{}
	for _, c := range drift {
		kinds[c.Path] = c.Kind
	}
	if kinds["Review"] != Misspelled {
		t.Errorf("drift %v, want the folder", kinds)
	}
	publish(t, dir, project("Review", "one"), Options{})
	equal(t, contents(project("Review", "one")), snapshot(t, dir))
	if drift, _ := Check(at(t, dir), project("Review", "one"), Options{}); len(drift) > 0 {
		t.Errorf("drift afterwards: %v", drift)
	}
}
