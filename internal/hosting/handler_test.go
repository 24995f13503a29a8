package hosting_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"cardwright/internal/hosting"
)

func TestHandler(t *testing.T) {
	files := fstest.MapFS{
		"index.html":                            {Data: []byte("<p>")},
		"_headers":                              {Data: []byte("x")},
		".htaccess":                             {Data: []byte("x")},
		"cardwright.manifest.json":              {Data: []byte("{}")},
		".well-known/agent-card.json":           {Data: []byte("{}")},
		".well-known/agent-card.json.etag":      {Data: []byte("x")},
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
		"manifest":          {"GET", "localhost", "/cardwright.manifest.json", 404},
		"headers file":      {"GET", "localhost", "/_headers", 404},
		"dotfile":           {"GET", "localhost", "/.htaccess", 404},
		"escape":            {"GET", "localhost", "/../secret", 404},
		"rebound name":      {"GET", "evil", "/.well-known/agent-card.json", 421},
		"host":              {"GET", "a.example", "/.well-known/agent-card.json", 200},
		"host as localhost": {"GET", "a.example.localhost:80", "/.well-known/agent-card.json", 200},
		"unknown host":      {"GET", "b.example", "/.well-known/agent-card.json", 421},
	} {
		t.Run(name, func(t *testing.T) {
			byHost := c.host != "localhost" && c.host != "evil"
			r := httptest.NewRequest(c.method, "http://localhost"+c.path, http.NoBody)
			r.Host = c.host
			w := httptest.NewRecorder()
			hosting.Handler(files, hosting.Settings{HTML: true, HostLayout: byHost}).ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("%s %s%s: %d, want %d", c.method, c.host, c.path, w.Code, c.want)
			}
		})
	}
}

// What lies in the web root is one file, and a path that patterns cannot hold is a finding.
func TestRender(t *testing.T) {
	plain, _ := hosting.Render(hosting.Targets(), hosting.Settings{})
	for _, o := range plain {
		if o.Root != (o.Path == ".htaccess") {
			t.Errorf("%s lies in the web root: %t", o.Path, o.Root)
		}
	}
	if _, found := hosting.Render(hosting.Targets(), hosting.Settings{HTML: true, Base: "/a;b"}); found == nil {
		t.Error("a path that is no pattern is no finding")
	}
}
