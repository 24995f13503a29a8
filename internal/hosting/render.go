package hosting

import (
	"bytes"
	"embed"
	"path"
	"slices"
	"strings"
	"text/template"

	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// targets are the files of each target: their paths, and the template of the same name.
// A new one needs a row here, a template, and a section in docs/hosting.md.
var targets = []struct {
	name  string
	files []string
}{
	{"nginx", []string{"nginx/a2a.conf"}},
	{"apache", []string{"apache/a2a.conf"}},
	{"htaccess", []string{htaccess}},
	{"caddy", []string{"caddy/a2a.caddy"}},
	{"s3", []string{"s3/upload.sh", "s3/cors.json", "s3/response-headers.json", "s3/legacy-headers.json"}},
	{"cloudflare", []string{"cloudflare/_headers", "cloudflare/functions/_middleware.js"}},
	{"netlify", []string{"netlify/_headers"}},
	{"vercel", []string{"vercel/vercel.json"}},
	{"github-pages", []string{"github-pages/.nojekyll"}},
}

// htaccess is the one file that lies in the web root.
const htaccess = ".htaccess"

// Targets are the names that the configuration knows.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// InRoot reports whether the file at p of an output tree is one of [Render].
func InRoot(p string) bool { return p == htaccess }

// Render writes the configuration of the named targets, at paths below the directory for
// servers, or in the web root if [InRoot] says so. Settings that it cannot write are findings.
func Render(names []string, s Settings) ([]site.File, diag.List) {
	if found := s.check(); found != nil {
		return nil, found
	}
	var outputs []site.File
	for _, t := range targets {
		if !slices.Contains(names, t.name) {
			continue
		}
		for _, file := range t.files {
			if s.NoCORS && file == "s3/cors.json" {
				continue
			}
			f := site.File{Path: file, Data: fill(file, s), Turn: site.ServerTurn}
			if bytes.Contains(f.Data, []byte(site.Marker)) { // not in formats without comments
				f.Marker = site.Marker
			}
			outputs = append(outputs, f)
		}
	}
	return outputs, nil
}

// Globs are the patterns of the directories of a row for servers that know asterisks
// only: root is the root of the site, and deep matches any directory below it. The patterns
// of the page are complete.
func (s Settings) Globs(k Kind, root, deep string) []string {
	if k.Page() {
		return []string{s.Base + "/", s.Base + "/" + k.Glob}
	}
	return []string{root, deep}
}

// Static are the fields of a row on a platform that adds the same ones to every answer,
// OPTIONS included.
func (s Settings) Static(k Kind) []Header {
	headers := s.Headers()
	if k.Legacy() {
		headers = append(headers, s.Legacy("")...)
	}
	for _, h := range s.Preflight() {
		if h.Name != "Allow" && !slices.Contains(headers, h) {
			headers = append(headers, h)
		}
	}
	return headers
}

// Keys is the extended regular expression of the keys of files below .well-known.
func (s Settings) Keys() string {
	patterns := make([]string, len(kinds))
	for i, k := range kinds {
		patterns[i] = k.Pattern()
	}
	return "(" + strings.Join(patterns, "|") + ")"
}

//go:embed templates/*.tmpl
var templates embed.FS

// fill executes the template of a file, which cannot fail with settings alone.
func fill(file string, s Settings) []byte {
	all := template.New("").Funcs(template.FuncMap{
		"marker":  func() string { return site.Marker },
		"methods": func() []string { return strings.Split(Methods, ", ") },
		"allowed": func() []string { return strings.Split(AllowHeaders, ", ") },
		"exposed": func() []string { return strings.Split(exposeHeaders, ", ") },
		"maxAge":  func() int { return maxAge },
		"glob":    func(k Kind, star string) string { return strings.ReplaceAll(k.Glob, "*", star) },
		"base":    func(k Kind) string { return path.Base(k.Glob) },
		"suffix": func(k Kind) string { // of a path, after an asterisk
			return "*" + strings.TrimPrefix("/"+path.Base(k.Glob), "/*")
		},
		"extension": func(k Kind) string { return strings.TrimPrefix(path.Ext(k.Glob), ".") },
		"quote":     quote, "shell": shellQuote, "json": jsonQuote,
	})
	template.Must(all.ParseFS(templates, "templates/*.tmpl"))
	var b bytes.Buffer
	if err := all.ExecuteTemplate(&b, file, s); err != nil {
		panic(err) // a template that does not fit its data
	}
	return b.Bytes()
}
