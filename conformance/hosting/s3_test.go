package hosting

import (
	"bufio"
	"bytes"
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

// upload is one PUT as the server saw it.
type upload struct {
	Key, ContentType, CacheControl, Checksum string
}

// bucket is an S3 server on this machine that remembers its uploads.
type bucket struct {
	url     string
	backend *s3mem.Backend
	mu      sync.Mutex
	uploads []upload
	others  []string // requests beside these
}

func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{backend: s3mem.New()}
	if err := b.backend.CreateBucket("cards"); err != nil {
		t.Fatal(err)
	}
	s3 := gofakes3.New(b.backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		if r.Method != http.MethodPut {
			b.others = append(b.others, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/cards"))
		} else {
			b.uploads = append(b.uploads, upload{
				Key:          strings.TrimPrefix(r.URL.Path, "/cards/"),
				ContentType:  r.Header.Get("Content-Type"),
				CacheControl: r.Header.Get("Cache-Control"),
				Checksum:     r.Header.Get("X-Amz-Checksum-Sha256"),
			})
		}
		b.mu.Unlock()
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// loadAWS makes the command aws one whose program is loaded once for all calls of a test:
// that takes longer than what a call does. It returns its path. What is no package of the
// Python of this machine cannot be loaded, and stays as it is.
func loadAWS(t *testing.T) string {
	t.Helper()
	aws, err := exec.LookPath("aws")
	if err != nil {
		t.Skip("the AWS command line is not installed: the upload script is not tried out")
	}
	script, err := filepath.Abs("aws.py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	socket := filepath.Join(dir, "socket")
	server := exec.CommandContext(t.Context(), "python3", script, "serve", socket)
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return aws
	}
	t.Cleanup(func() { _ = server.Wait() })
	python, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return aws
	}
	aws = filepath.Join(dir, "aws")
	call := fmt.Sprintf("#!/bin/sh\nexec '%s' -IS '%s' call '%s' \"$@\"\n", strings.TrimSpace(python), script, socket)
	if err := os.WriteFile(aws, []byte(call), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return aws
}

// run runs the script as its first lines say, and returns what was uploaded.
func (b *bucket) run(t *testing.T, script string, args ...string) []upload {
	t.Helper()
	b.uploads, b.others = nil, nil
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+b.url, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
		"AWS_DEFAULT_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return b.uploads
}

// release writes a tree and the configuration for a store, and returns the script.
func release(t *testing.T, dir, target string, files []tree.File, settings hosting.Settings) string {
	t.Helper()
	table, _ := hosting.NewTable(files, settings)
	outputs, _ := hosting.Render([]string{target}, table)
	hostingtest.Write(t, filepath.Join(dir, "dist"), files)
	hostingtest.WriteOutputs(t, filepath.Join(dir, "dist"), dir, outputs)
	return filepath.Join(dir, target, "upload.sh")
}

// uploaded are the files of two releases with a card, a key set, a page and a
// catalog that has digests of cards.
func uploaded(t *testing.T) (a, b []tree.File) {
	t.Helper()
	of := func(release byte) []tree.File {
		few := []string{"agent-card.json", "ai-catalog.json", tree.PagePath, "jwks.json"}
		files := slices.DeleteFunc(hostingtest.Tree([]string{""}, release), func(f tree.File) bool {
			return !slices.Contains(few, path.Base(f.Path)) || strings.Contains(f.Path, "skills/")
		})
		for i := range files {
			if path.Base(files[i].Path) == "ai-catalog.json" {
				files[i].Turn = tree.IndexTurn
			}
		}
		return files
	}
	return of('a'), of('b')
}

const keysFile, stateFile = "cardwright.keys.txt", "cardwright.state.txt"

func keys(uploads []upload) []string {
	var list []string
	for _, u := range uploads {
		list = append(list, u.Key)
	}
	return list
}

func TestS3Upload(t *testing.T) {
	loadAWS(t)
	dir, b := t.TempDir(), newBucket(t)
	dist := filepath.Join(dir, "dist")
	filesA, filesB := uploaded(t)
	publish := func(files []tree.File, s hosting.Settings, flags ...string) []upload {
		return b.run(t, release(t, dir, "s3", files, s), append(flags, dist, "cards")...)
	}

	first := publish(filesA, hosting.Settings{})
	want := []string{
		keysFile, ".well-known/agent-card.json", ".well-known/jwks.json", ".well-known/ai-catalog.json",
		"index.html", stateFile,
	}
	if diff := cmp.Diff(want, keys(first)); diff != "" {
		t.Errorf("uploads, in order (-want +got):\n%s", diff)
	}
	types := map[string]string{}
	for _, u := range first {
		types[strings.TrimPrefix(u.Key, ".well-known/")] = u.ContentType
		if own := u.Key == keysFile || u.Key == stateFile; !own &&
			(u.CacheControl != hosting.DefaultCacheControl || u.Checksum == "") {
			t.Errorf("%s: cache control %q, checksum %q", u.Key, u.CacheControl, u.Checksum)
		}
	}
	for name, want := range map[string]string{
		"agent-card.json": "application/json",
		"ai-catalog.json": "application/ai-catalog+json", "jwks.json": "application/jwk-set+json",
		"index.html": "text/html; charset=utf-8",
	} {
		if types[name] != want {
			t.Errorf("%s: content type %q, want %q", name, types[name], want)
		}
	}

	again := publish(filesA, hosting.Settings{})
	if diff := cmp.Diff([]string{"GET "}, b.others); diff != "" || len(again) > 0 {
		t.Errorf("nothing changed, and %v is uploaded; requests beside (-want +got):\n%s", keys(again), diff)
	}
	// The new release has the same sizes: only the hash tells.
	changed := keys(publish(filesB, hosting.Settings{}))
	if diff := cmp.Diff([]string{".well-known/agent-card.json", "index.html"}, changed); diff != "" {
		t.Errorf("one card and one page changed (-want +got):\n%s", diff)
	}
	// The bytes are the same, but not what is sent with them.
	if all := keys(publish(filesB, hosting.Settings{CacheControl: "public, max-age=60"})); len(all) != len(want) {
		t.Errorf("the cache policy changed, and %v is uploaded", all)
	}
	// What departs stays until somebody wants it deleted, also some runs later.
	fewer := slices.DeleteFunc(slices.Clone(filesB), func(f tree.File) bool { return path.Base(f.Path) == "jwks.json" })
	for _, flag := range []string{"", "", "--delete", "--delete"} {
		var flags []string
		if flag != "" {
			flags = []string{flag}
		}
		before := b.has(t, ".well-known/jwks.json")
		publish(fewer, hosting.Settings{}, flags...)
		if after := b.has(t, ".well-known/jwks.json"); after != (before && flag == "") {
			t.Errorf("flag %q: departed key set there: %v", flag, after)
		}
		if !b.has(t, "index.html") || !b.has(t, "foreign.txt") {
			t.Errorf("flag %q: what is of this release or of nobody is deleted", flag)
		}
	}
}

// While releases are uploaded, and one is rolled back, readers over HTTP/1.1 and HTTP/2
// get whole cards, each with the tag that the store makes of these bytes.
func TestS3Deployment(t *testing.T) {
	loadAWS(t)
	dir, b := t.TempDir(), newBucket(t)
	store := httptest.NewUnstartedServer(gofakes3.New(b.backend).Server())
	store.EnableHTTP2 = true
	store.StartTLS()
	defer store.Close()
	filesA, filesB := uploaded(t)
	known := map[string]bool{}
	for _, files := range [][]tree.File{filesA, filesB} {
		known[string(files[0].Data)] = true
	}
	deploy := func(files []tree.File) {
		b.run(t, release(t, dir, "s3", files, hosting.Settings{}), filepath.Join(dir, "dist"), "cards")
	}
	deploy(filesA)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	var read [2]atomic.Int64
	for i, client := range []*http.Client{http.DefaultClient, store.Client()} {
		url := []string{b.url, store.URL}[i] + "/cards/.well-known/agent-card.json"
		readers.Go(func() {
			for ctx.Err() == nil {
				answer, err := client.Get(url)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				tag := fmt.Sprintf(`"%x"`, md5.Sum(body))
				if err != nil || answer.ProtoMajor != i+1 || !known[string(body)] || answer.Header.Get("ETag") != tag {
					t.Errorf("%s %v, tag %s, %v: %q", answer.Proto, err, answer.Header.Get("ETag"), answer.Status, body)
					return
				}
				read[i].Add(1)
				time.Sleep(time.Millisecond) // the uploads are to have the processor
			}
		})
	}
	for _, files := range [][]tree.File{filesB, filesA} {
		deploy(files)
	}
	stop()
	readers.Wait()
	t.Logf("%d answers over HTTP/1.1, %d over HTTP/2", read[0].Load(), read[1].Load())
}

// A fleet is uploaded and deleted in a handful of calls: each is a process that takes a
// second to start.
func TestS3Calls(t *testing.T) {
	aws := loadAWS(t)
	dir, b := t.TempDir(), newBucket(t)
	log := filepath.Join(dir, "calls")
	if err := os.WriteFile(filepath.Join(dir, "aws"),
		[]byte("#!/bin/sh\nprintf '%s\\n' \"$*\" >>"+log+"\nexec "+aws+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	var ids []string
	for i := range 40 {
		ids = append(ids, fmt.Sprintf("-agent-%d", i)) // no option of grep or tar
	}
	few, _ := uploaded(t)
	large := tree.File{Path: ".well-known/agent-skills/pdf.tar.gz", Data: bytes.Repeat([]byte("x"), 9<<20)}
	fleet := append(append(hostingtest.Tree(ids, 'a'), large), few...)
	for _, run := range []struct {
		files          []tree.File
		atLeast, calls int
		flag           string
	}{{fleet, 200, 20, ""}, {fleet, 0, 1, ""}, {few, 0, 10, "--delete"}} {
		_ = os.Remove(log)
		script := release(t, dir, "s3", run.files, hosting.Settings{})
		sent := b.run(t, script, slices.DeleteFunc([]string{run.flag, filepath.Join(dir, "dist"), "cards"},
			func(arg string) bool { return arg == "" })...)
		calls, err := os.ReadFile(log)
		if n := strings.Count(string(calls), "\n"); err != nil || n > run.calls || len(sent) < run.atLeast {
			t.Errorf("%d objects in %d calls: %v\n%s", len(sent), n, err, calls)
		}
	}
	if !b.has(t, ".well-known/agent-card.json") || b.has(t, "-agent-1/.well-known/agent-card.json") ||
		b.has(t, large.Path) {
		t.Error("what is deleted is not what departed")
	}
}

// has reports whether an object is there; foreign.txt is put there first.
func (b *bucket) has(t *testing.T, key string) bool {
	t.Helper()
	if _, err := b.backend.HeadObject("cards", "foreign.txt"); err != nil {
		if _, err := b.backend.PutObject("cards", "foreign.txt", nil, strings.NewReader("x"), 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.backend.HeadObject("cards", key)
	return err == nil
}

// Below the path of a base URL, keys have that path, and nothing beside it is looked at.
func TestS3BelowPath(t *testing.T) {
	loadAWS(t)
	dir, b := t.TempDir(), newBucket(t)
	files, _ := uploaded(t)
	script := release(t, dir, "s3", files, hosting.Settings{Base: "/acme/cards"})
	for _, key := range keys(b.run(t, script, filepath.Join(dir, "dist"), "cards")) {
		if !strings.HasPrefix(key, "acme/cards/") {
			t.Errorf("uploaded %s", key)
		}
	}
	if again := b.run(t, script, filepath.Join(dir, "dist"), "cards"); len(again) > 0 {
		t.Errorf("nothing changed, and %v is uploaded", keys(again))
	}
}

// The AWS command line takes what CloudFront is given.
func TestCloudFrontPolicy(t *testing.T) {
	if _, err := exec.LookPath("aws"); err != nil {
		t.Skip("the AWS command line is not installed: the policy is not read")
	}
	dir := t.TempDir()
	files, _ := uploaded(t)
	for _, closed := range []bool{false, true} {
		release(t, dir, "s3", files, hosting.Settings{NoCORS: closed})
		cmd := exec.CommandContext(t.Context(), "aws", "cloudfront", "create-response-headers-policy",
			"--generate-cli-skeleton", "output",
			"--response-headers-policy-config", "file://"+filepath.Join(dir, "s3", "cloudfront-headers.json"))
		cmd.Env = append(os.Environ(), "AWS_DEFAULT_REGION=us-east-1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
