package hosting

// Netlify keeps its own tag.
func netlify(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		headers := func(e Entry) []Header { return static(t, e) }
		outputs = append(outputs, headersFile("netlify", s, false, headers,
			"use: nothing to do, Netlify reads this file in the root of what is deployed:",
			"netlify deploy --prod --dir "+root(t, s)))
	}
	return outputs
}
