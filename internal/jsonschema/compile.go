package jsonschema

import (
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
	text   *source.Node // the schema as spelled, for what the errors do not carry
}

// Compile makes the validator of documents: of any, or of those whose members have no
// other names than doc has, since compiling all of a large schema is most of what
// a small run costs. It panics where the schema is wrong, which a test rules out.
func Compile(d Document, doc *source.Node) Validator {
	text, found := source.ParseJSON(d.Name, d.Text)
	if len(found) > 0 {
		panic(found[0])
	}
	value := text.Any(number)
	if object, ok := value.(map[string]any); ok && doc != nil {
		extract(object, names(doc))
	}
	c := newCompiler()
	c.AssertFormat()
	for _, f := range formats {
		if f.holds != nil {
			c.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: f.validate})
		}
	}
	if err := c.AddResource(base+d.Name, value); err != nil {
		panic(err)
	}
	return Validator{Document: d, schema: c.MustCompile(base + d.Name), text: text}
}

// base is what the ids of schemas begin with. Nothing is loaded from it.
const base = "https://cardwright.invalid/"

// newCompiler returns a compiler that loads no schema: the default reads files.
func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	return c
}
