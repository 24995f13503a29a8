package hosting

import (
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// answers is how many a server gives while new versions come: more in the nightly run.
func answers() int {
	if os.Getenv("NIGHTLY") != "" {
		return 20_000
	}
	return 2_000
}

// versions are deployed one after the other, with a rollback in the middle. Some have the
// same sizes, and all have times a second apart.
const versions = "abcbde"

// way is a way of deploying that docs/deploy.md recommends for a server.
type way struct {
	name  string
	start func(t *testing.T, base string) (url string, deploy func(version string))
}

// ways serve the releases that are the directories of base, the first one at first.
func ways() []way {
	switched := func(start func(*testing.T, string) string) func(*testing.T, string) (string, func(string)) {
		return func(t *testing.T, base string) (string, func(string)) {
			t.Helper()
			link(t, base, versions[:1])
			return start(t, filepath.Join(base, "current")), func(version string) { link(t, base, version) }
		}
	}
	replaced := func(start func(*testing.T, string) string) func(*testing.T, string) (string, func(string)) {
		return func(t *testing.T, base string) (string, func(string)) {
			t.Helper()
			root := filepath.Join(base, "dist")
			replace(t, filepath.Join(base, versions[:1]), root)
			return start(t, root), func(version string) { replace(t, filepath.Join(base, version), root) }
		}
	}
	named := func(start func(*testing.T, string) (string, func(string))) func(*testing.T, string) (string, func(string)) {
		return func(t *testing.T, base string) (string, func(string)) {
			t.Helper()
			url, serve := start(t, filepath.Join(base, versions[:1]))
			return url, func(version string) { serve(filepath.Join(base, version)) }
		}
	}
	return []way{
		{"nginx/link", switched(startNginx)},
		{"nginx/rsync", replaced(startNginx)},
		{"apache/reload", named(reloadApache)},
		{"htaccess/reload", named(reloadHtaccess)},
		{"caddy/reload", named(reloadCaddy)},
		{"serve/link", switched(startServe)},
		{"serve/rsync", replaced(startServe)},
	}
}

// During deployments each body is whole, and no two bodies have one tag. So nothing
// sticks in a cache either.
func TestDeploy(t *testing.T) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			base, wanted := filepath.Join(t.TempDir(), "srv"), map[string]bool{}
			for _, v := range []byte(versions) {
				dir := filepath.Join(base, string(v))
				for _, body := range tree(t, dir, 1, v) {
					wanted[body] = true
				}
				age(t, dir, time.Date(2026, 1, 2, 3, 4, int(v-'a'), 0, time.UTC))
			}
			url, deploy := w.start(t, base)
			load(t, url, wanted, func(i int) { deploy(versions[i%len(versions) : i%len(versions)+1]) })
		})
	}
}

// replace replaces each file of a tree by the file of a release, as rsync does.
func replace(t *testing.T, release, root string) {
	t.Helper()
	next := filepath.Join(filepath.Dir(root), "replacing")
	if err := os.CopyFS(next, os.DirFS(release)); err != nil {
		t.Error(err)
	}
	err := filepath.WalkDir(next, func(name string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(next, name)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(root, rel), 0o755))
		}
		info, err := os.Stat(filepath.Join(release, rel))
		if err != nil {
			return err
		}
		return errors.Join(os.Chtimes(name, info.ModTime(), info.ModTime()), os.Rename(name, filepath.Join(root, rel)))
	})
	if err := errors.Join(err, os.RemoveAll(next)); err != nil {
		t.Error(err)
	}
}

// age sets the times of all files.
func age(t *testing.T, dir string, when time.Time) {
	t.Helper()
	err := filepath.Walk(dir, func(name string, _ os.FileInfo, err error) error {
		if err == nil {
			err = os.Chtimes(name, when, when)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// link switches to a version.
func link(t *testing.T, base, version string) {
	t.Helper()
	next := filepath.Join(base, "next")
	if err := os.Symlink(version, next); err != nil {
		t.Error(err)
	}
	if err := os.Rename(next, filepath.Join(base, "current")); err != nil {
		t.Error(err)
	}
}

// load asks for the files while versions are deployed.
func load(t *testing.T, url string, wanted map[string]bool, deploy func(i int)) {
	t.Helper()
	paths := []string{"/.well-known/agent-card.json", "/.well-known/agent.json", "/index.html"}
	var mu sync.Mutex
	bodies, seen, torn, wrong := map[string][32]byte{}, map[[32]byte]bool{}, 0, 0
	note := func(path, tag, body string) {
		mu.Lock()
		defer mu.Unlock()
		sum := sha256.Sum256([]byte(body))
		seen[sum] = true
		switch before, known := bodies[path+tag]; {
		case !wanted[body]:
			torn++
		case known && before != sum:
			wrong++
		default:
			bodies[path+tag] = sum
		}
	}
	var deployed, again atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(40 * time.Millisecond):
				deploy(n)
				deployed.Store(int64(n))
			}
		}
	}()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := 0; i < answers()/8 || deployed.Load() < int64(len(versions)); i++ {
				path := paths[i%len(paths)]
				resp, err := client.Get(url + path)
				if err != nil { // Linux drops what waits on a socket that a reload closes; clients ask again
					again.Add(1)
					resp, err = client.Get(url + path)
				}
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK {
					t.Error(resp.Status, err)
					return
				}
				note(path, resp.Header.Get("ETag"), string(body))
			}
		})
	}
	all.Wait()
	close(stop)
	<-stopped
	if torn > 0 || wrong > 0 {
		t.Errorf("%d deployments: %d torn bodies, %d bodies under the tag of another one", deployed.Load(), torn, wrong)
	} else {
		t.Logf("%d deployments, %d bodies, %d requests sent again", deployed.Load(), len(seen), again.Load())
	}
}

// A caching proxy in front gives whole bodies for twenty seconds of load, and for less
// outside of the nightly run.
func TestThroughProxies(t *testing.T) {
	for name, start := range map[string]func(*testing.T, string) string{"nginx": proxyCache, "squid": squid} {
		for _, s := range servers() {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				root := filepath.Join(t.TempDir(), "dist")
				files := tree(t, root, 1, 'a')
				age(t, root, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
				url := start(t, s.start(t, root))
				lasts := 3 * time.Second
				if os.Getenv("NIGHTLY") != "" {
					lasts = 20 * time.Second
				}
				until := time.Now().Add(lasts)
				for n := 0; time.Now().Before(until); n++ {
					for path := range files {
						if a := ask(t, "GET", url+"/"+path); a.StatusCode != http.StatusOK || a.body != files[path] {
							t.Fatalf("answer %d: %s: %s, %d of %d bytes", n, path, a.Status, len(a.body), len(files[path]))
						}
						a := ask(t, "GET", url+"/"+path, "If-None-Match", `"old"`)
						if a.StatusCode != http.StatusOK || a.body != files[path] {
							t.Fatalf("answer %d with an old tag: %s: %s, %d bytes", n, path, a.Status, len(a.body))
						}
					}
					time.Sleep(150 * time.Millisecond)
				}
			})
		}
	}
}

func proxyCache(t *testing.T, origin string) string {
	t.Helper()
	addr := freeAddr(t)
	runNginx(t, addr, "proxy_cache_path "+filepath.Join(t.TempDir(), "cache")+" keys_zone=a2a:1m;\nserver { listen "+addr+
		"; location / { proxy_pass "+origin+"; proxy_cache a2a; proxy_cache_revalidate on; } }\n")
	return "http://" + addr
}

func squid(t *testing.T, origin string) string {
	t.Helper()
	name, work, addr := program(t, "squid"), t.TempDir(), freeAddr(t)
	open(t, work)
	if err := os.Chmod(work, 0o777); err != nil {
		t.Fatal(err)
	}
	host, port, _ := strings.Cut(strings.TrimPrefix(origin, "http://"), ":")
	put(t, work+"/squid.conf", "http_port "+addr+" accel defaultsite=localhost no-vhost\ncache_peer "+host+" parent "+port+
		" 0 no-query originserver name=origin\nhttp_access allow all\ncache_peer_access origin allow all\ncache_mem 16 MB\n"+
		"access_log none\ncache_log "+work+"/cache.log\npid_filename "+work+"/squid.pid\ncoredump_dir "+work+
		"\nshutdown_lifetime 0 seconds\npinger_enable off\n")
	run(t, addr, name, "-N", "-f", work+"/squid.conf")
	return "http://" + addr
}
