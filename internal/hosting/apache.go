package hosting

import (
	"fmt"
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
	below := slices.Clip(fill("htaccess", nil))
	for _, s := range t.Sites {
		site := newApacheSite(t, s, "%{REQUEST_FILENAME}")
		site.PerDirectory = true
		top := path.Join(s.Dir, ".")
		dirs, texts := []string{top}, map[string][]byte{top: fill("htaccess", site)}
		for _, e := range s.Entries {
			dir := path.Dir(e.File)
			if texts[dir] == nil {
				dirs, texts[dir] = append(dirs, dir), below
			}
			texts[dir] = apacheTag(texts[dir], e)
		}
		if len(s.Entries) == 0 {
			outputs = append(outputs, rooted(t, "htaccess", s, ".htaccess", texts[top]))
			continue
		}
		for _, dir := range dirs {
			outputs = append(outputs, Output{Root: true, Path: path.Join(dir, ".htaccess"), Data: texts[dir]})
		}
	}
	return outputs
}

// apacheTag gives a file its tag or, where it is found by its digest, takes it from there.
// There are too many of these rules for a template.
func apacheTag(b []byte, e Entry) []byte {
	for _, c := range e.Codings {
		b = fmt.Appendf(b, "\nRewriteCond %%{REQUEST_URI} =%s\nRewriteCond %s\n"+
			"RewriteRule ^ %s%s [END,E=a2a_tag:%s,E=a2a_coding:%s]\n",
			e.Path, apacheAccepts(c.Coding), e.file(), c.Suffix, c.Digest, c.Name)
	}
	b = fmt.Appendf(b, "\nRewriteCond %%{REQUEST_URI} =%s\n", e.Path)
	if e.Stored == "" {
		return fmt.Appendf(b, "RewriteRule ^ - [E=a2a_tag:%s]\n", e.Digest)
	}
	return fmt.Appendf(b, "RewriteCond %%{REQUEST_FILENAME} ^(.*/)\nRewriteCond %%1cards/%s.json -f\n"+
		"RewriteRule ^ %s [END,E=a2a_tag:%[1]s]\n", e.Digest, e.Stored)
}

// apacheSite is a table, and a site of it, as the templates for Apache take them.
type apacheSite struct {
	Host             string
	Moved            []Redirect
	Origins          []string
	Preflight        []Header
	Codes, Immutable bool
	Hidden           string // pattern of what is not for clients
	Place            string // of the web root, for people
	Asked            string // the file of a request
	PerDirectory     bool   // in a file .htaccess
	Classes          []class
	Common           []Header // of all classes
}

func newApacheSite(t Table, s WebRoot, asked string) *apacheSite {
	classes := s.classes(t)
	return &apacheSite{
		Host: s.Host, Moved: s.Moved, Origins: t.Origins, Preflight: t.Preflight,
		Codes: s.codes(), Immutable: s.immutable(), Hidden: hidden(s.Entries),
		Place: root(t, s) + t.about(), Asked: asked, Classes: classes, Common: sharedClasses(classes),
	}
}

// Unset takes away the headers that are sent, and that the server may send besides.
func (s *apacheSite) Unset() string {
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
	return strings.Join(sent, "\n        Header always unset ")[len(sent[0]):]
}

// Set are the directives for what the headers of each class have besides the common ones.
func (s *apacheSite) Set() string {
	var b strings.Builder
	for i, c := range s.Classes {
		here := fmt.Sprintf("reqenv('a2a_class') == '%d'", i)
		b.WriteString(apacheHeaders("set", without(c.Headers, s.Common), here))
		if c.Successor {
			b.WriteString("\n        Header set Link " +
				`"<%{a2a_card}e>; rel=\"successor-version\"" "expr=(` + here + `)"`)
		}
	}
	return b.String()
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

// apacheHeaders are directives Header, each on a line. Allow, which only answers to OPTIONS
// have besides, is sent with 405 too.
func apacheHeaders(verb string, list []Header, condition string) string {
	var b strings.Builder
	for _, h := range list {
		where := condition
		if h.Name == "Allow" {
			where += " || %{REQUEST_STATUS} == 405"
		}
		b.WriteString("\n        " + apacheHeader(verb, h, where))
	}
	return b.String()
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
