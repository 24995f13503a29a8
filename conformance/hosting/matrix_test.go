package hosting

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/hosting"
	"cardwright/internal/probe"
)

// tree writes a version of a tree, and returns its files by path. Each two versions have
// the same sizes.
func tree(t *testing.T, root string, agents int, version byte) map[string]string {
	t.Helper()
	text := strings.Repeat(string(version), 1000+400*int((version-'a')/2))
	files := map[string]string{
		"index.html": "<!doctype html><p>" + text, ".well-known/jwks.json": `{"keys":[]}`,
		".well-known/ai-catalog.json":           `{"specVersion":"0.9","entries":[]}`,
		".well-known/agent-skills/index.json":   `{"skills":[]}`,
		".well-known/agent-skills/pdf/SKILL.md": "# PDF\n",
		".well-known/agent-skills/pdf.tar.gz":   "an archive",
	}
	for i := range agents {
		dir := fmt.Sprintf("teams/agent-%d/", i)
		if i == 0 {
			dir = ""
		}
		for _, name := range []string{"agent-card.json", "agent.json"} {
			files[dir+".well-known/"+name] = fmt.Sprintf(`{"name":"Agent %d","description":%q}`, i, text)
		}
	}
	for name, body := range files {
		put(t, filepath.Join(root, name), body)
		put(t, filepath.Join(root, name+".etag"), fmt.Sprintf("\"%x\"\n", sha256.Sum256([]byte(body))))
	}
	manifest, err := json.Marshal(map[string]any{
		"version": 1, "environment": "", "files": slices.Sorted(maps.Keys(files)),
	})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(root, "cardwright.manifest.json"), string(manifest))
	return files
}

type answer struct {
	*http.Response
	body string
}

func ask(t *testing.T, method, url string, header ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

// Each server answers for each file of many agents as the table says. What probe asks, such
// as for preflights and for files that must be hidden, is not asked again.
func TestMatrix(t *testing.T) {
	for name, start := range servers {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "dist")
			files := tree(t, root, 300, 'a')
			url, _ := start(t, root)
			names := slices.Sorted(maps.Keys(files))
			for i := 0; i < len(names); i += 1 + len(names)/60 {
				check(t, url, "/"+names[i], files[names[i]])
			}
			check(t, url, "/", files["index.html"])
			checks, err := probe.Probe(t.Context(), probe.Options{URL: url, Settings: settings, Tree: os.DirFS(root)})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range checks {
				if c.Severity != 0 && !c.Document { // whose content is of this test
					t.Errorf("probe: %s: %s (%s)", c.Name, c.Detail, c.Hint)
				}
			}
		})
	}
}

func check(t *testing.T, url, path, body string) {
	t.Helper()
	got := ask(t, "GET", url+path, "Origin", "https://client.example", "A2A-Version", "1.0")
	tag := got.Header.Get("ETag")
	if got.StatusCode != http.StatusOK || got.body != body || tag == "" {
		t.Fatalf("%s: %s, tag %q, %d bytes", path, got.Status, tag, len(got.body))
	}
	headers, _ := hosting.NewTable(settings).Headers(path)
	for _, h := range headers {
		if v := got.Header.Values(h.Name); len(v) != 1 || v[0] != h.Value {
			t.Errorf("%s has %s: %q, not %q", path, h.Name, v, h.Value)
		}
	}
	opaque := strings.TrimPrefix(tag, "W/")
	for _, form := range []string{tag, "W/" + opaque, `"x", ` + tag} {
		for _, method := range []string{"GET", "HEAD"} {
			a := ask(t, method, url+path, "If-None-Match", form)
			same := strings.TrimPrefix(a.Header.Get("ETag"), "W/") == opaque
			if a.StatusCode != http.StatusNotModified || a.body != "" || !same || a.Header.Get("Content-Length") == "0" {
				t.Errorf("%s with If-None-Match: %s: %s, %v", path, form, a.Status, a.Header)
			}
		}
	}
	if a := ask(t, "GET", url+path, "If-None-Match", `"another"`); a.StatusCode != http.StatusOK {
		t.Errorf("%s with another tag: %s", path, a.Status)
	}
	if a := ask(t, "HEAD", url+path); a.StatusCode != http.StatusOK || a.ContentLength != int64(len(body)) {
		t.Errorf("HEAD %s: %s, %d bytes", path, a.Status, a.ContentLength)
	}
	a := ask(t, "GET", url+path, "Range", "bytes=0-3")
	if a.StatusCode != http.StatusPartialContent || a.body != body[:4] {
		t.Errorf("range of %s: %s %q", path, a.Status, a.body)
	}
	if a := ask(t, "POST", url+path); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
		t.Errorf("POST %s: %s", path, a.Status)
	}
	compressed(t, url+path, body, opaque)
}

// compressed asks for a file in gzip, which a server may send.
func compressed(t *testing.T, url, body, plain string) {
	t.Helper()
	a := ask(t, "GET", url, "Accept-Encoding", "gzip")
	if a.Header.Get("Content-Encoding") == "" {
		return
	}
	z, err := gzip.NewReader(bytes.NewReader([]byte(a.body)))
	if err != nil {
		t.Fatal(url, err)
	}
	if got, err := io.ReadAll(z); err != nil || string(got) != body {
		t.Errorf("%s in gzip: %v, %d bytes", url, err, len(got))
	}
	if tag := a.Header.Get("ETag"); tag == plain || !strings.Contains(a.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%s in gzip: tag %s, %v", url, tag, a.Header["Vary"])
	}
	again := ask(t, "GET", url, "Accept-Encoding", "gzip", "If-None-Match", a.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("%s in gzip with its tag: %s", url, again.Status)
	}
}
