package hosting_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

func TestHandler(t *testing.T) {
	files := fstest.MapFS{
		"index.html":                            {Data: []byte("<p>")},
		"_headers":                              {Data: []byte("x")},
		".htaccess":                             {Data: []byte("x")},
		"cardwright.manifest.json":              {Data: []byte("{}")},
		".well-known/agent-card.json":           {Data: []byte("{}")},
		".well-known/agent-card.json.etag":      {Data: []byte("x")},
		"b/index.html.etag":                     {Data: []byte("x")},
		"a.example/.well-known/agent-card.json": {Data: []byte("{}")},
	}
	for name, c := range map[string]struct {
		method, host, path string // a host with a dot: layout by host
		want               int
	}{
		"card":              {"GET", "localhost", "/.well-known/agent-card.json", 200},
		"head":              {"HEAD", "localhost", "/.well-known/agent-card.json", 200},
		"preflight":         {"OPTIONS", "localhost", "/.well-known/agent-card.json", 204},
		"post":              {"POST", "localhost", "/.well-known/agent-card.json", 405},
		"page":              {"GET", "localhost", "/", 200},
		"missing":           {"GET", "localhost", "/x.json", 404},
		"directory":         {"GET", "localhost", "/.well-known", 404},
		"sidecar":           {"GET", "localhost", "/.well-known/agent-card.json.etag", 404},
		"sidecar of a page": {"GET", "localhost", "/b/index.html.etag", 404},
		"manifest":          {"GET", "localhost", "/cardwright.manifest.json", 404},
		"headers file":      {"GET", "localhost", "/_headers", 404},
		"dotfile":           {"GET", "localhost", "/.htaccess", 404},
		"escape":            {"GET", "localhost", "/../secret", 404},
		"loopback address":  {"GET", "127.0.0.1:80", "/.well-known/agent-card.json", 200},
		"address it is at":  {"GET", "198.51.100.7", "/.well-known/agent-card.json", 200},
		"another address":   {"GET", "192.0.2.1", "/.well-known/agent-card.json", 421},
		"name of --addr":    {"GET", "Agents.local", "/.well-known/agent-card.json", 200},
		"rebound name":      {"GET", "evil", "/.well-known/agent-card.json", 421},
		"host":              {"GET", "a.example", "/.well-known/agent-card.json", 200},
		"host as localhost": {"GET", "a.example.localhost:80", "/.well-known/agent-card.json", 200},
		"unknown host":      {"GET", "b.example", "/.well-known/agent-card.json", 421},
	} {
		t.Run(name, func(t *testing.T) {
			byHost := strings.Contains(c.host, ".example")
			r := httptest.NewRequest(c.method, "http://localhost"+c.path, http.NoBody)
			r.Host = c.host
			here := &net.TCPAddr{IP: net.IPv4(198, 51, 100, 7)}
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, here))
			w := httptest.NewRecorder()
			hosting.Handler(files, hosting.Settings{HTML: true, HostLayout: byHost}, "agents.local:80").ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("%s %s%s: %d, want %d", c.method, c.host, c.path, w.Code, c.want)
			}
		})
	}
}

// A path that patterns cannot hold is a finding.
func TestRender(t *testing.T) {
	if _, found := hosting.Render(hosting.Targets(), hosting.Settings{HTML: true, Base: "/a;b"}); found == nil {
		t.Error("a path that is no pattern is no finding")
	}
}

func TestHeaders(t *testing.T) {
	table := hosting.NewTable(hosting.Settings{Deprecation: "2025-07-30", Sunset: "2027-01-01"})
	if _, ours := table.Headers("/.well-known/agent-skills/a/b/SKILL.md"); ours {
		t.Error("a file inside of a skill is served like its SKILL.md")
	}
	got, _ := table.Headers("/review/.well-known/agent.json")
	for _, want := range []hosting.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Deprecation", Value: "@1753833600"},
		{Name: "Link", Value: `</review/.well-known/agent-card.json>; rel="successor-version"`},
		{Name: "Sunset", Value: "Fri, 01 Jan 2027 00:00:00 GMT"},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%v is not in %v", want, got)
		}
	}
}

// Whatever a run makes is served, but for what servers read and what clients ask the agent for.
func TestOutputsAreServed(t *testing.T) {
	table := hosting.NewTable(hosting.Settings{HTML: true})
	for _, name := range site.Names() {
		_, below := table.Headers("/.well-known/" + name)
		_, root := table.Headers("/" + name)
		private := name == site.ManifestName || name == site.ExtendedCardName
		if (below || root) == private {
			t.Errorf("%s is served: %t, want %t", name, !private, private)
		}
	}
}

func TestURLs(t *testing.T) {
	card := &fstest.MapFile{Data: []byte("{}")}
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	byPath := fstest.MapFS{
		"teams/a/.well-known/agent-card.json": card, ".well-known/ai-catalog.json": card, "index.html": card,
	}
	byHost := fstest.MapFS{"a.example/.well-known/agent-card.json": card}
	if hosting.HostLayout(byPath) || !hosting.HostLayout(byHost) {
		t.Error("the layouts are confused")
	}
	for _, c := range []struct {
		served   fstest.MapFS
		settings hosting.Settings
		want     []string
	}{
		{byPath, hosting.Settings{Base: "/cards"}, []string{
			"http://127.0.0.1:8080/cards/teams/a/.well-known/agent-card.json", "http://127.0.0.1:8080/cards/",
			"http://127.0.0.1:8080/cards/.well-known/ai-catalog.json",
		}},
		{byHost, hosting.Settings{HostLayout: true}, []string{
			"http://a.example.localhost:8080/.well-known/agent-card.json",
		}},
	} {
		if got, err := hosting.URLs(c.served, c.settings, addr); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v, got %q, want %q", err, got, c.want)
		}
	}
}
