package hosting

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// lighttpd, like Apache, judges conditional requests by a tag of its own; a
// request that names ours is turned into "*". Statuses of our choice come from
// mod_redirect, whose Location is taken away again.
//
// mod_setenv comes before whatever else there is, if there is anything: mod_redirect ends
// a request, and modules behind it see nothing of it.
func lighttpd(t Table) []Output {
	return []Output{{Path: "lighttpd/a2a.conf", Data: fill("lighttpd", &lighttpdServer{Table: t})}}
}

// lighttpdServer is a table, and a site of it, as the templates for lighttpd take them.
type lighttpdServer struct {
	Table
	WebRoot
}

// ByHost reports whether each site has a host.
func (l *lighttpdServer) ByHost() bool { return l.byHost() }

// Named are the sites with a host.
func (l *lighttpdServer) Named() []WebRoot {
	return slices.DeleteFunc(slices.Clone(l.Sites), func(s WebRoot) bool { return s.Host == "" })
}

// At is a site of the table.
func (l *lighttpdServer) At(s WebRoot) *lighttpdServer { return &lighttpdServer{l.Table, s} }

// Use says where the file goes.
func (l *lighttpdServer) Use() string {
	before := "the server's document root is " + root(l.Table, WebRoot{}) + l.about()
	if l.ByHost() {
		before = `var.a2a_root = "/path/to/` + l.Out + `" stands before it`
	}
	return "use: include this file in lighttpd.conf, where " + before + "; lighttpd 1.4.60 or later"
}

// Root is the web root of the site.
func (l *lighttpdServer) Root() string {
	if l.Host == "" {
		return "server.document-root"
	}
	return "var.a2a_root + " + lighttpdQuote("/"+l.Dir)
}

// Paths matches the paths that the site has, or had.
func (l *lighttpdServer) Paths() string {
	var paths []string
	for _, e := range l.Entries {
		paths = append(paths, regexp.QuoteMeta(e.Path))
	}
	for _, m := range l.Moved {
		paths = append(paths, regexp.QuoteMeta(m.From))
	}
	return "^(?:" + strings.Join(paths, "|") + ")$"
}

// Unserved matches what is not for clients, and what follows the path of a file: lighttpd
// takes /x after it for something that the file is asked for.
func (l *lighttpdServer) Unserved() string {
	var files []string
	for _, e := range l.Entries {
		if !e.directory() {
			files = append(files, regexp.QuoteMeta(e.Path))
		}
	}
	if files == nil {
		return hidden(l.Entries)
	}
	return hidden(l.Entries) + `|^(?:` + strings.Join(files, "|") + `)/`
}

// lighttpdAnswer is what is sent, on lines with an indent.
type lighttpdAnswer struct {
	Indent  string
	Status  int
	Digest  tree.Digest
	Headers []Header
}

// Answer is an answer with a status.
func (*lighttpdServer) Answer(indent string, status int, headers []Header) lighttpdAnswer {
	return lighttpdAnswer{Indent: indent, Status: status, Headers: headers}
}

// Refused answers a method that no file allows.
func (l *lighttpdServer) Refused() lighttpdAnswer {
	return l.Answer("        ", 405, []Header{{"Allow", Methods}})
}

// Bare is the answer without the Location that mod_redirect adds.
func (a lighttpdAnswer) Bare() lighttpdAnswer {
	a.Headers = append([]Header{{"Location", ""}}, a.Headers...)
	return a
}

// Tagged is an answer with the tag of its bytes.
func (*lighttpdServer) Tagged(indent string, d tree.Digest, headers []Header) lighttpdAnswer {
	return lighttpdAnswer{Indent: indent, Digest: d, Headers: append([]Header{{"ETag", d.ETag()}}, headers...)}
}

// Coded is the answer with an entry in a coding.
func (l *lighttpdServer) Coded(indent string, c Coding, e Entry) lighttpdAnswer {
	return l.Tagged(indent, c.Digest, append([]Header{{"Content-Encoding", c.Name}}, e.Headers...))
}

// lighttpdQuote writes a string of lighttpd, whose only escape is \". A
// backslash before anything else is a backslash.
func lighttpdQuote(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}

// lighttpdConditions is what lighttpd 1.4.69 was found to take: 2,000, some of
// which are the operator's own.
const lighttpdConditions = 1900

func lighttpdLimits(t Table, made []Output) diag.List {
	config := made[0].Data
	if n := bytes.Count(config, []byte("$HTTP[")) + bytes.Count(config,
		[]byte("$REQUEST_HEADER[")); n > lighttpdConditions {
		return tooMuch(fmt.Sprintf("lighttpd reads %d conditions, and %d are needed", lighttpdConditions, n),
			t.smaller("turn legacyPath off, or divide the agents among several output directories"))
	}
	return nil
}
