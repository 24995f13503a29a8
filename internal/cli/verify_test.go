package cli

import (
	"net"
	"net/http"
	"net/http/httptest"
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
	w := inDir(t)
	w.put("card.json", minimalCard)
	jwks := w.succeed("key", "new", "-q")
	asked := make(chan net.Conn, 16)
	jku := httptest.NewUnstartedServer(http.NotFoundHandler())
	jku.Config.ConnState = func(c net.Conn, _ http.ConnState) { asked <- c }
	jku.StartTLS()
	defer jku.Close()
	w.succeed("sign", "card.json", "--key", "file:card-key.pem", "--jku", jku.URL+"/jwks.json")
	files := map[string]string{"/jwks.json": jwks, "/broken.json": `{"kty":"EC"}`}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if text, ok := files[r.URL.Path]; ok {
			_, _ = rw.Write([]byte(text))
			return
		}
		http.NotFound(rw, r)
	}))
	defer server.Close()
	for _, c := range []struct {
		path, want string
		code       int
	}{
		{"/jwks.json", "card.json: good signature by ", OK},
		{"/broken.json", "the file is one key (JWK), not a key set (JWKS)", Findings},
		{"/none.json", "the host answers 404", Usage},
	} {
		stdout, stderr, code := w.run("verify", "card.json", "--jwks", server.URL+c.path)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d\n%s%s", c.path, code, stdout, stderr)
		}
	}
	if len(asked) > 0 {
		t.Error("the jku of the card was asked")
	}
}
