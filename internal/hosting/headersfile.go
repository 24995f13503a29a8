package hosting

import (
	"bytes"
	"fmt"
)

// copied says what is to be done with a file for the root of what is deployed. It does
// not name that directory: what stands in a tree does not depend on the tree's name.
func copied(t Table, reader string) string {
	if t.Base != "" {
		return "use: copy this file into the directory DIR that is deployed, where " + reader + " reads it:"
	}
	return "use: nothing to do, " + reader + " reads this file in the directory DIR that is deployed:"
}

// headersName is the file of rules in the web root.
const headersName = "_headers"

const allowOrigin = "Access-Control-Allow-Origin"

// headersFile writes the _headers file that Cloudflare Pages and Netlify read:
// exact paths, since rules that both match are put together. The platform's
// ETag is never touched.
func headersFile(t Table, target string, s WebRoot, detach bool, headers func(Entry) []Header, use ...string) Output {
	var b bytes.Buffer
	b.WriteString(head("#", target, use...))
	for _, e := range s.Entries {
		fmt.Fprintf(&b, "\n%s\n", e.Path)
		list := headers(e)
		if detach {
			for _, h := range list {
				fmt.Fprintf(&b, "  ! %s\n", h.Name)
			}
			if Value(list, allowOrigin) == "" { // the platform sends it by itself
				fmt.Fprintf(&b, "  ! %s\n", allowOrigin)
			}
		}
		for _, h := range list {
			fmt.Fprintf(&b, "  %s: %s\n", h.Name, h.Value)
		}
	}
	return rooted(t, target, s, headersName, b.Bytes())
}
