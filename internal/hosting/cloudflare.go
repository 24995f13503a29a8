package hosting

import (
	"bytes"
	"fmt"
	"strconv"

	"cardwright/internal/diag"
)

// Cloudflare Pages keeps its own tag. It answers OPTIONS with 405, so a
// function stands before the files.
func cloudflare(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs,
			headersFile("cloudflare", s, true, typed,
				"use: nothing to do, Cloudflare Pages reads this file in the root of what is deployed:",
				"wrangler pages deploy "+root(t, s)+", from a directory that holds functions/"),
			Output{Path: at("cloudflare", s, "functions/_middleware.js"), Data: cloudflareFunction(t, s)})
	}
	return outputs
}

func cloudflareFunction(t Table, s Site) []byte {
	var b bytes.Buffer
	b.WriteString(head("//", "cloudflare",
		"use: copy the directory functions/ next to the directory that is deployed, then",
		"wrangler pages deploy "+root(t, s)))
	b.WriteString("\nconst paths = new Set([\n")
	for _, e := range s.Entries {
		fmt.Fprintf(&b, "  %s,\n", strconv.Quote(e.Path))
	}
	b.WriteString("]);\n\nconst preflight = {\n")
	for _, h := range t.Preflight {
		fmt.Fprintf(&b, "  %s: %s,\n", strconv.Quote(h.Name), strconv.Quote(h.Value))
	}
	fmt.Fprintf(&b, `};

export function onRequest({ request, next }) {
  const reading = request.method === "GET" || request.method === "HEAD";
  if (reading || !paths.has(new URL(request.url).pathname)) {
    return next();
  }
  if (request.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: preflight });
  }
  return new Response(null, { status: 405, headers: { Allow: %q } });
}
`, Methods)
	return b.Bytes()
}

// cloudflareRules is how many rules of _headers Cloudflare Pages documents to read.
const cloudflareRules = 100

func cloudflareLimits(t Table) diag.List {
	for _, s := range t.Sites {
		if n := len(s.Entries); n > cloudflareRules {
			return tooMuch(fmt.Sprintf("cloudflare reads %d rules of %s, and %d are needed", cloudflareRules, headersName, n),
				"turn legacyPath off, or deploy the agents as several projects with layout host")
		}
	}
	return nil
}
