package hosting

import "strings"

// Caddy knows our files by their sidecars and reads the tags from them, so nothing
// here depends on which agents there are, and a request costs the same with any
// number of them. Headers are deferred: on an answer that is not from the file, such
// as a 404, they are left out. Caddy answers what no directive is for with an empty
// 200, which a client would take for a card. Where the site encodes, which changes
// tags, nothing is asked for that it could encode.
func caddy(t Table) []Output {
	server := caddyServer{Table: t, Place: root(t, WebRoot{}) + t.about()}
	for _, s := range t.Sites {
		classes := s.classes(t)
		server.Webs = append(server.Webs, caddySite{t, s, classes, sharedClasses(classes)})
	}
	if len(t.Sites) > 0 && t.Sites[0].Host != "" {
		return []Output{{Path: "caddy/Caddyfile", Data: fill("caddy-hosts", server)}}
	}
	return []Output{{Path: "caddy/a2a.caddy", Data: fill("caddy", server)}}
}

// caddyServer is a table as the templates for Caddy take it.
type caddyServer struct {
	Table
	Place string // of the web root, for people
	Webs  []caddySite
}

// caddySite is a site of the table.
type caddySite struct {
	Table
	WebRoot
	Classes []class
	Common  []Header // of all classes
}

// caddyField is a directive header, whose field is left out where the request is not of
// a listed origin and, with the prefix >, where the answer is not from the file.
func caddyField(prefix string, h Header) string {
	if h.Value == RequestOrigin {
		return "header @a2a_origin " + prefix + h.Name + " {header.Origin}"
	}
	return "header " + prefix + h.Name + " " + caddyQuote(h.Value)
}

// caddyQuote writes a token of a Caddyfile. Braces, which start placeholders,
// are in no value of the table.
func caddyQuote(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}
