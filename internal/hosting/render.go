package hosting

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"cardwright/internal/tree"
)

// Output is one configuration file.
type Output struct {
	Root bool   // it belongs into the web root, below out; else below the directory for servers
	Path string // slash path below that directory
	Data []byte
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
	lines := append([]string{Marker + " - written by cardwright generate --server " + target + "; changes are overwritten"}, use...)
	return comment + " " + strings.Join(lines, "\n"+comment+" ") + "\n"
}

// entries are those of all sites.
func (t Table) entries() []Entry {
	var all []Entry
	for _, s := range t.Sites {
		all = append(all, s.Entries...)
	}
	return all
}

// value is that of the header with the given name, "" when there is none.
func value(headers []Header, name string) string {
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

// at names a file of a target; with several sites, each has a directory.
func at(target string, s Site, name string) string { return path.Join(target, s.Host, name) }

// rooted names a file in the web root of a site.
func rooted(s Site, name string) string { return path.Join(s.Dir, name) }

// root is the web root of a site, as the user would write it.
func root(t Table, s Site) string { return path.Join(t.Out, s.Dir) }

// encode writes JSON as the platforms' own tools do. A value made of strings,
// numbers and structs cannot fail to encode.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v)
	return b.Bytes()
}
