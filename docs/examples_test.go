package docs_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"cardwright/internal/cli"
)

// An example in the documentation is a code block below a comment that says what
// to do with it in which directory:
//
//	<!-- run: testdata/workspaces/code-review -->
//	```console
//	$ cardwright generate
//	dist: 1 card, …
//	```
//
// The block runs in a copy of that directory, or in a new one when its name
// starts with empty/. Blocks of a page with the same directory share one copy, in
// order.
//
//   - run: every line that starts with "$ " is run by sh; what follows is its
//     output, stderr included. cardwright serve runs until the end of the page.
//   - write FILE: the block is the content of the file.
//   - edit FILE: each line of the block replaces the first line of the file with
//     the same key and indentation.
//
// A comment <!-- setup: DIR COMMANDS --> without a block prepares a directory.
var (
	example = regexp.MustCompile(
		"(?ms)^<!-- (run|write|edit): (\\S+)(?: (\\S+))? -->\n```\\w*\n(.*?)^```$" +
			"|^<!-- (setup): (\\S+)\n(.*?)^-->$")
)

// pageAddress is what the pages call the address of a server. Each run listens
// on a free port instead, which it prints.
const pageAddress = "127.0.0.1:8080"

var listensOn = regexp.MustCompile(`serving .+ on (127\.0\.0\.1:\d+): `)

// TestExamples runs the examples of README.md and of the pages in docs and
// docs/sources, and compares what they print.
func TestExamples(t *testing.T) {
	bin := build(t)
	for _, variable := range environment(bin)[len(os.Environ()):] {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
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
			p := &pageRun{bin: bin, dirs: map[string]string{}}
			got := example.ReplaceAllStringFunc(string(text), func(block string) string {
				ran++
				m := example.FindStringSubmatch(block)
				if m[5] == "setup" {
					p.setup(t, p.dir(t, m[6]), m[7])
					return block
				}
				action, dir, file, body := m[1], p.dir(t, m[2]), m[3], m[4]
				switch action {
				case "run":
					return strings.Replace(block, body, p.transcript(t, dir, body), 1)
				case "write":
					writeFile(t, filepath.Join(dir, file), body)
				case "edit":
					editFile(t, filepath.Join(dir, file), body)
				}
				return block
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

// A pageRun runs the examples of one page.
type pageRun struct {
	bin     string
	dirs    map[string]string // by the name on the page
	address string            // of the server, once there is one
}

// dir returns the directory that the page calls name.
func (p *pageRun) dir(t *testing.T, name string) string {
	t.Helper()
	if p.dirs[name] != "" {
		return p.dirs[name]
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(name))
	switch {
	case strings.HasPrefix(name, "empty/"):
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	default:
		dir = copyOf(t, filepath.Join("..", filepath.FromSlash(name)))
	}
	p.dirs[name] = dir
	return dir
}

// setup runs commands whose output no page shows.
func (p *pageRun) setup(t *testing.T, dir, commands string) {
	t.Helper()
	cmd := exec.Command("sh", "-euc", commands)
	cmd.Dir, cmd.Env = dir, environment(p.bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
}

// transcript runs the commands of a block and returns the block as it should be.
func (p *pageRun) transcript(t *testing.T, dir, block string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		printed := p.printed(t, dir, command)
		if m := listensOn.FindStringSubmatch(printed); m != nil {
			p.address = m[1]
		}
		if p.address != "" {
			printed = strings.ReplaceAll(printed, p.address, pageAddress)
		}
		out.WriteString(line + printed)
		if printed != "" && !strings.HasSuffix(printed, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// printed runs a command and returns what it prints: without a process where a line has
// nothing for a shell.
func (p *pageRun) printed(t *testing.T, dir, command string) string {
	t.Helper()
	run := combined
	plain, asked := strings.CutSuffix(p.local(command), `; echo "exit code $?"`)
	switch words := strings.Fields(plain); {
	case strings.HasPrefix(command, "cardwright serve "):
		command, run = "exec "+strings.ReplaceAll(command, pageAddress, "127.0.0.1:0"), start
	case words[0] == "cardwright" && !strings.ContainsAny(plain, "|&;<>()$`\\\"'*?[]#~{}"):
		here, err := os.Getwd()
		if err == nil {
			err = os.Chdir(dir) //nolint:usetesting // the next block of the page is in another one
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chdir(here) }() //nolint:usetesting // so is this
		var printed bytes.Buffer
		code := cli.Run(words[1:], cli.Streams{In: strings.NewReader(""), Out: &printed, Err: &printed}, "")
		if asked {
			fmt.Fprintf(&printed, "exit code %d\n", code)
		}
		return printed.String()
	}
	cmd := exec.Command("sh", "-c", p.local(command))
	cmd.Dir, cmd.Env = dir, environment(p.bin)
	return run(t, cmd)
}

// local is the command with the address of this run.
func (p *pageRun) local(command string) string {
	if p.address == "" {
		return command
	}
	return strings.ReplaceAll(command, pageAddress, p.address)
}

// combined runs a command and returns what it printed.
func combined(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return printed.String()
}

// start runs a server until the end of the test, and returns what it printed
// before it was ready.
func start(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err == nil {
			_ = cmd.Wait() // killed
		}
		r.Close()
	})
	w.Close()
	var printed strings.Builder
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		printed.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "Ctrl-C") {
			return printed.String()
		}
	}
	t.Fatalf("%s has ended, it printed:\n%s", cmd, printed.String())
	return ""
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// editFile replaces lines of the file, see [example].
func editFile(t *testing.T, path, text string) {
	t.Helper()
	lines := strings.SplitAfter(read(t, path), "\n")
	for wanted := range strings.Lines(text) {
		key, _, _ := strings.Cut(wanted, ":")
		found := false
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimPrefix(line, "# "), key+":") {
				lines[i], found = wanted, true
				break
			}
		}
		if !found {
			t.Fatalf("%s has no line with the key %q", path, strings.TrimSpace(key))
		}
	}
	writeFile(t, path, strings.Join(lines, ""))
}

// environment is this test's, with the program first on the PATH, and
// with what git needs to commit.
func environment(bin string) []string {
	return append(os.Environ(),
		"PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"NO_COLOR=1", "LC_ALL=C", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_AUTHOR_NAME=Docs", "GIT_AUTHOR_EMAIL=docs@acme.example",
		"GIT_COMMITTER_NAME=Docs", "GIT_COMMITTER_EMAIL=docs@acme.example")
}

// TestMain makes this program cardwright too, where it is started by that name: what is
// documented needs a process, but no second build.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cardwright": func() {
		os.Exit(cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, ""))
	}})
}

// build returns where cardwright is.
func build(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("cardwright")
	if err != nil {
		t.Fatal(err)
	}
	return program
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
