package probe_test

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/preview"
	"cardwright/internal/probe"
)

func mapFS(layout string) fstest.MapFS {
	tree := fstest.MapFS{}
	for _, f := range hostingtest.Tree(hostingtest.Layouts()[layout], 'a') {
		tree[f.Path] = &fstest.MapFile{Data: f.Data}
	}
	return tree
}

// run probes and returns the names of the checks that fail, required ones
// with an exclamation mark.
func run(t *testing.T, o probe.Options) []string {
	t.Helper()
	checks, err := probe.Probe(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, c := range checks {
		switch {
		case c.OK && c.Hint != "":
			t.Errorf("%s is fine and has the hint %q", c.Name, c.Hint)
		case !c.OK && c.Hint == "":
			t.Errorf("%s fails without a hint", c.Name)
		case !c.OK && c.Required:
			failed = append(failed, c.Name+"!")
		case !c.OK:
			failed = append(failed, c.Name)
		}
	}
	return failed
}

func TestPreviewPasses(t *testing.T) {
	for layout, dirs := range hostingtest.Layouts() {
		t.Run(layout, func(t *testing.T) {
			tree, settings := mapFS(layout), hostingtest.Settings(layout)
			server := httptest.NewServer(preview.Handler(tree, settings))
			defer server.Close()
			for _, dir := range dirs {
				target := server.URL + "/" + dir
				if layout == "host" {
					u, _ := url.Parse(server.URL)
					target = "http://" + net.JoinHostPort(dir, u.Port())
				}
				checks, err := probe.Probe(t.Context(), probe.Options{URL: target, Tree: tree, Settings: settings, Now: time.Now})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range checks {
					if !c.OK && c.Name != "time" {
						t.Errorf("%s: %s: %s", target, c.Name, c.Detail)
					}
				}
				if want := 25; len(checks) < want {
					t.Errorf("%s: %d checks, want %d at least", target, len(checks), want)
				}
			}
		})
	}
}

// The key set is asked for where the tree has it: beside the card, or once for
// all agents of a host; wherever the tree is deployed.
func TestKeySet(t *testing.T) {
	for name, c := range map[string]struct {
		card, keys, prefix string
		want               string // path of the request
	}{
		"one agent":                        {"", "", "", "/.well-known/jwks.json"},
		"one agent, below a path":          {"", "", "/project", "/project/.well-known/jwks.json"},
		"several agents":                   {"a/", "", "", "/.well-known/jwks.json"},
		"several agents, below a path":     {"a/", "", "/project", "/project/.well-known/jwks.json"},
		"several agents with one set each": {"a/", "a/", "", "/a/.well-known/jwks.json"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{
				c.card + ".well-known/agent-card.json": {Data: []byte("{}\n")},
				c.keys + ".well-known/jwks.json":       {Data: []byte("{\"keys\": []}\n")},
			}
			handler := http.StripPrefix(c.prefix, preview.Handler(tree, hosting.Settings{}))
			var asked string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if path.Base(r.URL.Path) == "jwks.json" {
					asked = r.URL.Path
				}
				handler.ServeHTTP(w, r)
			}))
			defer server.Close()
			failed := run(t, probe.Options{URL: server.URL + c.prefix + "/" + c.card, Tree: tree})
			if slices.Contains(failed, "jwks!") || asked != c.want {
				t.Errorf("asked for %q, want %q; failed: %v", asked, c.want, failed)
			}
		})
	}
}

// Every check has a line in the documentation.
func TestChecksAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "hosting.md"))
	if err != nil {
		t.Fatal(err)
	}
	tree, settings := mapFS("single"), hosting.Settings{Sunset: "2027-01-31"}
	server := httptest.NewTLSServer(preview.Handler(tree, settings))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	checks, err := probe.Probe(t.Context(), probe.Options{
		URL: server.URL, Tree: tree, Settings: settings, Now: time.Now, Roots: roots,
		Lint:   func([]byte) diag.List { return nil },
		Verify: func([]byte) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !strings.Contains(string(page), "`"+c.Name+"`") {
			t.Errorf("docs/hosting.md does not name the check %s", c.Name)
		}
	}
}

// spoiled is the preview with one fault.
type spoiled func(w http.ResponseWriter, r *http.Request, next http.Handler)

// TestFaults names, for one fault at a time, exactly what probe says.
func TestFaults(t *testing.T) {
	tree := mapFS("single")
	without := func(names ...string) spoiled {
		return after(func(h http.Header) {
			for _, name := range names {
				h.Del(name)
			}
		})
	}
	set := func(name, value string) spoiled { return after(func(h http.Header) { h.Set(name, value) }) }
	for name, c := range map[string]struct {
		spoil spoiled
		want  []string
	}{
		"nothing": {after(func(http.Header) {}), nil},
		"not found": {func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
			http.NotFound(w, r)
		}, []string{"status!"}},
		"text":             {set("Content-Type", "text/plain"), []string{"content-type!", "jwks-type"}},
		"charset is fine":  {set("Content-Type", "application/json; charset=utf-8"), nil},
		"no cache policy":  {without("Cache-Control"), []string{"cache-control!"}},
		"no CORS":          {without("Access-Control-Allow-Origin"), []string{"cors!", "preflight!"}},
		"nothing exposed":  {without("Access-Control-Expose-Headers"), []string{"cors-expose"}},
		"header refused":   {set("Access-Control-Allow-Headers", "Content-Type"), []string{"preflight!"}},
		"any header":       {set("Access-Control-Allow-Headers", "*"), nil},
		"no deprecation":   {without("Deprecation", "Link"), []string{"legacy-deprecation", "legacy-link"}},
		"draft":            {set("Deprecation", "true"), []string{"legacy-deprecation"}},
		"no Allow":         {without("Allow"), []string{"method-refused"}},
		"no tag":           {without("ETag"), []string{"etag!"}},
		"unquoted tag":     {set("ETag", "abc"), []string{"etag!"}},
		"old tag":          {set("ETag", `"`+strings.Repeat("0", 64)+`"`), []string{"etag-bytes!", "not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list"}},
		"tag of others":    {ownTag(`"5d41402a"`), []string{"etag-bytes"}},
		"weak tag":         {ownTag(`W/"5d41402a"`), []string{"etag-strong", "etag-bytes"}},
		"tag per replica":  {changing(), []string{"etag-bytes", "etag-stable!", "not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list", "head!"}},
		"no conditions":    {deaf, []string{"not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list", "not-modified-any"}},
		"always fresh":     {alwaysFresh, []string{"modified!"}},
		"other bytes":      {replaced("/.well-known/agent-card.json", "{}\n"), []string{"bytes!", "legacy!"}},
		"other legacy":     {replaced("/.well-known/agent.json", "{}\n"), []string{"legacy!"}},
		"other key set":    {replaced("/.well-known/jwks.json", "{}\n"), []string{"jwks!"}},
		"no legacy":        {missing("/.well-known/agent.json"), []string{"legacy!"}},
		"no key set":       {missing("/.well-known/jwks.json"), []string{"jwks!"}},
		"any method reads": {methods(http.MethodGet, "POST"), []string{"method-refused"}},
		"OPTIONS refused":  {refused("OPTIONS"), []string{"preflight!"}},
		"HEAD refused":     {refused("HEAD"), []string{"not-modified-head", "head!"}},
	} {
		t.Run(name, func(t *testing.T) {
			next := preview.Handler(tree, hosting.Settings{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.spoil(w, r, next) }))
			defer server.Close()
			got := run(t, probe.Options{URL: server.URL, Tree: tree})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("failed checks (-want +got):\n%s", diff)
			}
		})
	}
}

// after changes the headers that the preview has set, before they are sent.
func after(change func(http.Header)) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&late{ResponseWriter: w, change: change}, r)
	}
}

type late struct {
	http.ResponseWriter
	change func(http.Header)
}

func (l *late) WriteHeader(status int) {
	l.change(l.Header())
	l.ResponseWriter.WriteHeader(status)
}

// ownTag is a platform that has tags of its own and compares them well.
func ownTag(tag string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		opaque := strings.TrimPrefix(tag, "W/")
		if strings.Contains(r.Header.Get("If-None-Match"), opaque) {
			r.Header.Set("If-None-Match", "*")
		}
		set := func(h http.Header) { h.Set("ETag", tag) }
		next.ServeHTTP(&late{ResponseWriter: w, change: set}, r)
	}
}

func changing() spoiled {
	n := 0
	return after(func(h http.Header) {
		n++
		h.Set("ETag", `"`+strings.Repeat("a", n)+`"`)
	})
}

func deaf(w http.ResponseWriter, r *http.Request, next http.Handler) {
	r.Header.Del("If-None-Match")
	next.ServeHTTP(w, r)
}

func alwaysFresh(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.Header.Get("If-None-Match") != "" {
		r.Header.Set("If-None-Match", "*")
	}
	next.ServeHTTP(w, r)
}

func replaced(path, body string) spoiled {
	other := preview.Handler(fstest.MapFS{path[1:]: {Data: []byte(body)}}, hosting.Settings{})
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.URL.Path == path {
			next = other
		}
		next.ServeHTTP(w, r)
	}
}

func missing(path string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.URL.Path == path {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	}
}

func methods(as string, list ...string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		for _, m := range list {
			if r.Method == m {
				r.Method = as
			}
		}
		next.ServeHTTP(w, r)
	}
}

func refused(method string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method == method {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	}
}

func TestWithoutCORS(t *testing.T) {
	settings := hosting.Settings{NoCORS: true, NoDeprecation: true}
	server := httptest.NewServer(preview.Handler(mapFS("single"), settings))
	defer server.Close()
	if got := run(t, probe.Options{URL: server.URL, Settings: settings}); got != nil {
		t.Errorf("failed checks %v, want none", got)
	}
}

func TestWhatOthersSay(t *testing.T) {
	server := httptest.NewServer(preview.Handler(mapFS("single"), hosting.Settings{}))
	defer server.Close()
	got := run(t, probe.Options{
		URL:    server.URL,
		Lint:   func([]byte) diag.List { return diag.List{{Severity: diag.Error, Message: "no name"}} },
		Verify: func([]byte) string { return "no signature" },
	})
	if diff := cmp.Diff([]string{"card!", "signature!"}, got); diff != "" {
		t.Errorf("failed checks (-want +got):\n%s", diff)
	}
}

// A tree that is deployed below a prefix is found there.
func TestPrefix(t *testing.T) {
	tree := mapFS("path")
	server := httptest.NewServer(http.StripPrefix("/agents", preview.Handler(tree, hosting.Settings{})))
	defer server.Close()
	if got := run(t, probe.Options{URL: server.URL + "/agents/billing/", Tree: tree}); got != nil {
		t.Errorf("failed checks %v, want none", got)
	}
}

func TestUnreachable(t *testing.T) {
	tree := mapFS("single")
	other := httptest.NewServer(preview.Handler(tree, hosting.Settings{}))
	defer other.Close()
	secure := httptest.NewTLSServer(preview.Handler(tree, hosting.Settings{}))
	defer secure.Close()
	secure.Config.ErrorLog = nil
	to := func(target string) string {
		server := httptest.NewServer(http.RedirectHandler(target, http.StatusFound))
		t.Cleanup(server.Close)
		return server.URL
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	for name, c := range map[string]struct{ url, want string }{
		"refused":             {closed.URL, "the host refuses the connection"},
		"private redirect":    {to(other.URL), "the address is in a private network, where only hosts that you name are called"},
		"metadata redirect":   {to("http://169.254.169.254/latest"), "the address is in a private network, where only hosts that you name are called"},
		"redirect to a file":  {to("file:///etc/passwd"), "a redirect leads to something that is no web page"},
		"redirect with user":  {to("http://user:secret@agents.example/"), "a redirect carries credentials"},
		"unknown authority":   {secure.URL, "the certificate is not signed by an authority that this machine trusts"},
		"plain on a TLS port": {strings.Replace(other.URL, "http:", "https:", 1), "the host answers in plain HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			checks, err := probe.Probe(t.Context(), probe.Options{URL: c.url})
			if err != nil {
				t.Fatal(err)
			}
			want := []probe.Check{{Name: "reachable", Required: true, Detail: c.want, Hint: "check the URL, DNS and the server"}}
			if diff := cmp.Diff(want, checks); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	next := preview.Handler(mapFS("single"), hosting.Settings{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop.json":
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		case "/old/.well-known/agent-card.json":
			http.Redirect(w, r, "/.well-known/agent-card.json", http.StatusFound)
		default:
			next.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	if diff := cmp.Diff([]string{"redirects"}, run(t, probe.Options{URL: server.URL + "/old"})); diff != "" {
		t.Errorf("failed checks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"reachable!"}, run(t, probe.Options{URL: server.URL + "/loop.json"})); diff != "" {
		t.Errorf("failed checks (-want +got):\n%s", diff)
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewTLSServer(preview.Handler(mapFS("single"), hosting.Settings{}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	o := probe.Options{URL: server.URL, Roots: roots}
	if got := run(t, o); got != nil {
		t.Errorf("failed checks %v, want none", got)
	}
	o.Now = func() time.Time { return server.Certificate().NotAfter.Add(-time.Hour) }
	if diff := cmp.Diff([]string{"certificate"}, run(t, o)); diff != "" {
		t.Errorf("failed checks shortly before the end (-want +got):\n%s", diff)
	}
}

// A host that never stops sending is left alone after what a card may have.
func TestEndlessBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		chunk := []byte(strings.Repeat(" ", 64<<10))
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	if diff := cmp.Diff([]string{"size!"}, run(t, probe.Options{URL: server.URL})); diff != "" {
		t.Errorf("failed checks (-want +got):\n%s", diff)
	}
}

func TestEndlessWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	checks, err := probe.Probe(ctx, probe.Options{URL: server.URL})
	if err != nil || len(checks) != 1 || checks[0].Detail != "the run was interrupted" {
		t.Errorf("checks %v (%v), want an interrupted run", checks, err)
	}
}

func TestNoCredentials(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
			if value := r.Header.Get(name); value != "" {
				t.Errorf("%s: %s", name, value)
			}
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "secret", Path: "/"})
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
	}))
	defer server.Close()
	run(t, probe.Options{URL: server.URL})
}

func TestURL(t *testing.T) {
	for text, want := range map[string]string{
		"agents.example":                   `"agents.example" is no URL of a web host, write https://HOST/…`,
		"":                                 `"" is no URL of a web host, write https://HOST/…`,
		"ftp://agents.example/":            `"ftp://agents.example/" is no URL of a web host, write https://HOST/…`,
		"https://":                         `"https://" is no URL of a web host, write https://HOST/…`,
		"https://a b/":                     `"https://a b/" is no URL of a web host, write https://HOST/…`,
		"https://user@agents.example/":     "the URL holds credentials, which are never sent",
		"https://user:key@agents.example/": "the URL holds credentials, which are never sent",
	} {
		_, err := probe.Probe(t.Context(), probe.Options{URL: text})
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
