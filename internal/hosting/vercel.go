package hosting

// vercelConfig is vercel.json. Vercel refuses members that it does not know.
type vercelConfig struct {
	Schema  string       `json:"$schema"`
	Headers []headerRule `json:"headers"`
}

// headerRule is the form in which Vercel and Firebase want headers.
type headerRule struct {
	Source  string      `json:"source"`
	Headers []headerKey `json:"headers"`
}

type headerKey struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func headerRules(t Table, s Site) []headerRule {
	rules := make([]headerRule, 0, len(s.Entries))
	for _, e := range s.Entries {
		rule := headerRule{Source: e.Path}
		for _, h := range static(t, e) {
			rule.Headers = append(rule.Headers, headerKey{h.Name, h.Value})
		}
		rules = append(rules, rule)
	}
	return rules
}

// Vercel keeps its own tag. A path of the table has no character that means
// something in its patterns.
func vercel(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs, Output{Path: at("vercel", s, "vercel.json"), Data: encode(vercelConfig{
			Schema:  "https://openapi.vercel.sh/vercel.json?" + Marker,
			Headers: headerRules(t, s),
		})}, Output{Path: at("vercel", s, ".vercelignore"), Data: []byte(head("#", "vercel",
			"use: copy this file into the root of what is deployed, beside vercel.json",
			"what is for servers, not for clients") + "*.etag\n*.sha256\n_headers\n.htaccess\n.nojekyll\n")})
	}
	return outputs
}
