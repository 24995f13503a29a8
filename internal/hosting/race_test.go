//go:build unix

package hosting_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// answers is how many answers the readers of TestReadersBesideWriter wait for.
var answers = flag.Int("answers", 0, "read so many answers of each server while releases are written")

// A client keeps what it got as long as the tag of it is answered with 304. So no
// answer has the tag of a release and the bytes of one before, whenever it comes
// while releases are written. Tags of a release before do no harm: whoever has one
// gets the whole card the next time.
func TestReadersBesideWriter(t *testing.T) {
	for name, r := range map[string]real{
		"apache .htaccess": apache(func(s site) string { return apacheHosts(s, false, "FileInfo") }),
		"apache":           apache(func(s site) string { return apacheHosts(s, true, "None") }),
		"caddy":            caddy(),
		"lighttpd":         lighttpd(""),
		"nginx":            nginx(),
	} {
		t.Run(name, func(t *testing.T) { r.race(t) })
	}
}

// releases are those that were made, by the tag of their card.
type releases struct {
	sync.Map
	wrong, behind, read atomic.Int64
}

const releaseWord = "release "

func (all *releases) make(n int) []tree.File {
	f := tree.File{
		Path: ".well-known/agent-card.json", Data: fmt.Appendf(nil, "{\"name\":\"%s%06d\"}\n", releaseWord, n),
		Sidecars: true,
	}
	all.Store(f.Digest().ETag(), n)
	return []tree.File{f}
}

func (r real) race(t *testing.T) {
	t.Helper()
	binary, err := exec.LookPath(r.binary)
	if err != nil {
		t.Skipf("%s is not installed", r.binary)
	}
	s := newSite(t, "single", []string{""})
	var all releases
	r.release(t, s, all.make(0))
	server := r.start(t, binary, s)

	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() { all.reader(ctx, t, s.addr) })
	}
	// Before it answers, it may listen and not yet know the signal.
	hostingtest.Await(t, "it answers", server.ended, func() bool { return all.read.Load() > 0 || t.Failed() })
	for n := 1; n <= 20 || all.read.Load() < int64(*answers); n++ {
		r.release(t, s, all.make(n))
		if r.reload != 0 && n%5 == 0 {
			if err := server.Signal(r.reload); err != nil {
				t.Fatal(err)
			}
		}
		if t.Failed() {
			break
		}
	}
	stop()
	readers.Wait()
	t.Logf("%d answers, %d with the tag of a release and older bytes, %d with newer ones", all.read.Load(),
		all.wrong.Load(), all.behind.Load())
	allowed := int64(0)
	if r.opensFirst {
		allowed = 5 + all.read.Load()/100
	}
	if all.wrong.Load() > allowed {
		t.Error("old bytes have a new tag")
	}
}

// release writes a tree as generate does.
func (r real) release(t *testing.T, s site, files []tree.File) {
	t.Helper()
	table, _ := hosting.NewTable(files, hosting.Settings{})
	outputs, _ := hosting.Render([]string{r.target}, table)
	var servers []tree.File
	for _, o := range outputs {
		if o.Root {
			files = append(files, o.File())
		} else {
			servers = append(servers, o.File())
		}
	}
	for _, place := range []struct {
		dir   string
		files []tree.File
	}{{s.root, files}, {s.conf, servers}} {
		at, err := paths.Project{}.Output(place.dir, paths.Typed)
		if err != nil {
			t.Fatal(err)
		}
		_, found, err := publish.Write(t.Context(), at, place.files, publish.Options{})
		_ = at.Close()
		if err != nil || found != nil {
			t.Fatal(err, found)
		}
	}
}

// reader asks for the card until the context ends.
func (all *releases) reader(ctx context.Context, t *testing.T, addr string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/.well-known/agent-card.json",
			http.NoBody)
		if err != nil {
			t.Error(err)
			return
		}
		answer, err := client.Do(req)
		if err != nil {
			continue // a reload may end a connection
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			continue
		}
		_, text, _ := strings.Cut(string(body), releaseWord)
		var have int
		if _, err := fmt.Sscanf(text, "%d", &have); err != nil {
			t.Errorf("half a card: %q", body)
			return
		}
		known, _ := all.Load(answer.Header.Get("ETag"))
		tagged, ours := known.(int)
		all.read.Add(1)
		switch {
		case !ours:
			t.Errorf("the tag %s is that of no release", answer.Header.Get("ETag"))
			return
		case tagged > have:
			all.wrong.Add(1)
		case tagged < have:
			all.behind.Add(1)
		}
	}
}
