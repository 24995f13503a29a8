package trials

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/internal/cli"
	"cardwright/internal/fixture"
	"cardwright/internal/report"
)

// canary stands in files outside of every hostile project, and in an environment
// variable that none of them may read.
const canary = "canary-4711-must-not-be-seen"

// Each project below testdata/hostile wants to do harm. It is generated in every
// format: the findings and the exit code are those that stand in its file, no
// output does anything to a terminal or a log, and nothing outside of the project is
// read or written.
func TestHostile(t *testing.T) {
	for name, value := range map[string]string{"NO_COLOR": "1", "AWS_SECRET_ACCESS_KEY": canary} {
		t.Setenv(name, value)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(root, "testdata/hostile/*.txtar"))
	if err != nil || len(names) < 30 {
		t.Fatalf("%d projects, %v", len(names), err)
	}
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "bomb-") && !fixture.Long() {
			continue // which take their time: .ci/run tries them all
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			h := &hostileProject{T: t, top: t.TempDir()}
			want := h.build(archive)
			before := h.snapshot()
			got := ""
			for _, command := range h.commands {
				got += h.findings(command)
			}
			if diff := cmp.Diff(before, h.snapshot()); diff != "" {
				t.Errorf("something outside of the output has changed (-before +after):\n%s", diff)
			}
			h.searchOutput()
			if *update {
				i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
				archive.Files[i].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// hostileProject is a project beside a directory that it must not reach.
type hostileProject struct {
	*testing.T
	top      string     // holds project and outside
	commands [][]string // what is run in it
}

func (h *hostileProject) path(name string) string { return filepath.Join(h.top, "project", name) }

// What a project has unless it brings its own.
const (
	plainConfig = `version: 1
agents:
  - id: review
    name: Review
    description: Reviews pull requests for defects in code.
    version: 1.0.0
    interfaces: [{url: https://review.acme.example/a2a}]
    skills: {from: [{type: skills, path: skills}]}
`
	plainSkill = "---\nname: good\ndescription: Reads one pull request and names each defect.\n" +
		"metadata: {a2a-tags: review}\n---\n"
)

// build makes the project of an archive and returns what is expected. The
// comment of the archive says what a text file cannot:
//
//	file NAME CONTENT             names and contents are quoted as in Go
//	repeat NAME N HEAD PART TAIL  %d in a part is its number
//	copies NAME N CONTENT         %d in a name is its number
//	sparse NAME SIZE CONTENT      nothing but zeros behind the content
//	link NAME TARGET, fifo NAME
//	run COMMAND ARGUMENT…         instead of generate and lint
func (h *hostileProject) build(archive *txtar.Archive) (want string) {
	h.Helper()
	h.put("../outside/SKILL.md", "---\nname: "+canary+"\ndescription: "+canary+"\n---\n")
	h.put("../outside/cardwright.yaml", plainConfig+"# "+canary+"\n")
	h.put("../outside/deeper/more/SKILL.md", "---\nname: "+canary+"\ndescription: "+canary+"\n---\n")
	h.put("cardwright.yaml", plainConfig)
	h.put("skills/good/SKILL.md", plainSkill)
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		h.put(f.Name, string(f.Data))
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			h.do(line)
		}
	}
	if h.commands == nil {
		h.commands = [][]string{{"generate"}}
	}
	return want
}

var word = regexp.MustCompile(`"(?:\\.|[^"\\])*"|\S+`)

func (h *hostileProject) do(line string) {
	h.Helper()
	words := word.FindAllString(line, -1)
	for i, w := range words {
		if strings.HasPrefix(w, `"`) {
			unquoted, err := strconv.Unquote(w)
			h.must(err)
			words[i] = unquoted
		}
	}
	if words[0] == "run" {
		h.commands = append(h.commands, words[1:])
		return
	}
	name, rest := words[1], words[2:]
	number := func(text string, n int) string { return strings.ReplaceAll(text, "%d", strconv.Itoa(n)) }
	switch words[0] {
	case "file":
		h.put(name, rest[0])
	case "repeat":
		n, err := strconv.Atoi(rest[0])
		h.must(err)
		var b strings.Builder
		b.WriteString(rest[1])
		for i := range n {
			b.WriteString(number(rest[2], i))
		}
		h.put(name, b.String()+rest[3])
	case "copies":
		n, err := strconv.Atoi(rest[0])
		h.must(err)
		for i := range n {
			h.put(number(name, i), number(rest[1], i))
		}
	case "sparse":
		size, err := strconv.ParseInt(rest[0], 10, 64)
		h.must(err)
		h.put(name, rest[1])
		h.must(os.Truncate(h.path(name), size))
	case "link":
		h.clear(name)
		h.must(os.Symlink(rest[0], h.path(name)))
	case "fifo":
		h.clear(name)
		h.must(syscall.Mkfifo(h.path(name), 0o644))
	default:
		h.Fatalf("unknown line %q", line)
	}
}

// clear makes room for something that is no file.
func (h *hostileProject) clear(name string) {
	h.Helper()
	h.must(os.MkdirAll(filepath.Dir(h.path(name)), 0o755))
	h.must(os.RemoveAll(h.path(name)))
}

func (h *hostileProject) put(name, text string) {
	h.Helper()
	h.must(os.MkdirAll(filepath.Dir(h.path(name)), 0o755))
	err := os.WriteFile(h.path(name), []byte(text), 0o644)
	if errors.Is(err, syscall.EILSEQ) {
		h.Skipf("the file system refuses the name %q", name)
	}
	h.must(err)
}

var foundLine = regexp.MustCompile(`^(?:(.+?): )?(error|warning|info): .* \[([a-z0-9-]+)\]$`)

// findings runs a command with every report that it can make, and returns its exit code
// and all that it finds. Nothing that it prints or writes does harm.
func (h *hostileProject) findings(command []string) string {
	h.Helper()
	reports, args := h.TempDir(), append([]string{"-C", h.path("")}, command...)
	all := report.FileFormats()
	formats := map[string][]string{"generate": all, "lint": all, "diff": {"github", "json", "markdown"}}[command[0]]
	for _, format := range formats {
		args = append(args, "--report", format+"="+filepath.Join(reports, format))
	}
	if len(formats) == len(all) {
		args = append(args, "--all")
	}
	var out, talk bytes.Buffer
	code := cli.Run(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &talk}, "")
	if code < 0 || code > 3 {
		h.Errorf("%v exits with %d\n%s", command, code, &talk)
	}
	h.inert(command, out.String(), false)
	h.inert(command, talk.String(), false)
	for _, format := range formats {
		text, _ := os.ReadFile(filepath.Join(reports, format)) // there is none before there are findings
		h.inert(append(slices.Clone(command), format), string(text), format == "github")
	}
	lines := []string{fmt.Sprintf("%s: exit %d\n", strings.Join(command, " "), code)}
	for line := range strings.Lines(out.String() + talk.String()) {
		line = strings.TrimSuffix(line, "\n")
		if m := foundLine.FindStringSubmatch(line); m != nil {
			lines = append(lines, m[2]+" "+m[3]+" "+m[1]+"\n")
		} else if strings.HasPrefix(line, "cardwright: ") {
			lines = append(lines, line+"\n")
		}
	}
	const shown = 12
	if len(lines) > shown+1 {
		lines = append(lines[:shown+1], fmt.Sprintf("and %d more\n", len(lines)-shown-1))
	}
	return strings.Join(lines, "")
}

// ours is a workflow command as we print it.
var ours = regexp.MustCompile(`^::(error|warning|notice) (file=[^,]*,|title=)`)

func (h *hostileProject) inert(args []string, text string, commands bool) {
	h.Helper()
	if !utf8.ValidString(text) || strings.Contains(text, canary) || strings.Contains(text, "goroutine ") {
		h.Errorf("%v prints what it must not:\n%.2000q", args, text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.ContainsFunc(line, invisible):
			h.Errorf("%v prints a hidden character: %.300q", args, line)
		case strings.Contains(line, "##["), strings.HasPrefix(strings.TrimSpace(line), "::") &&
			(!commands || !ours.MatchString(line)):
			h.Errorf("%v prints a workflow command: %.300q", args, line)
		}
	}
}

// invisible reports whether no one sees a character of a line.
func invisible(r rune) bool {
	if ' ' <= r && r <= '~' { // nearly all are
		return false
	}
	return r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// snapshot returns everything beside the output directories.
func (h *hostileProject) snapshot() map[string]string {
	h.Helper()
	found := map[string]string{}
	h.must(filepath.Walk(h.top, func(name string, info os.FileInfo, err error) error {
		switch {
		case err != nil:
			return err
		case (name == h.path("dist") || name == h.path("dist.server")) && info.IsDir():
			return filepath.SkipDir
		case name == h.path(""), info.IsDir() && info.Name() == "project":
			return nil
		}
		found[name] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		return nil
	}))
	return found
}

// searchOutput demands that nothing from outside got into what is published.
func (h *hostileProject) searchOutput() {
	h.Helper()
	if _, err := os.Lstat(h.path("dist")); errors.Is(err, os.ErrNotExist) {
		return
	}
	h.must(filepath.Walk(h.path("dist"), func(name string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if strings.Contains(string(data), canary) {
			h.Errorf("%s holds what is none of its business", name)
		}
		return err
	}))
}

func (h *hostileProject) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}
