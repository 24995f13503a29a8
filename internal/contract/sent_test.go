package contract

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/schema"
)

// answers are what requests of a binding say that they accept.
var answers = map[string][]string{
	"JSONRPC":   {"text/event-stream, application/json"},
	"HTTP+JSON": {"application/a2a+json, application/json", "text/event-stream, application/json"},
	"GRPC":      {"application/grpc"},
}

// API keys stand where the card says, in every binding.
func TestKeysAreSent(t *testing.T) {
	t.Parallel()
	places := map[string]func(r *http.Request) string{
		"header": func(r *http.Request) string { return r.Header.Get("session") },
		"query":  func(r *http.Request) string { return r.URL.Query().Get("session") },
		"cookie": func(r *http.Request) string {
			c, err := r.Cookie("session")
			if err != nil {
				return ""
			}
			return c.Value
		},
	}
	for in, sent := range places {
		for _, binding := range bindings {
			t.Run(in+"/"+binding, func(t *testing.T) {
				t.Parallel()
				var got, accepted []string
				f := &fake{binding: binding, card: promised(binding, "1.0", "")}
				key(in, "session")(f.card)
				server := startServer(t, binding, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					got, accepted = append(got, sent(r)), append(accepted, r.Header.Get("Accept"))
					if r.Header.Del("Authorization"); sent(r) == "k3y" {
						r.Header.Set("Authorization", "Bearer "+rightToken)
					}
					for name, other := range places {
						if name != in && other(r) != "" {
							t.Errorf("the key is sent in the %s", name)
						}
					}
					f.ServeHTTP(w, r)
				}))
				f.card.Interfaces[0].URL = server.URL
				f.card.Capabilities.ExtendedAgentCard = nil
				lying(func(a *replied) { a.challenge = "ApiKey" })(f)
				failed := troubles(t, Options{
					Card: f.card, Named: []string{"127.0.0.1"}, Skip: []string{"contract-card"},
					Credentials: []Credential{{Name: "session", Value: "k3y"}}, NewID: func() string { return "id" },
				})
				if len(failed) > 0 {
					t.Errorf("%+v", failed)
				}
				for _, types := range answers[binding] {
					if !slices.Contains(accepted, types) {
						t.Errorf("no request accepts %q: %q", types, accepted)
					}
				}
				for _, value := range []string{"k3y", "made-up-by-cardwright", ""} {
					if !slices.Contains(got, value) {
						t.Errorf("%q is never sent: %q", value, got)
					}
				}
			})
		}
	}
}

// startServer starts a server on this machine, for gRPC without TLS.
func startServer(t *testing.T, binding string, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	if binding == "GRPC" {
		server.Config.Protocols = new(http.Protocols)
		server.Config.Protocols.SetUnencryptedHTTP2(true)
		server.Config.Protocols.SetHTTP1(true)
	}
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// The client certificate is shown to the interfaces that the user named, in calls
// with credentials only.
func TestCertificateIsSent(t *testing.T) {
	t.Parallel()
	for _, binding := range bindings {
		for _, named := range []string{"127.0.0.1", "other.example"} {
			t.Run(binding+"/"+named, func(t *testing.T) {
				t.Parallel()
				shown := map[bool]int{}
				f := &fake{binding: binding, card: promised(binding, "1.0", "")}
				f.card.SecuritySchemes = map[string]schema.SecurityScheme{"login": {Type: schema.MutualTLS}}
				f.card.Capabilities.ExtendedAgentCard = nil
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					certified := len(r.TLS.PeerCertificates) > 0
					if shown[certified]++; certified {
						r.Header.Set("Authorization", "Bearer "+rightToken)
					}
					f.ServeHTTP(w, r)
				}))
				server.EnableHTTP2 = true
				server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
				hostingtest.StartTLS(t, server)
				roots := x509.NewCertPool()
				roots.AddCert(server.Certificate())
				f.card.Interfaces[0].URL = server.URL
				target, err := url.Parse(server.URL)
				if err != nil {
					t.Fatal(err)
				}
				o := Options{
					Card: f.card, Named: []string{named}, Skip: []string{"contract-card"}, Roots: roots,
					Certificate: &server.TLS.Certificates[0], NewID: func() string { return "id" },
				}
				failed := troubles(t, o)
				switch mine := named == target.Hostname(); {
				case mine && (len(failed) > 0 || shown[true] == 0 || shown[false] == 0):
					t.Errorf("shown %v: %+v", shown, failed)
				case !mine && shown[true] > 0:
					t.Error("the certificate is shown to a host that nobody named")
				}
			})
		}
	}
}

// The card of a container has its own addresses, host:port for gRPC too.
func TestServedCardOfRoutedGRPC(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, serves, want string
	}{
		{"its own address", "localhost:4041", ""},
		{"the promised address", "agents.acme.example:4001", ""},
		{"the promised address with a scheme", "grpcs://agents.acme.example:4001", ""},
		{"another port", "localhost:4042", "moved"},
		{"another host", "other.example:4041", "moved"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list := func(web, grpc string) []schema.Interface {
				return []schema.Interface{
					{URL: web, Binding: "JSONRPC", Version: "1.0"}, {URL: grpc, Binding: "GRPC", Version: "1.0"},
				}
			}
			var body []byte
			server := startServer(t, "JSONRPC", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(body)
			}))
			served := promised("JSONRPC", "1.0", "")
			served.Interfaces = list(server.URL+"/a2a", tt.serves)
			n, _ := schema.Wire(served, schema.V10, schema.WireOptions{})
			body = schema.Write(n)
			web, err := url.Parse(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{
				Card: promised("JSONRPC", "1.0", ""), Only: []string{"contract-card"}, NewID: func() string { return "id" },
				Route: map[string]*url.URL{
					"agents.acme.example": web, "agents.acme.example:4001": {Scheme: "http", Host: "127.0.0.1:4041"},
				},
			}
			o.Card.Interfaces = list("https://agents.acme.example/a2a", "agents.acme.example:4001")
			checks, err := Run(t.Context(), o)
			if err != nil || len(checks) != 1 {
				t.Fatalf("%v, %+v", err, checks)
			}
			if failed := checks[0].Severity == diag.Error; failed != (tt.want != "") ||
				!strings.Contains(checks[0].Detail, tt.want) {
				t.Errorf("%+v", checks[0])
			}
		})
	}
}
