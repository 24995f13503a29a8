//go:build unix

package hosting_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
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
	for n := 1; (n <= fixture.Rounds(2, 8) || all.read.Load() < int64(*answers)) && !t.Failed(); n++ {
		last = n
		if rollback := n%3 == 2; rollback && back != "" {
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

// While containers are replaced, old and new ones answer, each with the tag of its card;
// a rollback is the older image again.
func TestContainers(t *testing.T) {
	t.Parallel()
	for name, r := range servers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary, err := exec.LookPath(r.binary)
			if err != nil {
				t.Skipf("%s is not installed", r.binary)
			}
			all := releases{tagsItself: r.opensFirst}
			container := func(number int) (site, process) {
				s := newSite(t, "single", []string{""})
				r.release(t, s, all.make(number, true), true)
				return s, r.start(t, binary, s)
			}
			old, server := container(0)
			plain, secure := balance(t, old.addr), balance(t, old.tls)
			ctx, stop := context.WithCancel(t.Context())
			var readers sync.WaitGroup
			for _, url := range []string{"http://" + plain.addr, "https://localhost:" + port(secure.addr)} {
				for range 2 {
					readers.Go(func() { all.reader(ctx, t, insecure(), url) })
				}
			}
			for n := 1; (n <= 2 || all.read.Load() < int64(*answers)) && !t.Failed(); n++ {
				number := n
				if n%2 == 0 {
					number = n - 2
				}
				s, next := container(number)
				plain.to(old.addr, s.addr)
				secure.to(old.tls, s.tls)
				before := all.read.Load() // both answer for a while
				hostingtest.Await(t, "they answer", next.ended, func() bool { return all.read.Load() > before+40 || t.Failed() })
				plain.to(s.addr)
				secure.to(s.tls)
				_ = server.Signal(syscall.SIGTERM) // which may have ended
				<-server.ended
				old, server = s, next
			}
			stop()
			readers.Wait()
			t.Logf("%d answers, %d with the tag of another release", all.read.Load(), all.wrong.Load()+all.behind.Load())
			if n := all.wrong.Load() + all.behind.Load(); n > 0 {
				t.Errorf("%d answers have the tag of another release", n)
			}
		})
	}
}

// balancer hands the connections that it takes to one server after another.
type balancer struct {
	addr    string
	servers atomic.Pointer[[]string]
}

func (b *balancer) to(servers ...string) { b.servers.Store(&servers) }

func balance(t *testing.T, server string) *balancer {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	b := &balancer{addr: l.Addr().String()}
	b.to(server)
	go func() {
		for n := 0; ; n++ {
			client, err := l.Accept()
			if err != nil {
				return
			}
			servers := *b.servers.Load()
			go join(client, servers[n%len(servers)])
		}
	}()
	return b
}

// join ends with either side.
func join(client net.Conn, addr string) {
	defer client.Close()
	server, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// insecure is a client that speaks HTTP/2 where it can, to a server of a test.
func insecure() *http.Client {
	return &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}
