package trials

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// readingCalls are the system calls that look at files. The system asks fstat for every file that
// it opens, and does without an answer.
const readingCalls = "openat,openat2,newfstatat,getdents64,read,readlinkat"

// Nothing is published, and nothing guessed, where the system does not show what is asked for:
// whichever call fails, on whichever file, the run says which and why, and changes nothing.
func TestReadingFails(t *testing.T) {
	if exec.Command("strace", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("strace is missing, or not allowed")
	}
	t.Parallel()
	a := &arena{T: t, dir: t.TempDir()}
	for name, text := range map[string]string{
		"skills/x/SKILL.md":      "---\nname: x\ndescription: Does x when it is asked for.\n---\n",
		"skills/x/ref/notes.md":  "# Notes\n",
		"team/skills/y/SKILL.md": "---\nname: y\ndescription: Does y when it is asked for.\n---\n",
		"mcp/tools.json":         `{"tools": [{"name": "find", "description": "Finds.", "inputSchema": {}}]}`,
		"policy.json":            `{"type": "object"}`,
		"team/agents.yaml": "agents:\n  - {id: two, name: Two, description: Does two., version: 1.0.0," +
			" interfaces: [{url: /2}], skills: {from: [{type: skills, path: skills}], defaultTags: [x]}}\n",
		"cardwright.yaml": `version: 1
baseUrl: https://agents.acme.example
publisher: acme.example
catalog: true
html: true
servers: [apache, nginx]
include: [team/*.yaml]
policies: [policy.json]
agentSkills: [x]
agents:
  - id: one
    name: One
    description: Does one.
    version: 1.0.0
    interfaces: [{url: /1}]
    signing: {key: "file:card-key.pem", kid: k}
    skills: {from: [{type: skills, path: skills}, {type: mcp, path: mcp/tools.json}], defaultTags: [x]}
`,
	} {
		a.write(name, text)
	}
	a.run("key", "new", "--out", "card-key.pem")
	a.run("generate", "-q")
	change := func(n int) map[string]string { // so that there is something to write
		a.write("skills/x/SKILL.md", fmt.Sprintf("---\nname: x\ndescription: Does x %d times when asked.\n---\n", n))
		return a.tree(".")
	}
	before := change(0)

	trace := filepath.Join(t.TempDir(), "trace")
	a.succeed(a.in("strace", "-f", "--seccomp-bpf", "-y", "-qq", "-e", "trace="+readingCalls, "-e", "signal=none",
		"-o", trace, "cardwright", "generate", "-q", "--dry-run"))
	seen := traced(t, trace, a.dir)
	reasons := map[string]string{
		"EIO": "input/output error", "EACCES": "permission denied", "ESTALE": "stale file handle",
		"ENOMEM": "cannot allocate memory",
	}
	errors := slices.Sorted(maps.Keys(reasons))
	const sample = 60 // of the calls, where the trials are short
	tried := 0
	for i, call := range seen {
		if !fixture.Long() && i%sample != 0 {
			continue
		}
		name, file, _ := strings.Cut(call, " ")
		for k, e := range errors {
			if !fixture.Long() && (i/sample)%len(errors) != k {
				continue
			}
			log := filepath.Join(t.TempDir(), "log")
			c := a.in("strace", "-f", "--seccomp-bpf", "-qq", "-P", filepath.Join(a.dir, file), "-e", "signal=none",
				"-e", "trace="+name, "-e", fmt.Sprintf("inject=%s:error=%s:when=1+", name, e), "-o", log,
				"cardwright", "generate", "-q")
			out, _ := c.CombinedOutput()
			if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), "INJECTED") {
				before = change(i + 1) // another run takes another way
				continue
			}
			tried++
			if code := c.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), reasons[e]) ||
				file != "." && !strings.Contains(string(out), file) {
				t.Errorf("%s of %s fails with %s: exit code %d, %s", name, file, e, code, out)
			}
			if !maps.Equal(before, a.tree(".")) {
				t.Fatalf("%s of %s fails with %s: something has changed: %s", name, file, e, out)
			}
		}
	}
	if tried == 0 {
		t.Error("no call has failed")
	}
	t.Logf("%d of %d calls tried", tried, len(seen)*len(errors))
}

// traced are the calls in a trace that are about files of the project, each once. Whether a directory
// is a work tree of git is asked of many, and only of that around the project the answer matters.
func traced(t *testing.T, trace, dir string) []string {
	t.Helper()
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	call := regexp.MustCompile(`^\d+ +(\w+)\((?:[^<"]*<([^>]*)>)?(?:, "([^"]*)")?`)
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		m := call.FindStringSubmatch(lines.Text())
		if m == nil || strings.Contains(lines.Text(), " = -1 ") {
			continue
		}
		name := m[2]
		if m[3] != "" {
			if name = m[3]; !filepath.IsAbs(name) {
				name = filepath.Join(m[2], name)
			}
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil && filepath.IsLocal(rel) && (rel == ".git" || filepath.Base(rel) != ".git") {
			seen[m[1]+" "+rel] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Where the system lets nobody watch more files, a command that waits for changes ends and says
// which limit it is.
func TestWatchLimits(t *testing.T) {
	if exec.Command("strace", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("strace is missing, or not allowed")
	}
	t.Parallel()
	a := &arena{T: t, dir: t.TempDir()}
	a.write("cardwright.yaml", "version: 1\nagents: [{id: a, name: A, description: Does it., version: 1.0.0, "+
		"interfaces: [{url: https://a.example/a}], skills: {from: [{type: skills, path: skills}]}}]\n")
	a.write("skills/x/SKILL.md", "---\nname: x\ndescription: Does x when it is asked for.\n---\n")
	for fault, told := range map[string]string{
		"inotify_init1:error=EMFILE": "watching files: the system lets a user start no more watchers: end some, " +
			"raise fs.inotify.max_user_instances on Linux",
		"inotify_add_watch:error=ENOSPC": "the system lets a user watch no more files: raise ulimit -n on macOS, " +
			"or fs.inotify.max_user_watches on Linux: no space left on device",
	} {
		for _, args := range [][]string{{"generate", "--watch"}, {"serve", "--watch", "--addr", "127.0.0.1:0"}} {
			call, _, _ := strings.Cut(fault, ":")
			c := a.in("strace", append([]string{
				"-f", "--seccomp-bpf", "-qq", "-o", os.DevNull, "-e", "signal=none", "-e", "trace=" + call, "-e", "inject=" + fault,
				"cardwright",
			}, args...)...)
			if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() != 3 || !strings.Contains(string(out), told) {
				t.Errorf("%s, %s: %v, %s", fault, args, err, out)
			}
		}
	}
}
