package jsonschema

import (
	"strconv"

	"cardwright/internal/source"
)

// holding says how a keyword of JSON Schema holds further schemas.
type holding uint8

const (
	none  holding = iota
	one           // the value is a schema
	each          // the value is a list of schemas
	named         // the members of the value are schemas
)

// keywords lists the keywords that hold schemas, in any draft from 4 to 2020-12.
var keywords = map[string]holding{
	"additionalItems": one, "additionalProperties": one, "contains": one, "contentSchema": one, "else": one, "if": one,
	"items": one, "not": one, "propertyNames": one, "then": one, "unevaluatedItems": one, "unevaluatedProperties": one,
	"allOf": each, "anyOf": each, "oneOf": each, "prefixItems": each,
	"$defs": named, "definitions": named, "dependencies": named, "dependentSchemas": named, "patternProperties": named,
	"properties": named,
}

// holdingOf says how a member of a schema holds further ones. Items may be a
// list up to draft 2019-09.
func holdingOf(m source.Member) holding {
	how := keywords[m.Key]
	if how == one && m.Value.Is(source.Array) {
		return each
	}
	return how
}

// walkSchema calls visit for a schema and for every schema in it, with pointers
// relative to the first.
func walkSchema(n *source.Node, visit func(n *source.Node, pointer string)) {
	walkBelow(n, "", func(string) bool { return true }, visit)
}

// walkBelow is [walkSchema] for the schemas below certain keywords only.
// Pointers continue the given one.
func walkBelow(n *source.Node, pointer string, enter func(keyword string) bool,
	visit func(n *source.Node, pointer string),
) {
	visit(n, pointer)
	if !n.Is(source.Object) {
		return
	}
	for _, m := range n.Members {
		if !enter(m.Key) {
			continue
		}
		at := source.Pointer(pointer, m.Key)
		switch holdingOf(m) {
		case one:
			walkBelow(m.Value, at, enter, visit)
		case each:
			for i, item := range m.Value.Items {
				walkBelow(item, source.Pointer(at, strconv.Itoa(i)), enter, visit)
			}
		case named:
			for _, s := range m.Value.Members {
				walkBelow(s.Value, source.Pointer(at, s.Key), enter, visit)
			}
		case none:
		}
	}
}
