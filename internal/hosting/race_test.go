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
	"time"

	"cardwright/internal/files"
	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
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
	t.Parallel()
	for name, r := range servers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r.race(t, false)
		})
		// Found by their digests, no bytes have another tag, whichever way releases go.
		t.Run(name+" immutable", func(t *testing.T) {
			t.Parallel()
			r.race(t, true)
		})
	}
}

// releases are those that were made, by the tag of their card.
type releases struct {
	sync.Map
	tagsItself               bool      // the server, where there is no sidecar
	former                   tree.File // the card before, found by its digest
	wrong, behind, own, read atomic.Int64
}

const releaseWord = "release "

func (all *releases) make(n int, immutable bool) []tree.File {
	f := tree.File{
		Path: ".well-known/agent-card.json", Data: fmt.Appendf(nil, "{\"name\":\"%s%06d\"}\n", releaseWord, n),
		Sidecars: true,
	}
	all.Store(f.Digest().ETag(), n)
	if !immutable {
		return []tree.File{f}
	}
	stored := f
	stored.Path = tree.StoredPath(f.Digest())
	files := []tree.File{f, stored}
	if former := all.former; former.Data != nil && former.Path != stored.Path {
		files = append(files, former) // as keep has it
	}
	all.former = stored
	return files
}

func (r real) race(t *testing.T, immutable bool) {
	t.Helper()
	binary, err := exec.LookPath(r.binary)
	if err != nil {
		t.Skipf("%s is not installed", r.binary)
	}
	s := newSite(t, "single", []string{""})
	all := releases{tagsItself: r.opensFirst}
	r.release(t, s, all.make(0, immutable), immutable)
	server := r.start(t, binary, s)

	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() { all.reader(ctx, t, insecure(), "http://"+s.addr) })
	}
	// Before it answers, it may listen and not yet know the signal.
	hostingtest.Await(t, "it answers", server.ended, func() bool { return all.read.Load() > 0 || t.Failed() })
	for n := 1; n <= fixture.Rounds(8, 20) || all.read.Load() < int64(*answers); n++ {
		back := n
		if immutable && n%7 == 6 { // a rollback
			back -= 2
		}
		r.release(t, s, all.make(back, immutable), immutable)
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
	t.Logf("%d answers, %d with the tag of a release and older bytes, %d with newer ones, %d with a tag of the server",
		all.read.Load(), all.wrong.Load(), all.behind.Load(), all.own.Load())
	if behind := all.behind.Load(); immutable && behind > 0 {
		t.Errorf("%d answers have the tag of a release and newer bytes", behind)
	}
	allowed := int64(0)
	if r.opensFirst && !immutable {
		allowed = 5 + all.read.Load()/100
	}
	if all.wrong.Load() > allowed {
		t.Error("old bytes have a new tag")
	}
}

// release writes a tree as generate does.
func (r real) release(t *testing.T, s site, made []tree.File, immutable bool) {
	t.Helper()
	table, _ := hosting.NewTable(made, hosting.Settings{Immutable: immutable})
	outputs, _ := hosting.Render([]string{r.target}, table)
	var servers []tree.File
	for _, o := range outputs {
		if o.Root {
			made = append(made, o.File())
		} else {
			servers = append(servers, o.File())
		}
	}
	for _, place := range []struct {
		dir  string
		made []tree.File
	}{{s.root, made}, {s.conf, servers}} {
		at, err := files.Checkout{}.Output(place.dir, files.Typed)
		if err != nil {
			t.Fatal(err)
		}
		_, found, err := publish.Write(t.Context(), at, place.made, publish.Options{})
		_ = at.Close()
		if err != nil || found != nil {
			t.Fatal(err, found)
		}
	}
}

// reader asks an origin for the card until the context ends.
func (all *releases) reader(ctx context.Context, t *testing.T, client *http.Client, origin string) {
	t.Helper()
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/.well-known/agent-card.json", http.NoBody)
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
		if want := 1 + strings.Count(origin, "https:"); answer.ProtoMajor != want {
			t.Errorf("%s answers with %s", origin, answer.Proto)
			return
		}
		if err != nil || answer.StatusCode != http.StatusOK {
			continue
		}
		_, text, _ := strings.Cut(string(body), releaseWord)
		var have int
		if _, err := fmt.Sscanf(text, "%d", &have); err != nil {
			t.Errorf("half a card: %q", body)
			return
		}
		tag := answer.Header.Get("ETag")
		known, _ := all.Load(tag)
		tagged, ours := known.(int)
		if !ours && tag != "" && all.tagsItself { // for the same bytes each time
			first, _ := all.LoadOrStore(tag, have)
			tagged, ours = first.(int)
			all.own.Add(1)
		}
		all.read.Add(1)
		if !fixture.Long() {
			time.Sleep(4 * time.Millisecond)
		}
		switch {
		case !ours && len(tag) != len(tree.Digest{}.ETag()):
			// while there is no sidecar, a tag of the server's own, or none
		case !ours:
			t.Errorf("the tag %s is that of no release", tag)
			return
		case tagged > have:
			all.wrong.Add(1)
		case tagged < have:
			all.behind.Add(1)
		}
	}
}
