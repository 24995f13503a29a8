package hosting

import (
	"bytes"
	"fmt"
	"slices"

	"cardwright/internal/tree"
)

// Netlify keeps its own tag. It serves whatever is deployed, so each sidecar has a
// rule of its own: its patterns match no endings.
func netlify(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		headers := func(e Entry) []Header { return static(t, e) }
		use := []string{copied(t, "Netlify"), "netlify deploy --prod --dir DIR"}
		var b bytes.Buffer
		b.WriteString(head("#", "netlify", use...) + "\n")
		for _, m := range s.Moved {
			fmt.Fprintf(&b, "%s %s 301\n", m.From, m.To)
		}
		for _, e := range s.coded() {
			fmt.Fprintf(&b, "%s /404.html 404!\n", e.Path)
		}
		for _, e := range append(slices.Clip(s.Entries), s.coded()...) {
			if !e.Sidecars || e.directory() {
				continue
			}
			for _, suffix := range []string{tree.ETagSuffix, tree.ChecksumSuffix} {
				fmt.Fprintf(&b, "%s%s /404.html 404!\n", e.Path, suffix)
			}
		}
		outputs = append(outputs, headersFile(t, "netlify", s, false, headers, use...),
			rooted(t, "netlify", s, "_redirects", b.Bytes()))
	}
	return outputs
}
