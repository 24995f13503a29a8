package recipes

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cardwright/internal/hosting/hostingtest"
)

// find is the path of a program of this machine. A test without it is skipped.
func find(t *testing.T, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, dir := range []string{"/usr/sbin", "/usr/bin"} {
		if path := filepath.Join(dir, name); exec.Command("test", "-x", path).Run() == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// port is a free one of the loopback interface.
func port(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(hostingtest.FreeAddr(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// start runs a server until the test ends, and waits until it takes connections.
func start(t *testing.T, port, program string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	ended := hostingtest.Start(t, cmd)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s said:\n%s", program, read(t, log.Name()))
		}
	})
	hostingtest.Await(t, "it takes connections", ended, func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// client asks as clients do that take compressed answers, and trusts any certificate.
var client = &http.Client{
	Timeout: time.Minute,
	Transport: &http.Transport{
		DisableCompression: true,
		TLSClientConfig:    &tls.Config{InsecureSkipVerify: true},
	},
}

func ask(t *testing.T, method, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// served checks that a host answers for the card as docs/hosting.md demands.
func served(t *testing.T, base, tree string) {
	t.Helper()
	const path = "/.well-known/agent-card.json"
	card := read(t, filepath.Join(tree, path))
	tag := read(t, filepath.Join(tree, path+".etag"))
	tag = tag[:len(tag)-1]
	for name, headers := range map[string][]string{"plain": nil, "compressed": {"Accept-Encoding", "gzip"}} {
		response, body := ask(t, "GET", base+path, headers...)
		if response.StatusCode != http.StatusOK || body != card || response.Header.Get("ETag") != tag ||
			response.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s %v, %d bytes of %d", name, response.Status, response.Header, len(body), len(card))
		}
	}
	for _, c := range []struct {
		method, path, header, value string
		status                      int
	}{
		{"GET", path, "If-None-Match", tag, 304},
		{"GET", path, "If-None-Match", `"other"`, 200},
		{"OPTIONS", path, "Access-Control-Request-Method", "GET", 204},
		{"POST", path, "Content-Type", "application/json", 405},
		{"GET", "/.well-known/agent.json", "Accept", "*/*", 200},
		{"GET", path + ".etag", "Accept", "*/*", 404},
		{"GET", "/healthz", "Accept", "*/*", 200},
		{"GET", "/nothing-here", "Accept", "*/*", 404},
	} {
		if response, _ := ask(t, c.method, base+c.path, c.header, c.value); response.StatusCode != c.status {
			t.Errorf("%s %s with %s %s: %s, want %d", c.method, c.path, c.header, c.value, response.Status, c.status)
		}
	}
}

// nginx starts the server with the nginx.conf of a recipe, in which the paths of
// the image become those below root, and returns where it listens.
func nginx(t *testing.T, root string) string {
	t.Helper()
	program := find(t, "nginx")
	port := port(t)
	conf := filepath.Join(root, "etc/nginx/nginx.conf")
	write(t, conf, replaced(t, read(t, conf), "listen 8080", "listen 127.0.0.1:"+port, "/srv/agents", root+"/srv/agents",
		"/etc/nginx/a2a", root+"/etc/nginx/a2a", "/tmp/", t.TempDir()+"/", "/dev/stdout", "off",
		"include /etc/nginx/mime.types;", ""))
	global := "daemon off;"
	if os.Geteuid() == 0 {
		global += " user root;" // the directories of tests are for their owner only
	}
	start(t, port, program, "-c", conf, "-g", global)
	return "127.0.0.1:" + port
}
