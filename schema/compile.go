package schema

import (
	"fmt"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/source"
)

// validator10 and validator03 are the compiled schemas of a card, one for each
// protocol version. There may be many cards, so they are compiled once, and for
// all that a card can have.
var (
	validator10 = cardValidator(card10)
	validator03 = cardValidator(card03)
)

func cardValidator(name string) func() validator {
	i := slices.IndexFunc(documents, func(d document) bool { return d.name == name })
	return sync.OnceValue(func() validator { return compile(documents[i], nil) })
}

// validator is a compiled schema.
type validator struct {
	document
	schema *jsonschema.Schema
	text   *source.Node // the schema as it is spelled, for what the errors do not carry
}

// compile makes the validator of documents in which no member has a name that is
// not among those given, nil for all. It panics where a schema of ours is wrong,
// which a test rules out.
func compile(d document, names map[string]bool) validator {
	text, err := files.ReadFile(d.file)
	if err != nil {
		panic(err)
	}
	parsed, found := source.ParseJSON(d.file, text, source.Limits{})
	if len(found) > 0 {
		panic(found[0])
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	c.AssertFormat()
	for _, f := range formats {
		f.register(c)
	}
	url := "https://cardwright.example/schema/" + d.name + ".json"
	if err := c.AddResource(url, extract(parsed, names)); err != nil {
		panic(err)
	}
	return validator{document: d, schema: c.MustCompile(url), text: parsed}
}

// nothing loads no schema: the default of jsonschema reads files.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema %q is not embedded", url)
}
