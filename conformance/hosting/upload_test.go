package hosting

import (
	"bytes"
	"crypto/md5"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

// bucket answers the requests of S3 that upload.sh makes: ListObjectsV2, PutObject and
// DeleteObjects. It lists two keys at a time, so that the listing has many pages.
type bucket struct {
	mu      sync.Mutex
	objects map[string]object
	put     []string          // keys in the order in which they came
	refuse  func(string) bool // unless nil, the keys that must not be uploaded
}

type object struct{ body, contentType, cacheControl string }

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, key, _ := strings.Cut(r.URL.Path[1:], "/")
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2":
		b.list(w, r.URL.Query().Get("prefix"), r.URL.Query().Get("continuation-token"))
	case r.Method == http.MethodPut && b.refuse != nil && b.refuse(key):
		http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
	case r.Method == http.MethodPut:
		b.objects[key] = object{string(body), r.Header.Get("Content-Type"), r.Header.Get("Cache-Control")}
		b.put = append(b.put, key)
		w.Header().Set("ETag", tagOf(string(body)))
	case r.Method == http.MethodPost && r.URL.Query().Has("delete"):
		var request struct {
			Object []struct{ Key string }
		}
		if err := xml.Unmarshal(body, &request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, o := range request.Object {
			delete(b.objects, o.Key)
		}
		fmt.Fprint(w, `<DeleteResult/>`)
	default:
		http.Error(w, "", http.StatusNotImplemented)
	}
}

func tagOf(body string) string { return fmt.Sprintf(`"%x"`, md5.Sum([]byte(body))) }

func (b *bucket) list(w io.Writer, prefix, after string) {
	type entry struct{ Key, ETag string }
	var result struct {
		XMLName               struct{} `xml:"ListBucketResult"`
		Contents              []entry
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
	}
	for _, key := range slices.Sorted(maps.Keys(b.objects)) {
		switch {
		case !strings.HasPrefix(key, prefix) || key <= after:
		case len(result.Contents) == 2:
			result.IsTruncated, result.NextContinuationToken = true, result.Contents[1].Key
		default:
			result.Contents = append(result.Contents, entry{key, tagOf(b.objects[key].body)})
		}
	}
	_ = xml.NewEncoder(w).Encode(result)
}

// uploads returns the keys that came since the last call.
func (b *bucket) uploads() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	keys := b.put
	b.put = nil
	return keys
}

// uploader runs upload.sh against a bucket. It returns the command, the file in which each
// call of aws is a line, and the directory for temporary files.
func uploader(t *testing.T, b *bucket) (command func(args ...string) *exec.Cmd, calls, temp string) {
	t.Helper()
	aws, work := program(t, "aws"), t.TempDir()
	server := httptest.NewServer(b)
	t.Cleanup(server.CloseClientConnections)
	calls, temp = filepath.Join(work, "calls"), filepath.Join(work, "tmp")
	for _, o := range outputs(t, "s3") {
		put(t, filepath.Join(work, o.Path), string(o.Data))
	}
	put(t, filepath.Join(work, "bin/aws"), "#!/bin/sh\necho \"$*\" >>'"+calls+"'\nexec '"+aws+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(work, "bin/aws"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	return func(args ...string) *exec.Cmd {
		cmd := exec.Command("sh", append([]string{filepath.Join(work, "s3/upload.sh")}, args...)...)
		cmd.Env = append(os.Environ(), "PATH="+work+"/bin:"+os.Getenv("PATH"), "TMPDIR="+temp, "AWS_ENDPOINT_URL="+server.URL,
			"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_DEFAULT_REGION=eu-central-1",
			"AWS_CONFIG_FILE=/dev/null", "AWS_MAX_ATTEMPTS=1", "AWS_REQUEST_CHECKSUM_CALCULATION=when_required")
		return cmd
	}, calls, temp
}

func outputs(t *testing.T, target string) []site.File {
	t.Helper()
	all, found := hosting.Render([]string{target}, settings)
	if found != nil {
		t.Fatal(found)
	}
	return all
}

// What differs from the bucket is uploaded with its type and cache policy, the lists last.
// What the tree no longer has is deleted on request, if it has a name of ours.
func TestUpload(t *testing.T) {
	root := filepath.Join(t.TempDir(), "dist")
	files := tree(t, root, 3, 'a')
	b := &bucket{objects: map[string]object{
		"agents/gone/.well-known/agent-card.json": {}, "agents/index.txt": {}, "agents/gone/index.html": {},
		"gone/.well-known/agent-card.json": {}, // outside of the prefix
	}}
	command, calls, temp := uploader(t, b)
	upload := func(args ...string) string {
		t.Helper()
		out, err := command(append(args, root, "bucket", "/agents/")...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}

	out := upload()
	table, lists := hosting.NewTable(settings), false
	for _, key := range b.uploads() {
		list := strings.HasSuffix(key, "index.json") || strings.HasSuffix(key, "catalog.json") || key == "agents/index.html"
		if lists = lists || list; lists != list {
			t.Errorf("%s comes after a list", key)
		}
	}
	for name, body := range files {
		want := map[string]string{}
		headers, _ := table.Headers("/" + name)
		for _, h := range headers {
			want[h.Name] = h.Value
		}
		if got := b.objects["agents/"+name]; got != (object{body, want["Content-Type"], want["Cache-Control"]}) {
			t.Errorf("%s is %.200v", name, got)
		}
	}
	if n := len(b.objects) - len(files); n != 4 {
		t.Errorf("%d objects more than files: %v", n, slices.Sorted(maps.Keys(b.objects)))
	}
	if !strings.Contains(out, "no longer in DIR, --delete removes it: agents/gone/.well-known/agent-card.json\n") {
		t.Errorf("prints %s", out)
	}
	if log, err := os.ReadFile(calls); err != nil || bytes.Count(log, []byte("\n")) > 10 {
		t.Errorf("%v, the calls are\n%s", err, log)
	}

	age(t, root, time.Now().Add(time.Hour))
	upload()
	if keys := b.uploads(); keys != nil {
		t.Errorf("without a change, %q is uploaded", keys)
	}
	card := filepath.Join(root, "teams/agent-1/.well-known/agent-card.json")
	info, err := os.Stat(card)
	if err != nil {
		t.Fatal(err)
	}
	put(t, card, strings.Replace(files["teams/agent-1/.well-known/agent-card.json"], "aa", "ab", 1))
	if err := os.Chtimes(card, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	upload("--delete")
	if keys := b.uploads(); len(keys) != 1 || keys[0] != "agents/teams/agent-1/.well-known/agent-card.json" {
		t.Errorf("after a change of one card, %q is uploaded", keys)
	}
	for key, there := range map[string]bool{
		"agents/gone/.well-known/agent-card.json": false, "agents/index.txt": true, "agents/gone/index.html": true,
		"gone/.well-known/agent-card.json": true, "agents/.well-known/jwks.json": true,
	} {
		if _, ok := b.objects[key]; ok != there {
			t.Errorf("after --delete, %s is there: %t", key, ok)
		}
	}
	upload("--all")
	if keys := b.uploads(); len(keys) != len(files) {
		t.Errorf("--all uploads %d files of %d", len(keys), len(files))
	}
	empty(t, temp)
}

// When a card is refused, no list is uploaded.
func TestUploadFails(t *testing.T) {
	root := filepath.Join(t.TempDir(), "dist")
	tree(t, root, 1, 'a')
	isCard := func(key string) bool { return strings.HasSuffix(key, "card.json") }
	b := &bucket{objects: map[string]object{}, refuse: isCard}
	command, _, temp := uploader(t, b)
	out, err := command(root, "bucket").CombinedOutput()
	if err == nil || slices.ContainsFunc(b.uploads(), func(key string) bool { return strings.Contains(key, "index") }) {
		t.Errorf("%v\n%s", err, out)
	}
	empty(t, temp)
}

func empty(t *testing.T, dir string) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, left behind: %v", err, entries)
	}
}
