package hosting

import (
	"bytes"
	"fmt"
	"strings"
)

// Caddy reads the tag from the sidecar, so nothing here depends on the content
// of a card and no reload is needed. Headers are deferred: on an answer that
// is not from the file, such as a 404, they are left out. Caddy answers what no
// directive is for with an empty 200, which a client would take for a card. Where
// the site encodes, which changes tags, nothing is asked for that it could encode.
func caddy(t Table) []Output {
	if len(t.Sites) > 0 && t.Sites[0].Host != "" {
		return []Output{{Path: "caddy/Caddyfile", Data: caddyHosts(t)}}
	}
	var b bytes.Buffer
	b.WriteString(head("#", "caddy",
		"use: import this file in the site block whose root is "+root(t, Site{})+t.about()+
			", beside \"respond 404\" or what else the site has; Caddy 2.8 or later",
		"reload only when agents come or go: caddy validate && caddy reload"))
	for _, s := range t.Sites {
		b.WriteByte('\n')
		caddySite(&b, t, s)
		b.WriteString("@a2a_unknown path_regexp /\\.well-known/(?:agent-card|agent|jwks)\\.json$\n" +
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

func caddySite(b *bytes.Buffer, t Table, s Site) {
	entries := make([]Entry, len(s.Entries))
	for i, e := range s.Entries {
		entries[i] = Entry{Path: e.Path, Headers: typed(e)}
	}
	common := shared(entries)
	b.WriteString("@a2a path")
	for _, e := range s.Entries {
		b.WriteString(" " + e.Path)
	}
	b.WriteString("\nrequest_header @a2a -Accept-Encoding\nhandle @a2a {\n" +
		"\t@preflight method OPTIONS\n\thandle @preflight {\n")
	for _, h := range t.Preflight {
		fmt.Fprintf(b, "\t\theader %s %s\n", h.Name, caddyQuote(h.Value))
	}
	fmt.Fprintf(b, "\t\trespond 204\n\t}\n"+
		"\t@refused not method GET HEAD\n\thandle @refused {\n\t\theader Allow %s\n\t\trespond 405\n\t}\n",
		caddyQuote(Methods))
	b.WriteString("\thandle {\n")
	caddyHeaders(b, "", common)
	for _, e := range entries {
		if own := without(e.Headers, common); len(own) > 0 {
			caddyHeaders(b, e.Path+" ", own)
		}
	}
	b.WriteString("\t\tfile_server {\n\t\t\tetag_file_extensions .etag\n\t\t}\n\t}\n}\n")
	b.WriteString("@a2a_unserved path_regexp " + hidden(entries) + "\nhandle @a2a_unserved {\n\trespond 404\n}\n")
}

func caddyHeaders(b *bytes.Buffer, matcher string, headers []Header) {
	fmt.Fprintf(b, "\t\theader %s{\n\t\t\tdefer\n", matcher)
	for _, h := range headers {
		fmt.Fprintf(b, "\t\t\t%s %s\n", h.Name, caddyQuote(h.Value))
	}
	b.WriteString("\t\t}\n")
}

// caddyQuote writes a token of a Caddyfile. Braces, which start placeholders,
// are in no value of the table.
func caddyQuote(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}
