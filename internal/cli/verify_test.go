package cli

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// minimalCard is a correct card of A2A 1.0.
const minimalCard = `{"name":"a","description":"b","supportedInterfaces":[{"url":"https://agents.acme.example/a2a",` +
	`"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
	`"version":"1","capabilities":{"streaming":false},"defaultInputModes":["text/plain"],` +
	`"defaultOutputModes":["text/plain"],` +
	`"skills":[{"id":"c","name":"d","description":"e","tags":["f"]}]}`

// Keys that are fetched, over plain HTTP as only this machine may, and never from
// where the card says.
func TestVerifyFetchesKeys(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) (stdout, stderr string, code int) {
		t.Helper()
		var out, err strings.Builder
		code = Run(append([]string{"-C", dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &err}, "test")
		return out.String(), err.String(), code
	}
	if err := os.WriteFile(filepath.Join(dir, "card.json"), []byte(minimalCard), 0o600); err != nil {
		t.Fatal(err)
	}
	jwk, _, _ := run("key", "new", "-q")
	asked := make(chan net.Conn, 16)
	jku := httptest.NewUnstartedServer(http.NotFoundHandler())
	jku.Config.ConnState = func(c net.Conn, _ http.ConnState) { asked <- c }
	jku.StartTLS()
	defer jku.Close()
	_, stderr, code := run("sign", "card.json", "--key", "file:card-key.pem", "--jku", jku.URL+"/jwks.json")
	if code != OK {
		t.Fatalf("sign: %s", stderr)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jwks.json", func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write([]byte(`{"keys":[` + jwk + `]}`))
	})
	mux.HandleFunc("GET /broken.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(jwk)) })
	server := httptest.NewServer(mux)
	defer server.Close()

	tests := []struct {
		path, want string
		code       int
	}{
		{"/jwks.json", "card.json: good signature by ", OK},
		{"/broken.json", "the file is one key (JWK), not a key set (JWKS)", Findings},
		{"/none.json", "the host answers 404", Usage},
		{"", "needs a key to trust", Usage},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			args := []string{"verify", "card.json"}
			if tt.path != "" {
				args = append(args, "--jwks-url", server.URL+tt.path)
			}
			stdout, stderr, code := run(args...)
			if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
	if len(asked) > 0 {
		t.Error("the jku of the card was asked")
	}
}

// A card at a URL is checked with the key set of its host, and has to belong to
// that host.
func TestVerifyURL(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) (output string, code int) {
		t.Helper()
		var out strings.Builder
		code = Run(append([]string{"-C", dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "test")
		return out.String(), code
	}
	if err := os.WriteFile(filepath.Join(dir, "card.json"), []byte(minimalCard), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _ = run("key", "new", "-q", "--kid", "k")
	if out, code := run("sign", "card.json", "--key", "file:card-key.pem", "--kid", "k"); code != OK {
		t.Fatal(out)
	}
	card, err := os.ReadFile(filepath.Join(dir, "card.json"))
	if err != nil {
		t.Fatal(err)
	}
	set, _ := run("key", "jwks", "card-key.pem")
	set = regexp.MustCompile(`"kid": "[^"]*"`).ReplaceAllString(set, `"kid": "k"`)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/agent-card.json",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(card) })
	mux.HandleFunc("GET /changed.json", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Replace(string(card), `"description": "`, `"description": "no `, 1)))
	})
	mux.HandleFunc("GET /.well-known/jwks.json", func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, set)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/.well-known/agent-card.json" {
			_, _ = w.Write(card)
			return
		}
		http.NotFound(w, r)
	}))
	defer bare.Close()
	host := "agents.acme.example"
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"another host", []string{server.URL}, Findings, `does not belong to the host "127.0.0.1" [verify-host]`},
		{
			"the host",
			[]string{server.URL, "--expect-host", host},
			OK,
			"the signatures were checked against the keys of the same host",
		},
		{"the domain", []string{
			server.URL + "/.well-known/agent-card.json", "--expect-host",
			strings.ToUpper(host[strings.Index(host, ".")+1:]) + ".",
		}, OK, "good signature by k"},
		{"part of a name", []string{server.URL, "--expect-host", host[1:]}, Findings, "[verify-host]"},
		{"changed", []string{server.URL + "/changed.json", "--expect-host", host}, Findings, "[signature-invalid]"},
		{
			"a key of one's own",
			[]string{server.URL, "--expect-host", host, "--key", "file:card-key.pem"},
			OK,
			"good signature by k",
		},
		{"no key set", []string{bare.URL, "--expect-host", host}, Usage, "pass a key that you trust"},
		{"nothing there", []string{server.URL + "/none/"}, Usage, "the host answers 404"},
		{
			"a file",
			[]string{"card.json", "--key", "file:card-key.pem", "--expect-host", "mallory.example"},
			Findings,
			"[verify-host]",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if out, code := run(append([]string{"verify"}, tt.args...)...); code != tt.code || !strings.Contains(out, tt.want) {
				t.Errorf("exit code %d\n%s", code, out)
			}
		})
	}
}
