//go:build unix && !aix && !solaris

package publish

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"cardwright/internal/tree"
)

func TestWriteModes(t *testing.T) {
	for name, test := range map[string]struct {
		umask   int
		private bool
		file    os.FileMode
		dir     os.FileMode
	}{
		"usual umask":           {0o022, false, 0o644, 0o755},
		"closed umask":          {0o077, false, 0o600, 0o700},
		"open umask":            {0, false, 0o666, 0o777},
		"private, open umask":   {0, true, 0o600, 0o700},
		"private, closed umask": {0o077, true, 0o600, 0o700},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			defer unix.Umask(unix.Umask(test.umask))
			publish(t, filepath.Join(top, "made", "dist"), project("review", "one"), Options{Private: test.private})
			walk(t, top, func(_, name string, info os.FileInfo) {
				want := test.file
				if info.IsDir() {
					want = test.dir
				}
				if got := info.Mode().Perm(); got != want {
					t.Errorf("%s has mode %o, want %o", name, got, want)
				}
			})
		})
	}
}

func TestWriteRefusesPipes(t *testing.T) {
	dir := t.TempDir()
	must(t, unix.Mkfifo(filepath.Join(dir, "index.html"), 0o644))
	must(t, unix.Mkfifo(filepath.Join(dir, tree.ManifestName), 0o644))
	found := refuse(t, dir, append(project("review", "one"), textFile("index.html", "x")), Options{Force: true})
	equal(t, []string{"output-blocked " + tree.ManifestName, "output-blocked index.html"}, rulesOf(found, dir))

	pipe := filepath.Join(t.TempDir(), "dist")
	must(t, unix.Mkfifo(pipe, 0o644))
	_, found, err := Write(t.Context(), at(t, pipe), project("review", "one"), Options{})
	must(t, err)
	equal(t, []string{"output-blocked ."}, rulesOf(found, pipe))
}

func TestWriteWhereItMayNot(t *testing.T) {
	skipAsRoot(t)
	for name, test := range map[string]struct {
		closed string // the directory that loses its permission, and gets it back
		mode   os.FileMode
		out    string
		want   string
	}{
		"output directory":    {"dist", 0o555, "dist", "output-access dist"},
		"directory of a card": {"dist/review/.well-known", 0o555, "dist", "output-access dist/review/.well-known"},
		"missing output":      {".", 0o555, "other/dist", "output-access other/dist"},
		"cannot even look":    {"dist/review", 0, "dist", "output-access dist/review/.well-known"},
		"a file nobody reads": {
			"dist/review/.well-known/agent.json", 0, "dist",
			"output-access dist/review/.well-known/agent.json",
		},
		"the manifest, closed": {"dist/" + tree.ManifestName, 0, "dist", "output-access dist/" + tree.ManifestName},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			publish(t, filepath.Join(top, "dist"), project("review", "one"), Options{})
			before := snapshot(t, top)
			closed := filepath.Join(top, test.closed)
			info, err := os.Stat(closed)
			must(t, err)
			must(t, os.Chmod(closed, test.mode))
			_, found, err := Write(t.Context(), at(t, filepath.Join(top, test.out)), project("review", "1ne", "billing", "two"),
				Options{})
			must(t, os.Chmod(closed, info.Mode().Perm()))
			must(t, err)
			equal(t, test.want, rulesOf(found, top)[0])
			equal(t, before, snapshot(t, top))
		})
	}
}

func TestCheckReadOnlyDirectory(t *testing.T) {
	skipAsRoot(t)
	dir := t.TempDir()
	publish(t, dir, project("review", "one"), Options{})
	walk(t, dir, func(p, _ string, info os.FileInfo) { must(t, os.Chmod(p, info.Mode().Perm()&^0o222)) })
	must(t, os.Chmod(dir, 0o555))
	equal(t, Drift(nil), drift(t, dir, project("review", "one"), Options{}))
	publish(t, dir, project("review", "one"), Options{}) // there is nothing to write
	equal(t, 7, len(drift(t, dir, project("review", "two"), Options{})))
	walk(t, dir, func(p, _ string, info os.FileInfo) { must(t, os.Chmod(p, info.Mode().Perm()|0o200)) })
	must(t, os.Chmod(dir, 0o755))
}

func skipAsRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere")
	}
}

func TestWriteWaitsForAnotherRun(t *testing.T) {
	dir := t.TempDir()
	hold := func(t *testing.T) *os.File {
		t.Helper()
		f, err := os.Open(dir)
		must(t, err)
		if _, ok := tryLock(f); !ok { // closing f gives it back
			t.Fatal("the directory is locked already")
		}
		return f
	}
	t.Run("that ends", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := hold(t)
			time.AfterFunc(time.Second, func() { _ = f.Close() })
			publish(t, dir, project("review", "one"), Options{})
			equal(t, contents(project("review", "one")), snapshot(t, dir))
		})
	})
	t.Run("that does not end", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			defer hold(t).Close()
			equal(t, []string{"output-busy ."}, rulesOf(refuse(t, dir, project("review", "two"), Options{}), dir))
		})
	})
	t.Run("until interrupted", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			defer hold(t).Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, found, err := Write(ctx, at(t, dir), project("review", "two"), Options{})
			if found != nil || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), dir) {
				t.Fatalf("findings %v, error %v", found, err)
			}
		})
	})
}
