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
	got, found := discovered(treeAt(root, "skills"), FindOptions{Path: "skills"})
	if d := cmp.Diff([]string{"skills/ok/SKILL.md"}, pathsOf(got)); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	want := []string{
		"skills/abs/SKILL.md warning source-link: the link cannot be followed: it is outside the project, " +
			"so this skill is left out of the card",
		"skills/circle/SKILL.md warning source-link: the link cannot be followed: links lead in a circle, " +
			"so this skill is left out of the card",
		"skills/outside info source-link: the link is not followed: it is outside the project",
		"skills/pipe/SKILL.md warning source-unreadable: \"SKILL.md\" must be a file, this is a named pipe, " +
			"so this skill is left out of the card",
		"skills/zero/SKILL.md warning source-link: the link cannot be followed: it is outside the project, " +
			"so this skill is left out of the card",
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
	got, found := discovered(treeAt(os.DirFS(project), "s"), FindOptions{})
	if d := cmp.Diff([]string{"s/a/SKILL.md"}, pathsOf(got)); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"s/locked warning source-unreadable: the directory cannot be read: permission denied"},
		placed(found)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}
