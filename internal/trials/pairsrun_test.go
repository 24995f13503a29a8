package trials

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cardwright/internal/cli"
)

// trial is a project in a directory, and what became of it.
type trial struct {
	*testing.T
	coverage *coverage
	row      row
	project  *project
	dir      string // of the project
	space    string // for other directories, beside that of the project
	made     result // of the first generate
	tree     tree   // that it wrote
	other    *neighbour
	faults   []string
}

// result is what a command did.
type result struct {
	command  string
	code     int
	out, err string
	findings []finding
}

// finding is a finding in a report.
type finding struct {
	Rule, Severity, Message, File, Hint string
	Line, Column                        int
	Related                             []struct{ File string }
}

// fault is about an invariant that does not hold.
func (t *trial) fault(format string, args ...any) {
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

// in runs a command line in a directory of this process.
func (t *trial) in(dir string, args ...string) result {
	t.Helper()
	report := filepath.Join(t.space, "report.json")
	all := append([]string{"-C", dir}, args...)
	if args[0] == "generate" || args[0] == "lint" { // whose findings the invariants are about
		all = append(all, "--report", "json="+report)
	}
	var out, talk bytes.Buffer
	r := result{command: "cardwright " + strings.Join(args, " ")}
	r.code = cli.Run(all, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &talk}, "test")
	r.out, r.err = out.String(), talk.String()
	data, err := os.ReadFile(report)
	if err == nil {
		var read struct{ Diagnostics []finding }
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		r.findings = read.Diagnostics
		if err := os.Remove(report); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// run runs a command line in the project, with those of the project's flags that the
// command has.
func (t *trial) run(args ...string) result { t.Helper(); return t.runIn(t.dir, args...) }

func (t *trial) runIn(dir string, args ...string) result {
	t.Helper()
	return t.in(dir, append(args, t.flags(args...)...)...)
}

// flags are those of the project's flags that a command has and is not given.
func (t *trial) flags(args ...string) (flags []string) {
	known := flagsOf(t.T, args[0])
	for i := 0; i < len(t.project.flags); i++ {
		f := t.project.flags[i]
		with := []string{f}
		if f != "--all" && f != "--strict" && f != "--force" {
			i++
			with = append(with, t.project.flags[i])
		}
		if (f == "--config" || slices.Contains(known, f)) && !slices.Contains(args, f) {
			flags = append(flags, with...)
		}
	}
	return flags
}

var (
	helpFlag   = regexp.MustCompile(`(?m)^  (?:-\w, )?(--[a-z-]+)`)
	knownFlags sync.Map
)

// flagsOf are the flags of a command, as its help lists them.
func flagsOf(t *testing.T, command string) []string {
	t.Helper()
	if flags, ok := knownFlags.Load(command); ok {
		return flags.([]string) //nolint:errcheck // as it is stored
	}
	var out bytes.Buffer
	if code := cli.Run([]string{command, "--help"}, cli.Streams{Out: &out, Err: &out}, "test"); code != 0 {
		t.Fatalf("%s --help exits %d: %s", command, code, &out)
	}
	var flags []string
	for _, m := range helpFlag.FindAllStringSubmatch(out.String(), -1) {
		flags = append(flags, m[1])
	}
	knownFlags.Store(command, flags)
	return flags
}

// String is what a fault says of a command.
func (r result) String() string {
	return fmt.Sprintf("%s exits %d:\n%.1500s%.1500s", r.command, r.code, r.out, r.err)
}

// good is a fault unless a command ends with 0.
func (t *trial) good(r result) bool {
	if r.code != 0 {
		t.fault("0 is wanted: %s", r)
	}
	return r.code == 0
}

// out is the output directory of the project, from the root.
func (p *project) out() string {
	if i := slices.Index(p.flags, "--out"); i >= 0 {
		return p.flags[i+1]
	}
	if out, is := p.site["out"].(string); is {
		return out
	}
	if p.siteIn == "environment" {
		return "elsewhere"
	}
	return "dist"
}

// given is the value of a flag, or a default.
func (p *project) given(flag, otherwise string) string {
	if i := slices.Index(p.flags, flag); i >= 0 {
		return p.flags[i+1]
	}
	return otherwise
}

// agents are the ids of the agents.
func (p *project) agents() (ids []string) {
	for _, a := range []object{p.agent, p.other, p.third} {
		if a != nil {
			ids = append(ids, a["id"].(string)) //nolint:errcheck // of the table
		}
	}
	return ids
}

// tree are the files below some directories, by their path from the root.
type tree map[string]written

type written struct {
	data    string
	changed time.Time
}

// read returns the files below directories of the project, and those of its server files.
func read(t *testing.T, root string, dirs ...string) tree {
	t.Helper()
	files := tree{}
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, e fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			from, err := filepath.Rel(root, name)
			files[filepath.ToSlash(from)] = written{string(data), info.ModTime()}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// written are all directories that a run of the project writes.
func (p *project) written() []string {
	return append(p.public(), p.private())
}

// private is the directory that a run of the project writes for some.
func (p *project) private() string { return p.given("--private-out", p.out()+".private") }

// public are the directories that a run of the project writes for everybody.
func (p *project) public() []string {
	return []string{p.out(), p.given("--server-dir", p.out()+".server")}
}

// below are the files of a directory, by their path from it.
func (f tree) below(dir string) tree {
	part := tree{}
	for name, file := range f {
		if from, is := strings.CutPrefix(name, dir+"/"); is {
			part[from] = file
		}
	}
	return part
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

// differ names the files that differ, and how the first does.
func (f tree) differ(g tree) string {
	names := map[string]bool{}
	for name := range f {
		names[name] = true
	}
	for name := range g {
		names[name] = true
	}
	var differ []string
	detail := ""
	for name := range names {
		a, inA := f[name]
		b, inB := g[name]
		switch {
		case !inA:
			differ = append(differ, "+"+name)
		case !inB:
			differ = append(differ, "-"+name)
		case a.data != b.data:
			differ = append(differ, name)
			if detail == "" {
				detail = ": " + firstDifference(a.data, b.data)
			}
		}
	}
	if differ == nil {
		return ""
	}
	slices.Sort(differ)
	return strings.Join(differ, " ") + detail
}

func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(la), len(lb)) {
		if la[i] != lb[i] {
			return fmt.Sprintf("line %d: %.200q and %.200q", i+1, la[i], lb[i])
		}
	}
	return "one is longer"
}
