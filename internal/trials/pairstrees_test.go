package trials

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestTrees writes the trees of projects for real servers, and for the clients that
// read their cards: below DIR/N a project's dist and dist.server, and in files.json what
// its files are served with.
func TestTrees(t *testing.T) {
	if *treesIn == "" {
		t.Skip("-trees does not say where")
	}
	c := newCoverage(features(), *seed)
	_, _ = c.begin(t)
	for i, r := range c.rows(t) {
		if c.bad(r) != nil {
			continue
		}
		c.random = rand.New(rand.NewPCG(*seed, uint64(i)))
		tr := c.made(t, r)
		tr.writeTree(filepath.Join(*treesIn, strconv.Itoa(i)))
		_ = os.RemoveAll(tr.space)
	}
}

// served is what a file is served with.
type served struct {
	Host, Path   string
	File, SHA256 string // in the tree
	Headers      map[string]string
}

func (t *trial) writeTree(dir string) {
	t.Helper()
	out := filepath.Join(dir, "dist")
	args := []string{"generate", "--out", out, "--server-dir", out + ".server", "--private-out", out + ".private"}
	for _, server := range []string{"apache", "caddy", "nginx"} {
		args = append(args, "--server", server)
	}
	if r := t.run(args...); r.code != 0 {
		t.Errorf("%s: %s", t.coverage.describe(t.row), r)
		return
	}
	data, err := os.ReadFile(filepath.Join(out, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Files []listed }
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	var files []served
	for _, f := range m.Files {
		u, err := url.Parse(f.URL)
		if err != nil {
			t.Fatal(err)
		}
		if f.URL == "" {
			continue
		}
		s := served{Path: u.EscapedPath(), File: f.Path, SHA256: f.SHA256, Headers: t.project.headers(f)}
		if t.project.site["layout"] == "host" {
			s.Host = u.Hostname()
		}
		files = append(files, s)
	}
	data, err = json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t.T, filepath.Join(dir, "files.json"), string(data))
}
