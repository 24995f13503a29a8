package schema

import (
	"cmp"
	"embed"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
)

//go:embed *.schema.json
var files embed.FS

// SkillSchemas is the URI of the A2A extension whose params hold the JSON
// Schemas of skills, by id: params are as the document "skill-schemas" says. It
// is in the cards of users, so it is a name that no domain or repository owns and
// that stays when the project moves.
const SkillSchemas = "urn:uuid:57dba862-b064-4e18-b6a8-b5c172da391c"

// document is one of the embedded JSON Schemas.
type document struct {
	name string // for users: cardwright schema NAME
	file string
	what string // what it describes, as a message calls it
	rule func(c jsonschema.Class, definition string) (id diag.RuleID, hint string)
	// compiled is the schema, compiled when it is first used.
	compiled func() jsonschema.Validator
}

// documents are the JSON Schemas of everything that is read or written.
var documents = func() []document {
	list := []document{{name: "config", what: "the configuration", rule: configRule}}
	for _, v := range versions {
		name := v.protocol.Document()
		list = append(list, document{
			name: name, file: "agent-" + name + ".schema.json", what: "the card", rule: cardRule(v.requirement),
		})
	}
	list = append(list,
		document{name: "manifest", what: "the manifest"},
		document{name: "diagnostics", what: "the report"},
		document{name: "skill-schemas", what: "the params"},
		document{name: "skill", what: "the header"})
	for i := range list {
		d := &list[i]
		d.file = cmp.Or(d.file, d.name+".schema.json")
		d.compiled = sync.OnceValue(func() jsonschema.Validator { return d.compile(nil) })
	}
	return list
}()

// compile compiles the schema, or as much of it as a document needs.
func (d *document) compile(doc *source.Node) jsonschema.Validator {
	text, _ := files.ReadFile(d.file)
	return jsonschema.Compile(jsonschema.Document{Name: d.name, What: d.what, Text: text, Rule: d.rule}, doc)
}

// Document returns the name of the JSON Schema of cards of one version.
func (p Protocol) Document() string { return "card-" + p.String() }

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
	text, err := files.ReadFile(find(name).file)
	return text, err == nil
}

// find returns the document of a name, an empty one where there is none.
func find(name string) *document {
	i := slices.IndexFunc(documents, func(d document) bool { return d.name == name })
	if i < 0 {
		return &document{}
	}
	return &documents[i]
}

// configs counts the configurations that this process has checked: one that checks many,
// such as generate --watch, compiles the whole schema once.
var configs atomic.Int32

// Validate checks a document against the JSON Schema of that name, one of
// [Documents].
func Validate(name string, doc *source.Node) []jsonschema.Fault {
	d := find(name)
	const few = 3
	if name == "config" && configs.Add(1) < few { // all of it would take longer than the rest of a small run
		return jsonschema.Validate(doc, d.compile(doc))
	}
	return jsonschema.Validate(doc, d.compiled())
}

// ValidateCard checks a card against the JSON Schemas of the versions whose
// clients shall read it: a dual card satisfies both.
func ValidateCard(p Protocol, card *source.Node) []jsonschema.Fault {
	var by []jsonschema.Validator
	for _, v := range p.Versions() {
		by = append(by, find(v.Document()).compiled())
	}
	short := oneOfEachShape(card)
	shape := shapeOf(p, short)
	if sound.has(shape) {
		return nil
	}
	if jsonschema.Validate(short, by...) == nil {
		sound.add(shape)
		return nil
	}
	return jsonschema.Validate(card, by...)
}

// configRule is the rule about a fault of a configuration.
func configRule(c jsonschema.Class, _ string) (id diag.RuleID, hint string) {
	if c == jsonschema.Unknown {
		return diag.ConfigKeyUnknown, ""
	}
	return diag.ConfigValue, ""
}

// cardRule gives the rule about a fault of a card. The hint shows how the
// version of the schema writes a security requirement.
func cardRule(requirement string) func(c jsonschema.Class, definition string) (id diag.RuleID, hint string) {
	return func(c jsonschema.Class, definition string) (id diag.RuleID, hint string) {
		id = ruleOf(c, definition)
		if id == diag.SecurityRequirementShape {
			hint = requirement
		}
		return id, hint
	}
}

func ruleOf(c jsonschema.Class, definition string) diag.RuleID {
	incomplete := c == jsonschema.Missing || c == jsonschema.Blank
	switch {
	case c == jsonschema.Null:
		return diag.CardNull
	case definition == "provider" && incomplete:
		return diag.ProviderIncomplete
	case definition == "capabilities" && c == jsonschema.Mistyped:
		return diag.CapabilityType
	case definition == "extension" && incomplete:
		return diag.ExtensionURI
	case definition == "tags" && c == jsonschema.Blank:
		return diag.SkillTagsMissing
	case definition == "scheme":
		return diag.SchemeShape
	case definition == "apiKey" && c != jsonschema.Mistyped:
		return diag.SchemeAPIKey
	case definition == "http" && incomplete:
		return diag.SchemeHTTP
	case definition == "flows" && c != jsonschema.Mistyped, strings.HasSuffix(definition, "Flow") && incomplete:
		return diag.SchemeOAuthFlow
	case definition == "requirement":
		return diag.SecurityRequirementShape
	case c == jsonschema.Missing:
		return diag.CardMemberMissing
	case c == jsonschema.Blank:
		return diag.CardMemberEmpty
	}
	return diag.CardMemberType
}
