//go:build unix

package hosting_test

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/probe"
	"cardwright/internal/tree"
)

// real is a server that is installed, and how to run it with nothing but the
// rendered configuration and the few lines that an operator writes.
type real struct {
	target string
	binary string
	// operator returns the lines around ours, in a file that is written to path.
	operator func(site) (path, config string)
	test     func(path string) []string // arguments that only check the configuration, nil when there are none
	run      func(path string) []string // arguments that run it in the foreground
	env      func(site) []string
	reload   syscall.Signal // makes it read the configuration again, 0 when it need not
	stale404 bool           // headers of a card stay on a 404: the server has no way to tell

	// It opens a card before the sidecar with its tag, so that one which is held up
	// in between for a whole release pairs two of them, whatever the order of writing.
	opensFirst bool
}

// site is where one server's files are and where it listens.
type site struct {
	dir    string // of everything
	root   string // web root, or the directory of all of them
	conf   string // rendered server configuration
	addr   string
	tls    string // where it speaks TLS and HTTP/2, with cert.pem and key.pem of dir
	admin  string // where Caddy listens for its operator
	layout string
	hosts  []string
}

func TestNginx(t *testing.T) {
	t.Parallel()
	nginx().check(t, layouts("stored")...)
}

func nginx() real {
	return real{
		target: "nginx",
		binary: "nginx",
		operator: func(s site) (string, string) {
			servers := ""
			for i, host := range s.hosts {
				locations, root, name := "a2a-locations.conf", s.root, "_"
				if host != "" {
					locations, root, name = "a2a-locations-"+host+".con[f]", filepath.Join(s.root, host), host
				}
				standing := ""
				if i == 0 {
					standing = " default_server"
				}
				listen := fmt.Sprintf("%s%s; listen %[3]s ssl http2%[2]s; ssl_certificate %[4]s/cert.pem; "+
					"ssl_certificate_key %[4]s/key.pem", s.addr, standing, s.tls, s.dir)
				// What operators have as well: a rule against dotfiles, a lifetime for everything.
				servers += fmt.Sprintf("server { listen %s; server_name %s; root %s; expires 1d; location ~ /\\. { deny all; } "+
					"include %s/nginx/%s; }\n", listen, name, root, s.conf, locations)
			}
			return "nginx.conf", nginxConfig(s, fmt.Sprintf("include %s/nginx/a2a-http.conf;", s.conf), servers)
		},
		test:   func(path string) []string { return []string{"-e", "stderr", "-t", "-c", path} },
		run:    func(path string) []string { return []string{"-e", "stderr", "-c", path} },
		reload: syscall.SIGHUP,
	}
}

// nginxConfig is what an operator has around: one process, and compression,
// charset and headers for everything.
func nginxConfig(s site, http, servers string) string {
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;\n"
	}
	return user + fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log stderr warn;
events {}
http {
  include /etc/nginx/mime.types; access_log off;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  gzip on; gzip_types application/json; gzip_min_length 1; charset utf-8; charset_types application/json;
  add_header X-Outer yes;
  %[2]s
  %[3]s
}
`, s.dir, http, servers)
}

// What a server does by itself, without our configuration: probe names what is
// missing, and nothing else.
func TestProbeNamesWhatBareNginxLacks(t *testing.T) {
	t.Parallel()
	r := real{
		binary: "nginx",
		operator: func(s site) (string, string) {
			return "nginx.conf", nginxConfig(s, "", "server { listen "+s.addr+"; root "+s.root+"; }")
		},
		run: func(path string) []string { return []string{"-e", "stderr", "-c", path} },
	}
	binary, err := exec.LookPath(r.binary)
	if err != nil {
		t.Skip("nginx is not installed")
	}
	s := newSite(t, "single", []string{""})
	hostingtest.Write(t, s.root, hostingtest.Tree([]string{""}, 'a'))
	r.start(t, binary, s)
	checks, err := probe.Probe(t.Context(), probe.Options{URL: "http://" + s.addr, Tree: os.DirFS(s.root)})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range checks {
		if c.Severity != 0 {
			got[c.Name] = c.Detail
		}
	}
	want := map[string]string{
		"cache-control":      "none",
		"exposed":            "200 for agent-card.json.etag",
		"headers":            "X-Content-Type-Options: none",
		"file":               "/.well-known/ai-catalog.json: no cache policy",
		"method-refused":     "405 without Allow",
		"compressed-vary":    "Vary: none", // gzip_vary is off
		"cors":               "no Access-Control-Allow-Origin",
		"cors-expose":        "none",
		"preflight":          "405",
		"legacy-deprecation": "none",
		"legacy-link":        "none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("failed checks (-want +got):\n%s", diff)
	}
}

func apacheBase(s site) string {
	modules := ""
	for _, m := range []string{
		"mpm_event", "authz_core", "mime", "headers", "env", "rewrite", "deflate", "filter",
		"negotiation", "dir", "setenvif", "expires", "ssl", "http2", "socache_shmcb",
	} {
		modules += fmt.Sprintf("LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n", m, m)
	}
	return modules + fmt.Sprintf(`ServerRoot %[1]s
PidFile %[1]s/pid
ErrorLog /dev/stderr
LogLevel error
StartServers 1
MinSpareThreads 1
ThreadsPerChild 8
H2MinWorkers 1
ServerName localhost
User www-data
Group www-data
TypesConfig /etc/mime.types
Listen %[2]s
Listen %[3]s
Protocols h2 http/1.1
AddOutputFilterByType DEFLATE application/json
FileETag None
<Directory />
  Require all denied
</Directory>
`, s.dir, s.addr, s.tls)
}

func apacheHosts(s site, include bool, override string) string {
	config := apacheBase(s) + fmt.Sprintf("<Directory %s>\n  Require all granted\n  AllowOverride %s\n</Directory>\n",
		s.dir, override)
	for _, host := range s.hosts {
		file, root, name := "a2a.conf", s.root, "localhost"
		if host != "" {
			file, root, name = "a2a-"+host+".conf", filepath.Join(s.root, host), host
		}
		if host != "" && !include && s.layout != "host" {
			root = filepath.Join(s.conf, "htaccess", host)
		}
		for addr, tls := range map[string]string{
			s.addr: "",
			s.tls:  fmt.Sprintf("  SSLEngine on\n  SSLCertificateFile %s/both.pem\n", s.dir),
		} {
			config += fmt.Sprintf("<VirtualHost %s>\n  ServerName %s\n  DocumentRoot %s\n%s", addr, name, root, tls)
			if include {
				config += fmt.Sprintf("  IncludeOptional %s/apache/%s\n", s.conf, file)
			}
			config += "</VirtualHost>\n"
		}
	}
	return config
}

func TestApache(t *testing.T) {
	t.Parallel()
	t.Run("virtual host", func(t *testing.T) {
		t.Parallel()
		apache(virtualHosts).check(t, layouts()...)
	})
	t.Run("beside others", func(t *testing.T) { // what operators have as well, and TRACE off as on Debian
		t.Parallel()
		apache(func(s site) string {
			return `TraceEnable off
Header always set Access-Control-Allow-Origin "*"
ExpiresActive On
ExpiresDefault "access plus 1 day"
AddEncoding x-gzip .gz
` + virtualHosts(s)
		}).check(t, layouts("host")...)
	})
	t.Run("htaccess", func(t *testing.T) {
		t.Parallel()
		htaccess().check(t, layouts("base")...)
	})
}

func virtualHosts(s site) string { return apacheHosts(s, true, "None") }

func htaccess() real {
	r := apache(func(s site) string { return apacheHosts(s, false, "FileInfo") })
	r.target = "htaccess"
	return r
}

func apache(config func(site) string) real {
	return real{
		target:   "apache",
		binary:   "apache2",
		operator: func(s site) (string, string) { return "apache.conf", config(s) },
		test:     func(path string) []string { return []string{"-t", "-f", path} },
		run:      func(path string) []string { return []string{"-DFOREGROUND", "-f", path} },
		reload:   syscall.SIGUSR1,
	}
}

func TestLighttpd(t *testing.T) {
	t.Parallel()
	t.Run("bare", func(t *testing.T) {
		t.Parallel()
		lighttpd("").check(t, layouts()...)
	})
	t.Run("busy", func(t *testing.T) {
		t.Parallel()
		lighttpd(`server.modules += ( "mod_indexfile", "mod_redirect", "mod_setenv", "mod_deflate" )
deflate.mimetypes = ( "application/json" )
deflate.allowed-encodings = ( "gzip" )
`).check(t, layouts("path")...)
	})
}

func lighttpd(modules string) real {
	return real{
		target: "lighttpd",
		binary: "lighttpd",
		operator: func(s site) (string, string) {
			return "lighttpd.conf", fmt.Sprintf(`server.document-root = "%[1]s"
var.a2a_root = "%[1]s"
server.bind = "127.0.0.1"
server.port = %[2]s
server.modules += ( "mod_openssl" )
$SERVER["socket"] == "%[5]s" {
  ssl.engine = "enable"
  ssl.pemfile = "%[6]s/both.pem"
}
%[4]sinclude "%[3]s/lighttpd/a2a.conf"
`, s.root, port(s.addr), s.conf, modules, s.tls, s.dir)
		},
		run:      func(path string) []string { return []string{"-D", "-f", path} },
		reload:   syscall.SIGUSR1,
		stale404: true,
	}
}

func TestCaddy(t *testing.T) {
	t.Parallel()
	caddy().check(t, layouts("single")...)
}

func caddy() real {
	return real{
		target:     "caddy",
		binary:     "caddy",
		reload:     syscall.SIGUSR1,
		opensFirst: true,
		operator: func(s site) (string, string) {
			if s.layout == "host" {
				return "", ""
			}
			return "Caddyfile", fmt.Sprintf(
				"{\n\tadmin off\n\tauto_https off\n\tdefault_sni localhost\n}\n"+
					"import %[2]s/caddy/a2a-moved*.caddy\n(site) {\n\troot * %[1]s\n\tencode gzip\n\timport %[2]s/caddy/a2a.caddy\n"+
					"\trespond 404\n}\nhttp://%[3]s {\n\timport site\n}\n"+
					"https://:%[4]s {\n\ttls %[5]s/cert.pem %[5]s/key.pem\n\timport site\n}\n",
				s.root, s.conf, s.addr, port(s.tls), s.dir)
		},
		test: func(path string) []string { return []string{"validate", "--adapter", "caddyfile", "--config", path} },
		run:  func(path string) []string { return []string{"run", "--adapter", "caddyfile", "--config", path} },
		env: func(s site) []string {
			return []string{
				"A2A_SCHEME=http://", "A2A_PORT=:" + port(s.addr), "A2A_ROOT=" + s.root,
				"HOME=" + s.dir, "XDG_DATA_HOME=" + s.dir, "XDG_CONFIG_HOME=" + s.dir, "CADDY_ADMIN=" + s.admin,
			}
		},
	}
}

// layouts are those to try a configuration in: with LONG_TRIALS all. Without, each server
// has one of them, for a test starts no server twice.
func layouts(short ...string) []string {
	if !fixture.Long() {
		return short
	}
	return slices.Sorted(maps.Keys(hostingtest.Layouts()))
}

// check runs the server in each of the layouts: every case of the response, then
// again after new bytes, and without a card.
func (r real) check(t *testing.T, layouts ...string) {
	t.Helper()
	binary, err := exec.LookPath(r.binary)
	if err != nil {
		t.Skipf("%s is not installed: the configuration for it is not tried out", r.binary)
	}
	for _, layout := range layouts {
		t.Run(layout, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			dirs := hostingtest.Layouts()[layout]
			s := newSite(t, layout, dirs)
			files := hostingtest.Tree(dirs, 'a')
			table := r.publish(t, s, files)
			process := r.start(t, binary, s)
			hostingtest.Response(t, hostingtest.Server(s.addr), table, files)
			hostingtest.Unknown(t, hostingtest.Server(s.addr), table.Sites[0])
			hostingtest.Unserved(t, hostingtest.Server(s.addr), table, s.tree())
			s.probe(t, dirs)

			files = hostingtest.Tree(dirs, 'b')
			before := table
			table = r.publish(t, s, files)
			if r.reload != 0 && (!r.opensFirst || layout == "stored") {
				r.renew(t, process, s, table)
			}
			server, served := hostingtest.Server("https://"+s.tls), table
			switch {
			case r.target != "caddy": // which gets certificates of hosts by itself
			case layout == "host":
				server = hostingtest.Server(s.addr)
			default:
				served.Sites = table.Sites[:1]
			}
			hostingtest.Response(t, server, served, files)
			r.old(t, s, before, table)

			if !r.stale404 {
				entries := table.Sites[0].Entries
				entry := entries[slices.IndexFunc(entries,
					func(e hosting.Entry) bool { return path.Base(e.Path) == "agent-card.json" })]
				if err := os.Remove(filepath.Join(s.root, table.Sites[0].Dir, entry.Path)); err != nil {
					t.Fatal(err)
				}
				hostingtest.Gone(t, hostingtest.Server(s.addr), table.Sites[0], entry)
			}
		})
	}
}

// tree is the output directory, in the web root of the site.
func (s site) tree() string {
	return filepath.Join(s.root, filepath.FromSlash(hostingtest.Settings(s.layout).Base))
}

func newSite(t *testing.T, layout string, dirs []string) site {
	t.Helper()
	dir := t.TempDir()
	// The worker processes of a server run as somebody else.
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	s := site{
		dir: dir, root: filepath.Join(dir, "dist"), conf: filepath.Join(dir, "dist.server"), addr: hostingtest.FreeAddr(t),
		tls: hostingtest.FreeAddr(t), admin: hostingtest.FreeAddr(t),
		layout: layout, hosts: []string{""},
	}
	if layout == "host" {
		s.hosts = dirs
	}
	for _, m := range hostingtest.Settings(layout).Moved {
		if m.Host != "" && !slices.Contains(s.hosts, m.Host) {
			s.hosts = append(slices.Clip(s.hosts), m.Host) // which cards have left, but for those that a test does not have
		}
	}
	hostingtest.Certificate(t, dir, s.hosts...)
	return s
}

// publish puts a release where the server reads it.
func (r real) publish(t *testing.T, s site, files []tree.File) hosting.Table {
	t.Helper()
	hostingtest.Write(t, s.tree(), files)
	return r.write(t, s, files)
}

// write writes the configuration for files.
func (r real) write(t *testing.T, s site, files []tree.File) hosting.Table {
	t.Helper()
	table, found := hosting.NewTable(files, hostingtest.Settings(s.layout))
	outputs, more := hosting.Render([]string{r.target}, table)
	for _, d := range append(found, more...) {
		t.Error(d.Message)
	}
	hostingtest.WriteOutputs(t, s.tree(), s.conf, outputs)
	return table
}

// configure writes what includes the rendered configuration.
func (r real) configure(t *testing.T, s site) (path string, env []string) {
	t.Helper()
	name, config := r.operator(s)
	path = filepath.Join(s.dir, name)
	if name == "" {
		path = filepath.Join(s.conf, "caddy", "Caddyfile")
	} else if err := os.WriteFile(path, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if r.env != nil {
		env = append(os.Environ(), r.env(s)...)
	}
	return path, env
}

func (r real) start(t *testing.T, binary string, s site) process {
	t.Helper()
	path, env := r.configure(t, s)
	var log logged
	run := exec.Command(binary, r.run(path)...)
	run.Env, run.Stdout, run.Stderr = env, &log, &log
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s said:\n%s", r.binary, log.String())
		}
	})
	ended := hostingtest.Start(t, run)
	hostingtest.Await(t, "it listens", ended, s.listens)
	if said := log.String(); strings.Contains(said, "could not build optimal") {
		t.Error(said)
	}
	return process{run.Process, ended}
}

// process is a server that runs.
type process struct {
	*os.Process
	ended <-chan struct{}
}

func (s site) listens() bool {
	c, err := net.Dial("tcp", s.addr)
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}

// probe holds the server to what users check it with.
func (s site) probe(t *testing.T, dirs []string) {
	t.Helper()
	for _, dir := range dirs {
		settings := hostingtest.Settings(s.layout)
		target := "http://" + s.addr + settings.Base + "/" + dir
		if s.layout == "host" {
			target = "http://" + net.JoinHostPort(dir, port(s.addr))
		}
		here := map[string]string{}
		for _, host := range s.hosts {
			if host != "" {
				here[host] = "127.0.0.1"
			}
		}
		checks, err := probe.Probe(t.Context(), probe.Options{
			URL: target, Tree: os.DirFS(s.tree()), Settings: settings, Resolve: here,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if c.Severity != 0 {
				t.Errorf("probe %s: %s: %s", target, c.Name, c.Detail)
			}
		}
	}
}

// renew reloads the configuration and waits until the new one answers and the
// processes with the old one are gone.
func (r real) renew(t *testing.T, p process, s site, table hosting.Table) {
	t.Helper()
	old := children(t, p.Pid)
	if err := p.Signal(r.reload); err != nil {
		t.Fatal(err)
	}
	hostingtest.Await(t, "the old processes are gone", p.ended, func() bool {
		now := children(t, p.Pid)
		return !slices.ContainsFunc(old, func(pid string) bool { return slices.Contains(now, pid) })
	})
	site := table.Sites[0]
	entry := site.Entries[max(0, slices.IndexFunc(site.Entries, func(e hosting.Entry) bool { return e.Stored != "" }))]
	hostingtest.Await(t, "the new configuration answers", p.ended, func() bool {
		return hostingtest.Server(s.addr).Tag(t, site.Host, entry.Path) == entry.ETag()
	})
}

// children are the ids of the processes that a process started.
func children(t *testing.T, pid int) []string {
	t.Helper()
	list, err := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", pid))
	if err != nil {
		t.Skipf("no way to see when a reload has ended: %v", err)
	}
	return strings.Fields(string(list))
}

// old wants the whole file for a tag of the release before.
func (r real) old(t *testing.T, s site, before, now hosting.Table) {
	t.Helper()
	for i, site := range now.Sites {
		for j, entry := range site.Entries {
			tag := before.Sites[i].Entries[j].ETag()
			if tag == entry.ETag() {
				continue // the key set is as it was
			}
			for k, value := range []string{tag, "W/" + tag, `"x", ` + tag} {
				if !fixture.Long() && k != j%3 {
					continue // the next file is asked for with it
				}
				if got := hostingtest.Server(s.addr).Ask(t, "GET", site.Host, entry.Path, "If-None-Match",
					value); got.Status != 200 {
					t.Errorf("%s%s: old tag %s: status %d, want 200", site.Host, entry.Path, value, got.Status)
				}
			}
		}
	}
}

func port(addr string) string {
	_, p, _ := net.SplitHostPort(addr)
	return p
}
