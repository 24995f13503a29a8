package preview_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/preview"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// start serves a directory as the command does, and stops it with the test.
func start(t *testing.T, dir string, s hosting.Settings, names ...string) hostingtest.Server {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- preview.Serve(ctx, l, preview.Handler(root.FS(), s, names...)) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = root.Close()
	})
	return hostingtest.Server(l.Addr().String())
}

func TestResponse(t *testing.T) {
	for layout, dirs := range hostingtest.Layouts() {
		releases := fixture.Rounds(1, 2)
		if layout == "path" {
			releases = 2
		}
		t.Run(layout, func(t *testing.T) {
			dir, settings := t.TempDir(), hostingtest.Settings(layout)
			server := start(t, dir, settings)
			for _, release := range []byte{'a', 'b'}[:releases] {
				files := hostingtest.Tree(dirs, release)
				hostingtest.Write(t, dir, files)
				table, _ := hosting.NewTable(files, settings)
				hostingtest.Response(t, server, table, files)
			}
		})
	}
}

// With many agents, the last gets what a single one gets.
func TestFleet(t *testing.T) {
	dirs := make([]string, fixture.Rounds(30, 300))
	for i := range dirs {
		dirs[i] = fmt.Sprintf("agent-%d", i)
	}
	dir, files := t.TempDir(), hostingtest.Tree(dirs, 'a')
	hostingtest.Write(t, dir, files)
	table, _ := hosting.NewTable(files, hosting.Settings{})
	table.Sites[0].Entries = slices.DeleteFunc(table.Sites[0].Entries, func(e hosting.Entry) bool {
		return !strings.HasPrefix(e.Path, "/"+dirs[len(dirs)-1]+"/")
	})
	hostingtest.Response(t, start(t, dir, hosting.Settings{}), table, files)
}

func TestTagWithoutUsableSidecar(t *testing.T) {
	const body = "{}\n"
	want := tree.DigestOf([]byte(body)).ETag()
	for name, sidecar := range map[string]string{
		"none":     "",
		"unquoted": strings.Trim(want, `"`) + "\n",
		"CRLF":     want + "\r\n",
		"short":    "\"abc\"\n",
		"no hex":   `"` + strings.Repeat("x", 64) + "\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{".well-known/agent-card.json": {Data: []byte(body)}}
			if sidecar != "" {
				tree[".well-known/agent-card.json.etag"] = &fstest.MapFile{Data: []byte(sidecar)}
			}
			got := ask(t, preview.Handler(tree, hosting.Settings{}), "GET", "", "/.well-known/agent-card.json")
			if tag := got.Header().Get("ETag"); tag != want || got.Body.String() != body {
				t.Errorf("tag %s with body %q, want %s", tag, got.Body, want)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	files := fstest.MapFS{
		"index.html":                            {Data: []byte("<p>")},
		"_headers":                              {Data: []byte("x")},
		".htaccess":                             {Data: []byte("x")},
		".well-known/agent-card.json":           {Data: []byte("{}")},
		".well-known/agent-card.json.etag":      {Data: []byte("x")},
		"a.example/.well-known/agent-card.json": {Data: []byte("{}")},
		"a.example/index.html":                  {Data: []byte("<p>")},
	}
	for name, c := range map[string]struct {
		host, path string // host set: layout by host
		want       int
	}{
		"card":               {"", "/.well-known/agent-card.json", 200},
		"page":               {"", "/index.html", 200},
		"page of directory":  {"", "/", 200},
		"missing":            {"", "/x.json", 404},
		"directory":          {"", "/.well-known", 404},
		"no page":            {"", "/.well-known/", 404},
		"sidecar":            {"", "/.well-known/agent-card.json.etag", 404},
		"headers file":       {"", "/_headers", 404},
		"dotfile":            {"", "/.htaccess", 404},
		"escape":             {"", "/../secret", 404},
		"escape within":      {"", "/a.example/../../secret", 404},
		"double slash":       {"", "//.well-known/agent-card.json", 404},
		"backslash":          {"", "/..\\secret", 404},
		"host":               {"a.example", "/.well-known/agent-card.json", 200},
		"host and port":      {"a.example:8080", "/.well-known/agent-card.json", 200},
		"host in capitals":   {"A.Example", "/.well-known/agent-card.json", 200},
		"host as localhost":  {"a.example.localhost:8080", "/.well-known/agent-card.json", 200},
		"unknown host":       {"b.example", "/.well-known/agent-card.json", 421},
		"host is a file":     {"index.html", "/.well-known/agent-card.json", 421},
		"host is hidden":     {".well-known", "/agent-card.json", 421},
		"host is the tree":   {".", "/index.html", 421},
		"host is above":      {"..", "/index.html", 421},
		"host is below":      {"a.example/.well-known", "/agent-card.json", 421},
		"host is an address": {"[::1]:8080", "/.well-known/agent-card.json", 421},
		"no host":            {" ", "/.well-known/agent-card.json", 421},
	} {
		t.Run(name, func(t *testing.T) {
			h := preview.Handler(files, hosting.Settings{HostLayout: c.host != ""})
			if got := ask(t, h, "GET", c.host, c.path); got.Code != c.want {
				t.Errorf("status %d, want %d", got.Code, c.want)
			}
		})
	}
}

func TestMethodsOnOtherFiles(t *testing.T) {
	h := preview.Handler(fstest.MapFS{"index.html": {Data: []byte("<p>")}}, hosting.Settings{})
	for method, want := range map[string]int{"HEAD": 200, "OPTIONS": 204, "POST": 405, "BREW": 405} {
		if got := ask(t, h, method, "", "/"); got.Code != want {
			t.Errorf("%s: status %d, want %d", method, got.Code, want)
		}
	}
	if got := ask(t, h, "POST", "", "/missing"); got.Code != 404 {
		t.Errorf("POST to nothing: status %d, want 404", got.Code)
	}
}

func ask(t *testing.T, h http.Handler, method, host, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
	r.URL.Path, r.Host = path, host
	if host == "" {
		r.Host = "localhost"
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A page elsewhere may have its name lead to this machine, and the browser then
// sends what the page asks for here: under the name of the page.
func TestForeignHosts(t *testing.T) {
	dir := t.TempDir()
	hostingtest.Write(t, dir, hostingtest.Tree([]string{""}, 'a'))
	server := start(t, dir, hosting.Settings{}, "box.acme.example")
	for host, want := range map[string]int{
		"":                        200, // the address itself
		"localhost":               200,
		"LOCALHOST:8080":          200,
		"review.localhost":        200,
		"localhost.":              200,
		"localhost.:8080":         200,
		"localhost..":             421,
		"127.0.0.1":               200,
		"127.8.8.8:80":            200,
		"[::1]":                   200,
		"[::1]:8080":              200,
		"box.acme.example:80":     200, // which the user listens on
		"evil.example":            421,
		"evil.example:8080":       421,
		"localhost.evil.example":  421,
		"evillocalhost":           421,
		"127.0.0.1.evil.example":  421,
		"192.0.2.1":               421,
		"0.0.0.0":                 421,
		"x.box.acme.example":      421,
		"box.acme.example.evil.x": 421,
	} {
		for _, path := range []string{"/.well-known/agent-card.json", "/", "/nothing"} {
			if path == "/nothing" && want == 200 {
				want = 404
			}
			if got := server.Ask(t, "GET", host, path); got.Status != want || want == 421 &&
				strings.Contains(got.Body, "Agent") {
				t.Errorf("host %q, %s: status %d, want %d", host, path, got.Status, want)
			}
		}
	}
}

func TestLinksOutOfTheTree(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/secret.json", []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/tree", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.json", dir+"/tree/link.json"); err != nil {
		t.Skip(err)
	}
	server := start(t, dir+"/tree", hosting.Settings{})
	if got := server.Ask(t, "GET", "", "/link.json"); got.Status != 404 {
		t.Errorf("status %d with %q, want 404", got.Status, got.Body)
	}
}

// A client that sends half a request, or none, is cut off; the others do not
// notice it.
func TestSlowClients(t *testing.T) {
	if !fixture.Long() {
		t.Skip("a long trial: it waits for a limit to pass")
	}
	dir := t.TempDir()
	hostingtest.Write(t, dir, hostingtest.Tree([]string{""}, 'a'))
	server := start(t, dir, hosting.Settings{})
	slow := dial(t, server)
	if _, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "); err != nil {
		t.Fatal(err)
	}
	if got := server.Ask(t, "GET", "", "/.well-known/agent-card.json"); got.Status != 200 {
		t.Errorf("status %d beside a slow client, want 200", got.Status)
	}
	if err := slow.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, slow); err != nil {
		t.Errorf("the slow client is not cut off: %v", err)
	}
}

func TestLargeHead(t *testing.T) {
	server := start(t, t.TempDir(), hosting.Settings{})
	c := dial(t, server)
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: "+
		strings.Repeat("x", 64<<10)); err != nil {
		t.Fatal(err)
	}
	status, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(status, " 431 ") {
		t.Errorf("answer %q (%v), want 431", status, err)
	}
}

// Many clients that keep their connection leave the server as it was.
func TestIdleConnections(t *testing.T) {
	dir := t.TempDir()
	hostingtest.Write(t, dir, hostingtest.Tree([]string{""}, 'a'))
	server := start(t, dir, hosting.Settings{})
	clients := make([]net.Conn, 100) // few enough for any limit of open files
	for round := range 2 {
		for i, c := range clients {
			if c == nil { // which asks at once: the server does not wait for long
				c = dial(t, server)
				clients[i] = c
			}
			if _, err := io.WriteString(c, "HEAD /.well-known/agent-card.json HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
				t.Fatalf("round %d, client %d: %v", round, i, err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: http.MethodHead})
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("round %d, client %d: %v, %v", round, i, resp, err)
			}
			_ = resp.Body.Close()
		}
	}
	if got := server.Ask(t, "GET", "", "/.well-known/agent-card.json"); got.Status != 200 {
		t.Errorf("status %d beside idle clients, want 200", got.Status)
	}
}

func dial(t *testing.T, server hostingtest.Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", string(server))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestURLs(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	for name, c := range map[string]struct {
		tree  fs.FS
		hosts bool
		base  string
		want  []string
	}{
		"empty": {fstest.MapFS{}, false, "", nil},
		"single": {
			fstest.MapFS{".well-known/agent-card.json": {}, "x.json": {}},
			false, "",
			[]string{"http://127.0.0.1:8080/.well-known/agent-card.json"},
		},
		"path": {
			fstest.MapFS{"b/.well-known/agent-card.json": {}, "a/.well-known/agent-card.json": {}},
			false, "",
			[]string{
				"http://127.0.0.1:8080/a/.well-known/agent-card.json",
				"http://127.0.0.1:8080/b/.well-known/agent-card.json",
			},
		},
		"below a path": {
			fstest.MapFS{".well-known/jwks.json": {}, "index.html": {}, "a/.well-known/agent-card.json": {}},
			false, "/acme/cards",
			[]string{"http://127.0.0.1:8080/acme/cards/a/.well-known/agent-card.json", "http://127.0.0.1:8080/acme/cards/"},
		},
		"page": {
			fstest.MapFS{
				".well-known/ai-catalog.json": {}, "index.html": {}, "a/index.html": {},
				"a/.well-known/agent-card.json": {},
			},
			false, "",
			[]string{
				"http://127.0.0.1:8080/a/.well-known/agent-card.json", "http://127.0.0.1:8080/",
				"http://127.0.0.1:8080/.well-known/ai-catalog.json",
			},
		},
		"pages of hosts": {
			fstest.MapFS{"index.html": {}, "a.example/index.html": {}, "a.example/.well-known/ai-catalog.json": {}},
			true, "",
			[]string{"http://a.example.localhost:8080/", "http://a.example.localhost:8080/.well-known/ai-catalog.json"},
		},
		"host": {
			fstest.MapFS{"a.example/.well-known/agent-card.json": {}},
			true, "",
			[]string{"http://a.example.localhost:8080/.well-known/agent-card.json"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := preview.URLs(c.tree, hosting.Settings{HostLayout: c.hosts, Base: c.base}, addr)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("URLs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHostLayout(t *testing.T) {
	manifest := func(files ...string) string { return string(schema.Write(tree.Manifest{Files: files}.Node())) }
	const card = "/.well-known/agent-card.json"
	for name, c := range map[string]struct {
		manifest string
		want     bool
	}{
		"none":    {"", false},
		"no JSON": {"{", false},
		"other":   {`{"files": 7}`, false},
		"hostile": {manifest("a.example"+card, "../x"), false},
		"path":    {manifest("review"+card, "a.example"+card), false},
		"single":  {manifest(card[1:]), false},
		"host":    {manifest("a.example"+card, "index.html"), true},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			if c.manifest != "" {
				files[tree.ManifestName] = &fstest.MapFile{Data: []byte(c.manifest)}
			}
			if got := preview.HostLayout(files); got != c.want {
				t.Errorf("HostLayout is %t, want %t", got, c.want)
			}
		})
	}
}

func TestMemory(t *testing.T) {
	files := publish.Tree(hostingtest.Tree(hostingtest.Layouts()["path"], 'a'), "")
	tree := preview.Memory(files)
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	if err := fstest.TestFS(tree, paths...); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(tree, "absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is there: %v", err)
	}
	for _, f := range files {
		if data, err := fs.ReadFile(tree, f.Path); err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%s holds %q, %v", f.Path, data, err)
		}
	}
}

// One client, one connection, a card of 10 KB; every other request names the tag.
func BenchmarkServe(b *testing.B) {
	dir := b.TempDir()
	body := []byte(`{"name": "` + strings.Repeat("x", 10<<10) + `"}`)
	if err := os.MkdirAll(dir+"/.well-known", 0o700); err != nil {
		b.Fatal(err)
	}
	tag := tree.DigestOf(body).ETag()
	for name, data := range map[string]string{"agent-card.json": string(body), "agent-card.json.etag": tag + "\n"} {
		if err := os.WriteFile(dir+"/.well-known/"+name, []byte(data), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- preview.Serve(ctx, l, preview.Handler(root.FS(), hosting.Settings{})) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	const get = "GET /.well-known/agent-card.json HTTP/1.1\r\nHost: localhost\r\n"
	requests := []string{get + "\r\n", get + "If-None-Match: " + tag + "\r\n\r\n"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := io.WriteString(conn, requests[i%2]); err != nil {
			b.Fatal(err)
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	_ = conn.Close()
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}
