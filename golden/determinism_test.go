package golden_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"path"
	"runtime"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// Each workspace makes the same files, with the same findings in the same order, under
// conditions that must not matter: time zone, locale, line ends and byte order marks, the
// order of directories, how many processors. .ci/determinism.sh tries whole processes: umask,
// other builds, other directories.
func TestDeterminism(t *testing.T) {
	for _, c := range cases(t) {
		if c.private || c.servers != nil {
			continue // the same run as another case
		}
		dir := workspace(c.workspace)
		files, found := generated(t, dir, c.options)
		t.Run(c.tree, func(t *testing.T) {
			local, before := time.Local, runtime.GOMAXPROCS(8)
			t.Cleanup(func() {
				time.Local = local
				runtime.GOMAXPROCS(before)
			})
			time.Local = time.FixedZone("Chatham", 12*3600+45*60)
			t.Setenv("TZ", "Pacific/Chatham")
			for _, name := range []string{"LANG", "LC_ALL", "LANGUAGE"} {
				t.Setenv(name, "tr_TR.UTF-8")
			}
			result, now := generated(t, shuffled{windows(dir), 7}, c.options)
			unexported := cmpopts.IgnoreUnexported(site.File{})
			if !cmp.Equal(files, result, unexported, cmp.Comparer(bytes.Equal)) {
				t.Errorf("files (-plain +now):\n%s", cmp.Diff(files, result, unexported))
			}
			if diff := cmp.Diff(warnings(found), warnings(now)); diff != "" {
				t.Errorf("findings (-plain +now):\n%s", diff)
			}
		})
	}
}

// warnings leaves out notes: one says that Forge itself cannot read the line
// ends of Windows.
func warnings(found diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity < diag.Warning })
}

// shuffled lists directories in another order each time.
type shuffled struct {
	fs.FS
	seed uint64
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	r := rand.New(rand.NewPCG(s.seed, uint64(len(name))))
	r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}

// windows gives every text file CRLF line ends, and a byte order mark to those
// that are not JSON, which may not have one.
func windows(dir fs.FS) fs.FS {
	files := fstest.MapFS{}
	_ = fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dir, name)
		data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
		if ext := path.Ext(name); ext == ".md" || ext == ".yaml" {
			data = append([]byte("\uFEFF"), bytes.TrimPrefix(data, []byte("\uFEFF"))...)
		}
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	return files
}
