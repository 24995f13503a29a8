package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
	"cardwright/internal/sign/signtest"
)

// minimalCard is a correct card of A2A 1.0.
const minimalCard = `{"name":"a","description":"b","supportedInterfaces":[{"url":"https://agents.acme.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
	`"version":"1","capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],` +
	`"skills":[{"id":"c","name":"d","description":"e","tags":["f"]}]}`

// Keys that are fetched, over plain HTTP as only this machine may.
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
	if _, stderr, code := run("sign", "card.json", "--key", "file:card-key.pem"); code != exitOK {
		t.Fatalf("sign: %s", stderr)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jwks.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"keys":[` + jwk + `]}`)) })
	mux.HandleFunc("GET /broken.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(jwk)) })
	server := httptest.NewServer(mux)
	defer server.Close()

	tests := []struct {
		path, want string
		code       int
	}{
		{"/jwks.json", "card.json: good signature by ", exitOK},
		{"/broken.json", "a key set (JWKS) is an object with an array", exitFindings},
		{"/none.json", "the host answers 404", exitUsage},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			stdout, stderr, code := run("verify", "card.json", "--jwks-url", server.URL+tt.path)
			if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// A host that adds to a signed card what the signature does not cover is told.
func TestProbeDemandsThatASignatureCoversTheCard(t *testing.T) {
	key, err := keyfile.Parse(signtest.PEM(t, "ES256"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := signCard(cardFile{name: "card.json", data: []byte(minimalCard)}, key, sign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, old, new, want string }{
		{"as signed", "", "", ""},
		{"with nothing more", `"name": "a"`, `"name": "a", "iconUrl": ""`, ""},
		{"with an endpoint", `"name": "a"`, `"name": "a", "url": "https://mallory.example"`, "the signature does not cover /url"},
		{"changed", `"name": "a"`, `"name": "b"`, "it is not by the key"},
		{"unsigned", string(text), minimalCard, "the card has no signature"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := badSignature([]byte(strings.Replace(string(text), tt.old, tt.new, 1)), []sign.Key{key})
			if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
