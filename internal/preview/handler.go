package preview

import (
	"io"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"cardwright/internal/hosting"
)

// Handler serves the files of an output tree as the table of package hosting
// says. With the layout by host, the first directory is chosen by the Host of
// a request, HOST.localhost counting as HOST, and any other gets 421.
//
// The files of the tree must be [io.Seeker]s, as those of [os.Root.FS] and
// [embed.FS] are. What keeps a request inside the tree is the tree itself:
// give it one that refuses links to elsewhere.
func Handler(tree fs.FS, s hosting.Settings) http.Handler {
	return &handler{tree: tree, settings: s}
}

type handler struct {
	tree     fs.FS
	settings hosting.Settings
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	root, ok := h.root(r.Host)
	if !ok {
		refuse(w, http.StatusMisdirectedRequest)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += hosting.Index
	}
	if !fs.ValidPath(name) || hidden(name) || !h.regular(path.Join(root, name)) {
		refuse(w, http.StatusNotFound)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		h.send(w, r, path.Join(root, name), "/"+name)
	case http.MethodOptions:
		set(w, h.settings.Preflight())
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", hosting.Methods)
		refuse(w, http.StatusMethodNotAllowed)
	}
}

// root is the directory that serves a host.
func (h *handler) root(host string) (string, bool) {
	if !h.settings.HostLayout {
		return ".", true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(host)
	for _, dir := range []string{host, strings.TrimSuffix(host, ".localhost")} {
		if !fs.ValidPath(dir) || strings.HasPrefix(dir, ".") || strings.Contains(dir, "/") {
			continue
		}
		if info, err := fs.Stat(h.tree, dir); err == nil && info.IsDir() {
			return dir, true
		}
	}
	return "", false
}

// hidden tells whether a path is for servers and not for their clients: the
// sidecars, and what the configuration of a server is kept in.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != ".well-known" {
			return true
		}
	}
	return hosting.Sidecar(name) || path.Base(name) == "_headers"
}

// regular tells whether name is a file that opening cannot block on.
func (h *handler) regular(name string) bool {
	info, err := fs.Stat(h.tree, name)
	return err == nil && info.Mode().IsRegular()
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, name, urlPath string) {
	// A card is published before its sidecar. Read in the other order, a new
	// tag never goes out with old bytes.
	tag := h.sidecar(name)
	f, err := h.tree.Open(name)
	if err != nil {
		refuse(w, http.StatusNotFound)
		return
	}
	defer func() { _ = f.Close() }()
	content, ok := f.(io.ReadSeeker)
	if ok && tag == "" {
		tag, err = computed(content)
	}
	if !ok || err != nil {
		refuse(w, http.StatusInternalServerError)
		return
	}
	set(w, h.settings.Headers(urlPath))
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, content)
}

// contentType is that of a file of the tree. The system's own table of types
// would not say the same everywhere.
func contentType(name string) string {
	switch {
	case path.Base(name) == "jwks.json":
		return "application/jwk-set+json"
	case path.Base(name) == "ai-catalog.json":
		return "application/ai-catalog+json"
	case path.Ext(name) == ".json":
		return "application/json"
	case path.Ext(name) == ".html":
		return "text/html; charset=utf-8"
	}
	return "application/octet-stream"
}

func set(w http.ResponseWriter, headers []hosting.Header) {
	for _, h := range headers {
		w.Header().Set(h.Name, h.Value)
	}
}

func refuse(w http.ResponseWriter, status int) {
	http.Error(w, http.StatusText(status), status)
}
