package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/tree"
)

// drift returns what Check finds where it finds no obstacle.
func drift(t *testing.T, dir string, files []tree.File, o Options) Drift {
	t.Helper()
	age(t, dir)
	before, when := snapshot(t, dir), times(t, dir)
	d, found := Check(at(t, dir), files, o)
	if found != nil {
		t.Fatalf("findings: %v", found)
	}
	equal(t, before, snapshot(t, dir))
	equal(t, when, times(t, dir))
	return d
}

func TestCheckNoDrift(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one", "billing", "two")
	publish(t, dir, files, Options{})
	put(t, dir, "review/notes.txt", "nobody's business")
	d := drift(t, dir, files, Options{})
	equal(t, Drift(nil), d)
}

func TestCheckMissingDirectory(t *testing.T) {
	d, found := Check(at(t, filepath.Join(t.TempDir(), "dist")), []tree.File{textFile("index.html", "x")}, Options{})
	equal(t, nil, found)
	equal(t, Drift{{Path: "cardwright.manifest.json", Kind: Missing}, {Path: "index.html", Kind: Missing}}, d)
}

func TestCheckNamesEveryKind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	old := []tree.File{
		textFile("altered.txt", "one\ntwo\nthree\n"), textFile("missing.txt", "x\n"),
		textFile("same.txt", "x\n"), textFile("stale.txt", "x\n"), textFile("edited.txt", "x\n"), textFile("lost.txt", "x\n"),
	}
	publish(t, "dist", old, Options{})
	temp := tempName()
	put(t, dir, "dist/edited.txt", "mine\n")
	put(t, dir, "dist/altered.txt", "one\n2\x1b[2J\nthree")
	put(t, dir, "dist/"+temp, "half")
	must(t, os.Remove("dist/missing.txt"))
	must(t, os.Remove("dist/lost.txt"))

	files := old[:3]
	d := drift(t, "dist", files, Options{})
	var lines, hunks, got []string
	for _, c := range d {
		if c.Kind != Changed {
			lines = append(lines, fmt.Sprintf("%s: %s", c.Kind, c.Shown("dist")))
		}
		hunks = append(hunks, c.Diff...)
		f := c.Finding("dist")
		got = append(got, f.Span.String()+" "+f.Message)
	}
	lines = append(lines, hunks...)
	equal(t, []string{
		"extra: dist/" + temp,
		"extra: dist/edited.txt",
		"missing: dist/missing.txt",
		"stale: dist/stale.txt",
		"--- dist/altered.txt",
		"+++ dist/altered.txt (generated)",
		"@@ -1,3 +1,3 @@",
		" one",
		"-2\x1b[2J",
		"-three",
		`\ No newline at end of file`,
		"+two",
		"+three",
	}, lines[:len(lines)-manifestDiff(lines)])

	equal(t, []string{
		"dist/" + temp + ` "dist/` + temp + `" was left by an earlier run, or edited since`,
		`dist/altered.txt:2 "dist/altered.txt" differs from what is generated`,
		`dist/cardwright.manifest.json:12 "dist/cardwright.manifest.json" differs from what is generated`,
		`dist/edited.txt "dist/edited.txt" was left by an earlier run, or edited since`,
		`dist/missing.txt "dist/missing.txt" is missing`,
		`dist/stale.txt "dist/stale.txt" is no longer generated`,
	}, got)
}

// manifestDiff returns how many lines the diff of the manifest takes up at the
// end of lines, or before another one.
func manifestDiff(lines []string) int {
	for i, line := range lines {
		if strings.HasPrefix(line, "--- dist/"+tree.ManifestName) {
			return len(lines) - i
		}
	}
	return 0
}

func TestCheckShowsForeignFilesAsChanged(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "index.html", "mine\n")
	d := drift(t, dir, []tree.File{textFile("index.html", "ours\n")}, Options{})
	equal(t, Drift{
		{Path: "cardwright.manifest.json", Kind: Missing},
		{Path: "index.html", Kind: Changed, Line: 1, Diff: d[1].Diff},
	}, d)
}
