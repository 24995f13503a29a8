package trials

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cardwright/internal/cli"
)

// servesAll asks the preview server for each file of the manifest, and has probe look at
// each card.
func servesAll(t *trial) {
	// serve keeps working there while probe comes and goes.
	working, err := os.Getwd()
	if err == nil {
		err = os.Chdir(t.dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(working) //nolint:errcheck // the next command finds out
	urls, stop := t.serve()
	defer stop()
	if urls == nil {
		return
	}
	server, err := url.Parse(urls[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range t.manifest() {
		t.servesFile(server.Host, f)
	}
	for _, u := range urls {
		if strings.HasSuffix(u, "agent-card.json") {
			args := []string{"probe", u, "--against", t.project.out()}
			t.good(t.in(".", append(args, t.flags(args...)...)...))
		}
	}
}

// serve starts the preview server and returns the URLs that it prints.
func (t *trial) serve() (urls []string, stop func()) {
	t.Helper()
	out, in := io.Pipe()
	ended := make(chan string, 1)
	args := append([]string{"serve", t.project.out()}, t.flags("serve")...)
	go func() {
		var talk strings.Builder
		cli.Run(args, cli.Streams{In: strings.NewReader(""), Out: in, Err: &talk}, "test")
		ended <- talk.String()
		in.Close()
	}()
	want := 0
	for name := range t.tree.below(t.project.out()) {
		if path.Base(name) == "agent-card.json" {
			want++
		}
	}
	lines := bufio.NewScanner(out)
	for cards := 0; cards < want && lines.Scan(); {
		urls = append(urls, lines.Text())
		if strings.HasSuffix(lines.Text(), "agent-card.json") {
			cards++
		}
	}
	go io.Copy(io.Discard, out) //nolint:errcheck // until it ends
	if len(urls) == 0 {
		t.fault("serve ends: %s", <-ended)
		return nil, func() {}
	}
	return urls, func() {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Signal(os.Interrupt)
		}
		<-ended
	}
}

// listed is a file in the manifest.
type listed struct{ Path, Agent, SHA256, ETag, ContentType, URL string }

func (t *trial) manifest() []listed {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(t.dir, t.project.out(), "cardwright.manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Files []listed }
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m.Files
}

// servesFile is a fault unless a file is served with what the manifest and the
// configuration say of it.
func (t *trial) servesFile(host string, f listed) {
	t.Helper()
	if f.URL == "" {
		return
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(host, ":")
	asked := host
	if t.project.site["layout"] == "host" {
		asked = u.Hostname() + ".localhost:" + port
	}
	get := func(tag string) (*http.Response, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+u.EscapedPath(), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host, request.Close = asked, true
		request.Header.Set("Origin", "https://app.acme.example")
		request.Header.Set("Accept-Encoding", "identity")
		if tag != "" {
			request.Header.Set("If-None-Match", tag)
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(body)
	}
	r, body := get("")
	sum := sha256.Sum256([]byte(body))
	if r.StatusCode != http.StatusOK || hex.EncodeToString(sum[:]) != f.SHA256 {
		t.fault("%s is answered with %s and %d bytes", u, r.Status, len(body))
		return
	}
	for name, value := range t.project.headers(f) {
		if got := r.Header.Get(name); got != value {
			t.fault("%s has %s: %q, not %q", u, name, got, value)
		}
	}
	if again, _ := get(f.ETag); again.StatusCode != http.StatusNotModified {
		t.fault("%s with its tag is answered with %s", u, again.Status)
	}
}

// headers are what a file is served with.
func (p *project) headers(f listed) map[string]string {
	return map[string]string{
		"Content-Type": f.ContentType, "Etag": f.ETag, "Access-Control-Allow-Origin": p.origin(),
		"Cache-Control": p.cache(), "X-Content-Type-Options": "nosniff",
	}
}

// origin is what CORS allows the origin of the requests.
func (p *project) origin() string {
	if p.site["cors"] == false {
		return ""
	}
	return "*"
}

// cache is the cache policy of all files.
func (p *project) cache() string {
	if policy, is := p.site["cacheControl"].(string); is {
		return policy
	}
	return "public, max-age=3600, stale-while-revalidate=86400"
}
