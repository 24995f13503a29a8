package probe_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/probe"
	"cardwright/internal/report"
	"cardwright/internal/sign"
)

const (
	cardPath   = "/.well-known/agent-card.json"
	legacyPath = "/.well-known/agent.json"
	listPath   = "/.well-known/ai-catalog.json"
	indexPath  = "/.well-known/agent-skills/index.json"
	keysPath   = "/.well-known/jwks.json"
)

// published is what a right host has: an agent, a catalog, an index and a key set.
func published(tb testing.TB) fstest.MapFS {
	tb.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile("../../golden/" + name)
		if err != nil {
			tb.Fatal(err)
		}
		return data
	}
	card := read("code-review/.well-known/agent-card.json")
	skill := []byte("---\nname: review\ndescription: Reviews one pull request.\n---\n")
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		cardPath[1:]:   {Data: card},
		legacyPath[1:]: {Data: card},
		listPath[1:]:   file(`{"specVersion": "0.9", "entries": []}`),
		keysPath[1:]:   {Data: read("signed/.well-known/jwks.json")},
		indexPath[1:]: file(fmt.Sprintf(`{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
			"skills": [{
			"name": "review", "type": "skill-md", "description": "Reviews one pull request.",
			"url": "/.well-known/agent-skills/review/SKILL.md", "digest": "sha256:%x"}]}`, sha256.Sum256(skill))),
		".well-known/agent-skills/review/SKILL.md": {Data: skill},
	}
}

// answer is what a host is about to send.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// change makes a host wrong, or unusual.
type change func(r *http.Request, a *answer)

// host serves a site as the table of package hosting says, and then changes the answers.
func host(t *testing.T, served fs.FS, s hosting.Settings, change change) *httptest.Server {
	t.Helper()
	right := hosting.Handler(served, s, "")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		right.ServeHTTP(recorded, r)
		a := &answer{recorded.Code, recorded.Header(), recorded.Body.Bytes()}
		if change != nil {
			change(r, a)
		}
		if a.status == http.StatusNotModified && a.header.Get("Content-Length") != "" {
			raw(w, a)
			return
		}
		for name, values := range a.header {
			if name != "Content-Length" || len(a.body) == 0 {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body)
	}))
	t.Cleanup(server.Close)
	return server
}

// raw sends fields that net/http leaves out of a 304.
func raw(w http.ResponseWriter, a *answer) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d Not Modified\r\n", a.status)
	_ = a.header.Write(&b)
	b.WriteString("Connection: close\r\n\r\n")
	_, _ = c.Write(b.Bytes())
	_ = c.Close()
}

// at changes the answers for one path.
func at(path string, then change) change {
	return func(r *http.Request, a *answer) {
		if r.URL.Path == path {
			then(r, a)
		}
	}
}

// set sets a field of all answers for a path that succeed; "" removes it.
func set(path, name string, values ...string) change {
	return at(path, func(_ *http.Request, a *answer) {
		if a.status < 400 {
			a.header[http.CanonicalHeaderKey(name)] = values
		}
	})
}

// preflight changes the answers to OPTIONS of the card.
func preflight(then change) change {
	return at(cardPath, func(r *http.Request, a *answer) {
		if r.Method == http.MethodOptions {
			then(r, a)
		}
	})
}

// sends replaces the body for a path.
func sends(path, body string) change {
	return at(path, func(r *http.Request, a *answer) {
		if r.Method == http.MethodGet && (a.status == 200 || a.status == 404) {
			sum := sha256.Sum256([]byte(body))
			a.status, a.body = 200, []byte(body)
			a.header.Set("ETag", fmt.Sprintf(`"%x"`, sum))
			a.header.Del("Content-Length")
			if strings.Contains(r.Header.Get("If-None-Match"), a.header.Get("ETag")) {
				a.status, a.body = 304, nil
			}
		}
	})
}

// answers gives a path a status and nothing else.
func answers(path string, status int, header ...string) change {
	return at(path, func(_ *http.Request, a *answer) {
		*a = answer{status, http.Header{}, nil}
		for i := 0; i < len(header); i += 2 {
			a.header.Set(header[i], header[i+1])
		}
	})
}

// conditional changes the 304 of the card.
func conditional(then change) change {
	return at(cardPath, func(r *http.Request, a *answer) {
		if a.status == http.StatusNotModified {
			then(r, a)
		}
	})
}

func ask(t *testing.T, o probe.Options) []report.Check {
	t.Helper()
	checks, err := probe.Probe(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return checks
}

// Each defect of a host is named, with a fix.
func TestDefects(t *testing.T) {
	settings := map[string]hosting.Settings{
		"reflected origin against the configuration": {NoCORS: true},
		"no sunset": {Sunset: "2027-01-01"},
	}
	against := map[string]bool{"other bytes": true, "no agent.json": true, "other skill": true} // the tree of the site
	var count atomic.Int64
	status := func(code int) change { return func(_ *http.Request, a *answer) { a.status = code } }
	const skill = "/.well-known/agent-skills/review/SKILL.md"
	for _, tt := range []struct {
		name, check string // the check that fails
		hint        string // a part of the fix
		change      change
	}{
		{"login page", "status", "without a login", sends(cardPath, "<!doctype html><form>")},
		{"redirect", "redirects", "at the well-known URL itself", answers("/agent"+cardPath, 301, "Location", cardPath)},
		{"wrong type", "content-type", "application/json", set(cardPath, "Content-Type", "text/plain")},
		{"types", "content-type", "application/json", set(cardPath, "Content-Type", "application/json", "text/html")},
		{"charset", "content-type", "application/json", set(cardPath, "Content-Type", "application/json; charset=latin1")},
		{"forbidden", "status", "Require all granted", answers(cardPath, 403)},
		{"challenge", "status", "from the challenge of the CDN", answers(cardPath, 403, "Cf-Mitigated", "challenge")},
		{"limited", "status", `try again after "30"`, answers(cardPath, 429, "Retry-After", "30")},
		{"other bytes", "bytes", "purge the CDN", at(cardPath, func(_ *http.Request, a *answer) {
			a.body = bytes.Replace(a.body, []byte("Code"), []byte("Kode"), 1)
		})},
		{"broken card", "agent-card.json", "cardwright lint", sends(cardPath, "{}")},
		{"unasked gzip", "encoding", "uncompressed", set(cardPath, "Content-Encoding", "gzip")},
		{"no tag", "etag", "make an entity tag", set(cardPath, "ETag")},
		{"tag without quotes", "etag", "in double quotes", set(cardPath, "ETag", "abc")},
		{"tag of another file", "etag", ".etag file together", set(cardPath, "ETag", `"`+strings.Repeat("0", 64)+`"`)},
		{"changing tag", "etag", "make every replica", func(_ *http.Request, a *answer) {
			a.header.Set("ETag", fmt.Sprintf(`"%d"`, count.Add(1)))
		}},
		{"no 304", "not-modified", "If-None-Match", conditional(status(200))},
		{"304 of no length", "not-modified", "If-None-Match", conditional(func(_ *http.Request, a *answer) {
			a.header.Set("Content-Length", "0")
		})},
		{"304 without tag", "not-modified", "If-None-Match", conditional(func(_ *http.Request, a *answer) {
			a.header.Del("ETag")
		})},
		{"304 always", "not-modified", "forever", at(cardPath, func(r *http.Request, a *answer) {
			if r.Header.Get("If-None-Match") != "" {
				a.status, a.body = 304, nil
			}
		})},
		{"no CORS", "cors", "Access-Control-Allow-Origin: *", set(cardPath, "Access-Control-Allow-Origin")},
		{"CORS twice", "cors", "in one place", set(cardPath, "Access-Control-Allow-Origin", "*", "*")},
		{"reflected origin", "cors", "Vary: Origin", at(cardPath, func(r *http.Request, a *answer) {
			if origin := r.Header.Get("Origin"); origin != "" {
				a.header.Set("Access-Control-Allow-Origin", origin)
			}
		})},
		{"reflected origin against the configuration", "cors", "cors: false", at(cardPath, func(r *http.Request, a *answer) {
			a.header.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
		})},
		{"hidden fields", "cors", "Access-Control-Expose-Headers", set(cardPath, "Access-Control-Expose-Headers")},
		{"CORS twice in a list", "file", "Allow-Origin: *", set(listPath, "Access-Control-Allow-Origin", "*", "*")},
		{"no preflight", "preflight", "204", preflight(status(405))},
		{"CORS twice in the preflight", "preflight", "in one place", preflight(func(_ *http.Request, a *answer) {
			a.header["Access-Control-Allow-Origin"] = []string{"*", "*"}
		})},
		{"vary", "headers", "leave that out of Vary", set(cardPath, "Vary", "*")},
		{"cookie", "headers", "no cookie", set(cardPath, "Set-Cookie", "a=b")},
		{"no-store", "cache-control", "send Cache-Control", set(cardPath, "Cache-Control", "no-store")},
		{"no lifetime", "cache-control", "without max-age", set(cardPath, "Cache-Control", "public, max-age=0")},
		{"no agent.json", "legacy", "deploy agent.json too", answers(legacyPath, 404)},
		{"other agent.json", "legacy", "deploy both", sends(legacyPath, `{"name": "Other", "skills": []}`)},
		{"successor", "legacy", "send Link", set(legacyPath, "Link")},
		{
			"successor elsewhere", "legacy", "send Link",
			set(legacyPath, "Link", `</other/agent-card.json>; rel="successor-version"`),
		},
		{"no sunset", "legacy", "send Sunset", set(legacyPath, "Sunset")},
		{"broken key set", "jwks.json", "cardwright lint", sends(keysPath, `{"keys": 1}`)},
		{"broken catalog", "ai-catalog.json", "cardwright lint", sends(listPath, `{"specVersion": "0.9"}`)},
		{"skill with another digest", "agent-skills/index.json", "cardwright lint", sends(skill, "other")},
		{"skill that a list misses", "agent-skills/index.json", "cardwright lint", answers(skill, 404)},
		{"other skill", "file", "purge the CDN", sends(skill, "other")},
		{"skill that is missing", "file", "deploy it with the cards", answers(skill, 404)},
		{"skill of another type", "file", "send Content-Type: text/markdown", set(skill, "Content-Type", "text/html")},
		{"sniffed skill", "file", "nosniff", set(skill, "X-Content-Type-Options")},
		{"sidecar", "exposed", "no sidecars", sends(cardPath+".etag", `"x"`)},
		{"manifest", "exposed", "manifest", sends("/cardwright.manifest.json", "{}")},
		{"every path", "exposed", "with 404", func(_ *http.Request, a *answer) {
			if a.status == 404 {
				a.status = 200
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := published(t)
			server := host(t, files, settings[tt.name], tt.change)
			o := probe.Options{URL: server.URL, Settings: settings[tt.name]}
			if tt.name == "redirect" {
				o.URL += "/agent"
			}
			if against[tt.name] {
				o.Tree = files
			}
			checks := ask(t, o)
			named(t, checks, tt.check, tt.hint)
			if tt.name == "sniffed skill" && !strings.HasPrefix(report.SumUp(checks), "good") {
				t.Error("want a warning, as for the card")
			}
		})
	}
}

// named demands that a check failed with a hint.
func named(t *testing.T, checks []report.Check, name, hint string) {
	t.Helper()
	for _, c := range checks {
		if c.Name == name && c.Severity >= diag.Warning && strings.Contains(c.Hint, hint) {
			return
		}
		if c.Severity != 0 {
			t.Logf("%s: %s (hint: %s)", c.Name, c.Detail, c.Hint)
		}
	}
	t.Errorf("%s does not fail with the hint %q", name, hint)
}

// What no handler can do: hosts that do not answer, or not so.
func TestUnreachable(t *testing.T) {
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	defer untrusted.Close()
	roots := x509.NewCertPool()
	roots.AddCert(untrusted.Certificate())
	other := strings.Replace(untrusted.URL, "127.0.0.1", "Agents.Acme.example", 1)
	insecure := httptest.NewTLSServer(http.RedirectHandler("http://127.0.0.1/", http.StatusFound))
	defer insecure.Close()
	roots.AddCert(insecure.Certificate())
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, tt := range map[string]struct {
		url, detail, hint string
		roots             *x509.CertPool
	}{
		"closed port":         {closed.URL, "refuses the connection", "check the URL", nil},
		"untrusted authority": {untrusted.URL, "authority", "SSL_CERT_FILE=ca.pem", nil},
		"another host":        {other, "the certificate is for another host", "check the URL", roots},
		"insecure redirect":   {insecure.URL, "from https to http", "", roots},
		"plain HTTP":          {strings.Replace(untrusted.URL, "https", "http", 1), "400", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			resolve := map[string]string{"agents.acme.example": "127.0.0.1"}
			checks := ask(t, probe.Options{URL: tt.url, Roots: tt.roots, Resolve: resolve})
			last := checks[len(checks)-1]
			if last.Severity != diag.Error || !strings.Contains(last.Detail, tt.detail) ||
				!strings.Contains(last.Hint, tt.hint) {
				t.Errorf("got %+v", last)
			}
		})
	}
}

// Users of SDKs give the endpoint, while the card is at the origin, or there is only
// agent.json.
func TestElsewhere(t *testing.T) {
	for name, change := range map[string]change{
		"/endpoint": nil, "": answers(cardPath, 404), "/rpc": answers("/rpc"+cardPath, 405),
		"/app": sends("/app"+cardPath, "<!doctype html>"),
	} {
		server := host(t, published(t), hosting.Settings{}, change)
		checks := ask(t, probe.Options{URL: server.URL + name})
		named(t, checks, "status", "give clients that URL")
		if len(checks) < 10 {
			t.Errorf("%s: the card that was found is not checked", name)
		}
	}
}

// A site of several agents has a catalog at its URL, and no card.
func TestSite(t *testing.T) {
	files := published(t)
	for name, file := range files {
		if strings.HasPrefix(name, ".well-known/agent") && strings.HasSuffix(name, ".json") {
			delete(files, name)
			files["review/"+name] = file
		}
	}
	server := httptest.NewTLSServer(hosting.Handler(files, hosting.Settings{}, ""))
	defer server.Close()
	files[listPath[1:]] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"specVersion": "0.9", "entries": [{
		"identifier": "urn:air:acme.example:a2a:review", "type": "application/a2a-agent-card+json",
		"url": "%s/review/.well-known/agent-card.json"}]}`, server.URL)}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	named(t, ask(t, probe.Options{URL: server.URL + "/typo", Roots: roots}), "status", "deploy .well-known")
	for _, u := range []string{"", "/", listPath} {
		if checks := ask(t, probe.Options{URL: server.URL + u, Roots: roots}); report.SumUp(checks) != "good" {
			t.Errorf("%s: %+v", u, checks)
		}
	}
}

// Without A2A-Version no browser gets the card; without the other headers some pages do not.
func TestPreflight(t *testing.T) {
	for allow, want := range map[string]diag.Severity{
		"A2A-Version": diag.Warning, "A2A-Extensions, Authorization, Cache-Control, If-None-Match, traceparent": diag.Error,
		"*": diag.Warning, // it does not include Authorization
	} {
		server := host(t, published(t), hosting.Settings{}, preflight(func(r *http.Request, a *answer) {
			a.header.Set("Access-Control-Allow-Headers", allow)
			if allow == "A2A-Version" && r.Header.Get("Access-Control-Request-Headers") != "a2a-version" {
				a.status = http.StatusForbidden // for all of them, because of one
			}
		}))
		for _, c := range ask(t, probe.Options{URL: server.URL}) {
			if c.Rule == diag.ProbePreflight && c.Severity != want {
				t.Errorf("%s: %+v", allow, c)
			}
		}
	}
}

func TestSignatureIsRequired(t *testing.T) {
	server := host(t, published(t), hosting.Settings{}, nil)
	named(t, ask(t, probe.Options{URL: server.URL, Trust: &sign.Trust{}}), "signature", "sign the card")
}

// A host that is right in its own way is good.
func TestUnusualHosts(t *testing.T) {
	strong := `"5f3a-1"`
	own := func(tag string) change { // a tag of the server's own
		return func(r *http.Request, a *answer) {
			if a.status == 200 || a.status == 304 {
				a.header.Set("ETag", tag)
			}
			if asked := r.Header.Get("If-None-Match"); asked != "" && a.status == 200 &&
				(asked == "*" || strings.Contains(asked, strings.TrimPrefix(tag, "W/"))) {
				a.status, a.body = 304, nil
				a.header.Del("Content-Length")
			}
			if r.Header.Get("If-Match") == tag && a.status == 412 {
				a.status = 200
			}
		}
	}
	fields := func(name, value string) change {
		return func(_ *http.Request, a *answer) {
			if a.status < 400 {
				a.header.Set(name, value)
			}
		}
	}
	for name, tt := range map[string]struct {
		change   change
		settings hosting.Settings
	}{
		"as written":  {},
		"no CORS":     {settings: hosting.Settings{NoCORS: true}},
		"sunset":      {settings: hosting.Settings{Sunset: "2027-01-01"}},
		"own policy":  {settings: hosting.Settings{CacheControl: "public, max-age=60"}},
		"own tag":     {change: own(strong)},
		"weak tag":    {change: own("W/" + strong)},
		"charset":     {change: set(cardPath, "Content-Type", "application/json; charset=UTF-8")},
		"more fields": {change: fields("Strict-Transport-Security", "max-age=63072000")},
		"vary":        {change: fields("Vary", "Accept-Encoding, Origin")},
		"cached":      {change: fields("Age", "7")},
		"allows all fields": {change: preflight(func(_ *http.Request, a *answer) {
			a.header.Set("Access-Control-Allow-Headers", "*, Authorization")
		})},
		"preflight with 200":  {change: preflight(func(_ *http.Request, a *answer) { a.status = 200 })},
		"key set as JSON":     {change: set(keysPath, "Content-Type", "application/json")},
		"catalog by its type": {change: set(listPath, "Content-Type", "application/ai-catalog+json")},
	} {
		t.Run(name, func(t *testing.T) {
			server := host(t, published(t), tt.settings, tt.change)
			for _, c := range ask(t, probe.Options{URL: server.URL, Settings: tt.settings}) {
				if c.Severity != 0 {
					t.Errorf("%s: %s (hint: %s)", c.Name, c.Detail, c.Hint)
				}
			}
		})
	}
}

func TestParseResolve(t *testing.T) {
	got, err := probe.ParseResolve([]string{"A.example:203.0.113.7", "c.example:[2001:db8::1]"})
	want := map[string]string{"a.example": "203.0.113.7", "c.example": "2001:db8::1"}
	if !maps.Equal(got, want) || err != nil {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"", "a.example", ":203.0.113.7", "a.example:host"} {
		if got, err := probe.ParseResolve([]string{text}); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
