//go:build unix

package mapping

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/files"
)

// TestDiscoverOnDisk holds what only a real file system has.
func TestDiscoverOnDisk(t *testing.T) {
	project := t.TempDir()
	outside := t.TempDir()
	touch(t, filepath.Join(project, "skills/ok/SKILL.md"))
	touch(t, filepath.Join(outside, "SKILL.md"))
	for _, dir := range []string{"abs", "pipe", "zero", "circle"} {
		if err := os.Mkdir(filepath.Join(project, "skills", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"skills/abs/SKILL.md":    filepath.Join(outside, "SKILL.md"),
		"skills/zero/SKILL.md":   "/dev/zero",
		"skills/circle/SKILL.md": "SKILL.md",
		"skills/outside":         outside,
	} {
		if err := os.Symlink(target, filepath.Join(project, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(project, "skills/pipe/SKILL.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := files.OpenRoot(project)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	got, found := foundSkills(treeAt(root, "skills"), Source{Path: "skills"})
	if d := cmp.Diff([]string{"skills/ok/SKILL.md"}, pathsOf(got)); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	want := []string{
		"skills/abs/SKILL.md warning source-link", "skills/circle/SKILL.md warning source-link",
		"skills/outside info source-link", "skills/pipe/SKILL.md warning source-unreadable",
		"skills/zero/SKILL.md warning source-link",
	}
	if d := cmp.Diff(want, placed(found)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

func TestDiscoverUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("needs a user that permissions apply to")
	}
	project := t.TempDir()
	touch(t, filepath.Join(project, "s/a/SKILL.md"))
	touch(t, filepath.Join(project, "s/locked/SKILL.md"))
	if err := os.Chmod(filepath.Join(project, "s/locked"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(project, "s/locked"), 0o755) })
	got, found := foundSkills(treeAt(os.DirFS(project), "s"), Source{})
	if d := cmp.Diff([]string{"s/a/SKILL.md"}, pathsOf(got)); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"s/locked warning source-unreadable"}, placed(found)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}
