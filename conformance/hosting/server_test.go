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

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
)

// settings are shared by all tests.
var settings = hosting.Settings{HTML: true, CacheControl: "public, max-age=1"}

// start serves a directory, and returns its URL; serve serves another one after a reload,
// and is nil where none is needed.
type start func(t *testing.T, root string) (url string, serve func(root string))

// servers are the servers under test.
var servers = map[string]start{
	"nginx": startNginx, "apache": startApache, "htaccess": startHtaccess, "caddy": startCaddy, "serve": startServe,
}

// block is a block of docs/hosting.md in a language, with each old text replaced by a new
// one. All of them have to occur.
func block(t *testing.T, language string, index int, oldNew ...string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```"+language+"\n")
	if len(blocks) < index+2 {
		t.Fatalf("docs/hosting.md has no block %d of %s", index+1, language)
	}
	text, _, _ := strings.Cut(blocks[index+1], "```")
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("the block of %s in docs/hosting.md has no %q", language, oldNew[i])
		}
		text = strings.ReplaceAll(text, oldNew[i], oldNew[i+1])
	}
	return text
}

// program is the path of a program. The test is skipped without it, and fails under CI.
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if at, err := exec.LookPath(name); err == nil {
			return at
		}
	}
	fixture.Missing(t, names[0])
	return ""
}

// configured is the configuration of one target, in a file.
func configured(t *testing.T, target string) string {
	t.Helper()
	output := outputs(t, target)[0]
	file := filepath.Join(t.TempDir(), filepath.Base(output.Path))
	put(t, file, string(output.Data))
	return file
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	whole := file + ".new" // Apache may be reading the file after the last reload
	if err := os.WriteFile(whole, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(whole, file); err != nil {
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

// runNginx runs nginx with the contents of an http block.
func runNginx(t *testing.T, addr, http string) {
	t.Helper()
	name, work := program(t, "nginx"), t.TempDir()
	config := "daemon off; pid " + work + "/pid; error_log " + work + "/error.log; worker_processes 1;\n"
	if os.Geteuid() == 0 {
		config += "user root;\n"
	}
	config += "events {}\nhttp {\naccess_log off;\n"
	for _, part := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		config += part + "_temp_path " + work + "/" + part + ";\n"
	}
	put(t, work+"/nginx.conf", config+http+"}\n")
	run(t, addr, name, "-e", work+"/error.log", "-p", work, "-c", work+"/nginx.conf")
}

// startNginx serves a directory as the page says, and denies dotfiles after that.
func startNginx(t *testing.T, root string) (url string, _ func(string)) {
	t.Helper()
	addr := freeAddr(t)
	runNginx(t, addr, "gzip on; gzip_types application/json application/jwk-set+json; gzip_min_length 1; gzip_vary on;\n"+
		block(t, "nginx", 0, "/srv/dist.server/nginx/a2a.conf", configured(t, "nginx"), "/srv/dist;", root+";",
			"    listen [::]:80;\n", "", "listen 80", "listen "+addr, "\n}\n", "\nlocation ~ /\\. { deny all; }\n}\n"))
	return "http://" + addr, nil
}

func startApache(t *testing.T, root string) (url string, serve func(root string)) {
	t.Helper()
	return apache(t, root, "apache", 0)
}

func startHtaccess(t *testing.T, root string) (url string, serve func(root string)) {
	t.Helper()
	return apache(t, root, "htaccess", 1)
}

// apache serves a directory by a block of the page, with the modules that Debian enables
// and mod_headers.
func apache(t *testing.T, root, target string, index int) (url string, serve func(root string)) {
	t.Helper()
	name, work, addr, conf := program(t, "apache2", "httpd"), t.TempDir(), freeAddr(t), configured(t, target)
	config := "ServerRoot " + work + "\nServerName localhost\nPidFile " + work + "/pid\n" +
		"ErrorLog " + work + "/log\nMutex pthread\nListen " + addr + "\nTypesConfig /etc/mime.types\n"
	for module := range strings.FieldsSeq("mpm_event authz_core mime dir headers alias setenvif filter deflate") {
		file := "/usr/lib/apache2/modules/mod_" + module + ".so"
		if _, err := os.Stat(file); err != nil {
			fixture.Missing(t, file)
		}
		config += "LoadModule " + module + "_module " + file + "\n"
	}
	if os.Geteuid() == 0 {
		config += "User www-data\nGroup www-data\n"
		open(t, filepath.Dir(filepath.Dir(root)))
	}
	config += "AddOutputFilterByType DEFLATE application/json application/jwk-set+json\nDirectoryIndex index.html\n"
	write := func(root string) {
		replaced := []string{"*:80", addr, "/srv/dist.server/apache/a2a.conf", conf}
		if target == "htaccess" {
			data, err := os.ReadFile(conf)
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(root, ".htaccess"), string(data))
			replaced = replaced[:2]
		}
		put(t, work+"/httpd.conf", config+block(t, "apache", index, append(replaced, "/srv/dist", root)...))
	}
	write(root)
	run(t, addr, name, "-f", work+"/httpd.conf", "-DFOREGROUND")
	return "http://" + addr, func(root string) {
		write(root)
		reload(t, name, "-f", work+"/httpd.conf", "-k", "graceful")
	}
}

// reload runs a command that makes a server read its configuration again.
func reload(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
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

// startCaddy serves a directory by the block of the page.
func startCaddy(t *testing.T, root string) (url string, serve func(root string)) {
	t.Helper()
	name := program(t, "caddy")
	version, err := exec.Command(name, "version").Output()
	if v := strings.TrimPrefix(string(version), "v"); err != nil || len(v) < 4 || v[:4] < oldestCaddy && v[3] == '.' {
		fixture.Missing(t, "Caddy 2.8, for this is "+string(version)+",")
	}
	file, imported := filepath.Join(t.TempDir(), "Caddyfile"), configured(t, "caddy")
	addr, admin := freeAddr(t), freeAddr(t)
	host, port, _ := strings.Cut(addr, ":")
	write := func(root string) {
		put(t, file, fmt.Sprintf("{\n\tadmin %s\n\tpersist_config off\n\tauto_https off\n}\n", admin)+block(t, "caddy", 0,
			"agents.acme.example {", "http://:"+port+" {\n\tbind "+host+"\n\tencode gzip",
			"/srv/dist.server/caddy/a2a.caddy", imported, "/srv/dist", root))
	}
	write(root)
	run(t, addr, name, "run", "--config", file)
	return "http://" + addr, func(root string) {
		write(root)
		reload(t, name, "reload", "--config", file, "--address", admin)
	}
}

func startServe(t *testing.T, root string) (url string, _ func(string)) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- hosting.Serve(ctx, l, hosting.Handler(os.DirFS(root), settings, "")) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String(), nil
}

// client follows nothing and decodes nothing.
var client = &http.Client{
	Transport: &http.Transport{
		DisableCompression: true, MaxIdleConnsPerHost: 16,
	},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Timeout:       10 * time.Second,
}
