package hosting

import (
	"fmt"
	"path"
	"slices"

	"cardwright/internal/diag"
)

// Cloudflare Pages keeps its own tag. It answers OPTIONS with 405, so a
// function stands before the files.
func cloudflare(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs,
			headersFile(t, "cloudflare", s, true, typed, copied(t, "Cloudflare Pages"),
				"wrangler pages deploy DIR, from a directory that holds functions/"),
			Output{Path: at("cloudflare", s, "functions/_middleware.js"), Data: cloudflareFunction(t, s)})
		// A page without a 404.html makes Pages take the site for an application,
		// whose page answers for every path that is not there, with 200.
		if slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Path == "/" }) {
			outputs = append(outputs, Output{
				Root: true, Default: true, Path: path.Join(s.Dir, "404.html"),
				Data: []byte(notFound),
			})
		}
	}
	return outputs
}

const notFound = `<!doctype html>
<!-- ` + Marker + ` - written by cardwright generate --server cloudflare; a 404.html of your own takes its place -->
<!-- use: nothing to do, Cloudflare Pages sends it with 404 for what is not there, in place of index.html with 200 -->
<html lang="en"><meta charset="utf-8"><title>Not found</title><p>There is nothing at this address.</p></html>
`

// cloudflareFunction answers what the platform does not.
func cloudflareFunction(t Table, s WebRoot) []byte {
	data := struct {
		Table
		WebRoot
		Where, Hidden string
		Redirected    []Header // the same for all that has moved
	}{Table: t, WebRoot: s, Where: root(t, s) + t.about(), Hidden: hidden(t.entries())}
	if len(s.Moved) > 0 {
		data.Redirected = s.Moved[0].Headers
	}
	return fill("cloudflare.js", data)
}

// cloudflareRules is how many rules of _headers Cloudflare Pages documents to read.
const cloudflareRules = 100

func cloudflareLimits(t Table, _ []Output) diag.List {
	for _, s := range t.Sites {
		if n := len(s.Entries); n > cloudflareRules {
			return tooMuch(fmt.Sprintf("cloudflare reads %d rules of %s, and %d are needed", cloudflareRules, headersName, n),
				t.smaller("turn legacyPath off, or deploy the agents as several projects with layout host"))
		}
	}
	return nil
}
