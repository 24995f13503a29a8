package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An example in the documentation is a console block below a comment that
// names the directory it runs in:
//
//	<!-- run: testdata/workspaces/code-review -->
//	```console
//	$ cardwright generate
//	dist: 1 card, …
//	```
//
// Every line that starts with "$ " is run by sh in a copy of that directory;
// what follows is its output, standard error included. Blocks of a page with
// the same directory run in one copy, in order.
var example = regexp.MustCompile("(?ms)^<!-- run: (\\S+) -->\n```console\n(.*?)^```$")

// TestExamples runs the examples of README.md and of the pages in docs and
// docs/sources, and compares what they print.
func TestExamples(t *testing.T) {
	bin := build(t)
	pages := []string{"../README.md"}
	for _, pattern := range []string{"*.md", "sources/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	ran := 0
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			dirs := map[string]string{}
			got := example.ReplaceAllStringFunc(string(text), func(block string) string {
				m := example.FindStringSubmatch(block)
				if dirs[m[1]] == "" {
					dirs[m[1]] = copyOf(t, filepath.Join("..", filepath.FromSlash(m[1])))
				}
				ran++
				return strings.Replace(block, m[2], transcript(t, bin, dirs[m[1]], m[2]), 1)
			})
			if *update {
				if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(got, string(text)); diff != "" {
				t.Errorf("%s is not what the commands print, run go test ./docs -update (-want +got):\n%s", page, diff)
			}
		})
	}
	if ran == 0 {
		t.Error("no page has an example")
	}
}

// transcript runs the commands of a block and returns the block as it should be.
func transcript(t *testing.T, bin, dir, block string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(environment(bin), "NO_COLOR=1", "LC_ALL=C")
		var printed bytes.Buffer
		cmd.Stdout, cmd.Stderr = &printed, &printed
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatalf("%s: %v", command, err)
		}
		out.WriteString(line + printed.String())
		if s := printed.String(); s != "" && !strings.HasSuffix(s, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// environment is that of this test, with the program first on the PATH.
func environment(bin string) []string {
	return append(os.Environ(), "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "cardwright")
	if out, err := exec.Command("go", "build", "-o", bin, "..").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// copyOf copies a directory of examples, so that running them leaves it alone.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}
