package hosting

import (
	"fmt"

	"cardwright/internal/diag"
)

type azureConfig struct {
	Schema    string       `json:"$schema"`
	Routes    []azureRoute `json:"routes"`
	MimeTypes azureTypes   `json:"mimeTypes"`
}

type azureRoute struct {
	Route   string       `json:"route"`
	Headers azureHeaders `json:"headers,omitempty"`
	Status  int          `json:"statusCode,omitempty"`
}

type azureTypes struct {
	JSON string `json:".json"`
}

// azureHeaders are written as one object in the order of the table.
type azureHeaders []Header

// MarshalJSON writes the headers as an object.
func (h azureHeaders) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, header := range h {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, encode(header.Name)...)
		b = append(b, ':')
		b = append(b, encode(header.Value)...)
	}
	return append(b, '}'), nil
}

// Azure Static Web Apps keeps its own tag, and knows content types by suffix
// only: a key set is sent as application/json.
func azure(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		c := azureConfig{
			Schema:    "https://json.schemastore.org/staticwebapp.config.json?" + Marker,
			Routes:    []azureRoute{},
			MimeTypes: azureTypes{JSON: "application/json"},
		}
		for _, e := range s.Entries {
			c.Routes = append(c.Routes, azureRoute{Route: e.Path, Headers: static(t, e)[1:]})
		}
		for _, unserved := range []string{"/*.{etag,sha256}", "/_headers", "/.htaccess"} {
			c.Routes = append(c.Routes, azureRoute{Route: t.Base + unserved, Status: 404})
		}
		outputs = append(outputs, Output{Path: at("azure", s, "staticwebapp.config.json"), Data: encode(c)})
	}
	return outputs
}

// azureBytes is how large a configuration Azure documents to read.
const azureBytes = 20 << 10

func azureLimits(t Table) diag.List {
	for _, o := range azure(t) {
		if n := len(o.Data); n > azureBytes {
			return tooMuch(fmt.Sprintf("azure reads a configuration of at most %d bytes, and %s has %d", azureBytes, o.Path, n),
				"turn legacyPath off, or deploy the agents as several apps with layout host")
		}
	}
	return nil
}
