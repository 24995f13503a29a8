package hosting

import (
	"bytes"
	"embed"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"cardwright/internal/tree"
)

// texts are the configurations of servers, and the scripts, with what differs from
// table to table left out. A text of the table is quoted by the function of its syntax.
//
//go:embed templates
var texts embed.FS

var templates = sync.OnceValue(func() *template.Template {
	all := template.New("")
	functions := template.FuncMap{
		"accepts":       accepts,
		"apache":        apacheQuote,
		"apacheAccepts": apacheAccepts,
		"apacheHeaders": apacheHeaders,
		"caddy":         caddyQuote,
		"caddyFields":   caddyFields,
		"codes":         WebRoot.codes,
		"codings":       tree.Codings,
		"count":         strings.Count,
		"directory":     Entry.directory,
		"head": func(comment, target string, use ...string) string {
			return strings.TrimSuffix(head(comment, target, use...), "\n")
		},
		"hidden":    hidden,
		"immutable": WebRoot.immutable,
		"include": func(name string, data any) (string, error) {
			var b strings.Builder
			err := all.ExecuteTemplate(&b, name, data)
			return b.String(), err
		},
		"indented": func(indent, text string) string {
			return indent + strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n"+indent)
		},
		"lighttpd":      lighttpdQuote,
		"literal":       regexp.QuoteMeta,
		"lower":         strings.ToLower,
		"methods":       func() string { return Methods },
		"nginx":         nginxQuote,
		"nginxValue":    nginxValue,
		"nginxVariable": nginxVariable,
		"ownNames":      func() string { return ownNames },
		"requestOrigin": func() string { return RequestOrigin },
		"shell":         shQuote,
		"stores":        Table.stores,
		"text":          strconv.Quote,
		"yaml":          yamlQuote,
	}
	return template.Must(all.Funcs(functions).ParseFS(texts, "templates/*"))
})

// fill writes a template with what is left out of it.
func fill(name string, data any) []byte {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // templates are part of the program, and have no input but the table
	}
	return b.Bytes()
}
