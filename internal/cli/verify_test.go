package cli

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
	jwks, _, _ := run("key", "new", "-q")
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
			_ = w.Write([]byte(jwks))
	})
	mux.HandleFunc("GET /broken.json",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"kty":"EC"}`)) })
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
				args = append(args, "--jwks", server.URL+tt.path)
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
