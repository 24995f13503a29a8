package preview

import (
	"bytes"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"sync"

	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// kept are the answers for files that have not changed since they were read. Each
// request looks at the file, and does not read it where it is the same file as before,
// of the same size and time.
type kept struct {
	mu      sync.RWMutex
	answers map[string]*answer // by the path of the URL below the file
	bytes   int
}

// How much is kept, in bytes. A larger file is read for each request; when it gets
// too much, all is read again.
const (
	mostKept     = 64 << 20
	mostKeptFile = 1 << 20
)

// answer is a file with what goes with it.
type answer struct {
	file   fs.FileInfo // as it was before it was read
	header http.Header // whose values nobody changes
	body   []byte
}

// answer returns the answer for a file of which the tree told info, nil where it
// has to be put together from other files or cannot be kept.
func (h *handler) answer(name, urlPath string, info fs.FileInfo) *answer {
	// no file of a disk
	if info.Size() > mostKeptFile || hosting.Announces(h.settings.Base, urlPath) || !os.SameFile(info, info) {
		return nil
	}
	key := urlPath + "\x00" + name
	h.kept.mu.RLock()
	a := h.kept.answers[key]
	h.kept.mu.RUnlock()
	if a != nil && same(a.file, info) {
		return a
	}
	if a = h.read(name); a != nil {
		a.file = info
		h.kept.add(key, a)
	}
	return a
}

// same reports whether two looks at a path saw one file that did not change.
func same(a, b fs.FileInfo) bool {
	return a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && os.SameFile(a, b)
}

func (k *kept) add(key string, a *answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil || k.bytes+len(a.body) > mostKept {
		k.answers, k.bytes = map[string]*answer{}, 0
	}
	if old := k.answers[key]; old != nil {
		k.bytes -= len(old.body)
	}
	k.answers[key] = a
	k.bytes += len(a.body)
}

// read reads a file. Its tag is that of the bytes, whatever its sidecar says while
// another release comes.
func (h *handler) read(name string) *answer {
	body, err := files.ReadFile(h.tree, name, mostKeptFile)
	if err != nil {
		return nil
	}
	return &answer{
		header: http.Header{"Content-Type": {tree.ContentType(name)}, "Etag": {tree.DigestOf(body).ETag()}}, body: body,
	}
}

func (a *answer) send(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), a.header)
	serve(w, r, bytes.NewReader(a.body))
}
