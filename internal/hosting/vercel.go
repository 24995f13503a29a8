package hosting

import (
	"strings"

	"cardwright/internal/source"
	"cardwright/schema"
)

// headerRules are the headers of a site in the form in which Vercel and Firebase
// want them.
func headerRules(t Table, s WebRoot) *source.Node {
	return source.ListOf(s.Entries, func(e Entry) *source.Node {
		return source.ObjectOf("source", e.Path, "headers", source.ListOf(static(t, e), func(h Header) *source.Node {
			return source.ObjectOf("key", h.Name, "value", h.Value)
		}))
	})
}

// redirectRules are the redirects of a site in the same form, with what says in it that
// they are for good. It is nil where no card has moved.
func redirectRules(s WebRoot, key string, permanent any) *source.Node {
	if len(s.Moved) == 0 {
		return nil
	}
	return source.ListOf(s.Moved, func(m Redirect) *source.Node {
		return source.ObjectOf("source", m.From, "destination", m.To, key, permanent)
	})
}

// Vercel keeps its own tag. A path of the table has no character that means
// something in its patterns.
func vercel(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		// Vercel refuses members that it does not know.
		config := source.ObjectOf("$schema", "https://openapi.vercel.sh/vercel.json?"+Marker, "headers", headerRules(t, s),
			"redirects", redirectRules(s, "permanent", true))
		ignored := head("#", "vercel",
			"use: copy this file into the root of what is deployed, beside vercel.json",
			"what is for servers, not for clients") + "*.etag\n*.sha256\n_headers\n.htaccess\n.nojekyll\n" +
			strings.Join(append(s.codedNames(), ""), "\n")
		outputs = append(outputs,
			Output{Path: at("vercel", s, "vercel.json"), Data: schema.Write(config)},
			Output{Path: at("vercel", s, ".vercelignore"), Data: []byte(ignored)})
	}
	return outputs
}
