package jsonschema

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/diag"
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
	Rule func(c Class, definition string) (id diag.RuleID, hint string)
}

// Validator is a compiled schema. It is safe for concurrent use.
type Validator struct {
	Document
	schema *jsonschema.Schema
	text   *source.Node // the schema as it is spelled, for what the errors do not carry
}

// Compile makes the validator of any document. It panics where the schema is
// wrong, which a test rules out.
func Compile(d Document) Validator {
	text := parse(d)
	return d.compile(text, text.Any(number))
}

// CompileFor makes the validator of documents whose members have no other names
// than those of doc. Compiling all of a large schema is most of what a small run
// costs, and a document has a fraction of what it could have.
func CompileFor(d Document, doc *source.Node) Validator {
	text := parse(d)
	return d.compile(text, extract(text, names(doc)))
}

// parse returns the schema as it is spelled.
func parse(d Document) *source.Node {
	parsed, found := source.ParseJSON(d.Name, d.Text)
	if len(found) > 0 {
		panic(found[0])
	}
	return parsed
}

func (d Document) compile(text *source.Node, value any) Validator {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	for _, f := range formats {
		f.register(c)
	}
	url := "https://cardwright.invalid/" + d.Name
	if err := c.AddResource(url, value); err != nil {
		panic(err)
	}
	return Validator{Document: d, schema: c.MustCompile(url), text: text}
}

// noLoader loads no schema: the default of jsonschema reads files.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema %q is not embedded", url)
}
