package jsonschema

import (
	"cmp"
	"errors"
	"math"
	"net/url"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Rules about JSON Schemas that others have written.
const (
	ruleInvalidSchema = "source-schema-invalid"
	ruleSchemaQuality = "source-schema-quality"
)

// What a JSON Schema of others may have at most. Compiling one costs time and
// memory out of all proportion to its size.
const (
	maxSchemaBytes  = 64 << 10
	maxSchemaLevels = 32
	maxSchemas      = 1000
	maxNumber       = 32 // characters
)

// Vet judges a JSON Schema that somebody else has written, such as the input
// schema of an MCP tool, by its metaschema: draft 2020-12 unless $schema says
// otherwise, back to draft 4. Nothing is loaded, and no instance is validated.
//
// Faults have the rule source-schema-invalid; the schema must not be used then.
// One that is valid can have faults of the rule source-schema-quality. Pointers
// are relative to the schema.
func Vet(n *source.Node) []Fault {
	for _, check := range []func(*source.Node) []Fault{vetSize, vetReferences, vetMeaning} {
		if found := check(n); len(found) > 0 {
			for i := range found {
				found[i].Rule = ruleInvalidSchema
			}
			return found
		}
	}
	found := vetQuality(n)
	for i := range found {
		found[i].Rule = ruleSchemaQuality
	}
	return found
}

// vetSize checks a schema against the limits.
func vetSize(n *source.Node) []Fault {
	m := measure{}
	m.value(n, "", 1)
	if m.fault == nil {
		count := 0
		walkSchema(n, func(*source.Node, string) { count++ })
		if count > maxSchemas {
			m.fault = new(faultAt("", "", "it holds more than %d schemas", maxSchemas))
		}
	}
	if m.fault != nil {
		return []Fault{*m.fault}
	}
	return nil
}

// measure adds up the size of a value until a bound is hit.
type measure struct {
	bytes int // of the value in JSON without white space, about
	fault *Fault
}

func (m *measure) value(n *source.Node, pointer string, level int) {
	m.bytes += len(n.Text) + 3
	switch {
	case m.fault != nil:
		return
	case m.bytes > maxSchemaBytes:
		m.fault = new(faultAt("", "", "it is larger than %d bytes", maxSchemaBytes))
	case level > maxSchemaLevels:
		m.fault = new(faultAt(pointer, "", "it is nested more than %d levels deep", maxSchemaLevels))
	case n.Kind == source.Number && !isModest(n.Text):
		m.fault = new(faultAt(pointer, "", "the number %s is too long or too large", diag.Quote(n.Text)))
	}
	for i, item := range n.Items {
		m.value(item, source.Pointer(pointer, strconv.Itoa(i)), level+1)
	}
	for _, e := range n.Members {
		m.bytes += len(e.Key) + 3
		m.value(e.Value, source.Pointer(pointer, e.Key), level+1)
	}
}

// isModest reports whether a number can be computed with.
func isModest(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return len(text) <= maxNumber && err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// drafts lists what $schema may be.
var drafts = []string{
	"https://json-schema.org/draft/2020-12/schema",
	"https://json-schema.org/draft/2019-09/schema",
	"http://json-schema.org/draft-07/schema",
	"http://json-schema.org/draft-06/schema",
	draft4,
}

const draft4 = "http://json-schema.org/draft-04/schema"

// draftOf returns the one of the drafts that a schema is written in, "" for
// another one.
func draftOf(n *source.Node) string {
	stated := n.Get("$schema")
	if stated == nil {
		return drafts[0]
	}
	_, name, _ := strings.Cut(strings.TrimSuffix(stated.Text, "#"), "://")
	for _, d := range drafts {
		if _, known, _ := strings.Cut(d, "://"); known == name {
			return d
		}
	}
	return ""
}

// vetReferences demands that a schema refers to nothing but itself.
func vetReferences(n *source.Node) []Fault {
	var found []Fault
	walkSchema(n, func(n *source.Node, pointer string) {
		for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref := n.Get(key); ref.Is(source.String) && !strings.HasPrefix(ref.Text, "#") {
				found = append(found, faultAt(source.Pointer(pointer, key),
					`move what it refers to below "$defs", and refer to it as "#/$defs/NAME"`,
					"%q is %s, must point into the schema itself", key, diag.Quote(ref.Text)))
			}
		}
		if draftOf(n) == "" {
			found = append(found, faultAt(pointer+"/$schema", "known: "+strings.Join(drafts, ", "),
				"\"$schema\" is %s, must name a draft that is known here", diag.Quote(n.Get("$schema").Text)))
		}
	})
	return found
}

// vetMeaning checks a schema against its metaschema, and follows its
// references.
func vetMeaning(n *source.Node) []Fault {
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(patternEngine)
	_, found := understood(c, n)
	return found
}

// understood compiles a schema that somebody else has written.
func understood(c *jsonschema.Compiler, n *source.Node) (s *jsonschema.Schema, found []Fault) {
	defer func() {
		if recover() != nil {
			found = []Fault{{Message: "it cannot be understood"}}
		}
	}()
	const id = "memory:///vetted"
	c.UseLoader(nothing{})
	if err := c.AddResource(id, n.Any(number)); err != nil {
		return nil, []Fault{{Message: "it cannot be understood"}}
	}
	s, err := c.Compile(id)
	if err != nil {
		return nil, vetted(n, err)
	}
	return s, nil
}

// vetted says in our own words why a schema does not compile.
func vetted(n *source.Node, err error) []Fault {
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if cause, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			return faults(metaFindings(cause, fragment(invalid.URL)))
		}
	}
	if lost := danglingReference(n); lost != nil {
		return []Fault{*lost}
	}
	return []Fault{{Message: "it cannot be understood: an id or a reference in it is odd"}}
}

// fragment returns the JSON pointer in a URL.
func fragment(location string) string {
	_, pointer, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(pointer); err == nil {
		return plain
	}
	return pointer
}

// metaFindings finds what a metaschema says against a schema, the part of which
// that was judged has the pointer base.
func metaFindings(err *jsonschema.ValidationError, base string) []finding {
	list := Validator{Document: Document{What: "the schema"}}.judged(err)
	for i := range list {
		list[i].Pointer, list[i].Hint = base+list[i].Pointer, "" // the hints are about documents of ours
	}
	return list
}

// compareBranches orders the branches of anyOf by how near a value comes to
// them: what fails deeper in the value comes nearer, and what fails for its
// type comes least near.
func compareBranches(a, b *jsonschema.ValidationError) int {
	return cmp.Or(cmp.Compare(deepest(b), deepest(a)), cmp.Compare(mistypes(a), mistypes(b)))
}

func deepest(err *jsonschema.ValidationError) int {
	depth := len(err.InstanceLocation)
	for _, cause := range err.Causes {
		depth = max(depth, deepest(cause))
	}
	return depth
}

func mistypes(err *jsonschema.ValidationError) int {
	n := 0
	if _, ok := err.ErrorKind.(*kind.Type); ok {
		n = 1
	}
	for _, cause := range err.Causes {
		n += mistypes(cause)
	}
	return n
}

// danglingReference finds a reference to what is not there.
func danglingReference(n *source.Node) *Fault {
	anchors := map[string]bool{}
	walkSchema(n, func(n *source.Node, _ string) {
		for _, key := range []string{"$anchor", "$dynamicAnchor", "$id", "id"} {
			if a := n.Get(key); a.Is(source.String) {
				anchors[strings.TrimPrefix(a.Text, "#")] = true
			}
		}
	})
	var lost *Fault
	walkSchema(n, func(at *source.Node, pointer string) {
		ref := at.Get("$ref")
		if lost != nil || !ref.Is(source.String) {
			return
		}
		target := fragment(ref.Text)
		if _, ok := n.Find(target); ok && (target == "" || target[0] == '/') || anchors[target] {
			return
		}
		lost = new(faultAt(pointer+"/$ref", "", "\"$ref\" is %s, but the schema has nothing there", diag.Quote(ref.Text)))
	})
	return lost
}

// patternEngine parses the regular expressions of a schema. Those of ECMA-262
// are not quite those of Go, so that only what is wrong in both is refused.
func patternEngine(pattern string) (jsonschema.Regexp, error) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		switch wrong.Code {
		case syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket, syntax.ErrTrailingBackslash,
			syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
			return nil, err
		}
	}
	return unmatched(pattern), nil
}

// unmatched is a regular expression that is never matched against anything.
type unmatched string

func (unmatched) MatchString(string) bool { return false }

func (u unmatched) String() string { return string(u) }

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
