package docs_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
//   - run: every line that starts with "$ " is run by a shell; what follows is its
//     output, stderr included.
//   - write FILE: the block is the content of the file.
//   - edit FILE: each line of the block replaces the first line of the file with
//     the same key and indentation.
//
// A comment <!-- setup: DIR COMMANDS --> without a block prepares a directory.
var example = regexp.MustCompile(
	"(?ms)^<!-- (run|write|edit): (\\S+)(?: (\\S+))? -->\n```\\w*\n(.*?)^```$" +
		"|^<!-- (setup): (\\S+)\n(.*?)^-->$")

// TestExamples runs the examples of README.md and of the pages in docs and
// docs/sources, and compares what they print.
func TestExamples(t *testing.T) {
	pages := []string{"../README.md"}
	for _, pattern := range []string{"*.md", "sources/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range pages {
		t.Run(filepath.ToSlash(page), func(t *testing.T) {
			page = filepath.Join(root, "docs", page)
			dirs := map[string]string{}
			got := example.ReplaceAllStringFunc(read(t, page), func(block string) string {
				ran++
				m := example.FindStringSubmatch(block)
				name := m[2] + m[6]
				if dirs[name] == "" {
					dirs[name] = exampleDir(t, root, name)
				}
				return runExample(t, block, m, dirs[name])
			})
			compare(t, page, got)
		})
	}
	if ran == 0 {
		t.Error("no page has an example")
	}
}

// exampleDir makes the directory that a page calls by a name.
func exampleDir(t *testing.T, root, name string) string {
	t.Helper()
	if !strings.HasPrefix(name, "empty/") {
		return copyOf(t, filepath.Join(root, filepath.FromSlash(name)))
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runExample does what a block says, and returns the block as it should be.
func runExample(t *testing.T, block string, m []string, dir string) string {
	t.Helper()
	file, body := filepath.Join(dir, m[3]), m[4]
	switch m[1] + m[5] {
	case "setup":
		must(t, dir, m[7])
	case "write":
		writeFile(t, file, body)
	case "edit":
		editFile(t, file, body)
	case "run":
		var out strings.Builder
		for line := range strings.Lines(body) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				out.WriteString(line + printed(t, dir, command))
			}
		}
		return strings.Replace(block, body, out.String(), 1)
	}
	return block
}

// printed runs a command and returns what it prints: without a process where a line has
// nothing for a shell.
func printed(t *testing.T, dir, command string) string {
	t.Helper()
	words := strings.Fields(command)
	if words[0] != "cardwright" || strings.ContainsAny(command, "|&;<>()$`\\\"'*?[]#~{}") {
		out, _ := shell(t, dir, "set +e\n"+command)
		return out
	}
	t.Chdir(dir)
	var out bytes.Buffer
	cli.Run(words[1:], cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "")
	return out.String()
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

// shownFile is a code block below a comment that names the file it repeats.
var shownFile = regexp.MustCompile("(?ms)^<!-- file: (\\S+) -->\n```(\\w*)\n(.*?)^```$")

// TestShownFiles compares the files that pages show with those that tests run.
func TestShownFiles(t *testing.T) {
	const page = "recipes/frameworks.md"
	compare(t, page, shownFile.ReplaceAllStringFunc(read(t, page), func(block string) string {
		m := shownFile.FindStringSubmatch(block)
		return "<!-- file: " + m[1] + " -->\n```" + m[2] + "\n" +
			read(t, filepath.Join("..", filepath.FromSlash(m[1]))) + "```"
	}))
}
