package preview

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// Handler serves the files of an output tree as the table of package hosting
// says, at the root and, where the settings have one, below the path of its URL. With the layout by
// host, the first directory is chosen by the Host of a request, HOST.localhost counting as HOST. In
// the others it has to be this machine: a loopback name, the address that the request came to, or
// one of names. Any other gets 421, so that no page whose name was made to lead here (DNS
// rebinding) reads what is served.
//
// The files of the tree must be [io.Seeker]s, as those of [os.Root.FS] and
// [embed.FS] are. What keeps a request inside the tree is the tree itself:
// give it one that refuses links to elsewhere.
func Handler(tree fs.FS, s hosting.Settings, names ...string) http.Handler {
	return &handler{tree: tree, settings: s, names: names}
}

type handler struct {
	tree     fs.FS
	settings hosting.Settings
	names    []string // that this machine has, loopback names aside
	kept     kept
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	root, ok := h.root(r)
	if !ok {
		http.Error(w, "This preview does not serve that host: open one of the URLs that it printed.",
			http.StatusMisdirectedRequest)
		return
	}
	above, name := "", strings.TrimPrefix(r.URL.Path, "/")
	if below, ok := strings.CutPrefix(r.URL.Path, h.base()+"/"); ok {
		above, name = h.base(), below
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += tree.PagePath
	}
	if h.redirected(w, r, root) {
		return
	}
	if !fs.ValidPath(name) || hidden(name) {
		refuse(w, http.StatusNotFound)
		return
	}
	file, urlPath := path.Join(root, name), above+"/"+name
	info, err := fs.Stat(h.tree, file)
	if err != nil || !info.Mode().IsRegular() {
		refuse(w, http.StatusNotFound)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		headers := h.settings.Headers(urlPath)
		list := file
		if codings := h.codings(file); len(codings) > 0 {
			headers = hosting.Coded(headers)
			file, info = h.coded(w, r, file, info, codings)
		}
		if a := h.answer(file, urlPath, info); a != nil {
			h.set(w, r, headers)
			a.send(w, r)
			return
		}
		h.set(w, r, headers)
		h.announce(w, r, list, urlPath)
		h.send(w, r, file)
	case http.MethodOptions:
		h.set(w, r, h.settings.Preflight())
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", hosting.Methods)
		refuse(w, http.StatusMethodNotAllowed)
	}
}

// redirected answers for a card that has moved, and reports whether it has.
func (h *handler) redirected(w http.ResponseWriter, r *http.Request, root string) bool {
	host := ""
	if root != "." {
		host = strings.ToLower(root)
	}
	moved := h.settings.Redirects(host, h.base(), h.regular)
	i := slices.IndexFunc(moved, func(m hosting.Redirect) bool { return m.From == r.URL.Path })
	if i < 0 {
		return false
	}
	if r.Method == http.MethodOptions {
		h.set(w, r, h.settings.Preflight())
		w.WriteHeader(http.StatusNoContent)
		return true
	}
	h.set(w, r, moved[i].Headers)
	w.Header().Set("Location", moved[i].To)
	w.WriteHeader(http.StatusPermanentRedirect)
	return true
}

// base is the path below which the tree is found.
func (h *handler) base() string {
	if h.settings.HostLayout {
		return ""
	}
	return h.settings.Base
}

// root is the directory that serves the host of a request.
func (h *handler) root(r *http.Request) (string, bool) {
	host := strings.ToLower(r.Host)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(host, ".") // a name from the root of the DNS
	for _, dir := range []string{host, strings.TrimSuffix(host, ".localhost")} {
		if !fs.ValidPath(dir) || strings.HasPrefix(dir, ".") || strings.Contains(dir, "/") {
			continue
		}
		if slices.ContainsFunc(h.settings.Moved, func(m hosting.Moved) bool { return m.Host == dir }) {
			return dir, true
		}
		if info, err := fs.Stat(h.tree, dir); h.settings.HostLayout && err == nil && info.IsDir() {
			return dir, true
		}
	}
	return ".", !h.settings.HostLayout && h.local(host, r)
}

// local reports whether a host is this machine, to which a request came.
func (h *handler) local(host string, r *http.Request) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		slices.ContainsFunc(h.names, func(name string) bool { return strings.EqualFold(name, host) }) {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		return false
	}
	here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ip.IsLoopback() || ok && here.AddrPort().Addr().Unmap() == ip.Unmap()
}

// hidden reports whether a path is for servers and not for their clients: the
// sidecars, and what the configuration of a server is kept in.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != ".well-known" {
			return true
		}
	}
	return hosting.Sidecar(name) || path.Base(name) == "_headers"
}

// regular reports whether name is a file that opening cannot block on.
func (h *handler) regular(name string) bool {
	info, err := fs.Stat(h.tree, name)
	return err == nil && info.Mode().IsRegular()
}

// codings are those in which a file stands beside itself.
func (h *handler) codings(file string) []tree.Coding {
	if !tree.IsList(file) {
		return nil
	}
	return slices.DeleteFunc(tree.Codings(), func(c tree.Coding) bool { return !h.regular(file + c.Suffix) })
}

// coded returns the file in the first coding that the client accepts, or the file itself.
func (h *handler) coded(w http.ResponseWriter, r *http.Request, file string, info fs.FileInfo,
	codings []tree.Coding,
) (string, fs.FileInfo) {
	accepted := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	for _, c := range codings {
		coded, err := fs.Stat(h.tree, file+c.Suffix)
		if err != nil || !hosting.Accepts(accepted, c) {
			continue
		}
		w.Header().Set("Content-Encoding", c.Name)
		return file + c.Suffix, coded
	}
	return file, info
}

// announce says where the lists of the site are, with a file that does so.
func (h *handler) announce(w http.ResponseWriter, r *http.Request, name, urlPath string) {
	if !hosting.Announces(h.settings.Base, urlPath) {
		return
	}
	root := strings.TrimSuffix(strings.TrimSuffix(name, tree.PagePath), tree.APICatalogPath)
	h.set(w, r, hosting.Announcements(h.settings.Base,
		func(p string) bool { return h.regular(path.Join(root, strings.TrimPrefix(p, "/"))) }))
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, name string) {
	f, err := h.tree.Open(name)
	if err != nil {
		refuse(w, http.StatusNotFound)
		return
	}
	defer func() { _ = f.Close() }()
	content, ok := f.(io.ReadSeeker)
	var tag string
	if ok {
		tag, err = computed(content)
	}
	if !ok || err != nil {
		refuse(w, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", tree.ContentType(name))
	w.Header().Set("ETag", tag)
	serve(w, r, content)
}

// serve sends a file. The standard library leaves out the length of one in a coding.
func serve(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	if w.Header().Get("Content-Encoding") != "" && r.Header.Get("Range") == "" {
		if size, err := content.Seek(0, io.SeekEnd); err == nil {
			w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		}
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

func (h *handler) set(w http.ResponseWriter, r *http.Request, headers []hosting.Header) {
	for _, field := range headers {
		if field.Value != hosting.RequestOrigin {
			w.Header().Set(field.Name, field.Value)
		} else if origin := r.Header.Get("Origin"); slices.Contains(h.settings.Origins, origin) {
			w.Header().Set(field.Name, origin)
		}
	}
}

func refuse(w http.ResponseWriter, status int) {
	http.Error(w, http.StatusText(status), status)
}

// computed is the tag of a file. It leaves the file at its
// beginning.
func computed(content io.ReadSeeker) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", fmt.Errorf("reading a file of the tree: %w", err)
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("reading a file of the tree again: %w", err)
	}
	return tree.Digest(sum.Sum(nil)).ETag(), nil
}
