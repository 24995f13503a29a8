package hostingtest

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// Server is where a server listens: host:port, after https:// where it speaks TLS.
// It is then asked over HTTP/2.
type Server string

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	Length int64 // Content-Length, -1 when there was none
}

// Ask sends one request to the server under the name of any host; "" is the
// server's own address. The header pairs are names and values in turn.
func (s Server) Ask(t *testing.T, method, host, path string, header ...string) Answer {
	t.Helper()
	answer, err := s.ask(t, method, host, path, header...)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// ask is [Server.Ask] for a server that may break the connection off.
func (s Server) ask(t *testing.T, method, host, path string, header ...string) (Answer, error) {
	t.Helper()
	transport := s.transport(host)
	defer transport.CloseIdleConnections()
	return s.through(t, transport, method, host, path, header...)
}

// transport connects to the server for the files of a host. All requests share one
// connection, for it costs more than what is asked for then.
func (s Server) transport(host string) *http.Transport {
	addr := strings.TrimPrefix(string(s), "https://")
	return &http.Transport{
		DisableCompression: true,
		ForceAttemptHTTP2:  true,
		TLSClientConfig: &tls.Config{
			InsecureSkipVerify: true, ServerName: cmp.Or(host, "localhost"), //nolint:gosec // a test
		},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, addr)
		},
	}
}

// through sends one request.
func (s Server) through(
	t *testing.T, transport *http.Transport, method, host, path string, header ...string,
) (Answer, error) {
	t.Helper()
	addr, secure := strings.CutPrefix(string(s), "https://")
	u := url.URL{Scheme: "http", Host: addr, Path: path}
	if secure {
		u.Scheme = "https"
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("reading the answer to %s %s: %w", method, path, err)
	}
	if secure && resp.ProtoMajor != 2 {
		t.Errorf("%s %s: answered over %s, want HTTP/2", method, path, resp.Proto)
	}
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: string(body), Length: resp.ContentLength}, nil
}

// Tag is the ETag of a file, "" while a server that starts again does not answer.
func (s Server) Tag(t *testing.T, host, path string) string {
	t.Helper()
	answer, _ := s.ask(t, "HEAD", host, path)
	return answer.Header.Get("ETag")
}

// Response runs every case of what a host must answer against a server that
// serves the files with the table.
func Response(t *testing.T, server Server, table hosting.Table, files []tree.File) {
	t.Helper()
	turn := strings.Count(string(server), "https:") // so that over TLS a file gets other cases
	for _, site := range table.Sites {
		transport := server.transport(site.Host)
		defer transport.CloseIdleConnections()
		for _, entry := range site.Entries {
			body := data(t, files, entry.File)
			t.Run(site.Host+entry.Path, func(t *testing.T) {
				turn++
				c := check{t, server, transport, site.Host, entry, table, body, turn}
				c.reading()
				c.conditional()
				c.stale()
				c.matching()
				c.preflight()
				c.refused()
				c.sidecars()
				c.below()
				for _, coding := range entry.Codings {
					c.coded(coding, data(t, files, entry.File+coding.Suffix))
				}
			})
		}
		for _, m := range site.Moved {
			t.Run("moved "+m.From, func(t *testing.T) {
				moved(check{
					t: t, server: server, transport: transport, host: site.Host, entry: hosting.Entry{Path: m.From}, table: table,
				}, m)
			})
		}
		if site.Host != "" && len(site.Entries) > 0 {
			t.Run("unknown host", func(t *testing.T) {
				for _, host := range []string{"other.acme.localhost", "x." + site.Host, site.Host + ".evil.example"} {
					if got := server.Ask(t, "GET", host, site.Entries[0].Path); got.Status != http.StatusMisdirectedRequest {
						t.Errorf("host %s: status %d, want 421", host, got.Status)
					}
				}
			})
		}
	}
}

func data(t *testing.T, files []tree.File, name string) string {
	t.Helper()
	for _, f := range files {
		if f.Path == name {
			return string(f.Data)
		}
	}
	t.Fatalf("no file %s", name)
	return ""
}

type check struct {
	t         *testing.T
	server    Server
	transport *http.Transport
	host      string
	entry     hosting.Entry
	table     hosting.Table
	body      string
	turn      int
}

// some are the cases that a file is asked for: with LONG_TRIALS all. Without, so few, and
// the next file is asked for the next ones, so that each is tried with files of every site.
func some[T any](c check, few int, cases ...T) []T {
	if fixture.Long() {
		return cases
	}
	var list []T
	for i := range few {
		list = append(list, cases[(c.turn*few+i)%len(cases)])
	}
	return list
}

func (c check) ask(method string, header ...string) Answer {
	c.t.Helper()
	if c.table.Origins != nil && method != "OPTIONS" {
		header = append(header, "Origin", "https://app.example")
	}
	return c.at(method, c.entry.Path, header...)
}

// at asks for any path of the host.
func (c check) at(method, path string, header ...string) Answer {
	c.t.Helper()
	answer, err := c.server.through(c.t, c.transport, method, c.host, path, header...)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// reading: GET and HEAD, with the whole table of headers and nothing more of it.
func (c check) reading() {
	c.t.Helper()
	accepted := "gzip, br"
	if len(c.entry.Codings) > 0 {
		accepted = "br;q=0, gzip;q=0.000, zstd, xbr, gzipx, *"
	}
	get := c.ask("GET", "Accept-Encoding", accepted)
	if get.Status != http.StatusOK {
		c.t.Fatalf("GET: status %d, want 200: %s", get.Status, get.Body)
	}
	if diff := gocmp.Diff(c.body, get.Body); diff != "" {
		c.t.Errorf("GET: body (-want +got):\n%s", diff)
	}
	if tree.DigestOf([]byte(get.Body)) != c.entry.Digest {
		c.t.Error("GET: the tag is not that of the body")
	}
	head := c.ask("HEAD")
	if head.Status != http.StatusOK || head.Body != "" || head.Length != int64(len(c.body)) {
		c.t.Errorf("HEAD: status %d, length %d, body %q, want 200, %d and none", head.Status, head.Length, head.Body,
			len(c.body))
	}
	for method, got := range map[string]Answer{"GET": get, "HEAD": head} {
		c.headers(method, got, c.entry.Headers)
		c.header(method, got, "Content-Type", c.entry.ContentType)
		c.header(method, got, "Content-Encoding", "")
	}
}

// coded: a client that accepts a coding gets the file in it, with the tag of these bytes
// and otherwise the headers of the file.
func (c check) coded(coding hosting.Coding, body string) {
	c.t.Helper()
	c.entry.Digest, c.entry.Codings = coding.Digest, nil
	plain, upper := coding.Name, strings.ToUpper(coding.Name)
	weighed, last := "zstd, "+coding.Name+" ;q=0.5,identity", "x,"+coding.Name+"; q=1.0"
	for _, r := range some(c, 2, [][2]string{
		{"GET", plain},
		{"HEAD", upper},
		{"GET", weighed},
		{"HEAD", last},
		{"HEAD", plain},
		{"GET", upper},
		{"HEAD", weighed},
		{"GET", last},
	}...) {
		method, request, want := r[0], r[0]+" of "+r[1], body
		got := c.ask(method, "Accept-Encoding", r[1])
		if method == "HEAD" {
			want = ""
		}
		if got.Status != http.StatusOK || got.Body != want {
			c.t.Errorf("%s: status %d, or other bytes than those of the file in this coding", request, got.Status)
		}
		if got.Length != int64(len(body)) {
			c.t.Errorf("%s: length %d, want %d", request, got.Length, len(body))
		}
		c.headers(request, got, c.entry.Headers)
		c.header(request, got, "Content-Type", c.entry.ContentType)
		c.header(request, got, "Content-Encoding", coding.Name)
	}
	for _, value := range some(c, 1, coding.ETag(), "W/"+coding.ETag(), `"other", `+coding.ETag()) {
		got := c.ask("GET", "Accept-Encoding", coding.Name, "If-None-Match", value)
		if got.Status != http.StatusNotModified || got.Body != "" {
			c.t.Errorf("%s with its tag: status %d, want 304", coding.Name, got.Status)
		}
		c.headers("304", got, c.entry.Headers)
		if got := c.ask("GET", "If-None-Match", value); got.Status != http.StatusOK {
			c.t.Errorf("the file with the tag of %s: status %d, want 200", coding.Name, got.Status)
		}
	}
	if got := c.ask("GET", "Accept-Encoding", coding.Name, "If-Match", coding.ETag()); got.Body != body {
		c.t.Errorf("%s with If-Match and its tag: status %d", coding.Name, got.Status)
	}
	if c.entry.Path == "" || strings.HasSuffix(c.entry.Path, "/") {
		return
	}
	for _, suffix := range some(c, 1, "", ".etag", ".sha256") {
		got := c.at("GET", c.entry.Path+coding.Suffix+suffix)
		if got.Status != http.StatusNotFound && got.Status != http.StatusForbidden {
			c.t.Errorf("GET %s: status %d, want 404", c.entry.Path+coding.Suffix+suffix, got.Status)
		}
	}
}

// moved: a client that asks where a card was is sent to where it is, scripts included.
func moved(c check, m hosting.Redirect) {
	c.t.Helper()
	for _, method := range []string{"GET", "HEAD"} {
		got := c.ask(method)
		location, err := url.Parse(got.Header.Get("Location"))
		here := location == nil || location.Host == "" || strings.HasSuffix(string(c.server), location.Host)
		right := here && location.Path == m.To || location.String() == m.To
		if err != nil || got.Status != http.StatusPermanentRedirect || !right {
			c.t.Errorf("%s: status %d to %q, want 308 to %s", method, got.Status, got.Header.Get("Location"), m.To)
		}
		for _, h := range m.Headers {
			if h.Name != "Vary" {
				c.header(method, got, h.Name, h.Value)
			}
		}
		c.header(method, got, "ETag", "")
	}
	c.preflight()
}

// headers wants exactly these of the headers that the table knows.
func (c check) headers(request string, got Answer, want []hosting.Header) {
	c.t.Helper()
	c.header(request, got, "ETag", c.entry.ETag())
	known := []string{
		"Cache-Control", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
		"X-Content-Type-Options", "Deprecation", "Link", "Sunset", "Strict-Transport-Security", "X-Keys",
	}
	for _, name := range known {
		value := ""
		for _, h := range want {
			if h.Name == name {
				value = h.Value
			}
		}
		c.header(request, got, name, value)
	}
	vary := strings.Join(got.Header.Values("Vary"), ",")
	for _, h := range want {
		if h.Name == "Vary" && !strings.Contains(strings.ReplaceAll(vary, " ", ""), strings.ReplaceAll(h.Value, " ", "")) {
			c.t.Errorf("%s: Vary is %q, want %q", request, vary, h.Value)
		}
	}
	if c.table.Origins == nil && strings.Contains(vary, "Origin") {
		c.t.Errorf("%s: Vary is %q", request, vary)
	}
}

func (c check) header(request string, got Answer, name, want string) {
	c.t.Helper()
	if want == hosting.RequestOrigin {
		want = "https://app.example"
	}
	if value := strings.Join(got.Header.Values(name), " AND "); value != want {
		c.t.Errorf("%s: %s is %q, want %q", request, name, value, want)
	}
}

// conditional: every way to name the tag gives 304.
func (c check) conditional() {
	c.t.Helper()
	tag := c.entry.ETag()
	exact := [2]string{"GET", tag}
	others := [][2]string{{"HEAD", tag}}
	for _, value := range []string{
		"W/" + tag, tag + `, "other"`, `"other", "another",` + tag, `"other", W/` + tag + ` , W/"another"`, "*",
		tag + ", " + tag,
	} {
		others = append(others, [2]string{"GET", value}, [2]string{"HEAD", value})
	}
	for _, r := range append(some(c, 3, others...), exact) {
		request := r[0] + " with " + r[1]
		got := c.ask(r[0], "If-None-Match", r[1])
		if got.Status != http.StatusNotModified || got.Body != "" {
			c.t.Errorf("%s: status %d, body %q, want 304 and none", request, got.Status, got.Body)
			continue
		}
		c.headers(request, got, c.entry.Headers)
		// The length of the file would be right too, but clients of HTTP/2 wait for so much.
		if length := got.Header.Get("Content-Length"); length != "" && length != "0" {
			c.t.Errorf("%s: Content-Length is %s, want none", request, length)
		}
		if contentType := got.Header.Get("Content-Type"); contentType != "" && contentType != c.entry.ContentType {
			c.t.Errorf("%s: Content-Type is %q, want none or %q", request, contentType, c.entry.ContentType)
		}
	}
}

// matching: a client that wants these bytes or none gets them.
func (c check) matching() {
	c.t.Helper()
	if got := c.ask("GET", "If-Match", c.entry.ETag()); got.Status == http.StatusPreconditionFailed {
		c.t.Error("GET with If-Match and the tag of the file: status 412")
	}
}

// stale: a tag that is not the file's own gives the whole file.
func (c check) stale() {
	c.t.Helper()
	tag := c.entry.ETag()
	other := `"0000000000000000000000000000000000000000000000000000000000000000"`
	shorter, longer, prefixed := tag[:60]+`"`, tag[:65]+`0"`, `"0`+tag[1:]
	for _, value := range some(c, 2, other, shorter, longer, prefixed, `"a", W/"b"`) {
		got := c.ask("GET", "If-None-Match", value)
		if got.Status != http.StatusOK || got.Body != c.body {
			c.t.Errorf("GET with the tag %s: status %d, want 200", value, got.Status)
		}
	}
}

// preflight: what a browser asks before it sends A2A-Version.
func (c check) preflight() {
	c.t.Helper()
	got := c.ask("OPTIONS", "Origin", "https://app.example", "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", "a2a-version")
	if got.Status != http.StatusNoContent || got.Body != "" {
		c.t.Errorf("OPTIONS: status %d, body %q, want 204 and none", got.Status, got.Body)
	}
	for _, h := range c.table.Preflight {
		c.header("OPTIONS", got, h.Name, h.Value)
	}
	for _, name := range []string{"ETag", "Deprecation", "Link"} {
		c.header("OPTIONS", got, name, "")
	}
}

// refused: no other method does anything.
func (c check) refused() {
	c.t.Helper()
	for _, method := range some(c, 1, "POST", "PUT", "DELETE", "PATCH") {
		got := c.ask(method, "If-None-Match", c.entry.ETag())
		if got.Status != http.StatusMethodNotAllowed {
			c.t.Errorf("%s: status %d, want 405", method, got.Status)
			continue
		}
		// Apache sends a line of its own as well: TRACE where that is on, else nothing.
		own := func(line string) bool { return line == "" || line == "TRACE" }
		allow := strings.Join(slices.DeleteFunc(got.Header.Values("Allow"), own), ", ")
		if allow != hosting.Methods {
			c.t.Errorf("%s: Allow is %q, want %q", method, allow, hosting.Methods)
		}
		c.header(method, got, "Cache-Control", "")
		c.header(method, got, "ETag", "")
	}
}

func (c check) sidecars() {
	c.t.Helper()
	for _, ext := range some(c, 1, ".etag", ".sha256") {
		if strings.HasSuffix(c.entry.Path, "/") {
			continue // they stand beside the page of the directory
		}
		got := c.at("GET", c.entry.Path+ext)
		if got.Status != http.StatusNotFound && got.Status != http.StatusForbidden {
			c.t.Errorf("GET %s: status %d, want 404 or 403", ext, got.Status)
		}
	}
}

// below: what follows the path of a file names nothing.
func (c check) below() {
	c.t.Helper()
	for _, more := range some(c, 1, "/", "/x") {
		if strings.HasSuffix(c.entry.Path, "/") {
			continue
		}
		got := c.at("GET", c.entry.Path+more)
		if got.Status != http.StatusNotFound && got.Status != http.StatusForbidden {
			c.t.Errorf("GET %s: status %d, want 404 or 403", more, got.Status)
		}
	}
}

// Gone wants a 404 that nobody caches for a card whose file is not there.
func Gone(t *testing.T, server Server, site hosting.WebRoot, entry hosting.Entry) {
	t.Helper()
	got := server.Ask(t, "GET", site.Host, entry.Path, "If-None-Match", entry.ETag())
	if got.Status != http.StatusNotFound {
		t.Errorf("missing card: status %d, want 404", got.Status)
	}
	for _, name := range []string{"ETag", "Cache-Control"} {
		if value := got.Header.Get(name); value != "" {
			t.Errorf("missing card: %s is %q, want none", name, value)
		}
	}
}

// Unknown wants a card that no agent of the site has to be refused: an empty 200
// would be taken for one.
func Unknown(t *testing.T, server Server, site hosting.WebRoot) {
	t.Helper()
	for _, path := range []string{"/gone/.well-known/agent-card.json", "/gone/.well-known/agent.json", "/gone"} {
		got := server.Ask(t, "GET", site.Host, path)
		if got.Status != http.StatusNotFound && got.Status != http.StatusForbidden {
			t.Errorf("GET %s: status %d, want 404 or 403", path, got.Status)
		}
	}
}

// Unserved wants nothing to come out that lies in the web root for servers and not
// for their clients. It puts such files into the tree, beside what is there.
func Unserved(t *testing.T, server Server, table hosting.Table, tree string) {
	t.Helper()
	for _, site := range table.Sites {
		for _, name := range []string{
			"_headers", ".htaccess", ".nojekyll",
			".well-known/.cardwright-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp",
		} {
			file := filepath.Join(tree, site.Dir, filepath.FromSlash(name))
			if _, err := os.Stat(file); err != nil {
				put(t, file, nil)
			}
			if got := server.Ask(t, "GET", site.Host, table.Base+"/"+name); got.Status != http.StatusNotFound &&
				got.Status != http.StatusForbidden {
				t.Errorf("GET %s/%s: status %d, want 404 or 403", table.Base, name, got.Status)
			}
		}
	}
}
