package schema

import (
	"embed"
	"slices"
)

//go:embed *.schema.json
var files embed.FS

// document is one of the embedded JSON Schemas.
type document struct {
	name string // for users: cardwright schema NAME
	file string
	what string // what it describes, as a message calls it
}

// Names of the JSON Schemas of a card, one for each protocol version.
const (
	card10 = "card-1.0"
	card03 = "card-0.3"
)

var documents = []document{
	{name: "config", file: "config.schema.json", what: "the configuration"},
	{name: card10, file: "agent-card-1.0.schema.json", what: "the card"},
	{name: card03, file: "agent-card-0.3.schema.json", what: "the card"},
	{name: "manifest", file: "manifest.schema.json", what: "the manifest"},
	{name: "ai-catalog", file: "ai-catalog.schema.json", what: "the catalogue"},
	{name: "diagnostics", file: "diagnostics.schema.json", what: "the report"},
	{name: "skill-schemas", file: "skill-schemas.schema.json", what: "the params"},
}

// Documents returns the names of the JSON Schemas (draft 7, the one that
// editors know best and that is quickest to compile) of what
// cardwright reads and writes.
func Documents() []string {
	names := make([]string, len(documents))
	for i, d := range documents {
		names[i] = d.name
	}
	return names
}

// Document returns the text of a JSON Schema.
func Document(name string) ([]byte, bool) {
	i := slices.IndexFunc(documents, func(d document) bool { return d.name == name })
	if i < 0 {
		return nil, false
	}
	text, err := files.ReadFile(documents[i].file)
	return text, err == nil
}
