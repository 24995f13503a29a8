//go:build unix

package hosting

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quic-go/quic-go/http3"

	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
)

// Over HTTP/3, which of the servers that the tests run only Caddy speaks, every answer is
// what it is over the others.
func TestHTTP3(t *testing.T) {
	caddy, err := exec.LookPath("caddy")
	if err != nil {
		t.Skip("caddy is not installed")
	}
	dir := t.TempDir()
	files := hostingtest.Tree([]string{""}, 'a')
	table, _ := hosting.NewTable(files, hosting.Settings{})
	outputs, _ := hosting.Render([]string{"caddy"}, table)
	hostingtest.Write(t, filepath.Join(dir, "dist"), files)
	hostingtest.WriteOutputs(t, filepath.Join(dir, "dist"), dir, outputs)
	hostingtest.Certificate(t, dir)
	addr := hostingtest.FreeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	config := fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n}\nhttps://localhost:%s {\n"+
		"\ttls %[2]s/cert.pem %[2]s/key.pem\n\troot * %[2]s/dist\n"+
		"\timport %[2]s/caddy/a2a.caddy\n\trespond 404\n}\n", port, dir)
	if err := os.WriteFile(filepath.Join(dir, "Caddyfile"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(caddy, "run", "--config", filepath.Join(dir, "Caddyfile"), "--adapter", "caddyfile")
	run.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	ended := hostingtest.Start(t, run)
	hostingtest.Await(t, "it listens", ended, func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})

	// It asks for no coding that the client has not asked for.
	transport := &http3.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true}
	defer transport.Close()
	// What asks over HTTP/1.1 is answered by Caddy over HTTP/3.
	proxy := httptest.NewServer(&httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "https", Host: "localhost:" + port})
	}})
	defer proxy.Close()
	hostingtest.Response(t, hostingtest.Server(strings.TrimPrefix(proxy.URL, "http://")), table, files)
}
