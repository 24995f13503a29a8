package hosting

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// lighttpd, like Apache, judges conditional requests by a tag of its own; a
// request that names ours is turned into "*". Statuses of our choice come from
// mod_redirect, whose Location is taken away again.
func lighttpd(t Table) []Output {
	hosts := len(t.Sites) > 0 && t.Sites[0].Host != ""
	before := "the server's document root is " + root(t, Site{}) + t.about()
	if hosts {
		before = `var.a2a_root = "/path/to/` + t.Out + `" stands before it`
	}
	var b bytes.Buffer
	b.WriteString(head("#", "lighttpd",
		"use: include this file in lighttpd.conf, where "+before+"; lighttpd 1.4.60 or later",
		"after every generate: lighttpd -tt -f lighttpd.conf, then restart, or reload with SIGUSR1"))
	b.WriteString(lighttpdModules)
	for i, s := range t.Sites {
		if !hosts {
			b.WriteByte('\n')
			lighttpdSite(&b, t, s, "")
			continue
		}
		otherwise := "\n"
		if i > 0 {
			otherwise = "else "
		}
		fmt.Fprintf(&b, "%s$HTTP[\"host\"] == %s {\n", otherwise, lighttpdQuote(s.Host))
		fmt.Fprintf(&b, "    server.document-root = var.a2a_root + %s\n", lighttpdQuote("/"+s.Dir))
		lighttpdSite(&b, t, s, "    ")
		b.WriteString("}\n")
	}
	if hosts {
		b.WriteString("else {\n")
		lighttpdStatus(&b, "    ", 421, nil)
		b.WriteString("}\n")
	}
	return []Output{{Path: "lighttpd/a2a.conf", Data: b.Bytes()}}
}

// lighttpdModules puts mod_setenv before whatever else there is, if there is
// anything: mod_redirect ends a request, and modules behind it see nothing of it.
const lighttpdModules = `
server.modules += ( )
server.modules := ( "mod_setenv" ) + server.modules + ( "mod_redirect", "mod_alias" )
`

func lighttpdSite(b *bytes.Buffer, t Table, s Site, indent string) {
	inner := indent + "    "
	paths := make([]string, len(s.Entries))
	for i, e := range s.Entries {
		paths[i] = regexp.QuoteMeta(e.Path)
		fmt.Fprintf(b, "%s$HTTP[\"url\"] == %s {\n", indent, lighttpdQuote(e.Path))
		fmt.Fprintf(b, "%smimetype.assign = ( \"\" => %s )\n", inner, lighttpdQuote(e.ContentType))
		if e.directory() {
			fmt.Fprintf(b, "%sindex-file.names = ( %s )\n", inner, lighttpdQuote(tree.PagePath))
		}
		if e.Stored != "" {
			lighttpdAlias(b, inner, s, e.Stored)
		}
		otherwise := ""
		for _, c := range e.Codings {
			fmt.Fprintf(b, "%s%s$REQUEST_HEADER[\"Accept-Encoding\"] =~ %s {\n", inner, otherwise,
				lighttpdQuote("(?i)"+accepts(c.Coding)))
			otherwise = "else "
			if e.directory() {
				fmt.Fprintf(b, "%s    index-file.names = ( %s )\n", inner, lighttpdQuote(tree.PagePath+c.Suffix))
			} else {
				lighttpdAlias(b, inner+"    ", s, e.Path+c.Suffix)
			}
			lighttpdTagged(b, inner+"    ", c.Digest, append([]Header{{"Content-Encoding", c.Name}}, e.Headers...))
			fmt.Fprintf(b, "%s}\n", inner)
		}
		if otherwise != "" {
			fmt.Fprintf(b, "%selse {\n", inner)
			lighttpdTagged(b, inner+"    ", e.Digest, e.Headers)
			fmt.Fprintf(b, "%s}\n%s}\n", inner, indent)
			continue
		}
		lighttpdTagged(b, inner, e.Digest, e.Headers)
		fmt.Fprintf(b, "%s}\n", indent)
	}
	for _, m := range s.Moved {
		paths = append(paths, regexp.QuoteMeta(m.From))
		fmt.Fprintf(b, "%s$HTTP[\"url\"] == %s {\n%surl.redirect = ( \"\" => %s )\n%[3]surl.redirect-code = 308\n", indent,
			lighttpdQuote(m.From), inner, lighttpdQuote(m.To))
		lighttpdHeaders(b, inner, m.Headers)
		fmt.Fprintf(b, "%s}\n", indent)
	}
	fmt.Fprintf(b, "%s$HTTP[\"url\"] =~ %s {\n", indent, lighttpdQuote("^(?:"+strings.Join(paths, "|")+")$"))
	if len(t.Origins) > 1 {
		for _, origin := range t.Origins {
			fmt.Fprintf(b, "%s$REQUEST_HEADER[\"Origin\"] == %s {\n%s    setenv.add-response-header = ( %s => %[2]s )\n%[1]s}\n",
				inner, lighttpdQuote(origin), inner, lighttpdQuote(allowOrigin))
		}
	}
	fmt.Fprintf(b, "%s$HTTP[\"request-method\"] == \"OPTIONS\" {\n", inner)
	lighttpdStatus(b, inner+"    ", 204, t.Preflight)
	fmt.Fprintf(b, "%s}\n%selse $HTTP[\"request-method\"] !~ \"^(?:GET|HEAD)$\" {\n", inner, inner)
	lighttpdStatus(b, inner+"    ", 405, []Header{{"Allow", Methods}})
	fmt.Fprintf(b, "%s}\n%s}\n", inner, indent)
	fmt.Fprintf(b, "%s$HTTP[\"url\"] =~ %s {\n", indent, lighttpdQuote(lighttpdUnserved(s)))
	lighttpdStatus(b, inner, 404, nil)
	fmt.Fprintf(b, "%s}\n", indent)
}

// lighttpdAlias sends the file that is at another path of the site.
func lighttpdAlias(b *bytes.Buffer, indent string, s Site, file string) {
	where := "server.document-root"
	if s.Host != "" {
		where = "var.a2a_root + " + lighttpdQuote("/"+s.Dir)
	}
	fmt.Fprintf(b, "%salias.url = ( \"\" => %s + %s )\n", indent, where, lighttpdQuote(file))
}

// lighttpdTagged sends a tag and headers, and takes a request that names the tag for one
// that names any.
func lighttpdTagged(b *bytes.Buffer, indent string, d tree.Digest, headers []Header) {
	lighttpdHeaders(b, indent, append([]Header{{"ETag", d.ETag()}}, headers...))
	fmt.Fprintf(b, "%s$REQUEST_HEADER[\"If-None-Match\"] =~ \"(?:^|,)[ \\t]*(?:W/)?\\x22%s\\x22[ \\t]*(?:,|$)\" {\n",
		indent, d)
	fmt.Fprintf(b, "%s    setenv.set-request-header = ( \"If-None-Match\" => \"*\" )\n%s}\n", indent, indent)
}

// lighttpdUnserved matches what is not for clients, and what follows the path of a file: lighttpd
// takes /x after it for something that the file is asked for.
func lighttpdUnserved(s Site) string {
	var files []string
	for _, e := range s.Entries {
		if !e.directory() {
			files = append(files, regexp.QuoteMeta(e.Path))
		}
	}
	return hidden(s.Entries) + `|^(?:` + strings.Join(files, "|") + `)/`
}

// lighttpdStatus answers with a status and these headers only.
func lighttpdStatus(b *bytes.Buffer, indent string, status int, headers []Header) {
	fmt.Fprintf(b, "%surl.redirect = ( \"\" => \"/\" )\n%surl.redirect-code = %d\n", indent, indent, status)
	lighttpdHeaders(b, indent, append([]Header{{"Location", ""}}, headers...))
}

func lighttpdHeaders(b *bytes.Buffer, indent string, headers []Header) {
	fmt.Fprintf(b, "%ssetenv.set-response-header = (\n", indent)
	for _, h := range headers {
		if h.Value == RequestOrigin {
			continue // for a request of one of them it is added
		}
		fmt.Fprintf(b, "%s    %s => %s,\n", indent, lighttpdQuote(h.Name), lighttpdQuote(h.Value))
	}
	fmt.Fprintf(b, "%s)\n", indent)
}

// lighttpdQuote writes a string of lighttpd, whose only escape is \". A
// backslash before anything else is a backslash.
func lighttpdQuote(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}

// lighttpdConditions is what lighttpd 1.4.69 was found to take: 2,000, some of
// which are the operator's own.
const lighttpdConditions = 1900

func lighttpdLimits(t Table) diag.List {
	config := lighttpd(t)[0].Data
	if n := bytes.Count(config, []byte("$HTTP[")) + bytes.Count(config,
		[]byte("$REQUEST_HEADER[")); n > lighttpdConditions {
		return tooMuch(fmt.Sprintf("lighttpd reads %d conditions, and %d are needed", lighttpdConditions, n),
			t.smaller("turn legacyPath off, or divide the agents among several output directories"))
	}
	return nil
}
