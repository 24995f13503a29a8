package hosting

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

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
}

func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{backend: s3mem.New()}
	if err := b.backend.CreateBucket("cards"); err != nil {
		t.Fatal(err)
	}
	s3 := gofakes3.New(b.backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			b.mu.Lock()
			b.uploads = append(b.uploads, upload{
				Key:          strings.TrimPrefix(r.URL.Path, "/cards/"),
				ContentType:  r.Header.Get("Content-Type"),
				CacheControl: r.Header.Get("Cache-Control"),
				Checksum:     r.Header.Get("X-Amz-Checksum-Sha256"),
			})
			b.mu.Unlock()
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// run runs the script as its first lines say, and returns what was uploaded.
func (b *bucket) run(t *testing.T, script, dir string) []upload {
	t.Helper()
	b.uploads = nil
	cmd := exec.CommandContext(t.Context(), "sh", script, dir, "cards")
	cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+b.url, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_DEFAULT_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return b.uploads
}

func TestS3Upload(t *testing.T) {
	if _, err := exec.LookPath("aws"); err != nil {
		t.Skip("the AWS command line is not installed: the upload script is not tried out")
	}
	dir, b := t.TempDir(), newBucket(t)
	publish := func(release byte) string {
		files := slices.DeleteFunc(hostingtest.Tree([]string{""}, release), func(f tree.File) bool { return path.Base(f.Path) == "agent.json" })
		table, _ := hosting.NewTable(files, hosting.Settings{})
		outputs, _ := hosting.Render([]string{"s3"}, table)
		hostingtest.Write(t, filepath.Join(dir, "dist"), files)
		hostingtest.WriteOutputs(t, filepath.Join(dir, "dist"), dir, outputs)
		return filepath.Join(dir, "s3", "upload.sh")
	}
	dist := filepath.Join(dir, "dist")

	first := b.run(t, publish('a'), dist)
	var keys []string
	for _, u := range first {
		keys = append(keys, u.Key)
		if u.CacheControl != hosting.DefaultCacheControl || u.Checksum == "" {
			t.Errorf("%s: cache control %q, checksum %q", u.Key, u.CacheControl, u.Checksum)
		}
	}
	want := []string{}
	for _, name := range []string{".well-known/agent-card.json", ".well-known/ai-catalog.json", ".well-known/jwks.json", "index.html"} {
		for _, ext := range []string{"", ".etag", ".sha256"} {
			want = append(want, name+ext)
		}
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("uploads, in order (-want +got):\n%s", diff)
	}
	types := map[string]string{}
	for _, u := range first {
		types[strings.TrimPrefix(u.Key, ".well-known/")] = u.ContentType
	}
	for name, want := range map[string]string{"agent-card.json": "application/json", "ai-catalog.json": "application/ai-catalog+json", "jwks.json": "application/jwk-set+json", "index.html": "text/html; charset=utf-8", "agent-card.json.etag": "text/plain"} {
		if types[name] != want {
			t.Errorf("%s: content type %q, want %q", name, types[name], want)
		}
	}

	if again := b.run(t, publish('a'), dist); len(again) > 0 {
		t.Errorf("nothing changed, and %v is uploaded", again)
	}
	// The new release has the same sizes: only the checksum tells.
	changed := b.run(t, publish('b'), dist)
	if len(changed) != 6 || slices.ContainsFunc(changed, func(u upload) bool { return strings.Contains(u.Key, "jwks") }) {
		t.Errorf("one card and one page changed, and %v is uploaded", changed)
	}
}
