package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// workdir is a directory that commands run in.
type workdir struct {
	*testing.T
	dir string
}

// inDir makes an empty directory the working directory of a test.
func inDir(t *testing.T) workdir {
	t.Helper()
	w := workdir{t, t.TempDir()}
	t.Chdir(w.dir)
	return w
}

// copyOf makes a copy of a directory of the repository the working directory of a test.
func copyOf(t *testing.T, dir string) workdir {
	t.Helper()
	w := workdir{t, t.TempDir()}
	w.must(os.CopyFS(w.dir, os.DirFS(filepath.Join("../..", dir))))
	t.Chdir(w.dir)
	return w
}

// must fails the test for an error.
func (w workdir) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// put writes a file.
func (w workdir) put(name, text string) {
	w.Helper()
	fixture.Write(w, w.dir, name, text)
}

// read returns what is in a file.
func (w workdir) read(name string) string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	w.must(err)
	return string(data)
}

// run runs a command.
func (w workdir) run(args ...string) (stdout, stderr string, code int) {
	w.Helper()
	var out, err strings.Builder
	code = Run(args, Streams{In: strings.NewReader(""), Out: &out, Err: &err}, "test")
	return out.String(), err.String(), code
}

// succeed runs a command that must end well, and returns its data.
func (w workdir) succeed(args ...string) string {
	w.Helper()
	out, err, code := w.run(args...)
	if code != OK {
		w.Fatalf("%v: exit %d\n%s%s", args, code, out, err)
	}
	return out
}
