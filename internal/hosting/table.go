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
	Servers          []string `key:"servers"`      // targets that configuration is written for
	CacheControl     string   `key:"cacheControl"` // of every file that changes; "" is [DefaultCacheControl]
	NoCORS           bool     // keep scripts of other origins out
	Origins          []string `key:"cors.origins"`       // whose scripts may read the files; nil for all
	AllowHeaders     []string `key:"cors.allowHeaders"`  // that scripts may send, besides [allowHeaders]
	ExposeHeaders    []string `key:"cors.exposeHeaders"` // that scripts may read, besides [exposeHeaders]
	Fields           []Field  // sent besides
	Immutable        bool     `key:"immutable"` // a card is found by its digest too
	Keep             int      `key:"keep"`      // how many former cards stay that are found by it
	Deprecation      string   // date (YYYY-MM-DD) since which agent.json is deprecated; "" is [defaultDeprecation]
	NoDeprecation    bool     // send no Deprecation header
	DraftDeprecation bool     // send "true", as drafts before RFC 9745 had it
	Sunset           string   `key:"sunset"` // date (YYYY-MM-DD) after which agent.json may go (RFC 8594); "" for none
	Moved            []Moved  // which directories cards have left
	HostLayout       bool     // the first directory of a path is the host that serves it
	Out              string   // output directory; what names it in usage lines is its last element; "" is dist
	Base             string   // path of the URL below which the tree is found, such as /cards; "" at the root of a host
	Site             string   // host that former hosts of cards redirect to; "" with the layout by host
}

// Moved says that a card is in another directory of the output tree now. "" is the tree
// itself. Where there is a host, the card was at that one, below a path there or not.
type Moved struct{ Host, From, To string }

// Redirect is an answer to what asks for a card where it was before.
type Redirect struct {
	From    string // path of a URL
	To      string // likewise, or a URL where the host was another one
	Headers []Header
}

// Redirects are the answers of a host at the former paths of cards, where has reports
// whether there is a file in the output tree. The host is "" for that of baseUrl.
func (s Settings) Redirects(host, base string, has func(file string) bool) []Redirect {
	var all []Redirect
	for _, m := range s.Moved {
		for _, name := range []string{tree.CardPath, tree.LegacyCardPath} {
			from, to := path.Join(m.Host, m.From, name), path.Join(m.To, name)
			if m.Host != host || !has(to) || has(from) {
				continue
			}
			r := Redirect{From: path.Join(base+"/", m.From, name), Headers: s.Headers("/" + tree.CardPath)}
			if r.To = path.Join(base+"/", to); m.Host != "" {
				r.From, r.To = path.Join("/", m.From, name), "https://"+path.Join(s.Site, base, to)
			}
			all = append(all, r)
		}
	}
	return all
}

// Field is a header that the configuration adds to the files of a kind.
type Field struct {
	Kind string // one of [kinds]
	Header
}

// kinds are the kinds of files that [Field] can name: the first is all of them.
func kinds() []string { return []string{"all", "cards", "catalogs", "keys", "skills", "pages"} }

// kindOf is the kind of the file at a URL path.
func kindOf(p string) string {
	name := strings.TrimPrefix(p, "/")
	base := path.Base(name)
	switch {
	case tree.InSkills(name):
		return "skills"
	case strings.HasSuffix(p, "/"), base == tree.PagePath:
		return "pages"
	case base == path.Base(tree.CardPath), base == path.Base(tree.LegacyCardPath), tree.IsStored(name):
		return "cards"
	case base == path.Base(tree.KeySetPath):
		return "keys"
	}
	return "catalogs"
}

// What scripts of other origins may always send and read: clients send A2A-Version
// with the request for the card, and tracing and tokens come with any request.
const (
	allowHeaders = "A2A-Version, A2A-Extensions, Content-Type, If-None-Match, Authorization, Cache-Control, " +
		"traceparent, tracestate"
	exposeHeaders = "ETag, Link, Deprecation"
)

// RequestOrigin stands in a header for the origin of the request, where that is one
// of several that are allowed. Without, the header is left out.
const RequestOrigin = "<origin>"

// foreverControl is the cache policy of a file whose path has its digest.
const foreverControl = "public, max-age=31536000, immutable"

// What is sent where the configuration says nothing.
const (
	DefaultCacheControl = "public, max-age=3600, stale-while-revalidate=86400"
	defaultDeprecation  = "2025-07-30" // A2A 0.3.0 moved the card that day
)

// Methods is what a host allows on every file, as in the Allow header.
const Methods = "GET, HEAD, OPTIONS"

// Table is what a host must answer, for every file that clients ask for.
type Table struct {
	Sites     []WebRoot // sorted by host, one without a host first unless the layout is by host
	Preflight []Header  // of the 204 that answers OPTIONS
	CORS      bool      // scripts of other origins may read the files
	Origins   []string  // whose scripts these are, nil for all
	Out       string    // name of the output directory; of the web root, where that is known to hold it at Base
	Base      string    // path of the output directory below the web root, "" when it is that
	Elsewhere bool      // the output directory is not at Base below a web root, but has to be brought there
}

// WebRoot is one web root.
type WebRoot struct {
	Host    string  // in lower case; "" answers to any host
	Dir     string  // directory below the root of the output tree, "" for the root itself
	Entries []Entry // sorted by path; none at a host that cards have left
	Moved   []Redirect
}

// Entry is one file and what comes with it. A page index.html has a second
// entry, whose path is that of its directory and ends in a slash.
type Entry struct {
	Path        string // of its URL, such as /.well-known/agent-card.json
	File        string // slash path in the output tree
	ContentType string
	Digest      tree.Digest
	Sidecars    bool     // an .etag and a .sha256 stand beside it
	Stored      string   // path of the URL where its bytes are found by their digest, "" for none
	Headers     []Header // sent with 200 and 304, Content-Type and ETag aside
	Codings     []Coding // in which clients get it that accept them, the first one first

	data []byte    // of the file
	turn tree.Turn // among the files of a release
}

// Coding is a content coding of a file, whose bytes stand beside it.
type Coding struct {
	tree.Coding
	Digest tree.Digest
}

// ETag is the strong tag of the file in the coding.
func (c Coding) ETag() string { return c.Digest.ETag() }

// Header is one field of a response.
type Header struct{ Name, Value string }

// ETag is the strong tag of the entry, in double quotes.
func (e Entry) ETag() string { return e.Digest.ETag() }

// NewTable builds the table for an output tree, sidecars left out. A setting
// that cannot be a header value, and a path that would need escaping in a URL,
// are findings.
func NewTable(files []tree.File, s Settings) (Table, diag.List) {
	found := s.check()
	t := Table{CORS: !s.NoCORS, Origins: s.Origins, Preflight: s.Preflight()}
	stored, coded, has := map[string]bool{}, map[string]tree.Digest{}, map[string]bool{}
	for _, f := range files {
		has[f.Path] = true
		stored[f.Path] = tree.IsStored(f.Path)
		if _, coding := tree.Decoded(f.Path); coding != "" {
			coded[f.Path] = f.Digest()
		}
	}
	t.Out, t.Base, t.Elsewhere = s.place()
	sites := map[string]*WebRoot{}
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
			site = &WebRoot{Host: strings.ToLower(dir), Dir: dir}
			sites[dir] = site
		}
		name = t.Base + "/" + name
		entry := s.entry(name, f, coded)
		if at := path.Join(path.Dir(f.Path), "..", tree.StoredPath(entry.Digest)); stored[at] && !stored[f.Path] {
			entry.Stored = path.Join(path.Dir(name), "..", tree.StoredPath(entry.Digest))
		}
		site.Entries = append(site.Entries, entry)
		if dir, ok := strings.CutSuffix(name, "/"+tree.PagePath); ok {
			site.Entries = append(site.Entries, s.entry(dir+"/", f, coded))
		}
	}
	hosts := map[string]bool{"": true}
	for _, site := range sites {
		hosts[site.Host] = true
	}
	for _, m := range s.Moved { // a host that has nothing else now
		if !hosts[m.Host] && has[path.Join(m.To, tree.CardPath)] {
			sites[m.Host] = &WebRoot{Host: m.Host, Dir: m.Host}
		}
	}
	for _, site := range sites {
		site.announce(t.Base)
		site.Moved = s.Redirects(site.Host, t.Base, func(file string) bool { return has[file] })
		slices.SortStableFunc(site.Entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
		t.Sites = append(t.Sites, *site)
	}
	slices.SortStableFunc(t.Sites, func(a, b WebRoot) int { return cmp.Compare(a.Host, b.Host) })
	return t, found
}

func (s Settings) entry(p string, f tree.File, coded map[string]tree.Digest) Entry {
	e := Entry{
		Path:        p,
		File:        f.Path,
		data:        f.Data,
		turn:        tree.TurnOf(f.Path),
		ContentType: f.ContentType(),
		Digest:      f.Digest(),
		Sidecars:    f.Sidecars,
		Headers:     s.Headers(p),
	}
	for _, c := range tree.Codings() {
		if digest, ok := coded[f.Path+c.Suffix]; ok {
			e.Codings = append(e.Codings, Coding{c, digest})
		}
	}
	if len(e.Codings) > 0 {
		e.Headers = Coded(e.Headers)
	}
	return e
}

// Coded returns the headers of a file that clients get in the coding that they accept.
func Coded(headers []Header) []Header {
	const name, by = "Vary", "Accept-Encoding"
	headers = slices.Clone(headers)
	for i := range headers {
		if headers[i].Name == name {
			headers[i].Value += ", " + by
			return headers
		}
	}
	return append(headers, Header{name, by})
}

// codes reports whether any file of the site comes in codings.
func (s WebRoot) codes() bool {
	return slices.ContainsFunc(s.Entries, func(e Entry) bool { return len(e.Codings) > 0 })
}

func (t Table) codes() bool { return slices.ContainsFunc(t.Sites, WebRoot.codes) }

// coded are the files of the site in codings. Clients do not ask for them by their paths.
func (s WebRoot) coded() []Entry {
	var coded []Entry
	for _, e := range s.Entries {
		for _, c := range e.Codings {
			if !e.directory() {
				coded = append(coded, Entry{Path: e.Path + c.Suffix, Digest: c.Digest, Sidecars: e.Sidecars})
			}
		}
	}
	return coded
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

// WebRoot is the directory around dir that a host serves, where the settings say so or
// its name does.
func (s Settings) WebRoot(dir string) (root string, ok bool) {
	if _, base, elsewhere := s.place(); base != "" && !elsewhere {
		root = strings.TrimSuffix(path.Clean(s.Out), s.Base)
		if strings.HasPrefix(dir+"/", root+"/") {
			return root, true
		}
	}
	for root = path.Dir(dir); root != path.Dir(root); root = path.Dir(root) {
		switch path.Base(root) {
		case "public", "public_html", "htdocs", "wwwroot", "static":
			return root, true
		}
	}
	return "", false
}

// directory reports whether the entry is that of a directory, for its page.
func (e Entry) directory() bool { return strings.HasSuffix(e.Path, "/") }

// file is the path of the URL that the file itself has.
func (e Entry) file() string {
	if e.directory() {
		return e.Path + tree.PagePath
	}
	return e.Path
}

// Sidecar reports whether a path is that of a sidecar or of a list in a coding, which no
// host serves there.
func Sidecar(name string) bool {
	if _, coding := tree.Decoded(name); coding != "" {
		return true
	}
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
	if tree.IsStored(strings.TrimPrefix(p, "/")) {
		headers[0].Value = foreverControl
	}
	headers = append(headers, s.origin()...)
	if !s.NoCORS {
		headers = append(headers, Header{"Access-Control-Expose-Headers", named(exposeHeaders, s.ExposeHeaders)})
	}
	headers = append(headers, Header{"X-Content-Type-Options", "nosniff"})
	headers = append(headers, s.fields(kindOf(p))...)
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
	return append(append(headers, s.origin()...),
		Header{"Access-Control-Allow-Methods", Methods},
		Header{"Access-Control-Allow-Headers", named(allowHeaders, s.AllowHeaders)},
		Header{"Access-Control-Max-Age", "86400"})
}

// fields are those that the configuration adds to files of a kind, which override
// those that it adds to all.
func (s Settings) fields(kind string) []Header {
	var headers []Header
	for _, k := range []string{kinds()[0], kind} {
		for _, f := range s.Fields {
			if f.Kind != k {
				continue
			}
			headers = slices.DeleteFunc(headers, func(h Header) bool { return strings.EqualFold(h.Name, f.Name) })
			headers = append(headers, f.Header)
		}
	}
	return headers
}

// Fault says why a configuration cannot add a header, with a hint; "" when it can.
func (h Header) Fault() (fault, hint string) {
	reserved := func(name string) bool { return strings.EqualFold(name, h.Name) }
	prefixed := func(prefix string) bool { return strings.HasPrefix(strings.ToLower(h.Name), prefix) }
	switch {
	case h.Name == "" || !safe(h.Name, "-"):
		return "has a name that is not allowed", "use letters, digits and hyphens"
	case prefixed("access-control-"):
		return "is written for cors", "set cors: {origins: [...], allowHeaders: [...], exposeHeaders: [...]}"
	case reserved("Cache-Control"):
		return "is written for cacheControl", "set cacheControl"
	case slices.ContainsFunc(ownHeaders, reserved):
		return "is not one that a configuration can add", "leave it to cardwright and the server"
	case h.Value == "" || plainText(h.Value) != h.Value || strings.TrimSpace(h.Value) != h.Value:
		return "has a value that is not allowed", `use printable ASCII characters without \\, $, { and }`
	}
	return "", ""
}

// ownHeaders are what cardwright or the server says about a file or a connection, and
// what is never sent with a file that everybody gets.
var ownHeaders = []string{
	"Age", "Allow", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Deprecation", "ETag",
	"Expires", "Keep-Alive", "Last-Modified", "Link", "Location", "Set-Cookie", "Sunset", "TE", "Trailer",
	"Transfer-Encoding", "Upgrade", "Vary", "X-Content-Type-Options",
}

// origin are the fields that say whose scripts may read a file. A cache keeps an
// answer for one of several apart from the others.
func (s Settings) origin() []Header {
	switch {
	case s.NoCORS:
		return nil
	case len(s.Origins) == 0:
		return []Header{{allowOrigin, "*"}}
	case len(s.Origins) == 1:
		return []Header{{allowOrigin, s.Origins[0]}}
	}
	return []Header{{allowOrigin, RequestOrigin}, {"Vary", "Origin"}}
}

// named is a list of names with more of them, each once.
func named(list string, more []string) string {
	names := strings.Split(list, ", ")
	for _, name := range more {
		if !slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(known, name) }) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// httpDate is the IMF-fixdate of RFC 9110 section 5.6.7.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

// deprecation is a structured date (RFC 9745 section 2.1), or what the drafts
// before it had.
func (s Settings) deprecation() string {
	if s.DraftDeprecation {
		return "true"
	}
	return fmt.Sprintf("@%d", date(cmp.Or(s.Deprecation, defaultDeprecation)).Unix())
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

// safe reports whether s holds nothing but ASCII letters, digits and the extra
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
