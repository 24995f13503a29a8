//go:build unix

package hosting_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting/hostingtest"
)

// documented returns the commands of a section of docs/deploy.md.
func documented(t *testing.T, section string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## "+section+"\n")
	_, rest, _ = strings.Cut(rest, "\n```\n")
	commands, _, ok := strings.Cut(rest, "\n```\n")
	if !ok {
		t.Fatalf("docs/deploy.md has no commands below %q", section)
	}
	return commands
}

// deployment is a documented way to bring a release to where it is served.
type deployment struct {
	section    string
	root, conf string // below the directory of the site, which stands for /srv
	needs      string // a command
	back       string // the commands of a rollback, where these are not those of a deployment
}

var deployments = []deployment{
	{
		section: "A server of your own", root: "current/dist", conf: "current/dist.server", needs: "mv",
		back: "ln -s releases/42 /srv/next && mv -T /srv/next /srv/current\nnginx -t && nginx -s reload",
	},
	{section: "rsync", root: "dist", conf: "dist.server", needs: "rsync"},
}

// In every documented way, over HTTP/1.1 and HTTP/2, with a rollback in between, no
// reader gets half a card, or one with the tag of another.
func TestDeployments(t *testing.T) {
	t.Parallel()
	for name, r := range servers() {
		for _, d := range deployments {
			t.Run(name+"/"+d.section, func(t *testing.T) {
				t.Parallel()
				r.deployed(t, d)
			})
		}
	}
}

func (r real) deployed(t *testing.T, d deployment) {
	t.Helper()
	binary, err := exec.LookPath(r.binary)
	if _, other := exec.LookPath(d.needs); err != nil || other != nil {
		t.Skipf("%s or %s is not installed", r.binary, d.needs)
	}
	s := newSite(t, "single", []string{""})
	s.root, s.conf = filepath.Join(s.dir, d.root), filepath.Join(s.dir, d.conf)
	build := s // where releases are made
	build.root, build.conf = filepath.Join(s.dir, "build", "dist"), filepath.Join(s.dir, "build", "dist.server")
	var pid int
	run := func(commands string, number int) {
		t.Helper()
		reload := "kill -" + strconv.Itoa(int(r.reload)) + " " + strconv.Itoa(pid)
		if pid == 0 {
			reload = "true"
		}
		commands = strings.NewReplacer(
			"host:/srv", s.dir, "/srv", s.dir, "releases/42", "releases/"+strconv.Itoa(number),
			"ssh host 'nginx -t && nginx -s reload'", reload, "nginx -t && nginx -s reload", reload,
		).Replace(commands)
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", commands)
		cmd.Dir = filepath.Join(s.dir, "build")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%v\n%s", commands, err, out)
		}
	}
	deploy, back := documented(t, d.section), d.back
	all := releases{tagsItself: r.opensFirst}
	r.release(t, build, all.make(0, true), true)
	run(deploy, 0)
	server := r.start(t, binary, s)
	pid = server.Pid

	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for _, url := range []string{"http://" + s.addr, "https://localhost:" + port(s.tls)} {
		for range 2 {
			readers.Go(func() { all.reader(ctx, t, insecure(), url) })
		}
	}
	hostingtest.Await(t, "it answers", server.ended, func() bool { return all.read.Load() > 0 || t.Failed() })
	last := 0
	for n := 1; (n <= fixture.Rounds(4, 20) || all.read.Load() < int64(*answers)) && !t.Failed(); n++ {
		last = n
		if rollback := n%4 == 3; rollback && back != "" {
			last = n - 2
			run(back, last)
			continue
		} else if rollback {
			last = n - 2 // the older release is generated again
		}
		r.release(t, build, all.make(last, true), true)
		run(deploy, n)
	}
	hostingtest.Await(t, "the last release is served", server.ended, func() bool {
		tag, _ := all.Load(hostingtest.Server(s.addr).Tag(t, "", "/.well-known/agent-card.json"))
		return tag == last
	})
	stop()
	readers.Wait()
	t.Logf("%d answers, %d with the tag of a release and older bytes, %d with newer ones",
		all.read.Load(), all.wrong.Load(), all.behind.Load())
	if n := all.wrong.Load() + all.behind.Load(); n > 0 {
		t.Errorf("%d answers have the tag of another release", n)
	}
}

// insecure is a client that speaks HTTP/2 where it can, to a server of a test.
func insecure() *http.Client {
	return &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}
