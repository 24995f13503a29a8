//go:build unix

package hosting_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting/hostingtest"
)

var every = flag.Int("every", 3, "serve each so many-th tree of the projects")

// Real servers serve the trees of the projects in which all pairs of features occur as
// their manifests and configurations say: each tree by one of the servers.
func TestPairsAreServed(t *testing.T) {
	if !fixture.Long() {
		t.Skip("it starts a server for each of more than a hundred trees")
	}
	dir := t.TempDir()
	write := exec.CommandContext(t.Context(), "go", "test", "-count=1", "cardwright/internal/trials", "-run",
		"^TestTrees$", "-trees", dir, "-projects", "1")
	if out, err := write.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	trees, err := os.ReadDir(dir)
	if err != nil || len(trees) == 0 {
		t.Fatal("there is no tree: ", err)
	}
	servers := []real{nginx(), apache(virtualHosts), caddy(), lighttpd("")}
	for i, e := range trees {
		if i%*every != 0 {
			continue
		}
		r := servers[i%len(servers)]
		t.Run(e.Name()+" "+r.target, func(t *testing.T) { r.servesTree(t, filepath.Join(dir, e.Name())) })
	}
}

// expected is what a file of a tree is served with.
type expected struct {
	Host, Path, File, SHA256 string
	Headers                  map[string]string
}

func (r real) servesTree(t *testing.T, dir string) {
	t.Helper()
	binary, err := exec.LookPath(r.binary)
	if err != nil {
		t.Skip(r.binary, " is not installed")
	}
	data, err := os.ReadFile(filepath.Join(dir, "files.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files []expected
	if err := json.Unmarshal(data, &files); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, "pairs", nil)
	base := ""
	for _, f := range files {
		if f.Host != "" && !slices.Contains(s.hosts, f.Host) {
			s.layout, s.hosts = "host", append(s.hosts, f.Host)
		}
		if strings.HasSuffix(f.Path, ".json") && f.Host == "" {
			base = strings.TrimSuffix(f.Path, "/"+f.File)
		}
	}
	if s.layout == "host" {
		s.hosts = s.hosts[1:]
	}
	for from, to := range map[string]string{"dist": filepath.Join(s.root, base), "dist.server": s.conf} {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(dir, from))); err != nil {
			t.Fatal(err)
		}
	}
	r.start(t, binary, s)
	for _, f := range files {
		f.check(t, hostingtest.Server(s.addr))
	}
}

// check asks for a file, and again with its tag.
func (f expected) check(t *testing.T, server hostingtest.Server) {
	t.Helper()
	origin := []string{"Origin", "https://app.acme.example"}
	got := server.Ask(t, "GET", f.Host, f.Path, origin...)
	sum := sha256.Sum256([]byte(got.Body))
	if got.Status != 200 || hex.EncodeToString(sum[:]) != f.SHA256 {
		t.Errorf("%s%s is answered with %s and %d bytes", f.Host, f.Path, strconv.Itoa(got.Status), len(got.Body))
		return
	}
	for name, want := range f.Headers {
		if is := got.Header.Get(name); is != want {
			t.Errorf("%s%s has %s: %q, not %q", f.Host, f.Path, name, is, want)
		}
	}
	again := server.Ask(t, "GET", f.Host, f.Path, append(origin, "If-None-Match", f.Headers["Etag"])...)
	if again.Status != 304 {
		t.Errorf("%s%s with its tag is answered with %d", f.Host, f.Path, again.Status)
	}
}
