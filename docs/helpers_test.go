package docs_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"cardwright/internal/cli"
	"cardwright/internal/fixture"
)

var update = flag.Bool("update", false, "rewrite generated pages and the output in examples")

// TestMain makes this program cardwright too, where it is started by that name: what is
// documented needs a process, but no second build. Git commits as it needs no person.
func TestMain(m *testing.M) {
	for _, pair := range []string{
		"NO_COLOR=1", "LC_ALL=C", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_AUTHOR_NAME=Docs", "GIT_AUTHOR_EMAIL=docs@acme.example",
		"GIT_COMMITTER_NAME=Docs", "GIT_COMMITTER_EMAIL=docs@acme.example",
	} {
		name, value, _ := strings.Cut(pair, "=")
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){"cardwright": func() {
		os.Exit(cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, ""))
	}})
}

// shell runs a script in a directory, with more variables, and returns what it prints and
// how it ends.
func shell(t *testing.T, dir, script string, env ...string) (printed string, code int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the shell there may be another")
	}
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			fixture.Missing(t, tool)
		}
	}
	cmd := exec.Command("bash", "-ec", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// must runs a script that may not fail.
func must(t *testing.T, dir, script string) string {
	t.Helper()
	printed, code := shell(t, dir, script)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", script, code, printed)
	}
	return printed
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

func writeFile(t *testing.T, path, text string) { t.Helper(); fixture.Write(t, "", path, text) }

// copyOf copies a directory of examples, so that running them leaves it alone.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// compare fails when a page is not as it should be, or rewrites it.
func compare(t *testing.T, page, want string) {
	t.Helper()
	got := read(t, page)
	if *update && want != got {
		writeFile(t, page, want)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is not current, run go test ./docs -update (-want +got):\n%s", page, diff)
	}
}
