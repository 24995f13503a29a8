package hosting

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/tree"
)

// Output is one configuration file.
type Output struct {
	Root bool   // it belongs into the web root, below out; else below the directory for servers
	Path string // slash path below that directory
	Data []byte
	// Target is the name of the server in [Targets].
	Target string

	// Default marks a file that steps back for one of the user's own.
	Default bool
}

// Marker stands in the first lines of every file that [Render] makes. A file
// without it is somebody else's. In JSON, which has no comments, it stands in
// a member that the platform ignores: the query of $schema, the ID of a rule.
const Marker = "cardwright:generated"

// File is the output as a file of its tree.
func (o Output) File() tree.File {
	return tree.File{Path: o.Path, Data: o.Data, Marker: Marker, Turn: tree.ServerTurn}
}

// head is the three lines that every file begins with: whose it is, and how to
// use it. The comment is what starts a comment in the file's syntax.
func head(comment, target string, use ...string) string {
	lines := append([]string{Marker + " - written by cardwright generate --server " + target +
		"; changes are overwritten"}, use...)
	return comment + " " + strings.Join(lines, "\n"+comment+" ") + "\n"
}

// InRoot reports whether the file at p of an output tree can be one of [Render].
func InRoot(p string) bool {
	switch path.Base(p) {
	case ".htaccess", headersName, "_redirects", "404.html":
		return !tree.InSkills(p) || path.Base(p) == ".htaccess"
	}
	return false
}

// entries are those of all sites.
func (t Table) entries() []Entry {
	var all []Entry
	for _, s := range t.Sites {
		all = append(all, s.Entries...)
	}
	return all
}

// Value is that of the header with the given name, "" when there is none.
func Value(headers []Header, name string) string {
	for _, h := range headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// shared returns the headers that all entries have in common.
func shared(entries []Entry) []Header {
	var common []Header
	for i, e := range entries {
		if i == 0 {
			common = slices.Clone(e.Headers)
			continue
		}
		common = slices.DeleteFunc(common, func(h Header) bool { return !slices.Contains(e.Headers, h) })
	}
	return common
}

// without returns the headers of list that are not in the other one.
func without(list, other []Header) []Header {
	return slices.DeleteFunc(slices.Clone(list), func(h Header) bool { return slices.Contains(other, h) })
}

// typed are the headers of an entry with its content type.
func typed(e Entry) []Header {
	return append([]Header{{"Content-Type", e.ContentType}}, e.Headers...)
}

// static are the headers of an entry on a platform that adds the same ones to
// every answer, OPTIONS included, and keeps its own ETag.
func static(t Table, e Entry) []Header {
	headers := typed(e)
	for _, h := range t.Preflight {
		if h.Name != "Allow" && !slices.Contains(headers, h) {
			headers = append(headers, h)
		}
	}
	return headers
}

// ownNames matches what is ours even in the moment in which a release has taken the
// sidecar away.
const ownNames = `/\.well-known/(?:agent-card|agent|jwks)\.json$`

// class is what the files of a site have in common whose URL paths fit a pattern, and
// none of a class before. A server that knows the files by their sidecars tells them
// apart by it, at the same cost for any number of them.
type class struct {
	Pattern   string
	Headers   []Header // Content-Type among them
	Successor bool     // a Link names the card beside it
	Codings   []Coding
}

// JSON reports whether the files are cards, or other JSON documents that are sent as such.
func (c class) JSON() bool { return Value(c.Headers, "Content-Type") == "application/json" }

// classes are those of the files of a site.
func (s WebRoot) classes(t Table) []class {
	rows := tree.Classes()
	found := make([]*class, len(rows)+1)
	page := "^" + regexp.QuoteMeta(t.Base) + "/(?:" + regexp.QuoteMeta(tree.PagePath) + ")?$"
	for _, e := range s.Entries {
		name, i, pattern := e.Path, 0, page
		if e.directory() {
			name += tree.PagePath
		}
		if !isPage(t.Base, e.Path) {
			i = tree.ClassOf(name) + 1
			pattern = rows[i-1].Pattern
		}
		if found[i] != nil {
			continue
		}
		found[i] = &class{Pattern: pattern, Headers: typed(e), Successor: successor(e.Path) != "", Codings: e.Codings}
		if found[i].Successor {
			found[i].Headers = slices.DeleteFunc(found[i].Headers, func(h Header) bool { return h.Name == "Link" })
		}
	}
	var list []class
	for _, c := range found {
		if c != nil {
			list = append(list, *c)
		}
	}
	return list
}

// sharedClasses returns the headers that all classes have in common.
func sharedClasses(all []class) []Header {
	entries := make([]Entry, len(all))
	for i, c := range all {
		entries[i].Headers = c.Headers
	}
	return shared(entries)
}

// immutable reports whether cards of the site are found by their digests.
func (s WebRoot) immutable() bool {
	return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Stored != "" })
}

// stores reports whether any site is immutable.
func (t Table) stores() bool { return slices.ContainsFunc(t.Sites, WebRoot.immutable) }

// byHost reports whether each site has a host, and else only those that cards have left.
func (t Table) byHost() bool { return len(t.Sites) > 0 && t.Sites[0].Host != "" }

// at names a file of a target; with several sites, each has a directory.
func at(target string, s WebRoot, name string) string { return path.Join(target, s.Host, name) }

// rooted is a file of a target that has to lie in the web root of a site. Where
// the output directory is not that root, it is left to the user to bring it there.
func rooted(t Table, target string, s WebRoot, name string, data []byte) Output {
	if t.Base != "" || s.Host != "" && !t.byHost() {
		return Output{Path: at(target, s, name), Data: data}
	}
	return Output{Root: true, Path: path.Join(s.Dir, name), Data: data}
}

// root is the web root of a site, as the user would write it.
func root(t Table, s WebRoot) string {
	if t.Elsewhere {
		return "WEBROOT" // see [Table.about]
	}
	return path.Join(t.Out, s.Dir)
}

// about tells what stands for the web root in the lines on how to use a file.
func (t Table) about() string {
	if t.Elsewhere {
		return ", where WEBROOT" + t.Base + " is " + t.Out
	}
	return ""
}

// accepts matches an Accept-Encoding (RFC 9110 section 12.5.3) that has a coding, and not
// with the weight 0.
func accepts(c tree.Coding) string {
	return `(?:^|,)[ \t]*` + c.Name + `[ \t]*(?:;[ \t]*q=(?:1|0\.[0-9]*[1-9])[0-9.]*[ \t]*)?(?:,|$)`
}

// Accepts reports whether an Accept-Encoding has a coding.
func Accepts(field string, c tree.Coding) bool {
	return accepting()[c.Name].MatchString(field)
}

// accepting has a pattern for each coding by its name.
var accepting = sync.OnceValue(func() map[string]*regexp.Regexp {
	patterns := map[string]*regexp.Regexp{}
	for _, c := range tree.Codings() {
		patterns[c.Name] = regexp.MustCompile("(?i)" + accepts(c))
	}
	return patterns
})

// unserved matches the paths of what lies in a web root for servers, and not for
// their clients: sidecars, configuration, and files that are being written. It has
// nothing that needs quotes in any configuration.
const unserved = `\.(?:json|html)\.(?:etag|sha256)$|/(?:\.htaccess|_headers|\.nojekyll|\.cardwright-[^/]*\.tmp)$`

// hidden is [unserved], and the sidecars among the entries of files of other names: those
// of skills, which have any, and the api-catalog.
func hidden(entries []Entry) string {
	pattern := unserved
	coded := slices.ContainsFunc(entries, func(e Entry) bool { return len(e.Codings) > 0 })
	if coded {
		pattern = `(?:\.json|\.html|/api-catalog)\.(?:br|gz)(?:\.(?:etag|sha256))?$|` + pattern
	}
	has := func(is func(name string) bool) bool {
		return slices.ContainsFunc(entries, func(e Entry) bool { return is(strings.TrimPrefix(e.Path, "/")) })
	}
	if has(func(name string) bool { return strings.HasSuffix(name, tree.APICatalogPath) }) {
		pattern = `/\.well-known/api-catalog\.(?:etag|sha256)$|` + pattern
	}
	if has(tree.InSkills) {
		pattern = `/\.well-known/(?:agent-)?skills/.*\.(?:etag|sha256)$|` + pattern
	}
	return pattern
}

// codedNames are the names of files in codings, which hosts that compress by themselves
// do not need.
func (s WebRoot) codedNames() []string {
	var names []string
	for _, e := range s.coded() {
		names = append(names, path.Base(e.Path))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// yamlQuote writes a scalar of YAML in single quotes.
func yamlQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
