package hosting

import (
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
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

// ways are the ways of deploying that docs/deploy.md recommends: a link that is switched,
// files that are replaced, or another directory after a reload.
var ways = []struct {
	server, how string
}{
	{"nginx", "link"},
	{"nginx", "rsync"},
	{"apache", "reload"},
	{"htaccess", "reload"},
	{"caddy", "reload"},
	{"serve", "link"},
	{"serve", "rsync"},
}

// deployment serves the first release of base, and deploys another one.
func deployment(t *testing.T, start start, how, base string) (url string, deploy func(version string)) {
	t.Helper()
	root, first := filepath.Join(base, "dist"), versions[:1]
	switch how {
	case "link":
		deploy = func(version string) { link(t, base, version) }
		root = filepath.Join(base, "current")
	case "rsync":
		deploy = func(version string) { replace(t, filepath.Join(base, version), root) }
	default:
		url, serve := start(t, filepath.Join(base, first))
		return url, func(version string) { serve(filepath.Join(base, version)) }
	}
	deploy(first)
	url, _ = start(t, root)
	return url, deploy
}

// During deployments each body is whole, and no two bodies have one tag. So nothing
// sticks in a cache either.
func TestDeploy(t *testing.T) {
	for _, w := range ways {
		t.Run(w.server+"/"+w.how, func(t *testing.T) {
			base, wanted := filepath.Join(t.TempDir(), "srv"), map[string]bool{}
			for _, v := range []byte(versions) {
				dir := filepath.Join(base, string(v))
				for _, body := range tree(t, dir, 1, v) {
					wanted[body] = true
				}
				age(t, dir, time.Date(2026, 1, 2, 3, 4, int(v-'a'), 0, time.UTC))
			}
			url, deploy := deployment(t, servers[w.server], w.how, base)
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

// A caching proxy in front, which asks again with the tags that it knows, gives whole
// bodies for twenty seconds of load, and for less outside of the nightly run.
func TestThroughProxy(t *testing.T) {
	for server, serve := range servers {
		t.Run(server, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "dist")
			files := tree(t, root, 1, 'a')
			age(t, root, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
			origin, _ := serve(t, root)
			addr := freeAddr(t)
			runNginx(t, addr, "proxy_cache_path "+filepath.Join(t.TempDir(), "cache")+" keys_zone=a2a:1m;\nserver { listen "+
				addr+"; location / { proxy_pass "+origin+"; proxy_cache a2a; proxy_cache_revalidate on; } }\n")
			lasts := 3 * time.Second
			if os.Getenv("NIGHTLY") != "" {
				lasts = 20 * time.Second
			}
			for until := time.Now().Add(lasts); time.Now().Before(until); time.Sleep(150 * time.Millisecond) {
				for path := range files {
					for _, header := range [][]string{nil, {"If-None-Match", `"old"`}} {
						a := ask(t, "GET", "http://"+addr+"/"+path, header...)
						if a.StatusCode != http.StatusOK || a.body != files[path] {
							t.Fatalf("%s %q: %s, %d of %d bytes", path, header, a.Status, len(a.body), len(files[path]))
						}
					}
				}
			}
		})
	}
}
