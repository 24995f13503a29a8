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
		routes := array(s.Entries, func(e Entry) *source.Node {
			route := source.NewObject(2)
			route.SetText("route", e.Path)
			if headers := static(t, e)[1:]; len(headers) > 0 {
				route.Set("headers", source.NewObject(len(headers)))
				for _, h := range headers {
					route.Get("headers").SetText(h.Name, h.Value)
				}
			}
			return route
		})
		unserved := []string{t.Base + "/*.{etag,sha256}", t.Base + "/_headers", t.Base + "/.htaccess"}
		for _, e := range s.coded() {
			unserved = append(unserved, e.Path)
		}
		for _, file := range unserved {
			route := source.NewObject(2)
			route.SetText("route", file)
			route.Set("statusCode", source.NewInt(404))
			routes.Items = append(routes.Items, route)
		}
		types := source.NewObject(1)
		types.SetText(".json", "application/json")
		config := source.NewObject(3)
		config.SetText("$schema", "https://json.schemastore.org/staticwebapp.config.json?"+Marker)
		config.Set("routes", routes)
		config.Set("mimeTypes", types)
		outputs = append(outputs, Output{Path: at("azure", s, "staticwebapp.config.json"), Data: schema.Write(config)})
	}
	return outputs
}

// azureBytes is how large a configuration Azure documents to read.
const azureBytes = 20 << 10

func azureLimits(t Table) diag.List {
	for _, o := range azure(t) {
		if n := len(o.Data); n > azureBytes {
			return tooMuch(fmt.Sprintf("azure reads a configuration of at most %d bytes, and %s has %d", azureBytes, o.Path, n),
				t.smaller("turn legacyPath off, or deploy the agents as several apps with layout host"))
		}
	}
	return nil
}
