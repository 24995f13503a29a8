package hosting

import (
	"bytes"
	"fmt"
	"strings"

	"cardwright/internal/tree"
)

// Caddy knows our files by their sidecars and reads the tags from them, so nothing
// here depends on which agents there are, and a request costs the same with any
// number of them. Headers are deferred: on an answer that is not from the file, such
// as a 404, they are left out. Caddy answers what no directive is for with an empty
// 200, which a client would take for a card. Where the site encodes, which changes
// tags, nothing is asked for that it could encode.
func caddy(t Table) []Output {
	if len(t.Sites) > 0 && t.Sites[0].Host != "" {
		return []Output{{Path: "caddy/Caddyfile", Data: caddyHosts(t)}}
	}
	var b bytes.Buffer
	b.WriteString(head("#", "caddy",
		"use: import this file in the site block whose root is "+root(t, WebRoot{})+t.about()+
			", beside \"respond 404\" or what else the site has; Caddy 2.8 or later",
		caddyReload(t)))
	for _, s := range t.Sites {
		b.WriteByte('\n')
		caddySite(&b, t, s)
		b.WriteString("@a2a_unknown path_regexp " + ownNames + "\n" +
			"handle @a2a_unknown {\n\trespond 404\n}\n")
	}
	return []Output{{Path: "caddy/a2a.caddy", Data: b.Bytes()}}
}

// caddyHosts is a whole Caddyfile: one site per host, and 421 for any other.
// Scheme, port and root are left to the environment, for a server that stands
// behind another one.
func caddyHosts(t Table) []byte {
	var b bytes.Buffer
	b.WriteString(head("#", "caddy",
		"use: A2A_ROOT=/path/to/"+t.Out+" caddy run --config Caddyfile; Caddy 2.8 or later",
		"behind a proxy that speaks TLS, set A2A_SCHEME=http:// and A2A_PORT=:8080 as well"))
	b.WriteString("{\n\tservers {\n\t\tstrict_sni_host on\n\t}\n}\n")
	for _, s := range t.Sites {
		fmt.Fprintf(&b, "\n{$A2A_SCHEME:https://}%s{$A2A_PORT} {\n\troot * {$A2A_ROOT:%s}/%s\n", s.Host, t.Out, s.Dir)
		var site bytes.Buffer
		caddySite(&site, t, s)
		site.WriteString("handle {\n\trespond 404\n}\n")
		for line := range strings.Lines(site.String()) {
			b.WriteString("\t" + line)
		}
		b.WriteString("}\n")
	}
	b.WriteString("\nhttp://{$A2A_PORT} {\n\trespond 421\n}\n")
	return b.Bytes()
}

// caddyReload says when Caddy has to read the file again.
func caddyReload(t Table) string {
	const reload = "caddy validate && caddy reload"
	if t.stores() {
		return "after every generate: " + reload
	}
	return reload + ", when this file has changed; not for new cards and agents"
}

func caddySite(b *bytes.Buffer, t Table, s WebRoot) {
	all := s.classes(t)
	caddyOurs(b, s, all)
	if len(t.Origins) > 1 {
		b.WriteString("@a2a_origin {\n\theader Origin " + strings.Join(t.Origins, "\n\theader Origin ") + "\n}\n")
	}
	if s.immutable() {
		b.WriteString("map {path} {a2a_file} {\n\tdefault \"\"\n")
		for _, e := range s.Entries {
			if e.Stored != "" {
				fmt.Fprintf(b, "\t%s %s\n", e.Path, e.Stored)
			}
		}
		b.WriteString("}\n")
	}
	for i, m := range s.Moved {
		fmt.Fprintf(b, "@a2a_left_%d path %s\nhandle @a2a_left_%[1]d {\n"+
			"\t@preflight method OPTIONS\n\thandle @preflight {\n", i, m.From)
		for _, h := range t.Preflight {
			caddyHeader(b, "\t\theader", h, true)
		}
		b.WriteString("\t\trespond 204\n\t}\n\thandle {\n")
		for _, h := range m.Headers {
			caddyHeader(b, "\t\theader", h, true)
		}
		fmt.Fprintf(b, "\t\tredir * %s 308\n\t}\n}\n", m.To)
	}
	b.WriteString("handle @a2a {\n\t@preflight method OPTIONS\n\thandle @preflight {\n")
	for _, h := range t.Preflight {
		caddyHeader(b, "\t\theader", h, true)
	}
	fmt.Fprintf(b, "\t\trespond 204\n\t}\n"+
		"\t@refused not method GET HEAD\n\thandle @refused {\n\t\theader Allow %s\n\t\trespond 405\n\t}\n",
		caddyQuote(Methods))
	for i, c := range all {
		fmt.Fprintf(b, "\t@a2a_%d path_regexp a2a_%[1]d %s\n\thandle @a2a_%[1]d {\n", i, c.pattern)
		caddyClass(b, i, c, s.immutable())
		b.WriteString("\t}\n")
	}
	b.WriteString("}\n")
	fmt.Fprintf(b, "@a2a_bare {\n\tpath_regexp %s\n\tfile {path}\n}\nhandle @a2a_bare {\n", ownNames)
	caddyHeaders(b, "\t", sharedClasses(all))
	b.WriteString(caddyUntagged + "}\n@a2a_unserved path_regexp " + hidden(s.Entries) +
		"\nhandle @a2a_unserved {\n\trespond 404\n}\n")
}

// caddyOurs matches what is ours. Of what a client accepts it leaves only what a list
// comes in.
func caddyOurs(b *bytes.Buffer, s WebRoot, all []class) {
	ours := "file {path}.etag {path}" + tree.PagePath + ".etag"
	if !s.codes() {
		b.WriteString("@a2a " + ours + "\nrequest_header @a2a -Accept-Encoding\n")
		return
	}
	var lists, accepted []string
	for _, c := range all {
		if len(c.codings) > 0 {
			lists, accepted = append(lists, c.pattern), nil
		}
		for _, coding := range c.codings {
			accepted = append(accepted, accepts(coding.Coding))
		}
	}
	ours = "{\n\t" + ours + "\n\tnot path_regexp " + hidden(s.Entries) + "\n"
	fmt.Fprintf(b, "@a2a %s}\n@a2a_whole %[1]s\tnot {\n\t\tpath_regexp %s\n\t\theader_regexp Accept-Encoding %s\n\t}\n}\n"+
		"request_header @a2a_whole -Accept-Encoding\n", ours, strings.Join(lists, "|"),
		caddyQuote("(?i)"+strings.Join(accepted, "|")))
}

// caddyClass sends the files of a class. A card that is not found by its digest, while
// another release comes, goes out without a tag.
func caddyClass(b *bytes.Buffer, i int, c class, immutable bool) {
	own := c.headers
	if c.successor {
		own = append(own, Header{"Link", `<{http.request.orig_uri.path.dir}agent-card.json>; rel="successor-version"`})
	}
	caddyHeaders(b, "\t\t", own)
	found := "file_server {\n\t\t\tetag_file_extensions .etag\n"
	if len(c.codings) > 0 {
		names := make([]string, len(c.codings))
		for i, coding := range c.codings {
			names[i] = coding.Name
		}
		found += "\t\t\tprecompressed " + strings.Join(names, " ") + "\n"
	}
	found += "\t\t}\n"
	if !immutable || Value(c.headers, "Content-Type") != "application/json" {
		b.WriteString("\t\t" + found)
		return
	}
	fmt.Fprintf(b, "\t\t@stored_%d file {a2a_file}\n"+
		"\t\thandle @stored_%[1]d {\n\t\t\trewrite {a2a_file}\n\t\t\t%s\t\t}\n", i,
		strings.ReplaceAll(found, "\n\t", "\n\t\t"))
	fmt.Fprintf(b, "\t\t@moved_%d expression `{a2a_file} != \"\"`\n\t\thandle @moved_%[1]d {\n"+
		"%s\t\t}\n\t\thandle {\n\t\t\t%s\t\t}\n", i,
		strings.ReplaceAll(caddyUntagged, "\t", "\t\t\t"), strings.ReplaceAll(found, "\n\t", "\n\t\t"))
}

// caddyUntagged sends a file without the tag that Caddy makes up where there is no
// sidecar: it takes time and size before it opens the file, so with a release in
// between the new bytes would get the tag of the former ones.
const caddyUntagged = "\theader -ETag\n\theader -Last-Modified\n\tfile_server\n"

func caddyHeaders(b *bytes.Buffer, indent string, headers []Header) {
	for _, h := range headers {
		caddyHeader(b, indent+"header", h, false)
	}
}

// caddyHeader writes a directive header, whose field is left out where the answer is
// not from the file, or where the request is not of a listed origin.
func caddyHeader(b *bytes.Buffer, directive string, h Header, always bool) {
	matcher, value := "", caddyQuote(h.Value)
	if h.Value == RequestOrigin {
		matcher, value = "@a2a_origin ", "{header.Origin}"
	}
	prefix := ">"
	if always {
		prefix = ""
	}
	fmt.Fprintf(b, "%s %s%s%s %s\n", directive, matcher, prefix, h.Name, value)
}

// caddyQuote writes a token of a Caddyfile. Braces, which start placeholders,
// are in no value of the table.
func caddyQuote(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}
