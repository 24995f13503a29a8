package probe_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	_ "cardwright/internal/fixture" // temporary directories in memory
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/preview"
	"cardwright/internal/probe"
	"cardwright/internal/publish"
	"cardwright/internal/report"
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
	return failing(t, checks)
}

func failing(t *testing.T, checks []report.Check) []string {
	t.Helper()
	var failed []string
	for _, c := range checks {
		switch {
		case c.Severity == 0 && c.Hint != "":
			t.Errorf("%s is fine and has the hint %q", c.Name, c.Hint)
		case c.Severity != 0 && c.Hint == "":
			t.Errorf("%s fails without a hint", c.Name)
		case c.Severity != 0 && c.Required:
			failed = append(failed, c.Name+"!")
		case c.Severity != 0:
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
				left := map[string]string{}
				for _, m := range settings.Moved {
					if m.Host != "" {
						left[m.Host] = "127.0.0.1"
					}
				}
				checks, err := probe.Probe(t.Context(), probe.Options{
					URL: target, Tree: tree, Settings: settings, Now: time.Now, Resolve: left,
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range checks {
					if c.Severity != 0 && c.Name != "time" {
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
			server := hostingtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if path.Base(r.URL.Path) == "jwks.json" {
					asked = r.URL.Path
				}
				handler.ServeHTTP(w, r)
			}))
			failed := run(t, probe.Options{URL: server.URL + c.prefix + "/" + c.card, Tree: tree, Dial: server.Dial})
			if slices.Contains(failed, "jwks!") || asked != c.want {
				t.Errorf("asked for %q, want %q; failed: %v", asked, c.want, failed)
			}
		})
	}
}

// Every check is a rule with a section in the documentation.
func TestChecksAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	tree, settings := mapFS("single"), hosting.Settings{Sunset: "2027-01-31"}
	server := httptest.NewUnstartedServer(preview.Handler(tree, settings))
	hostingtest.StartTLS(t, server)
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
		if !strings.Contains(string(page), "\n## probe-"+c.Name+"\n") {
			t.Errorf("docs/rules.md does not explain the check %s", c.Name)
		}
	}
}

// spoiled is the preview with one fault.
type spoiled func(w http.ResponseWriter, r *http.Request, next http.Handler)

// TestFaults names, for one fault at a time, exactly what probe says.
func TestFaults(t *testing.T) {
	tree := mapFS("single")
	next := preview.Handler(tree, hosting.Settings{})
	without := func(names ...string) spoiled {
		return after(func(h http.Header) {
			for _, name := range names {
				h.Del(name)
			}
		})
	}
	set := func(name, value string) spoiled { return after(func(h http.Header) { h.Set(name, value) }) }
	more := func(name, value string) spoiled { return after(func(h http.Header) { h.Add(name, value) }) }
	for name, c := range map[string]struct {
		spoil spoiled
		want  []string
	}{
		"nothing": {after(func(http.Header) {}), nil},
		"not found": {func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
			http.NotFound(w, r)
		}, []string{"status!"}},
		"text":            {set("Content-Type", "text/plain"), []string{"content-type!", "jwks-type", "file!"}},
		"charset is fine": {set("Content-Type", "application/json; charset=utf-8"), nil},
		"no cache policy": {without("Cache-Control"), []string{"cache-control!", "file!"}},
		"no CORS":         {without("Access-Control-Allow-Origin"), []string{"cors!", "preflight!", "file!"}},
		"nothing exposed": {without("Access-Control-Expose-Headers"), []string{"cors-expose"}},
		"header refused":  {set("Access-Control-Allow-Headers", "Content-Type"), []string{"preflight!"}},
		"any header":      {set("Access-Control-Allow-Headers", "*"), []string{"preflight-headers"}}, // but Authorization
		"no deprecation":  {without("Deprecation", "Link"), []string{"legacy-deprecation", "legacy-link"}},
		"draft":           {set("Deprecation", "true"), []string{"headers", "legacy-deprecation"}},
		"ends":            {set("Sunset", "Sat, 31 Dec 2022 23:59:59 GMT"), []string{"headers"}},
		"checksums": {when(func(r *http.Request) bool {
			return strings.HasSuffix(r.URL.Path, ".sha256")
		}, page), []string{"exposed"}},
		"no preflight for more": {when(func(r *http.Request) bool {
			return strings.Contains(r.Header.Get("Access-Control-Request-Headers"), "authorization")
		}, http.NotFound), []string{"preflight-headers"}},
		"cookie":          {set("Set-Cookie", "a=b"), []string{"headers"}},
		"vary on all":     {set("Vary", "*"), []string{"headers"}},
		"vary on cookies": {set("Vary", "Accept-Encoding, Cookie"), []string{"headers"}},
		"attachment":      {set("Content-Disposition", "attachment"), []string{"headers"}},
		"old":             {set("Age", "100000"), []string{"headers"}},
		"sniffing":        {without("X-Content-Type-Options"), []string{"headers", "file!"}},
		"wrong successor": {set("Link", `</other.json>; rel="successor-version"`), []string{"legacy-link"}},
		"no Allow":        {without("Allow"), []string{"method-refused"}},
		"no tag":          {without("ETag"), []string{"etag!", "file!"}},
		"unquoted tag":    {set("ETag", "abc"), []string{"etag!", "file!"}},
		"old tag": {
			set("ETag", `"`+strings.Repeat("0", 64)+`"`),
			[]string{
				"etag-bytes!", "not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list", "if-match", "file!",
			},
		},
		"tag of others": {ownTag(`"5d41402a"`), []string{"file!"}}, // in every coding
		"weak tag":      {ownTag(`W/"5d41402a"`), []string{"etag-strong"}},
		"tag per replica": {changing(), []string{
			"etag-stable!",
			"not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list", "not-modified-any", "if-match",
			"compressed-not-modified!", "head!", "file!",
		}},
		"no conditions": {deaf, []string{
			"not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list",
			"not-modified-any", "file!",
		}},
		"always fresh":     {alwaysFresh, []string{"modified!"}},
		"other bytes":      {replaced("/.well-known/agent-card.json", "{}\n"), []string{"bytes!", "legacy!"}},
		"other legacy":     {replaced("/.well-known/agent.json", "{}\n"), []string{"legacy!"}},
		"other key set":    {replaced("/.well-known/jwks.json", "{}\n"), []string{"jwks!"}},
		"no legacy":        {missing("/.well-known/agent.json"), []string{"legacy!"}},
		"no key set":       {missing("/.well-known/jwks.json"), []string{"jwks!"}},
		"any method reads": {methods(http.MethodGet, "POST"), []string{"method-refused"}},
		"no-store":         {set("Cache-Control", "public, no-store"), []string{"cache-control!"}},
		"no lifetime":      {set("Cache-Control", "public, must-revalidate"), []string{"cache-lifetime"}},
		"no lifetime left": {set("Cache-Control", "max-age=0"), []string{"cache-lifetime"}},
		"other lifetime":   {set("Cache-Control", "max-age=600"), nil},
		"other charset": {
			set("Content-Type", "application/json; charset=iso-8859-1"),
			[]string{"content-type!", "file!"},
		},
		"two types": {
			after(func(h http.Header) { h.Add("Content-Type", "text/plain") }),
			[]string{"duplicate-headers!"},
		},
		"two tags":          {after(func(h http.Header) { h.Add("ETag", `"x"`) }), []string{"duplicate-headers!"}},
		"two Allow lines":   {after(allowTwice), nil},
		"echoed origin":     {set("Access-Control-Allow-Origin", "https://client.example"), []string{"cors-vary!"}},
		"echo that varies":  {after(echoed), nil},
		"unasked gzip":      {gzipped(true, "W/", "Accept-Encoding"), []string{"encoding!"}},
		"gzip":              {gzipped(false, "W/", "Accept-Encoding"), nil},
		"gzip, strong tag":  {gzipped(false, "", "Accept-Encoding"), []string{"compressed-etag"}},
		"gzip without Vary": {gzipped(false, "W/", "Cookie"), []string{"compressed-vary"}},
		"gzip, own tag":     {gzipped(false, "changed", "*"), []string{"compressed-not-modified!"}},
		"gzip, no tag":      {gzipped(false, "none", "*"), []string{"compressed-not-modified!"}},
		"gzip, old bytes":   {gzipped(false, "old", "*"), []string{"compressed!"}},
		"gzip, broken":      {gzipped(false, "broken", "*"), []string{"compressed!"}},
		"304 without ETag": {nakedNotModified, []string{
			"not-modified!", "not-modified-head", "not-modified-weak",
			"not-modified-list", "not-modified-any", "file!",
		}},
		"no catalog":            {missing("/.well-known/ai-catalog.json"), nil},
		"OPTIONS refused":       {refused("OPTIONS"), []string{"preflight!"}},
		"CORS for scripts only": {corsForScripts(""), []string{"cors-vary!"}},
		"a page for browsers": {when(func(r *http.Request) bool {
			return strings.Contains(r.Header.Get("Accept"), "text/html")
		}, page), []string{"asked!"}},
		"a page for programs": {when(func(r *http.Request) bool {
			return r.Header.Get("Origin") == ""
		}, page), []string{"asked!"}},
		"refuses A2A-Version": {when(func(r *http.Request) bool {
			return r.Header.Get("A2A-Version") != "" && r.Method == http.MethodGet
		}, http.NotFound), []string{"asked!"}},
		"a page for all paths": {when(func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "no-such-file")
		}, page), []string{"exposed"}},
		"404 for a year": {when(func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "no-such-file")
		}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "public, max-age=31536000")
			http.NotFound(w, r)
		}), []string{"exposed"}},
		"sidecars": {when(func(r *http.Request) bool {
			return strings.HasSuffix(r.URL.Path, ".etag")
		}, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }), []string{"exposed"}},
		"preflight redirects": {when(func(r *http.Request) bool {
			return r.Method == http.MethodOptions && !strings.Contains(r.URL.Path, "/to/")
		}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/to"+r.URL.Path, http.StatusTemporaryRedirect)
		}), []string{"preflight!"}},
		"preflight for A2A-Version only": {set("Access-Control-Allow-Headers", "A2A-Version"), []string{"preflight-headers"}},
		"legacy redirects": {when(func(r *http.Request) bool {
			return strings.HasSuffix(r.URL.Path, "/agent.json")
		}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/.well-known/agent-card.json", http.StatusMovedPermanently)
		}), []string{"legacy-redirect"}},
		"two lifetimes":   {more("Cache-Control", "max-age=60"), []string{"cache-control!"}},
		"private":         {set("Cache-Control", "private, max-age=60"), []string{"cache-lifetime"}},
		"kept for a year": {cached("public, max-age=31536000"), []string{"cache-lifetime"}},
		"immutable":       {set("Cache-Control", "public, max-age=60, immutable"), []string{"cache-lifetime"}},
		"CORS twice":      {more("Access-Control-Allow-Origin", "*"), []string{"duplicate-headers!"}},
		"CORS for one": {
			set("Access-Control-Allow-Origin", "https://acme.example"), []string{"cors!", "preflight!", "file!"},
		},
		"vary on user agent": {set("Vary", "User-Agent"), []string{"headers", "file!"}},
		"If-Match fails": {when(func(r *http.Request) bool { return r.Header.Get("If-Match") != "" },
			func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusPreconditionFailed)
			}), []string{"if-match"}},
		"304 with another tag": {when(func(r *http.Request) bool { return r.Header.Get("If-None-Match") != "" },
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("ETag", `"other"`)
				w.WriteHeader(http.StatusNotModified)
			}), []string{
			"not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list", "not-modified-any", "modified!",
			"file!",
		}},
		"304 with no-store": {after304(func(h http.Header) { h.Set("Cache-Control", "no-store") }), []string{
			"not-modified!", "not-modified-head", "not-modified-weak", "not-modified-list", "not-modified-any",
		}},
		"br":              {brotli("W/", "Accept-Encoding"), nil},
		"br without Vary": {brotli("W/", ""), []string{"compressed-vary"}},
		"br, strong tag":  {brotli("", "Accept-Encoding"), []string{"compressed-etag"}},
		"login": {func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.WriteHeader(http.StatusUnauthorized)
		}, []string{"status!"}},

		// Correct and unusual.
		"POST is 403, as of CDNs": {when(func(r *http.Request) bool { return r.Method == http.MethodPost },
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }), nil},
		"missing files are 403": {when(func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "no-such-file") || strings.HasSuffix(r.URL.Path, ".etag")
		}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }), nil},
		"CORS for scripts, with Vary": {corsForScripts("Accept-Encoding, Origin"), nil},
		"preflight is 200": {func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			next.ServeHTTP(&restated{w, http.StatusNoContent, http.StatusOK}, r)
		}, nil},
		"If-Match is ignored": {func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			r.Header.Del("If-Match")
			next.ServeHTTP(w, r)
		}, nil},
		"more headers": {after(func(h http.Header) {
			h.Set("Strict-Transport-Security", "max-age=63072000")
			h.Set("Age", "30")
			h.Set("Vary", "Accept-Encoding, Origin")
			h.Set("Via", "1.1 varnish")
		}), nil},
		"a shared lifetime": {set("Cache-Control", `public, max-age="0", s-maxage=600`), nil},
		"kept for a week":   {cached("max-age=604800, must-revalidate"), nil},
		"HEAD refused":      {refused("HEAD"), []string{"not-modified-head", "head!"}},
		"HEAD without length": {when(func(r *http.Request) bool { // as by a handler that writes nothing
			return r.Method == http.MethodHead && r.Header.Get("If-None-Match") == ""
		}, func(w http.ResponseWriter, r *http.Request) {
			preview.Handler(tree, hosting.Settings{}).ServeHTTP(headOnly{w}, r)
		}), []string{"head!"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := hostingtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				c.spoil(w, r, next)
			}))
			got := run(t, probe.Options{URL: server.URL, Tree: tree, Dial: server.Dial})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("failed checks (-want +got):\n%s", diff)
			}
		})
	}
}

// when answers some requests in another way.
func when(fits func(*http.Request) bool, answer http.HandlerFunc) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if fits(r) {
			next = answer
		}
		next.ServeHTTP(w, r)
	}
}

// headOnly announces a body of no bytes.
type headOnly struct{ http.ResponseWriter }

func (w headOnly) WriteHeader(status int) {
	w.Header().Set("Content-Length", "0")
	w.ResponseWriter.WriteHeader(status)
}

// page is what a login or an application of one page answers.
func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<!doctype html><title>Log in</title>"))
}

// cached gives the card a cache policy.
func cached(policy string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "agent-card.json") {
			w = &late{ResponseWriter: w, change: func(h http.Header) { h.Set("Cache-Control", policy) }}
		}
		next.ServeHTTP(w, r)
	}
}

// corsForScripts sends CORS only where Origin is sent.
func corsForScripts(vary string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		asked := r.Header.Get("Origin") != ""
		next.ServeHTTP(&late{ResponseWriter: w, change: func(h http.Header) {
			if !asked {
				h.Del("Access-Control-Allow-Origin")
			}
			if vary != "" {
				h.Set("Vary", vary)
			}
		}}, r)
	}
}

// after304 changes the headers of answers without a body.
func after304(change func(http.Header)) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Header.Get("If-None-Match") != "" {
			w = &late{ResponseWriter: w, change: change}
		}
		next.ServeHTTP(w, r)
	}
}

// brotli is a server that compresses the card for those who take br.
func brotli(tag, vary string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if path.Base(r.URL.Path) == "agent-card.json" && r.Header.Get("Accept-Encoding") == "br" {
			w = &late{ResponseWriter: w, change: func(h http.Header) {
				h.Set("Content-Encoding", "br")
				h.Set("ETag", tag+h.Get("ETag"))
				h.Set("Vary", vary)
			}}
		}
		next.ServeHTTP(w, r)
	}
}

// padded adds a line to a file.
type padded struct{ http.ResponseWriter }

func (w *padded) WriteHeader(status int) {
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(status)
	if status == http.StatusOK {
		_, _ = w.Write([]byte("evil\n"))
	}
}

// restated sends another status.
type restated struct {
	http.ResponseWriter
	from, to int
}

func (w *restated) WriteHeader(status int) {
	if status == w.from {
		status = w.to
	}
	w.ResponseWriter.WriteHeader(status)
}

func allowTwice(h http.Header) {
	if h.Get("Allow") != "" {
		h["Allow"] = []string{"", h.Get("Allow")}
	}
}

func echoed(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "https://client.example")
	h.Set("Vary", "Accept-Encoding, origin")
}

// nakedNotModified takes the tag from answers without a body.
func nakedNotModified(w http.ResponseWriter, r *http.Request, next http.Handler) {
	recorder := httptest.NewRecorder()
	next.ServeHTTP(recorder, r)
	if recorder.Code == http.StatusNotModified {
		recorder.Header().Del("ETag")
	}
	maps.Copy(w.Header(), recorder.Header())
	w.WriteHeader(recorder.Code)
	_, _ = w.Write(recorder.Body.Bytes())
}

// gzipped is a server that compresses the card, always or for those who take it,
// and does something about its tag.
func gzipped(always bool, tag, vary string) spoiled {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		asked := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
		recorder := httptest.NewRecorder()
		next.ServeHTTP(recorder, r)
		body := recorder.Body.Bytes()
		maps.Copy(w.Header(), recorder.Header())
		if path.Base(r.URL.Path) == "agent-card.json" && (asked || always) && recorder.Code == http.StatusOK &&
			r.Method == http.MethodGet {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if tag == "old" {
				body = []byte("{}\n")
			}
			_, _ = z.Write(body)
			_ = z.Close()
			body = b.Bytes()
			switch strong := w.Header().Get("ETag"); tag {
			case "W/":
				w.Header().Set("ETag", "W/"+strong)
			case "changed":
				w.Header().Set("ETag", strings.TrimSuffix(strong, `"`)+`-gzip"`)
			case "none":
				w.Header().Del("ETag")
			case "broken":
				body = body[:len(body)/2]
			}
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.Header().Set("Vary", vary)
		}
		w.WriteHeader(recorder.Code)
		_, _ = w.Write(body)
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
		r.Header.Del("If-Match")
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
	server := hostingtest.InMemory(t, preview.Handler(mapFS("single"), settings))
	if got := run(t, probe.Options{URL: server.URL, Settings: settings, Dial: server.Dial}); got != nil {
		t.Errorf("failed checks %v, want none", got)
	}
}

func TestWhatOthersSay(t *testing.T) {
	server := hostingtest.InMemory(t, preview.Handler(mapFS("single"), hosting.Settings{}))
	got := run(t, probe.Options{
		URL:    server.URL,
		Dial:   server.Dial,
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
	server := hostingtest.InMemory(t, http.StripPrefix("/agents", preview.Handler(tree, hosting.Settings{})))
	if got := run(t, probe.Options{URL: server.URL + "/agents/billing/", Tree: tree, Dial: server.Dial}); got != nil {
		t.Errorf("failed checks %v, want none", got)
	}
}

func TestUnreachable(t *testing.T) {
	tree := mapFS("single")
	other := httptest.NewServer(preview.Handler(tree, hosting.Settings{}))
	defer other.Close()
	secure := httptest.NewUnstartedServer(preview.Handler(tree, hosting.Settings{}))
	hostingtest.StartTLS(t, secure)
	to := func(target string) string {
		server := httptest.NewServer(http.RedirectHandler(target, http.StatusFound))
		t.Cleanup(server.Close)
		return server.URL
	}
	says := func(what string) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Read(make([]byte, 1024))
				_, _ = io.WriteString(c, what)
				_ = c.Close()
			}
		}()
		return "http://" + l.Addr().String()
	}
	for name, c := range map[string]struct{ url, want string }{
		"refused": {"http://" + hostingtest.RefusingAddr(t), "the host refuses the connection"},
		"private redirect": {
			to(other.URL),
			"the address is in a private network; only hosts that you name are called there",
		},
		"metadata redirect": {
			to("http://169.254.169.254/latest"),
			"the address is in a private network; only hosts that you name are called there",
		},
		"redirect to a file": {to("file:///etc/passwd"), "a redirect leads to a URL that is not http or https"},
		"redirect with user": {to("http://user:secret@agents.example/"), "a redirect leads to a URL with credentials"},
		"unknown authority":  {secure.URL, "the certificate is not signed by an authority that this machine trusts"},
		"SSH": {
			says("SSH-2.0-OpenSSH_9.2 Debian\r\n"),
			`the host does not speak HTTP; its answer begins with "SSH-2.0-OpenSSH_9.2 Debian"`,
		},
		"SSH on a TLS port": {
			strings.Replace(says("SSH-2.0-OpenSSH_9.2\r\n"), "http:", "https:", 1),
			`the host does not speak HTTP; its answer begins with "SSH-2.0-OpenSSH_9.2"`,
		},
		"short body": {
			says("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"),
			"the body ends too early, after 2 of 10 bytes",
		},
		"short chunk": {
			says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}"),
			"the body ends too early, after 2 bytes",
		},
		"half a head":         {says("HTTP/1.1 200 OK\r\nContent"), "the connection was closed too early"},
		"plain on a TLS port": {strings.Replace(other.URL, "http:", "https:", 1), "the host answers in plain HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			checks, err := probe.Probe(t.Context(), probe.Options{URL: c.url})
			if err != nil {
				t.Fatal(err)
			}
			want := []report.Check{{
				Rule: "probe-reachable", Name: "reachable", Required: true, Severity: diag.Error, Detail: c.want,
				Hint: "check the URL, DNS and the server",
			}}
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

// Where a card was before has to lead to it, and for good.
func TestMoved(t *testing.T) {
	settings := hosting.Settings{Moved: []hosting.Moved{{From: "old", To: ""}, {From: "other", To: "elsewhere"}}}
	next := preview.Handler(mapFS("single"), hosting.Settings{})
	for name, c := range map[string]struct {
		status int
		to     string
		want   []string
	}{
		"for good":       {http.StatusMovedPermanently, "/.well-known/agent-card.json", nil},
		"for now":        {http.StatusFound, "/.well-known/agent-card.json", []string{"moved!"}},
		"to another one": {http.StatusPermanentRedirect, "/elsewhere/.well-known/agent-card.json", []string{"moved!"}},
		"nowhere":        {http.StatusNotFound, "", []string{"moved!"}},
	} {
		server := hostingtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/old/.well-known/agent-card.json" {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Location", c.to)
			w.WriteHeader(c.status)
		}))
		got := run(t, probe.Options{URL: server.URL, Settings: settings, NoLegacy: true, Dial: server.Dial})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A host that is not in DNS is asked at the address that was given for it, under
// its own name; so is no other one.
func TestResolve(t *testing.T) {
	var hosts []string
	next := preview.Handler(mapFS("single"), hosting.Settings{}, "agents.acme.example")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host)
		next.ServeHTTP(w, r)
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, name := range []string{"agents.acme.example", "agents.acme.example:" + port} {
		o := probe.Options{URL: "http://AGENTS.acme.example:" + port, Resolve: map[string]string{name: "127.0.0.1"}}
		if diff := cmp.Diff([]string(nil), run(t, o)); diff != "" || len(hosts) == 0 {
			t.Errorf("%s: failed checks (-want +got):\n%s", name, diff)
		}
	}
	other := probe.Options{
		URL:     "http://agents.acme.invalid:" + port,
		Resolve: map[string]string{"agents.acme.example": "127.0.0.1", "agents.acme.invalid:1": "127.0.0.1"},
	}
	if diff := cmp.Diff([]string{"reachable!"}, run(t, other)); diff != "" {
		t.Errorf("another host: failed checks (-want +got):\n%s", diff)
	}
}

// A cache policy is held against the one that is configured, in any order.
func TestCachePolicy(t *testing.T) {
	for sent, c := range map[string]struct {
		configured string
		want       []string
	}{
		"max-age=60, public":         {"public, max-age=60", nil},
		"max-age=61, public":         {"public, max-age=60", []string{"cache-configured"}},
		"no-cache":                   {"no-cache", nil},
		"public, no-store":           {"no-store, public", nil},
		"public, no-store,max-age=1": {"max-age=1", []string{"cache-control!"}},
		"private":                    {"public, max-age=60", []string{"cache-lifetime", "cache-configured"}},
	} {
		server := hostingtest.InMemory(t, preview.Handler(mapFS("single"), hosting.Settings{CacheControl: sent}))
		got := run(t, probe.Options{
			URL: server.URL, Settings: hosting.Settings{CacheControl: c.configured}, Dial: server.Dial,
		})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s for %s (-want +got):\n%s", sent, c.configured, diff)
		}
	}
}

// Whoever does not want agent.json is not told about it.
func TestNoLegacy(t *testing.T) {
	tree := mapFS("single")
	delete(tree, ".well-known/agent.json")
	server := hostingtest.InMemory(t, preview.Handler(tree, hosting.Settings{}))
	for name, c := range map[string]struct {
		options probe.Options
		want    []string
	}{
		"nobody said":    {probe.Options{}, []string{"legacy"}},
		"configuration":  {probe.Options{NoLegacy: true}, nil},
		"the local tree": {probe.Options{Tree: tree}, nil},
		"it has to be":   {probe.Options{Tree: mapFS("single")}, []string{"legacy!"}},
	} {
		c.options.URL, c.options.Dial = server.URL, server.Dial
		if diff := cmp.Diff(c.want, run(t, c.options)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The manifest says which other files there are, and the catalog where there is
// no manifest; each is looked at like a card.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	files := hostingtest.Tree([]string{""}, 'a')
	for i := range files {
		files[i].URL = "https://agents.acme.example/" + files[i].Path
		if path.Base(files[i].Path) == "agent-card.json" || path.Base(files[i].Path) == "agent.json" {
			files[i].Agent = "a"
		}
	}
	hostingtest.Write(t, dir, publish.Tree(files, ""))
	next := preview.Handler(os.DirFS(dir), hosting.Settings{})
	lost, opened, evil, mute := "", "", "", ""
	server := hostingtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case lost:
			http.NotFound(w, r)
			return
		case evil:
			w = &padded{w}
		case opened: // as AddEncoding of Apache
			w.Header().Set("Content-Encoding", "gzip")
		case mute:
			after(func(h http.Header) { h.Del("Link") })(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}))
	details := func(o probe.Options) []string {
		o.URL, o.Dial = server.URL, server.Dial
		checks, err := probe.Probe(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range checks {
			if c.Name == "file" || c.Name == "files" {
				list = append(list, c.Detail)
			}
		}
		return list
	}
	local := probe.Options{Tree: os.DirFS(dir)}
	if diff := cmp.Diff([]string{"13 of 13 other files are right"}, details(local)); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 of 1 other files are right"}, details(probe.Options{})); diff != "" {
		t.Errorf("catalog (-want +got):\n%s", diff)
	}
	local.Sample = 5
	if diff := cmp.Diff([]string{"5 of 5 other files are right; 8 are not checked"}, details(local)); diff != "" {
		t.Errorf("sample (-want +got):\n%s", diff)
	}
	local.Sample = 0
	for _, lost = range []string{
		"/index.html", "/.well-known/agent-skills/pdf.tar.gz", "/.well-known/skills/pdf/SKILL.md",
	} {
		if diff := cmp.Diff([]string{lost + ": 404", "12 of 13 other files are right"}, details(local)); diff != "" {
			t.Errorf("a file that is not there (-want +got):\n%s", diff)
		}
	}
	lost, mute = "", "/index.html"
	if diff := cmp.Diff([]string{"/index.html: no Link to the lists of the site", "12 of 13 other files are right"},
		details(local)); diff != "" {
		t.Errorf("a page that announces nothing (-want +got):\n%s", diff)
	}
	mute, opened, evil = "", "/.well-known/agent-skills/pdf.tar.gz", "/.well-known/skills/pdf/SKILL.md"
	if diff := cmp.Diff([]string{
		opened + `: Content-Encoding "gzip", which was not requested`, evil + ": not the local file",
		"11 of 13 other files are right",
	}, details(local)); diff != "" {
		t.Errorf("files that are changed (-want +got):\n%s", diff)
	}
}

// A path with several agents has cards of others; what is wrong with many files is one
// finding.
func TestFilesOfOtherAgents(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for i := range 9 {
		ids = append(ids, "agent-"+strconv.Itoa(i))
	}
	files := hostingtest.Tree(ids, 'a')
	for i := range files {
		files[i].URL = "https://agents.acme.example/" + files[i].Path
	}
	hostingtest.Write(t, dir, publish.Tree(files, ""))
	next := preview.Handler(os.DirFS(dir), hosting.Settings{})
	server := hostingtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/agent-7/.well-known/agent-card.json" {
			w = &padded{w}
		}
		if strings.HasSuffix(r.URL.Path, "/index.html") {
			w = &late{ResponseWriter: w, change: func(h http.Header) { h.Del("ETag") }}
		}
		next.ServeHTTP(w, r)
	}))
	checks, err := probe.Probe(t.Context(), probe.Options{
		URL: server.URL + "/agent-0", Tree: os.DirFS(dir), Dial: server.Dial,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range checks {
		if strings.HasPrefix(c.Name, "file") {
			got = append(got, c.Detail)
		}
	}
	want := []string{
		"/agent-0/index.html, /agent-1/index.html, /agent-2/index.html and 6 others: no ETag",
		"/agent-7/.well-known/agent-card.json: not the local file", "33 of 43 other files are right",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

// When the time is up, what was not asked for any more is no fault of the host.
func TestTimeIsUp(t *testing.T) {
	dir := t.TempDir()
	files := hostingtest.Tree([]string{""}, 'a')
	for i := range files {
		files[i].URL = "https://agents.acme.example/" + files[i].Path
	}
	hostingtest.Write(t, dir, publish.Tree(files, ""))
	next := preview.Handler(os.DirFS(dir), hosting.Settings{})
	for name, c := range map[string]struct {
		at   func(*http.Request) bool
		want []string
	}{
		"a slow host": {func(r *http.Request) bool { return r.Method == http.MethodPost }, []string{"time!"}},
		"many files":  {func(r *http.Request) bool { return r.URL.Path == "/index.html" }, []string{"files"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if c.at(r) {
					stop()
					<-r.Context().Done()
					return
				}
				next.ServeHTTP(w, r)
			}))
			defer server.Close()
			checks, err := probe.Probe(ctx, probe.Options{URL: server.URL, Tree: os.DirFS(dir)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, failing(t, checks)); diff != "" {
				t.Errorf("failed checks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(preview.Handler(mapFS("single"), hosting.Settings{}))
	hostingtest.StartTLS(t, server)
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
	if diff := cmp.Diff([]string{"headers", "size!"}, run(t, probe.Options{URL: server.URL})); diff != "" {
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
	server := hostingtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
			if value := r.Header.Get(name); value != "" {
				t.Errorf("%s: %s", name, value)
			}
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "secret", Path: "/"})
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
	}))
	run(t, probe.Options{URL: server.URL, Dial: server.Dial})
}

func TestURL(t *testing.T) {
	for text, want := range map[string]string{
		"agents.example":                   `"agents.example" is not a web URL, write https://HOST/…`,
		"":                                 `"" is not a web URL, write https://HOST/…`,
		"ftp://agents.example/":            `"ftp://agents.example/" is not a web URL, write https://HOST/…`,
		"https://":                         `"https://" is not a web URL, write https://HOST/…`,
		"https://a b/":                     `"https://a b/" is not a web URL, write https://HOST/…`,
		"https://user@agents.example/":     "the URL holds credentials, which are never sent",
		"https://user:key@agents.example/": "the URL holds credentials, which are never sent",
	} {
		_, err := probe.Probe(t.Context(), probe.Options{URL: text})
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
