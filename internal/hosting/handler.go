package hosting

import (
	"bytes"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strings"
	"time"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// Handler serves the files of an output tree as the table says, at the root and below
// the path of its URL. With the layout by host, the first directory is chosen by the
// Host of a request, HOST.localhost counting as HOST. In the others it has to be this
// machine: a loopback name, the address that the request came to, or the host of addr, at
// which the server listens. Any other gets 421, so that no page whose name was made to
// lead here (DNS rebinding) reads what is served.
//
// The tree has to keep requests inside: give it one that refuses links to elsewhere.
func Handler(served fs.FS, s Settings, addr string) http.Handler {
	name, _, _ := net.SplitHostPort(addr)
	return &handler{served: served, settings: s, table: NewTable(s), name: name}
}

type handler struct {
	served   fs.FS
	settings Settings
	table    Table
	name     string // of this machine, "" for loopback names only
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	root, ok := h.root(r)
	if !ok {
		http.Error(w, "This preview does not serve that host: open one of the URLs that it printed.",
			http.StatusMisdirectedRequest)
		return
	}
	name, headers := h.file(r.URL.Path)
	file := path.Join(root, name)
	if name == "" || !regular(h.served, file) {
		refuse(w, http.StatusNotFound)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		set(w, headers)
		h.send(w, r, file)
	case http.MethodOptions:
		set(w, h.settings.Preflight())
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", Methods)
		refuse(w, http.StatusMethodNotAllowed)
	}
}

// file is the file at a path of a URL, with the fields that come with it; "" for what
// no client may see.
func (h *handler) file(urlPath string) (string, []Header) {
	name := strings.TrimPrefix(urlPath, "/")
	if base := h.settings.Base; base != "" && !h.settings.HostLayout {
		if below, ok := strings.CutPrefix(urlPath, base+"/"); ok {
			name = below
		} else {
			urlPath = base + urlPath
		}
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += site.PagePath
	}
	if !fs.ValidPath(name) || hidden(name) || site.IsSidecar(name) || h.table.Hidden(urlPath) {
		return "", nil
	}
	headers, ok := h.table.Headers(urlPath)
	if !ok { // a file next to the tree
		headers = []Header{{"X-Content-Type-Options", "nosniff"}}
	}
	return name, headers
}

// root is the directory that serves the host of a request.
func (h *handler) root(r *http.Request) (string, bool) {
	host := strings.ToLower(r.Host)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(host, ".") // a name from the root of the DNS
	if !h.settings.HostLayout {
		return ".", h.local(host, r)
	}
	for _, dir := range []string{host, strings.TrimSuffix(host, ".localhost")} {
		if !fs.ValidPath(dir) || strings.HasPrefix(dir, ".") || strings.Contains(dir, "/") {
			continue
		}
		if info, err := fs.Stat(h.served, dir); err == nil && info.IsDir() {
			return dir, true
		}
	}
	return "", false
}

// local reports whether a host is this machine, to which a request came.
func (h *handler) local(host string, r *http.Request) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		host != "" && strings.EqualFold(host, h.name) {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		return false
	}
	here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ip.IsLoopback() || ok && here.AddrPort().Addr().Unmap() == ip.Unmap()
}

// hidden reports whether a path has a name that servers keep their configuration in.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != ".well-known" {
			return true
		}
	}
	return path.Base(name) == "_headers"
}

// regular reports whether name is a file that opening cannot block on.
func regular(served fs.FS, name string) bool {
	info, err := fs.Stat(served, name)
	return err == nil && info.Mode().IsRegular()
}

// send sends a file with the tag of the bytes that were read, whatever its sidecar says
// while another release comes.
func (h *handler) send(w http.ResponseWriter, r *http.Request, name string) {
	body, err := files.ReadFile(h.served, name, site.MaxFile)
	if err != nil {
		refuse(w, http.StatusNotFound)
		return
	}
	w.Header().Set("ETag", site.DigestOf(body).ETag())
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}

func set(w http.ResponseWriter, headers []Header) {
	for _, field := range headers {
		w.Header().Set(field.Name, field.Value)
	}
}

func refuse(w http.ResponseWriter, status int) {
	http.Error(w, http.StatusText(status), status)
}
