package hosting

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"

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

func cloudflareFunction(t Table, s Site) []byte {
	var b bytes.Buffer
	b.WriteString(head("//", "cloudflare",
		"use: copy the directory functions/ next to the directory that is deployed, then",
		"wrangler pages deploy "+root(t, s)+t.about()))
	b.WriteString("\nconst paths = new Set([\n")
	for _, e := range s.Entries {
		fmt.Fprintf(&b, "  %s,\n", strconv.Quote(e.Path))
	}
	for _, m := range s.Moved {
		fmt.Fprintf(&b, "  %s,\n", strconv.Quote(m.From))
	}
	b.WriteString("]);\n")
	cloudflareMoved(&b, s)
	b.WriteString("\nconst preflight = {\n")
	for _, h := range t.Preflight {
		fmt.Fprintf(&b, "  %s: %s,\n", strconv.Quote(h.Name), strconv.Quote(h.Value))
	}
	fmt.Fprintf(&b, "};\n\n"+script("cloudflare.js"), strconv.Quote(hidden(t.entries())), Methods)
	return b.Bytes()
}

// cloudflareMoved writes where cards are that have moved.
func cloudflareMoved(b *bytes.Buffer, s Site) {
	b.WriteString("\nconst moved = {\n")
	var headers []Header
	for _, m := range s.Moved {
		fmt.Fprintf(b, "  %s: %s,\n", strconv.Quote(m.From), strconv.Quote(m.To))
		headers = m.Headers
	}
	b.WriteString("};\n\nconst redirected = {\n")
	for _, h := range headers {
		fmt.Fprintf(b, "  %s: %s,\n", strconv.Quote(h.Name), strconv.Quote(h.Value))
	}
	b.WriteString("};\n")
}

// cloudflareRules is how many rules of _headers Cloudflare Pages documents to read.
const cloudflareRules = 100

func cloudflareLimits(t Table) diag.List {
	for _, s := range t.Sites {
		if n := len(s.Entries); n > cloudflareRules {
			return tooMuch(fmt.Sprintf("cloudflare reads %d rules of %s, and %d are needed", cloudflareRules, headersName, n),
				t.smaller("turn legacyPath off, or deploy the agents as several projects with layout host"))
		}
	}
	return nil
}
