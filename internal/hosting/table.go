package hosting

import (
	"cmp"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// Settings is what a configuration says about hosting. The zero value is the default.
type Settings struct {
	CacheControl string // "" is [DefaultCacheControl]
	NoCORS       bool   // keep scripts of other origins out
	Deprecation  string // date (YYYY-MM-DD) since which agent.json is deprecated; "" is [defaultDeprecation]
	Sunset       string // date (YYYY-MM-DD) after which agent.json may go (RFC 8594); "" for none
	HTML         bool   // the tree has a page
	HostLayout   bool   // the first directory of a path is the host that serves it
	Base         string // path of the URL below which the tree is found, such as /cards; "" at the root of a host
}

// Kind is a row of the table: files that a host serves alike.
type Kind struct {
	Glob        string // their path below the directory of an agent or a site
	ContentType string
}

const jsonType = "application/json"

// kinds are the files that a host serves, in the order in which they are
// deployed. Nothing else below .well-known belongs to the tree.
var kinds = []Kind{
	{site.CardPath, jsonType},
	{site.LegacyCardPath, jsonType},
	{site.KeySetPath, "application/jwk-set+json"},
	{site.SkillsDir + "/*/" + site.SkillName, "text/markdown; charset=utf-8"},
	{site.SkillsDir + "/*.tar.gz", "application/gzip"},
	{site.SkillsDir + "/" + site.SkillsIndexName, jsonType},
	{site.CatalogPath, jsonType},
}

// page is the row of the page. Unlike the others it is found at one path only, since
// index.html is a name that every site has.
var page = Kind{site.PagePath, "text/html; charset=utf-8"}

// Pattern is the regular expression of the glob, for the page also of its directory.
func (k Kind) Pattern() string {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(k.Glob), `\*`, `[^/]+`)
	if k.Page() {
		pattern = "(?:" + pattern + ")?"
	}
	return pattern
}

// Legacy reports whether the row is for the card that has a successor, and says so.
func (k Kind) Legacy() bool { return k.Glob == site.LegacyCardPath }

// Page reports whether the row is for the page.
func (k Kind) Page() bool { return k == page }

// Kinds returns the rows of the table, with the row for the page if the tree has one.
func (s Settings) Kinds() []Kind {
	if !s.HTML {
		return slices.Clone(kinds)
	}
	return append(slices.Clone(kinds), page)
}

// Typed returns the rows that are not sent as application/json.
func (s Settings) Typed() []Kind {
	return slices.DeleteFunc(s.Kinds(), func(k Kind) bool { return k.ContentType == jsonType })
}

// Path is the regular expression of the paths of URLs that a row is for. It has no
// beginning, which servers match faster, so it matches in any directory.
func (s Settings) Path(k Kind) string {
	if k.Page() {
		return "^" + regexp.QuoteMeta(s.Base) + "/" + k.Pattern() + "$"
	}
	return "/" + k.Pattern() + "$"
}

// Page returns the regular expression of the paths of the page, "" where there is none.
func (s Settings) Page() string {
	if !s.HTML {
		return ""
	}
	return s.Path(page)
}

// Served is the regular expression of the paths of all files below .well-known.
func (s Settings) Served() string { return `/\.well-known/` + names() }

// Captured is the regular expression of the paths of all files. Its group is the directory
// of those below .well-known.
func (s Settings) Captured() string {
	captured := `^(.*/\.well-known/)` + names()
	if s.HTML {
		captured += "|" + s.Page()
	}
	return captured
}

// names is the end of [Settings.Served].
func names() string {
	patterns := make([]string, len(kinds))
	for i, k := range kinds {
		patterns[i] = strings.TrimPrefix(k.Pattern(), `\.well-known/`)
	}
	return "(?:" + strings.Join(patterns, "|") + ")$"
}

// Hidden is the regular expression of the paths of what is for servers, and not for
// their clients: sidecars, the manifest, and what is not in place yet.
func (s Settings) Hidden() string {
	hidden := `/\.well-known/.+\.(?:etag|sha256)$|/cardwright\.manifest\.json|/\.cardwright-[^/]*\.tmp$`
	if s.HTML {
		hidden += `|^` + regexp.QuoteMeta(s.Base) + `/index\.html\.(?:etag|sha256)$`
	}
	return hidden
}

// Header is one field of a response.
type Header struct{ Name, Value string }

// Methods is what a host allows on every file, as in the Allow header.
const Methods = "GET, HEAD, OPTIONS"

// AllowHeaders is what scripts of other origins may send. Clients send A2A-Version with
// the request for the card, so browsers ask first.
const AllowHeaders = "A2A-Version, A2A-Extensions, Authorization, Cache-Control, Content-Type, " +
	"If-None-Match, traceparent"

const (
	exposeHeaders = "ETag, Link, Deprecation"
	maxAge        = 86400 // how long an answer to a preflight holds, in seconds
)

// What is sent where the configuration says nothing.
const (
	DefaultCacheControl = "public, max-age=3600, stale-while-revalidate=86400"
	defaultDeprecation  = "2025-07-30" // A2A 0.3.0 moved the card that day
)

// Headers are the fields that come with every file, Content-Type and ETag aside.
func (s Settings) Headers() []Header {
	headers := []Header{{"Cache-Control", cmp.Or(s.CacheControl, DefaultCacheControl)}}
	if !s.NoCORS {
		headers = append(headers, Header{"Access-Control-Allow-Origin", "*"},
			Header{"Access-Control-Expose-Headers", exposeHeaders})
	}
	return append(headers, Header{"X-Content-Type-Options", "nosniff"})
}

// Legacy are the fields that come with agent.json besides: it is deprecated (RFC 9745),
// and the card in dir has taken its place. An empty dir makes the link relative.
func (s Settings) Legacy(dir string) []Header {
	headers := []Header{
		{"Deprecation", fmt.Sprintf("@%d", date(cmp.Or(s.Deprecation, defaultDeprecation)).Unix())},
		{"Link", "<" + dir + `agent-card.json>; rel="successor-version"`},
	}
	if s.Sunset != "" {
		headers = append(headers, Header{"Sunset", date(s.Sunset).Format(http.TimeFormat)})
	}
	return headers
}

// Preflight are the fields of the 204 that answers OPTIONS.
func (s Settings) Preflight() []Header {
	headers := []Header{{"Allow", Methods}}
	if s.NoCORS {
		return headers
	}
	return append(headers,
		Header{"Access-Control-Allow-Origin", "*"},
		Header{"Access-Control-Allow-Methods", Methods},
		Header{"Access-Control-Allow-Headers", AllowHeaders},
		Header{"Access-Control-Max-Age", strconv.Itoa(maxAge)})
}

// Table is what a host answers, for the paths of URLs.
type Table struct {
	settings Settings
	rows     []row
	hidden   *regexp.Regexp
}

type row struct {
	path *regexp.Regexp
	kind Kind
}

// NewTable returns the table for settings.
func NewTable(s Settings) Table {
	t := Table{settings: s, hidden: regexp.MustCompile(s.Hidden())}
	for _, k := range s.Kinds() {
		t.rows = append(t.rows, row{regexp.MustCompile(s.Path(k)), k})
	}
	return t
}

// Headers are the fields that come with the file at a path of a URL, ETag aside, and
// whether there is a row for it.
func (t Table) Headers(urlPath string) ([]Header, bool) {
	for _, r := range t.rows {
		if !r.path.MatchString(urlPath) {
			continue
		}
		headers := append([]Header{{"Content-Type", r.kind.ContentType}}, t.settings.Headers()...)
		if r.kind.Legacy() {
			headers = append(headers, t.settings.Legacy(path.Dir(urlPath)+"/")...)
		}
		return headers, true
	}
	return nil, false
}

// Hidden reports whether what is at a path of a URL is for servers, and not for their
// clients.
func (t Table) Hidden(urlPath string) bool { return t.hidden.MatchString(urlPath) }

// date is the start of a day in UTC; the zero time for a text that the configuration
// refuses.
func date(day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day)
	return t
}

// check reports a path of baseUrl that patterns cannot hold.
func (s Settings) check() diag.List {
	ok := regexp.MustCompile(`^(?:/[A-Za-z0-9._~-]+)*$`).MatchString(s.Base)
	if ok || !s.HTML {
		return nil
	}
	return diag.List{diag.New(diag.ConfigValue, diag.Span{},
		"the path %s is not allowed in a server configuration", diag.Quote(s.Base)).WithPointer("/baseUrl").
		WithHint("use letters, digits, dots, hyphens and underscores in the path of baseUrl")}
}
