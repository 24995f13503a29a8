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
		site := caddySite{
			Host: s.Host, Dir: s.Dir, Out: t.Out, Moved: s.Moved, Origins: t.Origins, Preflight: t.Preflight,
			Codes: s.codes(), Immutable: s.immutable(), Hidden: hidden(s.Entries), Classes: s.classes(t),
		}
		site.Common = sharedClasses(site.Classes)
		for _, e := range s.Entries {
			if e.Stored != "" {
				site.Stored = append(site.Stored, e.Path+" "+e.Stored)
			}
		}
		server.Webs = append(server.Webs, site)
	}
	if t.byHost() {
		return []Output{{Path: "caddy/Caddyfile", Data: fill("caddy-hosts", server)}}
	}
	left := server
	server.Webs, left.Webs = left.Webs[:min(1, len(left.Webs))], left.Webs[min(1, len(left.Webs)):]
	outputs := []Output{{Path: "caddy/a2a.caddy", Data: fill("caddy", server)}}
	if len(left.Webs) > 0 {
		outputs = append(outputs, Output{Path: "caddy/a2a-moved.caddy", Data: fill("caddy-moved", left)})
	}
	return outputs
}

// caddyServer is a table as the templates for Caddy take it.
type caddyServer struct {
	Table
	Place string // of the web root, for people
	Webs  []caddySite
}

// caddySite is a site of the table.
type caddySite struct {
	Host, Dir, Out   string
	Moved            []Redirect
	Origins          []string
	Preflight        []Header
	Codes, Immutable bool
	Hidden           string // pattern of what is not for clients
	Classes          []class
	Common           []Header // of all classes
	Stored           []string // paths, and where their bytes are found by their digests
}

// caddyFields are directives header, each on a line.
func caddyFields(indent, prefix string, list []Header) string {
	var b strings.Builder
	for _, h := range list {
		b.WriteString("\n" + indent + caddyField(prefix, h))
	}
	return b.String()
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
