package hosting

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cardwright/internal/hosting"
)

// settings are those of all tests.
var settings = hosting.Settings{HTML: true, CacheControl: "public, max-age=1"}

// server is a server under test.
type server struct {
	name  string
	start func(t *testing.T, root string) string // serves a directory, and returns its URL
}

func servers() []server {
	return []server{
		{"nginx", startNginx}, {"apache", startApache}, {"htaccess", startHtaccess}, {"caddy", startCaddy}, {"serve", startServe},
	}
}

// program is the path of a program. The test is skipped without it, and fails under CI.
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if at, err := exec.LookPath(name); err == nil {
			return at
		}
	}
	missing(t, names[0]+" is not installed")
	return ""
}

func missing(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// configured is the configuration of one target, in a file.
func configured(t *testing.T, target string) string {
	t.Helper()
	outputs, found := hosting.Render([]string{target}, settings)
	if len(found) > 0 {
		t.Fatal(found)
	}
	file := filepath.Join(t.TempDir(), filepath.Base(outputs[0].Path))
	put(t, file, string(outputs[0].Data))
	return file
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// freeAddr is an address of this machine that was free a moment ago.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// run starts a server in the foreground, waits until it takes connections, and ends it
// with the test.
func run(t *testing.T, addr, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		timer := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
	})
	for range 400 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("%s does not start:\n%s", name, &log)
}

func nginxConfig(work, http string) string {
	config := "daemon off; pid " + work + "/pid; error_log " + work + "/error.log; worker_processes 1;\n"
	if os.Geteuid() == 0 {
		config += "user root;\n"
	}
	config += "events {}\nhttp {\naccess_log off;\n"
	for _, part := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		config += part + "_temp_path " + work + "/" + part + ";\n"
	}
	return config + http + "}\n"
}

func runNginx(t *testing.T, addr, http string) {
	t.Helper()
	nginx, work := program(t, "nginx"), t.TempDir()
	put(t, work+"/nginx.conf", nginxConfig(work, http))
	run(t, addr, nginx, "-e", work+"/error.log", "-p", work, "-c", work+"/nginx.conf")
}

func startNginx(t *testing.T, root string) string {
	addr := freeAddr(t)
	runNginx(t, addr, "gzip on; gzip_types application/json application/jwk-set+json; gzip_min_length 1; gzip_vary on;\n"+
		"server { listen "+addr+"; root "+root+"; include "+configured(t, "nginx")+"; location ~ /\\. { deny all; } }\n")
	return "http://" + addr
}

func startApache(t *testing.T, root string) string {
	return apache(t, root, "Include "+configured(t, "apache"), "")
}

func startHtaccess(t *testing.T, root string) string {
	// beside the tree, as AllowOverride reads each directory above a file
	data, err := os.ReadFile(configured(t, "htaccess"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(filepath.Dir(root), ".htaccess"), string(data))
	return apache(t, root, "", "AllowOverride FileInfo")
}

// apache starts Apache with the modules that Debian enables, and mod_headers.
func apache(t *testing.T, root, site, directory string) string {
	t.Helper()
	name, work, addr := program(t, "apache2", "httpd"), t.TempDir(), freeAddr(t)
	config := "ServerRoot " + work + "\nServerName localhost\nPidFile " + work + "/pid\nErrorLog " + work + "/log\nMutex pthread\n" +
		"Listen " + addr + "\nTypesConfig /etc/mime.types\n"
	for _, module := range []string{"mpm_event", "authz_core", "mime", "dir", "headers", "alias", "setenvif", "filter", "deflate"} {
		file := "/usr/lib/apache2/modules/mod_" + module + ".so"
		if _, err := os.Stat(file); err != nil {
			missing(t, "Apache has no "+file)
		}
		config += "LoadModule " + module + "_module " + file + "\n"
	}
	if os.Geteuid() == 0 {
		config += "User www-data\nGroup www-data\n"
		open(t, filepath.Dir(filepath.Dir(root)))
	}
	config += "AddOutputFilterByType DEFLATE application/json application/jwk-set+json\nDirectoryIndex index.html\n<VirtualHost " + addr +
		">\nDocumentRoot " + root + "\n<Directory " + filepath.Dir(root) + ">\nRequire all granted\n" + directory +
		"\n</Directory>\n" + site + "\n</VirtualHost>\n"
	put(t, work+"/httpd.conf", config)
	run(t, addr, name, "-f", work+"/httpd.conf", "-DFOREGROUND")
	return "http://" + addr
}

// open lets every user of the machine into a directory of the test, which Apache needs.
func open(t *testing.T, dir string) {
	t.Helper()
	for ; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// oldestCaddy is the first version that reads etag_file_extensions.
const oldestCaddy = "2.8."

func startCaddy(t *testing.T, root string) string {
	caddy := program(t, "caddy")
	version, err := exec.Command(caddy, "version").Output()
	if v := strings.TrimPrefix(string(version), "v"); err != nil || len(v) < 4 || v[:4] < oldestCaddy && v[3] == '.' {
		missing(t, "Caddy 2.8 is needed, and this is "+string(version))
	}
	file, addr := filepath.Join(t.TempDir(), "Caddyfile"), freeAddr(t)
	host, port, _ := strings.Cut(addr, ":")
	put(t, file, fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n}\nhttp://:%s {\n\tbind %s\n\troot * %s\n\tencode gzip\n"+
		"\timport %s\n\trespond 404\n}\n", port, host, root, configured(t, "caddy")))
	run(t, addr, caddy, "run", "--config", file)
	return "http://" + addr
}

func startServe(t *testing.T, root string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- hosting.Serve(ctx, l, hosting.Handler(os.DirFS(root), settings)) }()
	t.Cleanup(func() { stop(); <-ended })
	return "http://" + l.Addr().String()
}

// client follows nothing and decodes nothing.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Timeout:       10 * time.Second,
}
