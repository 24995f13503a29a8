package hosting

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// Settings is what the configuration says about hosting. The zero value is the
// default.
type Settings struct {
	CacheControl     string // of every file; "" is [DefaultCacheControl]
	NoCORS           bool   // keep scripts of other origins out
	Deprecation      string // date (YYYY-MM-DD) since which agent.json is deprecated; "" is [DefaultDeprecation]
	NoDeprecation    bool   // send no Deprecation header
	DraftDeprecation bool   // send "true", as drafts before RFC 9745 had it
	Sunset           string // date (YYYY-MM-DD) after which agent.json may be gone (RFC 8594); "" for none
	HostLayout       bool   // the first directory of a path is the host that serves it
	Out              string // output directory; what names it in usage lines is its last element; "" is dist
	Base             string // path of the URL below which the tree is found, such as /cards; "" at the root of a host
}

// What is sent where the configuration says nothing.
const (
	DefaultCacheControl = "public, max-age=3600, stale-while-revalidate=86400"
	DefaultDeprecation  = "2025-07-30" // A2A 0.3.0 moved the card that day
)

// Methods is what a host allows on every file, as in the Allow header.
const Methods = "GET, HEAD, OPTIONS"

// Table is what a host must answer, for every file that clients ask for.
type Table struct {
	Sites     []Site   // sorted by host; one without a host unless the layout is by host
	Preflight []Header // of the 204 that answers OPTIONS
	CORS      bool     // scripts of other origins may read the files
	Out       string   // name of the output directory; of the web root, where that is known to hold it at Base
	Base      string   // path of the output directory below the web root, "" when it is that
	Elsewhere bool     // the output directory is not at Base below a web root, but has to be brought there
}

// Site is one web root.
type Site struct {
	Host    string  // in lower case; "" answers to any host
	Dir     string  // directory below the root of the output tree, "" for the root itself
	Entries []Entry // sorted by path
}

// Entry is one file and what comes with it. A page index.html has a second
// entry, whose path is that of its directory and ends in a slash.
type Entry struct {
	Path        string // of its URL, such as /.well-known/agent-card.json
	File        string // slash path in the output tree
	ContentType string
	Digest      tree.Digest
	Sidecars    bool     // an .etag and a .sha256 stand beside it
	Headers     []Header // sent with 200 and 304, Content-Type and ETag aside

	data []byte    // of the file
	turn tree.Turn // among the files of a release
}

// Header is one field of a response.
type Header struct{ Name, Value string }

// ETag is the strong tag of the entry, in double quotes.
func (e Entry) ETag() string { return e.Digest.ETag() }

// NewTable builds the table for an output tree, sidecars left out. A setting
// that cannot be a header value, and a path that would need escaping in a URL,
// are findings.
func NewTable(files []tree.File, s Settings) (Table, diag.List) {
	found := s.check()
	t := Table{CORS: !s.NoCORS, Preflight: s.Preflight()}
	t.Out, t.Base, t.Elsewhere = s.place()
	sites := map[string]*Site{}
	for _, f := range files {
		dir, name := "", f.Path
		if s.HostLayout {
			dir, name, _ = strings.Cut(f.Path, "/")
		}
		if name == "" || Sidecar(name) {
			continue
		}
		if !fs.ValidPath(f.Path) || !safe(f.Path, "/._~-") {
			found = append(found, unsafePath(f))
			continue
		}
		site := sites[dir]
		if site == nil {
			site = &Site{Host: strings.ToLower(dir), Dir: dir}
			sites[dir] = site
		}
		name = t.Base + "/" + name
		site.Entries = append(site.Entries, s.entry(name, f))
		if dir, ok := strings.CutSuffix(name, "/"+tree.PagePath); ok {
			site.Entries = append(site.Entries, s.entry(dir+"/", f))
		}
	}
	for _, site := range sites {
		site.announce(t.Base)
		slices.SortFunc(site.Entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
		t.Sites = append(t.Sites, *site)
	}
	slices.SortFunc(t.Sites, func(a, b Site) int { return cmp.Compare(a.Host, b.Host) })
	return t, found
}

func (s Settings) entry(p string, f tree.File) Entry {
	return Entry{
		Path:        p,
		File:        f.Path,
		data:        f.Data,
		turn:        f.Turn,
		ContentType: f.ContentType(),
		Digest:      f.Digest(),
		Sidecars:    f.Sidecars,
		Headers:     s.Headers(p),
	}
}

// place says what the output directory is to a web root: its name and path below
// it. Where the directory has that path already, the name is that of the root.
func (s Settings) place() (out, base string, elsewhere bool) {
	out = cmp.Or(s.Out, "dist")
	if s.HostLayout || s.Base == "" {
		return path.Base(out), "", false
	}
	above, ok := strings.CutSuffix(path.Clean(out), s.Base)
	if !ok || above == "" {
		return path.Base(out), s.Base, true
	}
	return path.Base(above), s.Base, false
}

// directory tells whether the entry is that of a directory, for its page.
func (e Entry) directory() bool { return strings.HasSuffix(e.Path, "/") }

// Sidecar tells whether a path is that of a sidecar, which no host serves.
func Sidecar(name string) bool {
	ext := path.Ext(name)
	return ext == tree.ETagSuffix || ext == tree.ChecksumSuffix
}

// successor is the path of the card that took the place of the one at p, ""
// when p is no legacy path.
func successor(p string) string {
	dir, name := path.Split(p)
	if name != "agent.json" || path.Base(dir) != ".well-known" {
		return ""
	}
	return dir + "agent-card.json"
}

// Headers are the fields that go with the file at a URL path, Content-Type and
// ETag aside, in the order in which they are written.
func (s Settings) Headers(p string) []Header {
	headers := []Header{{"Cache-Control", cmp.Or(s.CacheControl, DefaultCacheControl)}}
	if !s.NoCORS {
		headers = append(headers,
			Header{"Access-Control-Allow-Origin", "*"},
			Header{"Access-Control-Expose-Headers", "ETag, Link, Deprecation"})
	}
	headers = append(headers, Header{"X-Content-Type-Options", "nosniff"})
	current := successor(p)
	if current == "" {
		return headers
	}
	if !s.NoDeprecation {
		headers = append(headers, Header{"Deprecation", s.deprecation()})
	}
	headers = append(headers, Header{"Link", "<" + current + `>; rel="successor-version"`})
	if s.Sunset != "" {
		headers = append(headers, Header{"Sunset", date(s.Sunset).Format(httpDate)})
	}
	return headers
}

// Preflight are the fields of the 204 that answers OPTIONS. Clients of A2A ask
// first, since they send A2A-Version with the request for the card.
func (s Settings) Preflight() []Header {
	headers := []Header{{"Allow", Methods}}
	if s.NoCORS {
		return headers
	}
	return append(headers,
		Header{"Access-Control-Allow-Origin", "*"},
		Header{"Access-Control-Allow-Methods", Methods},
		Header{"Access-Control-Allow-Headers", "A2A-Version, A2A-Extensions, Content-Type, If-None-Match"},
		Header{"Access-Control-Max-Age", "86400"})
}

// httpDate is the IMF-fixdate of RFC 9110 section 5.6.7.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

// deprecation is a structured date (RFC 9745 section 2.1), or what the drafts
// before it had.
func (s Settings) deprecation() string {
	if s.DraftDeprecation {
		return "true"
	}
	return fmt.Sprintf("@%d", date(cmp.Or(s.Deprecation, DefaultDeprecation)).Unix())
}

// date is the start of a day in UTC; the zero time for a text that
// [Settings.check] refuses.
func date(day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day)
	return t
}

func (s Settings) check() diag.List {
	var found diag.List
	report := func(key, message, hint string) {
		found = append(found, diag.New("config-value", diag.Span{}, "%s", message).WithPointer("/"+key).WithHint(hint))
	}
	if !safe(s.CacheControl, " ,=-") {
		report("cacheControl", fmt.Sprintf("%q is not a cache policy", s.CacheControl),
			"write directives like "+DefaultCacheControl)
	}
	if !safe(path.Base(s.Out), "._-") {
		report("out", fmt.Sprintf("the directory name %q is not allowed in a server configuration", path.Base(s.Out)),
			"use letters, digits, dots, hyphens and underscores")
	}
	if !safe(s.Base, "/._~-") || s.Base != "" && path.Clean(s.Base) != s.Base {
		report("baseUrl", fmt.Sprintf("the path %q is not allowed in a server configuration", s.Base),
			"use letters, digits, dots, hyphens and underscores in the path of baseUrl")
	}
	for _, d := range []struct{ key, day string }{{"deprecation", s.Deprecation}, {"sunset", s.Sunset}} {
		if d.day != "" && date(d.day).IsZero() {
			report(d.key, fmt.Sprintf("%q is not a date", d.day), "write it as YYYY-MM-DD")
		}
	}
	return found
}

func unsafePath(f tree.File) diag.Diagnostic {
	return diag.New("config-value", diag.Span{}, "the path %q is not allowed in a server configuration", f.Path).
		WithHint("use letters, digits, dots, hyphens and underscores in ids and hosts")
}

// safe tells whether s holds nothing but ASCII letters, digits and the extra
// characters: what no configuration syntax gives a meaning beyond the ones
// that the renderers escape.
func safe(s, extra string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !alnum && strings.IndexByte(extra, c) < 0 {
			return false
		}
	}
	return true
}
