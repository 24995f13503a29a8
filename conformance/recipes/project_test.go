package recipes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// built is the path of the program, made once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "cardwright-recipes-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "cardwright")
	// As the recipes build it, so that theirs comes from the cache.
	build := exec.Command("go", "build", "-C", "../..", "-buildvcs=false", "-trimpath", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return string(out), err
	}
	return program, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if program, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(program))
	}
	os.Exit(code)
}

func cardwright(t *testing.T) string {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatalf("building cardwright: %v\n%s", err, program)
	}
	return program
}

// project copies an example project and the files of a recipe beside its
// configuration, as the recipe tells its reader to do.
func project(t *testing.T, recipe string) string {
	t.Helper()
	dir := t.TempDir()
	for _, from := range []string{"../../testdata/workspaces/code-review", "../../docs/recipes/" + recipe} {
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sh runs a command line of a recipe in a directory, with the program on the path.
func sh(t *testing.T, dir, line string, env ...string) {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(cardwright(t))+":"+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replaced is a text with pairs of old and new; each old must be in it, so that
// a test does not go on with a recipe that has changed.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the recipe any more:\n%s", pairs[i], text)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
