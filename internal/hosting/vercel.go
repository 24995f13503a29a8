package hosting

import (
	"cardwright/internal/source"
	"cardwright/schema"
)

// headerRules are the headers of a site in the form in which Vercel and Firebase
// want them.
func headerRules(t Table, s Site) *source.Node {
	return array(s.Entries, func(e Entry) *source.Node {
		rule := source.NewObject(2)
		rule.SetText("source", e.Path)
		rule.Set("headers", array(static(t, e), func(h Header) *source.Node {
			header := source.NewObject(2)
			header.SetText("key", h.Name)
			header.SetText("value", h.Value)
			return header
		}))
		return rule
	})
}

// Vercel keeps its own tag. A path of the table has no character that means
// something in its patterns.
func vercel(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		config := source.NewObject(2) // Vercel refuses members that it does not know
		config.SetText("$schema", "https://openapi.vercel.sh/vercel.json?"+Marker)
		config.Set("headers", headerRules(t, s))
		ignored := head("#", "vercel",
			"use: copy this file into the root of what is deployed, beside vercel.json",
			"what is for servers, not for clients") + "*.etag\n*.sha256\n_headers\n.htaccess\n.nojekyll\n"
		for _, name := range s.codedNames() {
			ignored += name + "\n"
		}
		outputs = append(outputs,
			Output{Path: at("vercel", s, "vercel.json"), Data: schema.Write(config)},
			Output{Path: at("vercel", s, ".vercelignore"), Data: []byte(ignored)})
	}
	return outputs
}
