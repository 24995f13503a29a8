package schema

import (
	"embed"
	"slices"
	"strings"
	"sync"

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
}

// documents are the JSON Schemas of everything that is read or written.
var documents = slices.Concat(
	[]document{{name: "config", file: "config.schema.json", what: "the configuration", rule: configRule}},
	cardDocuments(),
	[]document{
		{name: "manifest", file: "manifest.schema.json", what: "the manifest"},
		{name: "diagnostics", file: "diagnostics.schema.json", what: "the report"},
		{name: "skill-schemas", file: "skill-schemas.schema.json", what: "the params"},
		{name: "skill", file: "skill.schema.json", what: "the header"},
	},
)

// cardDocuments are the JSON Schemas of the cards of each version.
func cardDocuments() []document {
	var list []document
	for _, v := range versions {
		list = append(list, document{
			name: v.protocol.Document(), file: v.document, what: "the card",
			rule: cardRule(v.requirement),
		})
	}
	return list
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
	i := slices.IndexFunc(documents, func(d document) bool { return d.name == name })
	if i < 0 {
		return nil, false
	}
	text, err := files.ReadFile(documents[i].file)
	return text, err == nil
}

// embedded returns the JSON Schema of a name, one of [Documents].
func embedded(name string) jsonschema.Document {
	text, _ := Document(name)
	i := slices.IndexFunc(documents, func(d document) bool { return d.name == name })
	return jsonschema.Document{Name: name, What: documents[i].what, Text: text, Rule: documents[i].rule}
}

// validators are the compiled schemas by name, each compiled when it is first used.
var validators = func() map[string]func() jsonschema.Validator {
	all := map[string]func() jsonschema.Validator{}
	for _, d := range documents {
		all[d.name] = sync.OnceValue(func() jsonschema.Validator { return jsonschema.Compile(embedded(d.name), nil) })
	}
	return all
}()

// Validate checks a document against the JSON Schema of that name, one of
// [Documents].
func Validate(name string, doc *source.Node) []jsonschema.Fault {
	if name == "config" { // all of it would take longer than the rest of a small run
		return jsonschema.Validate(doc, jsonschema.Compile(embedded(name), doc))
	}
	return jsonschema.Validate(doc, validators[name]())
}

// ValidateCard checks a card against the JSON Schemas of the versions whose
// clients shall read it: a dual card satisfies both.
func ValidateCard(p Protocol, card *source.Node) []jsonschema.Fault {
	var by []jsonschema.Validator
	for _, v := range p.Versions() {
		by = append(by, validators[v.Document()]())
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
