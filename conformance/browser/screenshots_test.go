package browser

import (
	"image"
	_ "image/png" // what the pictures are
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The script that takes the pictures of the documentation takes all that stand
// there, in their sizes.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	install(t)
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "../../docs/screenshots.sh", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("screenshots.sh: %v\n%s", err, out)
	}
	if diff := cmp.Diff(sizes(t, "../../docs/images"), sizes(t, dir)); diff != "" {
		t.Errorf("pictures (-want +got):\n%s", diff)
	}
}

// sizes returns the size of each picture in a directory.
func sizes(t *testing.T, dir string) map[string]image.Point {
	t.Helper()
	pictures, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil || len(pictures) == 0 {
		t.Fatalf("no pictures in %s: %v", dir, err)
	}
	found := map[string]image.Point{}
	for _, name := range pictures {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := image.DecodeConfig(f)
		_ = f.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found[filepath.Base(name)] = image.Pt(c.Width, c.Height)
	}
	return found
}
