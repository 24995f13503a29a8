package trials

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cardwright/internal/cli"
)

// accepted is what holds for every project that is accepted. One in three tries each of the
// last ones, which run more commands. That cards are fixed points of convert, and trees the
// same everywhere, is in golden.
func (t *trial) accepted(index int) {
	for n, i := range []struct {
		name  string
		holds func(t *trial)
	}{
		{"generate exits 0", func(t *trial) { t.good(t.made) }},
		{"nothing private is public", (*trial).nothingPrivate},
		{"every finding has a place and a rule", func(t *trial) { t.places(t.made) }},
		{"a finding names each skill that no card has", (*trial).namesLeftOut},
		{"--check after generate is clean", func(t *trial) { t.silent(t.run("generate", "--check")) }},
		{"a second run writes nothing", (*trial).writesOnce},
		{"lint accepts the project and its cards", (*trial).lints},
		{"the tree does not differ from itself", (*trial).differsNot},
		{"verify finds nothing", func(t *trial) { t.good(t.in(t.dir, "verify", t.project.out())) }},
	} {
		if n > 3 && index%3 != n%3 {
			continue
		}
		if i.holds(t); t.Failed() {
			t.Logf("does not hold: %s", i.name)
			return
		}
	}
}

// refused is what holds for a project with a bad value: it ends with a finding of the
// rule, which has a place, and writes nothing.
func (t *trial) refused(rule string) {
	t.Helper()
	if t.made.code != 1 && t.made.code != 2 || len(t.tree) > 0 {
		t.Errorf("it is not refused, and writes %d files: %s", len(t.tree), t.made)
	}
	t.places(t.made)
	if !slices.ContainsFunc(t.made.findings, func(f finding) bool { return f.Rule == rule && f.Severity == "error" }) {
		t.Errorf("no error is %s: %s", rule, t.made)
	}
}

// trial is a project in a directory, and what became of it.
type trial struct {
	*testing.T
	project *project
	dir     string // of the project
	space   string // for other directories, around the project's
	made    result // of the first generate
	tree    tree   // that it wrote for everybody
}

func newTrial(t *testing.T, p *project, space string) *trial {
	t.Helper()
	tr := &trial{T: t, project: p, dir: filepath.Join(space, "project"), space: space}
	p.write(t, tr.dir)
	tr.made = tr.run("generate")
	tr.tree = read(t, tr.dir, p.public()...)
	return tr
}

// result is what a command did.
type result struct {
	command  string
	code     int
	out, err string
	findings []finding
}

type finding struct {
	Rule, Severity, Message, File, Hint string
	Line, Column                        int
	Related                             []struct{ File string }
}

func (r result) String() string {
	return fmt.Sprintf("%s exits %d:\n%.1500s%.4000s", r.command, r.code, r.out, r.err)
}

// in runs a command line in a directory, in this process.
func (t *trial) in(dir string, args ...string) result {
	t.Helper()
	report := filepath.Join(t.space, "report.json")
	all := append([]string{"-C", dir}, args...)
	if args[0] == "generate" || args[0] == "lint" {
		all = append(all, "--report", "json="+report)
	}
	var out, talk bytes.Buffer
	r := result{command: "cardwright " + strings.Join(args, " ")}
	r.code = cli.Run(all, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &talk}, "test")
	r.out, r.err = out.String(), talk.String()
	data, err := os.ReadFile(report)
	if err != nil {
		return r
	}
	var found struct{ Diagnostics []finding }
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(report); err != nil {
		t.Fatal(err)
	}
	r.findings = found.Diagnostics
	return r
}

// run runs a command line in the project, with the flags of the project that the
// command has.
func (t *trial) run(args ...string) result { t.Helper(); return t.runIn(t.dir, args...) }

func (t *trial) runIn(dir string, args ...string) result {
	t.Helper()
	return t.in(dir, append(args, t.flags(args[0])...)...)
}

var flagsOfLint = []string{"--config", "--all", "--fail-on"}

func (t *trial) flags(command string) (flags []string) {
	for rest := t.project.flags; len(rest) > 0; {
		n := 2
		if rest[0] == "--all" {
			n = 1
		}
		if command == "generate" || slices.Contains(flagsOfLint, rest[0]) {
			flags = append(flags, rest[:n]...)
		}
		rest = rest[n:]
	}
	return flags
}

func (t *trial) good(r result) bool {
	t.Helper()
	if r.code != 0 {
		t.Errorf("0 is wanted: %s", r)
	}
	return r.code == 0
}

func (t *trial) silent(r result) {
	t.Helper()
	if t.good(r) && r.out != "" {
		t.Errorf("it prints: %s", r)
	}
}

func (t *trial) nothingPrivate() {
	for name, f := range t.tree {
		for part, data := range unpacked(t.T, name, f.data) {
			t.mustNotTell(part, data, private, hidden)
		}
	}
	t.mustNotTell("the output", t.made.out+t.made.err)
}

// mustNotTell fails when a text has a line of a private key, or more.
func (t *trial) mustNotTell(where, data string, more ...string) {
	t.Helper()
	for _, secret := range append(more, strings.Split(ecKey(), "\n")[1], strings.Split(edKey(), "\n")[1]) {
		if at := strings.Index(data, secret); at >= 0 {
			t.Errorf("%s has %q: %q", where, secret, data[max(0, at-200):min(len(data), at+200)])
		}
	}
}

// unpacked are a file and the files in it.
func unpacked(t *testing.T, name, data string) map[string]string {
	t.Helper()
	parts := map[string]string{name: data}
	if !strings.HasSuffix(name, ".tar.gz") {
		return parts
	}
	z, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return parts
		}
		content, err2 := io.ReadAll(r)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		parts[name+":"+h.Name] = h.Name + string(content)
	}
}

// places fails for each finding without a rule or a place in a file.
func (t *trial) places(r result) {
	t.Helper()
	for _, f := range r.findings {
		if _, err := os.Stat(filepath.Join("internal", "lint", "doc", f.Rule+".md")); err != nil {
			t.Errorf("the rule has no page: %v", err)
		}
		if strings.HasPrefix(f.File, "--") && strings.Contains(r.command, f.File) {
			continue // it is about the command line
		}
		data, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(f.File)))
		if err != nil {
			t.Errorf("%s: %s has no file: %q", f.Rule, f.Message, f.File)
			continue
		}
		lines := strings.Split(string(data), "\n")
		if f.Line == 0 && f.Column == 0 { // it is about the whole file
			continue
		}
		if f.Line < 1 || f.Line > len(lines) || f.Column < 1 || f.Column > len([]rune(lines[f.Line-1]))+1 {
			t.Errorf("%s: %s stands at %s:%d:%d, which is no place", f.Rule, f.Message, f.File, f.Line, f.Column)
		}
	}
}

var skillName = regexp.MustCompile(`(?m)^name: ([a-z]+)\r?$`)

// namesLeftOut looks for the skills of the skills directory in all cards.
func (t *trial) namesLeftOut() {
	extended := read(t.T, t.dir, t.project.out()+".private", "extended")
	named := map[string]bool{}
	for _, f := range t.made.findings {
		if f.Rule == "extended-not-written" {
			return // then no one sees which it has
		}
		named[f.File] = true
		for _, r := range f.Related {
			named[r.File] = true
		}
	}
	for name, text := range t.project.tree(t.T) {
		skill := skillName.FindStringSubmatch(text)
		of, is := strings.CutSuffix(name, "/SKILL.md")
		if !is || path.Base(path.Dir(of)) != "skills" || skill == nil || named[name] {
			continue
		}
		if id := `"id": "` + skill[1] + `"`; !t.tree.has(id) && !extended.has(id) {
			t.Errorf("no card has %s, and no finding says so", name)
		}
	}
}

func (t *trial) writesOnce() {
	audit := filepath.Join(t.space, "audit.jsonl")
	t.good(t.run("generate", "--audit", audit))
	now := read(t.T, t.dir, t.project.public()...)
	for name, f := range now {
		if !t.tree[name].changed.Equal(f.changed) {
			t.Errorf("%s is written again", name)
		}
	}
	if d := t.tree.differ(now); d != "" {
		t.Errorf("the second run differs in %s", d)
	}
	log, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(log), "\n"); lines < len(t.cards()) {
		t.Errorf("%d cards have %d lines: %s", len(t.cards()), lines, log)
	}
	t.mustNotTell("the audit log", string(log), private, hidden)
}

func (t *trial) lints() {
	unknown := func(flag string) bool { return flag == "--env" || flag == "--base-url" || flag == "--set" }
	if !slices.ContainsFunc(t.project.flags, unknown) {
		r := t.run("lint")
		t.good(r)
		t.places(r)
		t.mustNotTell("lint", r.out+r.err)
	}
	t.good(t.in(t.dir, "lint", t.project.out()))
}

func (t *trial) differsNot() {
	r := t.in(t.dir, "diff", t.project.out(), t.project.out(), "--fail-on", "any", "--format", "json")
	if t.good(r) && !strings.Contains(r.out, `"bump": "none"`) {
		t.Errorf("it differs: %s", r)
	}
}

// cards are the cards of the tree by their path in it.
func (t *trial) cards() map[string]string {
	t.Helper()
	cards := map[string]string{}
	for name, f := range t.tree {
		if below, is := strings.CutPrefix(name, t.project.out()+"/"); is && path.Base(name) == "agent-card.json" {
			cards[below] = f.data
		}
	}
	if len(cards) == 0 {
		t.Error("there is no card")
	}
	return cards
}

// tree are the files below some directories, by their path from the root.
type tree map[string]written

type written struct {
	data    string
	changed time.Time
}

func read(t *testing.T, root string, dirs ...string) tree {
	t.Helper()
	files := tree{}
	for _, dir := range dirs {
		_ = fs.WalkDir(os.DirFS(root), dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil //nolint:nilerr // a tree that is not there is empty
			}
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			files[name] = written{string(data), info.ModTime()}
			return nil
		})
	}
	return files
}

// has reports whether a file has a text.
func (f tree) has(text string) bool {
	for _, file := range f {
		if strings.Contains(file.data, text) {
			return true
		}
	}
	return false
}

// differ names the files that differ.
func (f tree) differ(g tree) string {
	all := maps.Clone(f)
	maps.Copy(all, g)
	maps.DeleteFunc(all, func(name string, _ written) bool { return f[name].data == g[name].data })
	return strings.Join(slices.Sorted(maps.Keys(all)), " ")
}
