package files

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A junction is a link that everybody may make on Windows. It is refused as any other.
func TestJunctions(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, outside := filepath.Join(top, "project"), filepath.Join(top, "outside")
	for _, dir := range []string{filepath.Join(project, ".git"), filepath.Join(project, "inside"), outside} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"away": outside, "within": filepath.Join(project, "inside")} {
		if out, err := exec.CommandContext(t.Context(), "cmd", "/c", "mklink", "/J", filepath.Join(project, link),
			target).CombinedOutput(); err != nil {
			t.Skipf("no junction can be made here: %v\n%s", err, out)
		}
		if _, err := os.Readlink(filepath.Join(project, link)); err != nil {
			t.Skip("this system has no junctions, such as wine: ", err)
		}
	}
	p, err := Around(project)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"away", "away/new", "within", "within/new"} {
		for _, by := range []Author{Committed, Typed} {
			named := name
			if by == Typed {
				named = filepath.Join(project, filepath.FromSlash(name))
			}
			d, err := p.Output(named, by)
			if _, link := errors.AsType[*LinkError](err); !link && !errors.Is(err, ErrOutside) {
				t.Errorf("writing to %s: %v", name, err)
			}
			_ = d.Close() // harmless for nil
		}
	}
	if d, err := p.Input("away", Committed); !errors.Is(err, ErrOutside) {
		t.Errorf("reading away: %v", err)
		_ = d.Close()
	}
}
