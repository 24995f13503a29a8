package hosting

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/tree"
)

// Apache judges conditional requests against a tag of its own, made from size
// and time, and knows "*" as a match for anything: a request that names our tag
// is turned into that one. req_novary keeps If-None-Match out of Vary.
//
// Without a tag of its own (FileETag None) it takes ours away as well.
//
// What is ours is known by its sidecar, so that a request costs the same with one
// agent and with thousands. In a virtual host the sidecar gives the tag too. A file
// .htaccess must not read others, so there is one in each directory, with the tags
// of what lies there: Apache reads them again for every request.
func apache(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		file := "apache/a2a.conf"
		if s.Host != "" {
			file = "apache/a2a-" + s.Host + ".conf"
		}
		site := newApacheSite(t, s, "%{DOCUMENT_ROOT}%{REQUEST_URI}")
		outputs = append(outputs, Output{Path: file, Data: fill("apache", site)})
	}
	return outputs
}

// htaccess is for those who cannot change the configuration of the server.
func htaccess(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		site := newApacheSite(t, s, "%{REQUEST_FILENAME}")
		site.PerDirectory = true
		top := path.Join(s.Dir, ".")
		dirs, own := []string{top}, map[string][]Entry{}
		for _, e := range s.Entries {
			dir := path.Dir(e.File)
			if dir != top && own[dir] == nil {
				dirs = append(dirs, dir)
			}
			own[dir] = append(own[dir], e)
		}
		for _, dir := range dirs {
			data := fill("htaccess", struct {
				Site *apacheSite
				Top  bool
				Own  []Entry
			}{site, dir == top, own[dir]})
			outputs = append(outputs, Output{Root: true, Path: path.Join(dir, ".htaccess"), Data: data})
		}
	}
	return outputs
}

// apacheSite is a table, and a site of it, as the templates for Apache take them.
type apacheSite struct {
	Table
	WebRoot
	Place        string // of the web root, for people
	Asked        string // the file of a request
	PerDirectory bool   // in a file .htaccess
	Classes      []class
	Common       []Header // of all classes
}

func newApacheSite(t Table, s WebRoot, asked string) *apacheSite {
	classes := s.classes(t)
	return &apacheSite{
		Table: t, WebRoot: s, Place: root(t, s) + t.about(), Asked: asked, Classes: classes, Common: sharedClasses(classes),
	}
}

// Sent are the names of the headers that are sent, and that the server may send besides.
func (s *apacheSite) Sent() []string {
	sent := []string{"Content-Type"}
	fields := slices.Concat(s.Common, s.Preflight, []Header{{Name: "Link"}})
	for _, c := range s.Classes {
		fields = append(fields, c.Headers...)
	}
	for _, h := range fields {
		if !slices.Contains(sent, h.Name) {
			sent = append(sent, h.Name)
		}
	}
	return sent[1:]
}

// OriginPattern matches the origins whose scripts may read the files.
func (s *apacheSite) OriginPattern() string {
	quoted := make([]string, len(s.Origins))
	for i, origin := range s.Origins {
		quoted[i] = regexp.QuoteMeta(origin)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// apacheAccepts is the condition that a client accepts a coding. In RewriteCond a
// backslash is one.
func apacheAccepts(c tree.Coding) string {
	return `%{HTTP:Accept-Encoding} "` + accepts(c) + `" [NC]`
}

// apacheHeader is a directive Header that holds where a condition does, "" for always. In
// its value % starts a format, and is doubled.
func apacheHeader(verb string, h Header, condition string) string {
	value := apacheQuote(strings.ReplaceAll(h.Value, "%", "%%"))
	var all []string
	if condition != "" {
		all = append(all, "("+condition+")")
	}
	if h.Value == RequestOrigin {
		value = "%{a2a_origin}e"
		all = append(all, "(-n reqenv('a2a_origin'))")
	}
	line := "Header " + verb + " " + h.Name + " " + value
	if len(all) > 0 {
		line += ` "expr=` + strings.Join(all, " && ") + `"`
	}
	return line
}

// apacheQuote writes an argument of a directive.
func apacheQuote(s string) string { return `"` + apacheEscapes.Replace(s) + `"` }

var apacheEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
