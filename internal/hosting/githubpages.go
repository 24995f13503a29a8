package hosting

import (
	"path"

	"cardwright/internal/diag"
)

// GitHub Pages sends no headers but its own. What matters there is that
// .well-known gets onto the site at all.
func githubPages(t Table) []Output {
	out := t.Out
	if !t.Elsewhere {
		out = path.Join(out, t.Base) // a project site has its path by itself
	}
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs,
			Output{Root: true, Path: path.Join(s.Dir, ".nojekyll"), Data: []byte(head("#", "github-pages",
				"use: nothing to do, this file keeps GitHub Pages from leaving out .well-known",
				"the site must be the site of an organization or user, or have its own domain: "+
					"a project site is not a well-known root"))},
			Output{
				Path: at("github-pages", s, "pages.yml"),
				Data: fill("pages.yml", map[string]string{"Out": out, "Site": path.Join(out, s.Dir)}),
			})
	}
	return outputs
}

func githubPagesLimits(t Table, _ []Output) diag.List {
	found := cannot("github-pages sends no headers of ours: no cache policy, and nothing on the legacy path",
		"put a CDN in front where that matters")
	if t.Origins != nil {
		found = append(found, diag.New("hosting-limit", diag.Span{},
			"github-pages sends Access-Control-Allow-Origin: * with every file, and cors.origins does not allow all").
			WithPointer("/cors/origins").
			WithHint("leave cors.origins out, or put a CDN in front that sets the header"))
	}
	if t.Base != "" {
		found = append(found, diag.New("hosting-base", diag.Span{},
			"github-pages publishes the output directory as a whole site, "+
				"which is found at %s only where that is the name of a project site", t.Base).
			WithPointer("/servers").
			WithHint("with its own domain, upload a directory that has the output directory at "+t.Base))
	}
	return found
}
