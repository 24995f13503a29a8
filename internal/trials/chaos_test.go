//go:build unix

package trials

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"cardwright/internal/fixture"
	"cardwright/internal/synth"
)

// chaos is how often a run is disturbed. Without it a few runs over a few cards are.
var chaos = flag.Int("chaos", 0, "disturb so many runs, over 100 times as many cards and 1,000 at most")

// dist is the output directory of every test.
const dist = "dist"

// rounds are how often a test does what it does.
func rounds(short int) int {
	if *chaos > 0 {
		return *chaos
	}
	return short
}

// arena is a project with some configurations and the trees that they make. The
// second one drops agents, adds others and changes all that stay; the others remove
// some, configure a server, and have another layout.
type arena struct {
	*testing.T
	dir     string
	configs []string
	trees   []map[string]string
	cards   int      // of the first tree
	shared  []string // those of the first two
	took    time.Duration
	partial int // trees that were found with a part of the files written
}

// foreign are files of somebody else in the output directory.
var foreign = map[string]string{
	"README.md": "mine\n", "group-0005/notes.txt": "mine\n",
	"group-0005/.well-known/security.txt": "mine\n",
}

// made are the arenas whose trees were made, by the number of cards: those of others are
// the same.
var made = struct {
	sync.Mutex
	arenas map[int]*arena
}{arenas: map[int]*arena{}}

func newArena(t *testing.T) *arena {
	t.Helper()
	if *chaos > 0 {
		return arenaOf(t, min(100**chaos, 1000))
	}
	return arenaOf(t, 10)
}

func arenaOf(t *testing.T, cards int) *arena {
	t.Helper()
	a := &arena{T: t, dir: t.TempDir()}
	a.configs = []string{"old.yaml", "new.yaml", "fewer.yaml", "apache.yaml", "host.yaml"}
	tenth := cards / 10
	a.cards = cards
	a.must(synth.Write(a.dir, cards+tenth, 1))
	head, all, _ := strings.Cut(string(synth.Config(cards+tenth)), "  - id: ")
	agents := strings.Split(all, "  - id: ")
	a.write("old.yaml", head+"  - id: "+strings.Join(agents[:cards], "  - id: "))
	a.write("new.yaml", strings.ReplaceAll(head+"  - id: "+strings.Join(agents[tenth:], "  - id: "), "1.0.0", "2.0.0"))
	a.write("fewer.yaml", head+"  - id: "+strings.Join(agents[:cards*6/10], "  - id: "))
	lists := "publisher: acme.example\nhtml: true\ncatalog: true\nservers: [apache]\nagents:\n"
	a.write("apache.yaml", strings.Replace(head, "agents:\n", lists, 1)+
		"  - id: "+strings.Join(agents[:cards], "  - id: "))
	a.write("host.yaml", regexp.MustCompile(`  - id: (.*)\n`).ReplaceAllString(
		strings.Replace(head, "layout: path", "layout: host", 1)+"  - id: "+strings.Join(agents[:cards], "  - id: "),
		"$0    host: $1.acme.example\n"))
	made.Lock()
	defer made.Unlock()
	if made.arenas[cards] == nil {
		for _, config := range a.configs {
			a.run("--config", config, "generate", "-q", "--out", "reference-"+config)
			a.trees = append(a.trees, a.tree("reference-"+config))
		}
		began := time.Now()
		a.succeed(a.command("--config", a.configs[0], "generate", "-q", "--out", "process"))
		a.took = time.Since(began)
		made.arenas[cards] = a
	}
	a.trees, a.took = slices.Clone(made.arenas[cards].trees), made.arenas[cards].took
	for p := range a.trees[0] {
		if _, stays := a.trees[1][p]; stays && path.Base(p) == "agent-card.json" {
			a.shared = append(a.shared, p)
		}
	}
	slices.Sort(a.shared)
	return a
}

// reset makes the output directory hold the tree of one configuration, or none,
// and the files of somebody else.
func (a *arena) reset(config int, empty bool) {
	a.Helper()
	a.must(os.RemoveAll(filepath.Join(a.dir, dist)))
	if !empty {
		a.generate(config)
	}
	for p, text := range foreign {
		a.write(path.Join(dist, p), text)
	}
}

func (a *arena) generate(config int) {
	a.Helper()
	a.run("--config", a.configs[config], "generate", "-q", "--out", dist)
}

// A run that is ended at any moment leaves whole files, no temporary ones unless
// it was killed, and nothing that the next run does not bring in order.
func TestChaosSignals(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL}
	var interrupted, temps int
	n := rounds(2)
	for i := range n {
		from, to := i%2, 1-i%2
		if i%5 < 2 {
			a.reset(from, i%5 == 0)
		}
		stop := a.read()
		signal := signals[i%len(signals)]
		c := a.command("--config", a.configs[to], "generate", "-q", "--out", dist)
		a.must(c.Start())
		time.Sleep(rand.N(a.took * 5 / 4))
		_ = c.Process.Signal(signal) // it may have ended
		err := c.Wait()
		stop()
		state := a.examine(signal == syscall.SIGKILL)
		if err != nil {
			interrupted++
		}
		temps += state.temps
		a.heal(to)
	}
	t.Logf("%d runs over %d cards: %d ended by a signal, %d of them with a part of the files written, "+
		"%d temporary files left by SIGKILL, no card beside the sidecar of another one; all healed",
		n, a.cards, interrupted, a.partial, temps)
}

// Runs that are disturbed, those that repair, and those that repair these: after one
// that ends well, the tree is the one that a first run makes.
func TestChaosSequences(t *testing.T) {
	t.Parallel()
	a := arenaOf(t, fixture.Rounds(10, 20))
	faults := []string{"kill", "signal"}
	if _, err := exec.LookPath("strace"); err == nil && exec.Command("strace", "-o", "/dev/null", "true").Run() == nil {
		faults = append(faults, "full disk", "error on write", "error on read")
	}
	n := rounds(fixture.Rounds(2, 500))
	if n >= 100 {
		n = 500
	}
	count := map[string]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 35))
		a.reset(r.IntN(len(a.configs)), i%5 == 0)
		var told []string
		for range 1 + r.IntN(4) {
			to, fault := r.IntN(len(a.configs)), faults[r.IntN(len(faults))]
			before := a.tree(dist)
			c, ended := a.disturbed(r, fault, a.configs[to])
			told = append(told, fmt.Sprintf("%s: %s: %v", a.configs[to], fault, ended))
			a.examine(true)
			switch check := a.here("--config", a.configs[to], "generate", "-q", "--check", "--out", dist); {
			case ended == nil:
			case fault == "error on read" && c.ProcessState.ExitCode() == 2 && !maps.Equal(before, a.tree(dist)):
				t.Errorf("a run that could not read has changed the tree: %s", told)
			case check == nil && !maps.Equal(a.tree(dist), with(a.trees[to])):
				t.Errorf("--check finds nothing wrong after %s", told)
			}
			if ended != nil {
				count[fault]++
			}
		}
		a.heal(r.IntN(len(a.configs)))
		if t.Failed() {
			t.Fatalf("sequence %d: %s", i, told)
		}
	}
	t.Logf("%d sequences over %d cards, runs that ended early: %v, %d with a part of the files written; all healed", n,
		a.cards, count, a.partial)
}

// disturbed runs generate with a fault at a random moment.
func (a *arena) disturbed(r *rand.Rand, fault, config string) (*exec.Cmd, error) {
	a.Helper()
	args := []string{"--config", config, "generate", "-q", "--out", dist}
	c := a.command(args...)
	inject := func(calls, cause string, most int) {
		c = a.in("strace", append([]string{
			"-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=" + calls,
			"-e", fmt.Sprintf("inject=%s:error=%s:when=%d", calls, cause, 1+r.IntN(most)), "cardwright",
		}, args...)...)
	}
	switch fault {
	case "full disk":
		inject("fsync,renameat,mkdirat", "ENOSPC", 40)
	case "error on write":
		inject("fsync,renameat,unlinkat,mkdirat", []string{"EIO", "EACCES", "EROFS"}[r.IntN(3)], 40)
	case "error on read":
		inject("openat2,getdents64", []string{"EIO", "EACCES", "ESTALE", "ENOMEM"}[r.IntN(4)], 60)
	default:
		a.must(c.Start())
		time.Sleep(time.Duration(r.Int64N(int64(a.took * 5 / 4))))
		_ = c.Process.Signal(map[string]syscall.Signal{"kill": syscall.SIGKILL, "signal": syscall.SIGTERM}[fault])
		return c, c.Wait()
	}
	return c, c.Run()
}

// Runs into one directory at the same time, of two configurations, take turns.
// What is left is what one of them made. Where the disk is so slow that a run
// gives up waiting, it says so.
func TestChaosConcurrent(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	n := (rounds(10) + 9) / 10
	crowds := []int{4}
	if fixture.Long() {
		crowds = []int{2, 8}
	}
	gaveUp := 0
	for i := range n {
		for _, many := range crowds {
			a.reset(0, i%2 == 0)
			stop := a.read()
			var running []*exec.Cmd
			for k := range many {
				c := a.command("--config", a.configs[k%2], "generate", "-q", "--out", dist)
				c.Stderr = &bytes.Buffer{}
				a.must(c.Start())
				running = append(running, c)
				time.Sleep(rand.N(a.took/8 + 1))
			}
			for _, c := range running {
				err := c.Wait()
				switch told := fmt.Sprint(c.Stderr); {
				case err != nil && strings.Contains(told, "[output-busy]"):
					gaveUp++
				case err != nil:
					t.Errorf("one of %d runs: %v\n%s", many, err, told)
				}
			}
			stop()
			files := a.examine(false).files
			if !a.whole(files) {
				t.Errorf("%d runs leave a mixture", many)
			}
			a.run("verify", "-q", dist)
		}
	}
	t.Logf("%d times %d runs at once, %d of them gave up waiting for their turn", n, crowds, gaveUp)
}

// A watcher that sees a checkout of another branch half done publishes whole
// cards all the time, and in the end what the branch makes.
func TestChaosWatch(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	t.Parallel()
	a := newArena(t)
	a.write(".gitignore", "/dist\n/reference-*\n")
	git := func(args ...string) {
		t.Helper()
		a.succeed(a.in("git", append([]string{
			"-c", "user.name=a", "-c", "user.email=a@acme.example", "-c",
			"init.defaultBranch=old",
		}, args...)...))
	}
	git("init", "-q")
	for i, branch := range []string{"old", "new"} {
		if i > 0 {
			git("checkout", "-q", "-b", branch)
			for n := range len(a.shared) {
				name := filepath.Join(synth.Group(n), "another", "SKILL.md")
				a.write(name, string(synth.Skill(n+100_000)))
			}
		}
		a.copy(a.configs[i], "cardwright.yaml")
		a.run("generate", "-q", "--out", "reference-"+branch)
		a.trees[i] = a.tree("reference-" + branch)
		git("add", ".")
		git("commit", "-q", "-m", branch)
	}
	a.reset(0, true)
	c := a.command("generate", "-q", "--watch", "--out", dist)
	c.Stderr = &bytes.Buffer{}
	a.must(c.Start())
	a.await(a.trees[1])
	n := (rounds(3) + 1) / 2
	for i := range n {
		git("checkout", "-q", []string{"old", "new"}[i%2])
		time.Sleep(rand.N(a.took))
		if i%5 == 4 {
			a.await(a.trees[i%2])
		}
	}
	a.await(a.trees[(n-1)%2])
	a.must(c.Process.Signal(syscall.SIGINT))
	if err := c.Wait(); err != nil {
		t.Errorf("the watcher ended with %v\n%s", err, c.Stderr)
	}
	a.run("generate", "-q", "--out", dist) // the signal may have come during a run
	a.run("verify", "-q", dist)
	t.Logf("%d checkouts below a watcher", n)
}

// await waits until the output directory holds a tree. Meanwhile all that stands
// there is whole.
func (a *arena) await(tree map[string]string) {
	a.Helper()
	for range 6000 { // five minutes or more
		files := a.tree(dist)
		for p, data := range files {
			if path.Ext(p) == ".json" && (!json.Valid([]byte(data)) || !strings.HasSuffix(data, "}\n")) {
				a.Fatalf("%s is half a file: %q", p, data)
			}
		}
		maps.DeleteFunc(files, func(p, _ string) bool { return isTemp(p) })
		if maps.Equal(files, with(tree)) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	a.Fatal("the tree of the branch did not come")
}

// state is what stands in an output directory.
type state struct {
	files map[string]string // without temporary files
	temps int
}

// examine demands that each file is that of one of the trees, that no card stands
// beside the sidecar of another one, and that verify sees when a tree is not whole.
func (a *arena) examine(killed bool) state {
	a.Helper()
	s := state{files: a.tree(dist)}
	for p, data := range s.files {
		switch {
		case isTemp(p):
			s.temps++
			delete(s.files, p)
			if !killed {
				a.Errorf("%s was left", p)
			}
		case p == "cardwright.journal":
		case path.Base(p) == "cardwright.manifest.json":
			if !json.Valid([]byte(data)) {
				a.Errorf("the manifest is half a file: %q", data)
			}
		case data != foreign[p] &&
			!slices.ContainsFunc(a.trees, func(tree map[string]string) bool { return data == tree[p] }):
			a.Errorf("%s is neither old nor new: %q", p, data)
		}
	}
	for p, text := range foreign {
		if s.files[p] != text {
			a.Errorf("%s is no longer what it was: %q", p, s.files[p])
		}
	}
	for p, got := range s.files {
		ext := path.Ext(p)
		data, stands := s.files[strings.TrimSuffix(p, ext)]
		sum := sha256.Sum256([]byte(data))
		digest := hex.EncodeToString(sum[:])
		want, sidecar := map[string]string{
			".sha256": digest + "  " + path.Base(strings.TrimSuffix(p, ext)) + "\n",
			".etag":   `"` + digest + "\"\n",
		}[ext]
		if sidecar && stands && got != want {
			a.Errorf("%s stands beside another card than its own", p)
		}
	}
	if !a.whole(s.files) {
		a.partial++
		if a.here("verify", "-q", dist) == nil {
			a.Error("verify finds nothing wrong with a part of a tree")
		}
	}
	return s
}

// whole reports whether files are one of the trees, with the files of somebody else.
func (a *arena) whole(files map[string]string) bool {
	return slices.ContainsFunc(a.trees, func(tree map[string]string) bool { return maps.Equal(files, with(tree)) })
}

// heal demands that the next run brings everything in order.
func (a *arena) heal(config int) {
	a.Helper()
	a.generate(config)
	files := a.tree(dist)
	for p, data := range with(a.trees[config]) {
		if files[p] != data {
			a.Errorf("%s is not healed: %q", p, files[p])
		}
		delete(files, p)
	}
	for p := range files {
		a.Errorf("%s should not be there", p)
	}
	a.run("verify", "-q", dist)
}

// read reads the cards of both trees again and again, as a web server does, and
// demands that each is whole. The function that it returns ends that.
func (a *arena) read() (stop func()) {
	var done atomic.Bool
	ended := make(chan string)
	go func() {
		for !done.Load() {
			p := a.shared[rand.IntN(len(a.shared))]
			data, err := os.ReadFile(filepath.Join(a.dir, dist, p))
			if err == nil && string(data) != a.trees[0][p] && string(data) != a.trees[1][p] {
				ended <- p
				return
			}
		}
		ended <- ""
	}()
	return func() {
		a.Helper()
		done.Store(true)
		if p := <-ended; p != "" {
			a.Errorf("a reader saw half of %s", p)
		}
	}
}

// with returns a tree with the files of somebody else in it.
func with(tree map[string]string) map[string]string {
	all := maps.Clone(tree)
	maps.Copy(all, foreign)
	return all
}

func isTemp(p string) bool { return strings.HasPrefix(path.Base(p), ".cardwright-") }

// tree returns all files below a directory.
func (a *arena) tree(dir string) map[string]string {
	a.Helper()
	files := map[string]string{}
	root := os.DirFS(filepath.Join(a.dir, dir))
	a.must(fs.WalkDir(root, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return ignoreGone(err)
		}
		data, err := fs.ReadFile(root, p)
		if err == nil {
			files[p] = string(data)
		}
		return ignoreGone(err)
	}))
	return files
}

// ignoreGone passes over what a run has removed since the directory was listed.
func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// here runs cardwright in this process, where nothing is to disturb it.
func (a *arena) here(args ...string) error {
	var out bytes.Buffer
	if code := here(a.dir, &out, &out, args...); code != 0 {
		return fmt.Errorf("%s: exit code %d\n%s", strings.Join(args, " "), code, &out)
	}
	return nil
}

// run demands that a run ends well.
func (a *arena) run(args ...string) {
	a.Helper()
	a.must(a.here(args...))
}

// command is a process of cardwright in the project.
func (a *arena) command(args ...string) *exec.Cmd { return a.in("cardwright", args...) }

func (a *arena) in(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = a.dir
	c.Env = append(os.Environ(), "NO_COLOR=1")
	return c
}

func (a *arena) succeed(c *exec.Cmd) {
	a.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		a.Fatalf("%s: %v\n%s", strings.Join(c.Args, " "), err, out)
	}
}

func (a *arena) write(name, text string) {
	a.Helper()
	name = filepath.Join(a.dir, filepath.FromSlash(name))
	a.must(os.MkdirAll(filepath.Dir(name), 0o755))
	a.must(os.WriteFile(name, []byte(text), 0o644))
}

func (a *arena) copy(from, to string) {
	a.Helper()
	data, err := os.ReadFile(filepath.Join(a.dir, from))
	a.must(err)
	a.write(to, string(data))
}

func (a *arena) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
}
