package contract_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

// secret is what goes with the calls.
const secret = "s3cr3t-t0ken-of-this-test"

// options are those of a run over one interface of a server on this machine.
func options(t *testing.T, binding, url string) contract.Options {
	t.Helper()
	n := 0
	return contract.Options{
		Card: &schema.Card{
			Name: "Desk", Description: "Answers.", Version: "1.0.0",
			Interfaces: []schema.Interface{{URL: url, Binding: binding, Version: "1.0"}},
		},
		Named:       []string{"127.0.0.1"},
		Credentials: []contract.Credential{{Name: "Authorization", Value: "Bearer " + secret}},
		Timeout:     time.Minute, // however busy this machine is
		Skip:        []string{"contract-card"},
		NewID: func() string {
			n++
			return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		},
		Lint: func(*source.Node) diag.List { return nil },
	}
}

// failures runs the checks, and returns those that failed. Nothing that is
// reported may hold the credentials.
func failures(t *testing.T, o contract.Options) []string {
	t.Helper()
	checks, err := contract.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, c := range checks {
		if strings.Contains(c.Detail+c.Hint+c.Group, secret) {
			t.Errorf("%s prints the credentials: %s", c.Rule, c.Detail)
		}
		if c.Severity != 0 {
			failed = append(failed, c.Rule+": "+c.Detail)
		}
	}
	return failed
}

// late is what is said of an answer that does not come, or does not end.
const late = "did not answer in time"

// Whatever a server does, the run ends and says so in plain words.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(" ")); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
	tests := []struct {
		name    string
		answer  http.HandlerFunc
		rule    string
		message string
	}{
		{"slow drip", drip, "contract-binding", late},
		{"silence", func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}, "contract-binding", late},
		{"huge answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"jsonrpc": "2.0", "id": "` + strings.Repeat("x", 2<<20) + `"}`))
		}, "contract-binding", "more than 1048576 bytes"},
		{"endless stream", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(": still here\n\n")); err != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
				time.Sleep(time.Millisecond)
			}
		}, "contract-binding", late},
		{"stream without an event", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(": nothing\n\n"))
		}, "contract-binding", "a stream that ends without an event"},
		{"redirect to a private host", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest?token="+secret, http.StatusFound)
		}, "contract-binding", `HTTP 302, a redirect to "http://169.254.169.254/latest"`},
		{"redirect with the credentials in it", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/"+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), http.StatusFound)
		}, "contract-binding", "a redirect"},
		{
			"redirect in a circle", http.RedirectHandler("/", http.StatusTemporaryRedirect).ServeHTTP, "contract-binding",
			"a redirect",
		},
		{
			"broken connection", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"contract-binding", "closed too early",
		},
		{"shorter than promised", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("{}"))
		}, "contract-binding", "ends too early"},
		{"huge header", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
		}, "contract-binding", "closed too early"},
		{"login page", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<!DOCTYPE html><title>Log in</title>"))
		}, "contract-binding", "an HTML page with HTTP 200"},
		{"router's 404", http.NotFound, "contract-binding", `HTTP 404 with "text/plain"`},
		{"deep JSON", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(strings.Repeat(`{"a":`, 100_000)))
		}, "contract-binding", "not a JSON object"},
		{
			"no object", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[1]")) }, "contract-binding",
			"not a JSON object",
		},
		{"nothing", func(http.ResponseWriter, *http.Request) {}, "contract-binding", "HTTP 200 without a body"},
		{"another id", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"jsonrpc": "2.0", "id": "x", "result": {}}`))
		}, "contract-binding", "id is not that"},
		{"neither result nor error", reply(`"x": 1`), "contract-binding", "neither result nor error"},
		{"a task that cannot exist", reply(`"result": {"id": "x"}`), "contract-task-not-found", "returns a result"},
		{"the credentials in an answer", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", r.Header.Get("Authorization"))
			_, _ = w.Write([]byte(r.Header.Get("Authorization")))
		}, "contract-binding", "not a JSON object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, over := context.WithCancel(t.Context())
			server := httptest.NewUnstartedServer(tt.answer)
			server.Config.BaseContext = func(net.Listener) context.Context { return ctx }
			server.Start()
			defer server.Close()
			defer over() // a server does not see the end of every connection
			o := options(t, "JSONRPC", server.URL)
			if tt.message == late {
				o.Timeout = 200 * time.Millisecond
			}
			failed := patiently(t, &o, func(failed []string) bool {
				return slices.ContainsFunc(failed, func(f string) bool {
					return strings.HasPrefix(f, tt.rule+": ") && strings.Contains(f, tt.message)
				})
			})
			if failed != nil {
				t.Errorf("got %q, want %s: %s", failed, tt.rule, tt.message)
			}
			for _, binding := range []string{"HTTP+JSON", "GRPC"} { // these end, and fail too
				o.Card.Interfaces[0].Binding = binding
				if patiently(t, &o, func(failed []string) bool { return len(failed) > 0 }) != nil {
					t.Errorf("%s passes", binding)
				}
			}
		})
	}
}

// patiently runs the checks until they fail as wanted, and gives the calls more
// time each time: what is enough depends on how busy the machine is. After a call
// of a minute it returns what failed in place of it.
func patiently(t *testing.T, o *contract.Options, wanted func(failed []string) bool) []string {
	t.Helper()
	for ; ; o.Timeout *= 2 {
		failed := failures(t, *o)
		if wanted(failed) {
			return nil
		}
		if o.Timeout >= time.Minute {
			return append([]string{}, failed...)
		}
	}
}

// reply answers each call with members of an envelope.
func reply(members string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q struct{ ID string }
		_ = json.NewDecoder(r.Body).Decode(&q)
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %q, %s}`, q.ID, members)
	}
}

// A server that accepts the connection and does not answer is reachable; what it
// does not do is reported once, with what to change.
func TestConnectedAndSilent(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request,
	) {
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(silent.Close)
	elsewhere := httptest.NewServer(http.RedirectHandler("http://10.1.2.3/a2a", http.StatusFound))
	t.Cleanup(elsewhere.Close)
	for _, tt := range []struct{ name, url, hint string }{
		{"silent", silent.URL, "it accepts the connection, but does not complete an answer"},
		{"redirect", elsewhere.URL, "redirects are not followed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks, err := contract.Run(t.Context(), options(t, "JSONRPC", tt.url))
			if err != nil {
				t.Fatal(err)
			}
			results := map[string]string{}
			for _, c := range checks {
				results[c.Rule] = c.Result()
				if c.Severity != 0 && (c.Rule != "contract-binding" || !strings.Contains(c.Hint, tt.hint)) {
					t.Errorf("%s failed, with the hint %q", c.Rule, c.Hint)
				}
			}
			if results["contract-reachable"] != "ok" || results["contract-binding"] != "fail" ||
				results["contract-streaming"] != "not tried" {
				t.Errorf("got %v", results)
			}
		})
	}
}

// What cannot be connected to is told as what it is.
func TestUnreachable(t *testing.T) {
	selfSigned := httptest.NewUnstartedServer(http.NotFoundHandler())
	hostingtest.StartTLS(t, selfSigned)
	old := httptest.NewUnstartedServer(http.NotFoundHandler())
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11}
	hostingtest.StartTLS(t, old)
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	tests := []struct{ name, url, want string }{
		{"refused", "http://" + hostingtest.RefusingAddr(t), "refuses the connection"},
		{"certificate of nobody", selfSigned.URL, "not signed by an authority"},
		{"old TLS", old.URL, "the TLS handshake failed"},
		{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), "answers in plain HTTP"},
		{"private address that nobody named", "http://127.0.0.2:1/", "only hosts that you name"},
		{"metadata service", "http://169.254.169.254/", "only hosts that you name"},
		{"no URL", "agents/a2a", "not a web URL"},
		{"credentials in the URL", "https://user:pass@agents.acme.example/", "never sent"},
		{"another scheme", "file:///etc/passwd", "not a web URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
				failed := failures(t, options(t, binding, tt.url))
				if len(failed) != 1 || !strings.HasPrefix(failed[0], "contract-reachable: ") || !strings.Contains(failed[0],
					tt.want) {
					t.Errorf("%s: got %q, want %s", binding, failed, tt.want)
				}
			}
		})
	}
}

// Credentials go to the interfaces, and nowhere else.
func TestCredentialsStay(t *testing.T) {
	var mu sync.Mutex
	got := map[string]bool{}
	watched := func(name string, next http.Handler) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			got[name] = got[name] || strings.Contains(fmt.Sprint(r.Header, r.URL), secret)
			mu.Unlock()
			next.ServeHTTP(w, r)
		}))
		t.Cleanup(s.Close)
		return s
	}
	notFound := reply(`"error": {"code": -32001, "message": "no such task"}`)
	elsewhere := watched("elsewhere", notFound)
	agent := watched("agent", notFound)
	led := watched("led astray", http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	issuer := watched("issuer", http.RedirectHandler(elsewhere.URL, http.StatusFound))
	o := options(t, "JSONRPC", agent.URL)
	o.Card.Interfaces = append(o.Card.Interfaces, schema.Interface{URL: led.URL, Binding: "JSONRPC", Version: "1.0"})
	o.Card.SecuritySchemes = map[string]schema.SecurityScheme{"login": {
		Type: schema.OAuth2, OAuth2MetadataURL: issuer.URL + "/metadata",
		Flows: []schema.Flow{{Type: schema.ClientCredentials, TokenURL: issuer.URL + "/token"}},
	}}
	o.Skip, o.Route = nil, map[string]*url.URL{}
	failures(t, o)
	want := map[string]bool{"agent": true, "led astray": true, "issuer": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who was asked, and got the credentials (-want +got):\n%s", diff)
	}

	// An interface that somebody has added does not get them, though it can be called,
	// wherever the card comes from.
	o.Card.Interfaces[0].URL = "https://agents.acme.example/a2a"
	to, err := url.Parse(agent.URL)
	if err != nil {
		t.Fatal(err)
	}
	o.Route = map[string]*url.URL{"agents.acme.example": to}
	o.Named = nil
	want = map[string]bool{"agent": true, "led astray": false, "issuer": false}
	for _, origin := range []*url.URL{nil, {Scheme: "https", Host: "agents.acme.example"}} {
		clear(got)
		o.Origin = origin
		failures(t, o)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("from %v: who was asked, and got the credentials (-want +got):\n%s", origin, diff)
		}
	}
}

// The number of calls is bounded, however many interfaces a card has.
func TestBoundOfCalls(t *testing.T) {
	var mu sync.Mutex
	calls := 0
	answer := reply(`"error": {"code": -32001, "message": "no such task"}`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		calls++
		mu.Unlock()
		answer(w, r)
	}))
	defer server.Close()
	o := options(t, "JSONRPC", server.URL)
	for range 100 {
		o.Card.Interfaces = append(o.Card.Interfaces, o.Card.Interfaces[0])
	}
	failures(t, o)
	if calls != 64 {
		t.Errorf("%d calls, want 64", calls)
	}
}
