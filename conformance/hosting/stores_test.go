package hosting

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

// The command lines of Google and Microsoft want accounts. These stand for them:
// they keep objects in the directory $STORE, with their hashes as the listings of
// the stores have them, and log how they were called.
const (
	hashes = `use Digest::MD5;
$prefix = shift;
while (<STDIN>) {
  chomp;
  next if index($_, $prefix) != 0;
  open my $file, "<", $_ or die;
  printf "%s\t%s==\n", $_, Digest::MD5->new->addfile($file)->b64digest;
}
`
	gcloudStub = `#!/bin/sh
printf '%s\n' "$*" >>"$STORE.log"
case "$1 $2 $3" in
"storage objects list")
  cd "$STORE"
  [ "$5" = "--format=value(name,md5_hash)" ] || exit 9
  prefix=${4#gs://cards/}; prefix=${prefix%"**"}
  find . -type f | sed 's|^[.]/||' | sort | perl -e "$HASHES" "$prefix"
  [ -n "$(ls)$(ls -A .well-known 2>/dev/null)" ] || { echo "ERROR: matched no objects" >&2; exit 1; } ;;
"storage cp --recursive")
  shift 3
  while [ "${1#gs://}" = "$1" ]; do cp -r "$1" "$STORE/"; shift; done ;;
"storage cp gs://"*) cp "$STORE/${3#gs://cards/}" "$4" ;;
"storage cp "*) f=$STORE/${4#gs://cards/}; mkdir -p "$(dirname "$f")"; cp "$3" "$f" ;;
"storage rm --read-paths-from-stdin") while read -r url; do rm "$STORE/${url#gs://cards/}"; done ;;
*) exit 9 ;;
esac
`
	azStub = `#!/bin/sh
printf '%s\n' "$*" >>"$STORE.log"
verb=$3
shift 3
while [ $# -gt 0 ]; do
  case $1 in --name) name=$2 ;; --file) file=$2 ;; --prefix) prefix=$2 ;; --source) source=$2 ;; esac
  shift
done
case $verb in
list)
  cd "$STORE"
  find . -type f | sed 's|^[.]/||' | sort | perl -e "$HASHES" "${prefix-}" ;;
upload-batch) cp -r "$source/." "$STORE/" ;;
upload) mkdir -p "$(dirname "$STORE/$name")"; cp "$file" "$STORE/$name" ;;
download) cp "$STORE/$name" "$file" ;;
delete) rm "$STORE/$name" ;;
*) exit 9 ;;
esac
`
)

// The scripts for the other stores call their command lines in the same order, and
// once in all when nothing changed.
func TestOtherStores(t *testing.T) {
	for target, stub := range map[string]struct{ command, script, put string }{
		"gcs":        {"gcloud", gcloudStub, "storage cp"},
		"azure-blob": {"az", azStub, "storage blob upload"},
	} {
		t.Run(target, func(t *testing.T) {
			if _, err := exec.LookPath("perl"); err != nil {
				t.Skip("perl is not installed: nobody stands for the store")
			}
			dir := t.TempDir()
			bin, store := filepath.Join(dir, "bin"), filepath.Join(dir, "store")
			for _, d := range []string{bin, store} {
				if err := os.Mkdir(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(bin, stub.command), []byte(stub.script), 0o755); err != nil {
				t.Fatal(err)
			}
			filesA, filesB := uploaded(t)
			run := func(files []tree.File, s hosting.Settings, flags ...string) (said, calls []string) {
				t.Helper()
				script := release(t, dir, target, files, s)
				_ = os.Remove(store + ".log")
				cmd := exec.CommandContext(t.Context(), "sh", append(append([]string{script}, flags...), filepath.Join(dir, "dist"),
					"cards")...)
				cmd.Env = append(os.Environ(), "STORE="+store, "HASHES="+hashes, "PATH="+bin+":"+os.Getenv("PATH"))
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
				}
				log, _ := os.ReadFile(store + ".log")
				return lines(string(out)), lines(string(log))
			}
			said, calls := run(filesA, hosting.Settings{})
			if diff := cmp.Diff([]string{
				"uploaded .well-known/agent-card.json", "uploaded .well-known/jwks.json",
				"uploaded .well-known/ai-catalog.json", "uploaded index.html",
			}, said); diff != "" {
				t.Errorf("first (-want +got):\n%s", diff)
			}
			if n := len(slices.DeleteFunc(calls, func(c string) bool { return !strings.HasPrefix(c, stub.put) })); n != 6 {
				t.Errorf("%d uploads, want those of 4 files and 2 of the script's own", n)
			}
			if said, calls := run(filesA, hosting.Settings{}); len(said) > 0 || len(calls) != 1 {
				t.Errorf("nothing changed: %v, %v", said, calls)
			}
			if said, _ := run(filesB, hosting.Settings{}); len(said) != 2 {
				t.Errorf("a card and a page changed: %v", said)
			}
			fewer := slices.Clone(filesB)[:len(filesB)-1]
			if said, _ := run(fewer, hosting.Settings{}); slices.ContainsFunc(said,
				func(s string) bool { return strings.HasPrefix(s, "deleted") }) {
				t.Errorf("deleted without being told: %v", said)
			}
			said, _ = run(fewer, hosting.Settings{}, "--delete")
			if diff := cmp.Diff([]string{"deleted " + filesB[len(filesB)-1].Path}, said); diff != "" {
				t.Errorf("deleted (-want +got):\n%s", diff)
			}
			// A fleet takes no more calls than a card, and a large file one more.
			var ids []string
			for i := range 60 {
				ids = append(ids, fmt.Sprintf("-agent-%d", i)) // no option of grep or tar
			}
			fleet := append(hostingtest.Tree(ids, 'a'), tree.File{
				Path: ".well-known/agent-skills/pdf.tar.gz", Data: bytes.Repeat([]byte("x"), 8<<20),
			})
			if said, calls := run(fleet, hosting.Settings{}); len(said) < 300 || len(calls) > 20 {
				t.Errorf("%d objects in %d calls", len(said), len(calls))
			}
			if said, calls := run(fleet, hosting.Settings{}); len(said) > 0 || len(calls) != 1 {
				t.Errorf("nothing changed in the fleet: %d uploads, %d calls", len(said), len(calls))
			}
			for _, f := range fleet {
				if at := filepath.Join(store, f.Path); !hosting.Sidecar(f.Path) {
					if data, err := os.ReadFile(at); err != nil || !bytes.Equal(data, f.Data) {
						t.Errorf("%s is not there like that: %v", f.Path, err)
					}
				}
			}
		})
	}
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
