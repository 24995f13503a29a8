package git_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Whose the checkout is does not matter: nothing in it can start a program. In a
// container it belongs to the user of another machine.
func TestForeignCheckout(t *testing.T) {
	t.Parallel()
	r, run := repository(t)
	commit := run("rev-parse", "HEAD")
	err := filepath.WalkDir(r.Root, func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(name, 12345, 12345)
		}
		return err
	})
	if err != nil {
		t.Skip("only root gives a checkout to somebody else")
	}
	plain := exec.CommandContext(t.Context(), "git", "-C", r.Root, "rev-parse", "HEAD")
	plain.Env = append(os.Environ(), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := plain.CombinedOutput(); err == nil {
		t.Skipf("this git trusts it anyway: %s", out)
	}
	sides, err := r.Sides(t.Context(), "main~1")
	if err != nil || sides.From == "" {
		t.Errorf("%+v, %v", sides, err)
	}
	s, err := r.Snapshot(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if text, err := fs.ReadFile(s, "file"); err != nil || string(text) != "three" {
		t.Errorf("%q, %v", text, err)
	}
	if files, err := r.Tracked(t.Context(), "."); err != nil || len(files) != 1 {
		t.Errorf("%q, %v", files, err)
	}
}
