package jsonschema

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/source"
)

// Document is a JSON Schema of ours, in draft 7 and without references to
// others.
type Document struct {
	Name string // for users: cardwright schema NAME
	What string // what it describes, as a message calls it
	Text []byte
	// Rule returns the id of the rule about a fault in a definition of the
	// schema, and a hint if there is one for all such faults. Nil is no rule.
	Rule func(c Class, definition string) (id, hint string)
}

// Validator is a compiled schema.
type Validator struct {
	Document
	schema *jsonschema.Schema
	text   *source.Node // the schema as it is spelled, for what the errors do not carry
	effort effort       // of a policy
}

// Compile makes the validator of any document. It panics where the schema is
// wrong, which a test rules out.
func Compile(d Document) Validator { return compile(d, nil) }

// compile makes the validator of documents in which no member has a name that is
// not among those given, nil for all.
func compile(d Document, names map[string]bool) Validator {
	parsed, found := source.ParseJSON(d.Name, d.Text, source.Limits{})
	if len(found) > 0 {
		panic(found[0])
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	c.AssertFormat()
	for _, f := range formats {
		f.register(c)
	}
	url := "https://cardwright.example/schema/" + d.Name + ".json"
	if err := c.AddResource(url, extract(parsed, names)); err != nil {
		panic(err)
	}
	return Validator{Document: d, schema: c.MustCompile(url), text: parsed}
}

// nothing loads no schema: the default of jsonschema reads files.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema %q is not embedded", url)
}
