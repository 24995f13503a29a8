package hosting

import (
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Azure Static Web Apps keeps its own tag, and knows content types by suffix
// only: a key set is sent as application/json.
func azure(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		routes := source.ListOf(s.Entries, func(e Entry) *source.Node {
			var headers *source.Node
			for _, h := range static(t, e)[1:] {
				headers = headers.With(h.Name, source.NewText(h.Value))
			}
			return source.ObjectOf("route", e.Path, "headers", headers)
		})
		unserved := []string{t.Base + "/*.{etag,sha256}", t.Base + "/_headers", t.Base + "/.htaccess"}
		for _, e := range s.coded() {
			unserved = append(unserved, e.Path)
		}
		for _, file := range unserved {
			routes.Items = append(routes.Items, source.ObjectOf("route", file, "statusCode", 404))
		}
		for _, m := range s.Moved {
			routes.Items = append(routes.Items, source.ObjectOf("route", m.From, "redirect", m.To, "statusCode", 301))
		}
		config := source.ObjectOf(
			"$schema", "https://json.schemastore.org/staticwebapp.config.json?"+Marker,
			"routes", routes,
			"mimeTypes", source.ObjectOf(".json", "application/json"),
		)
		outputs = append(outputs, Output{Path: at("azure", s, "staticwebapp.config.json"), Data: schema.Write(config)})
	}
	return outputs
}

// azureBytes is how large a configuration Azure documents to read.
const azureBytes = 20 << 10

func azureLimits(t Table, made []Output) diag.List {
	for _, o := range made {
		if n := len(o.Data); n > azureBytes {
			return tooMuch(fmt.Sprintf("azure reads a configuration of at most %d bytes, and %s has %d", azureBytes, o.Path, n),
				t.smaller("turn legacyPath off, or deploy the agents as several apps with layout host"))
		}
	}
	return nil
}
