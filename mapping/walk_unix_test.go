//go:build unix

package mapping

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cardwright/internal/files"
)

// What only a real file system has.
func TestSkillsOnDisk(t *testing.T) {
	project, outside := t.TempDir(), t.TempDir()
	for _, dir := range []string{
		filepath.Join(outside, "a"), filepath.Join(project, "s/ok"), filepath.Join(project, "s/abs"),
		filepath.Join(project, "s/pipe"), filepath.Join(project, "s/circle"), filepath.Join(project, "s/locked"),
	} {
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "x.md"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(project, "s/ok/SKILL.md"), nil, 0o644),
		os.Symlink(filepath.Join(outside, "a/x.md"), filepath.Join(project, "s/abs/SKILL.md")),
		os.Symlink("SKILL.md", filepath.Join(project, "s/circle/SKILL.md")),
		os.Symlink(outside, filepath.Join(project, "s/outside")),
		syscall.Mkfifo(filepath.Join(project, "s/pipe/SKILL.md"), 0o644),
		os.Chmod(filepath.Join(project, "s/locked"), 0),
	); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(project, "s/locked"), 0o755) })
	root, err := files.OpenRoot(project)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	want := "s/abs/SKILL.md warning source-link, s/circle/SKILL.md warning source-link, " +
		"s/locked warning source-unreadable, s/outside info source-link, s/pipe/SKILL.md warning source-unreadable"
	if os.Geteuid() == 0 { // whom permissions do not bind
		want = strings.Replace(want, "s/locked warning source-unreadable, ", "", 1)
	}
	if got, found := foundSkills(treeAt(root, "s"), Source{Path: "s"}); got != "s/ok/SKILL.md" || found != want {
		t.Errorf("got %s, %s, want %s", got, found, want)
	}
}
