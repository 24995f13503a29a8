package jsonschema

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// What a JSON Schema of a user may have at most. Compiling one costs time and
// memory out of all proportion to its size.
const (
	maxBytes    = 64 << 10
	maxLevels   = 32
	maxSchemas  = 1000
	maxNumber   = 32 // characters
	maxUnfolded = 5000
)

// Vet checks a JSON Schema that a user has written, such as the input schema of
// an MCP tool, by its metaschema: draft 2020-12 unless $schema says otherwise, back
// to draft 4. Nothing is loaded, and no instance is validated. Pointers are relative
// to the schema, which must not be used where there are faults.
func Vet(n *source.Node) []Fault {
	u := user{root: n}
	if u.check(n); u.faults != nil {
		return u.faults
	}
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(anyPattern) // patterns of ECMA-262 are not those of Go
	_, faults := compileUser(c, n)
	return faults
}

// Policy makes the validator of a JSON Schema that a user has written about
// documents of ours. Formats count, and patterns have the syntax of RE2. The
// validator must not be used where there are faults.
func Policy(n *source.Node, what string) (Validator, []Fault) {
	u := user{root: n, unfold: true}
	if u.check(n); u.faults != nil {
		return Validator{}, u.faults
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, faults := compileUser(c, n)
	return Validator{Document: Document{What: what}, schema: schema, text: n}, faults
}

// compileUser compiles a schema within the bounds.
func compileUser(c *jsonschema.Compiler, n *source.Node) (s *jsonschema.Schema, faults []Fault) {
	defer func() {
		if recover() != nil {
			s, faults = nil, []Fault{{Message: "it cannot be understood"}}
		}
	}()
	const id = "https://cardwright.invalid/user"
	c.UseLoader(noLoader{})
	err := c.AddResource(id, n.Any(number))
	if err == nil {
		s, err = c.Compile(id)
	}
	if err != nil {
		return nil, explain(err)
	}
	return s, nil
}

// explain says in our own words why a schema does not compile.
func explain(err error) []Fault {
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if cause, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			found := faults(Validator{Document: Document{What: "the schema"}}.findings(cause))
			for i := range found {
				found[i].Pointer, found[i].Hint = fragment(invalid.URL)+found[i].Pointer, ""
			}
			return found
		}
	}
	return []Fault{{Message: "it cannot be understood: an id or a reference in it leads nowhere"}}
}

// fragment returns the JSON pointer in a URL.
func fragment(location string) string {
	_, pointer, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(pointer); err == nil {
		return plain
	}
	return pointer
}

// anyPattern accepts every regular expression, and matches nothing.
func anyPattern(pattern string) (jsonschema.Regexp, error) { return unmatched(pattern), nil }

type unmatched string

func (unmatched) MatchString(string) bool { return false }

func (u unmatched) String() string { return string(u) }

// user is the check of a user's schema against the bounds.
type user struct {
	root     *source.Node
	unfold   bool // references are replaced by what they lead to, as when a value is validated
	bytes    int  // of the schema in JSON without white space, about
	schemas  int
	unfolded int
	faults   []Fault
}

func (u *user) refuse(pointer, hint, format string, args ...any) {
	if u.faults == nil {
		u.faults = []Fault{faultAt(pointer, hint, format, args...)}
	}
}

func (u *user) check(n *source.Node) {
	u.value(n, "", 1, isSchema)
	if u.unfold && u.faults == nil {
		u.run(n, isSchema)
	}
}

// role says what a value in a schema is.
type role uint8

const (
	isSchema role = iota // or a list of them, or the value of a keyword without any
	isNamed              // its members are schemas
	isPlain              // a value of the instance, such as a default
)

// below returns the role of the value of a member.
func (r role) below(key string) role {
	switch {
	case r == isNamed:
		return isSchema
	case r == isPlain || slices.Contains(plainValues, key):
		return isPlain
	case slices.Contains(namedSchemas, key):
		return isNamed
	}
	return isSchema
}

// value checks a value and all below it.
func (u *user) value(n *source.Node, pointer string, level int, r role) {
	u.bytes += len(n.Text) + 3
	if r == isSchema && n.Kind == source.Object {
		u.schemas++
		u.keywords(n, pointer)
	}
	switch {
	case u.bytes > maxBytes:
		u.refuse("", "", "it is larger than %d bytes", maxBytes)
	case u.schemas > maxSchemas:
		u.refuse("", "", "it holds more than %d schemas", maxSchemas)
	case level > maxLevels:
		u.refuse(pointer, "", "it is nested more than %d levels deep", maxLevels)
	case n.Kind == source.Number && !isModest(n.Text):
		u.refuse(pointer, "", "the number %s is too long or too large", diag.Quote(n.Text))
	}
	for i, item := range n.Items {
		if u.faults == nil {
			u.value(item, source.Pointer(pointer, strconv.Itoa(i)), level+1, r)
		}
	}
	for _, m := range n.Members {
		u.bytes += len(m.Key) + 3
		if u.faults == nil {
			u.value(m.Value, source.Pointer(pointer, m.Key), level+1, r.below(m.Key))
		}
	}
}

// namedSchemas are the keywords whose values have members that are schemas.
var namedSchemas = []string{
	"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
}

// plainValues are the keywords whose values are values of the instance.
var plainValues = []string{"const", "enum", "default", "example", "examples"}

// isModest reports whether a number can be computed with.
func isModest(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return len(text) <= maxNumber && err == nil && !math.IsInf(f, 0)
}

// keywords demands that a schema refers to nothing but the document that it is in.
func (u *user) keywords(n *source.Node, pointer string) {
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref := n.Get(key)
		if !ref.Is(source.String) {
			continue
		}
		target, found := u.root.Find(fragment(ref.Text))
		switch {
		case !strings.HasPrefix(ref.Text, "#"):
			u.refuse(source.Pointer(pointer, key), `move what it refers to below "$defs", and refer to it as "#/$defs/NAME"`,
				"%q is %s, must point into the schema itself", key, diag.Quote(ref.Text))
		case strings.HasPrefix(ref.Text, "#/") && (!found || target == nil):
			u.refuse(source.Pointer(pointer, key), "", "%q is %s, but the schema has nothing there", key, diag.Quote(ref.Text))
		case u.unfold && (key != "$ref" || ref.Text != "#" && !strings.HasPrefix(ref.Text, "#/")):
			u.refuse(source.Pointer(pointer, key), `use "$ref": "#/$defs/NAME"`, "%q is %s, which a policy must not have", key,
				diag.Quote(ref.Text))
		}
	}
	if id := n.Get("$id"); u.unfold && id.Is(source.String) && pointer != "" {
		u.refuse(pointer+"/$id", "leave it out", "only the whole policy may have an \"$id\"")
	}
	if !draft(n.Get("$schema")) {
		u.refuse(pointer+"/$schema", "use https://json-schema.org/draft/2020-12/schema",
			"\"$schema\" is %s, must name a draft from 4 to 2020-12", diag.Quote(n.Get("$schema").ScalarText()))
	}
}

// draft reports whether $schema, nil for none, names a draft that is known here.
func draft(stated *source.Node) bool {
	if stated == nil {
		return true
	}
	_, name, _ := strings.Cut(strings.TrimSuffix(stated.ScalarText(), "#"), "://json-schema.org/")
	return slices.Contains([]string{
		"draft/2020-12/schema", "draft/2019-09/schema", "draft-07/schema", "draft-06/schema", "draft-04/schema",
	}, name)
}

// run counts the schemas that are run on a value at most, references followed: a
// small schema can unfold to a huge one, and one that refers to itself has no end.
func (u *user) run(n *source.Node, r role) {
	if u.unfolded++; u.unfolded > maxUnfolded {
		u.refuse("", "", "with its references it holds more than %d schemas and values, or it refers to itself", maxUnfolded)
	}
	if ref := n.Get("$ref"); u.faults == nil && r == isSchema && ref.Is(source.String) {
		target, _ := u.root.Find(fragment(ref.Text))
		u.run(target, isSchema)
	}
	for _, item := range n.Items {
		if u.faults == nil {
			u.run(item, r)
		}
	}
	for _, m := range n.Members {
		if unused := r == isSchema && (m.Key == "$defs" || m.Key == "definitions"); u.faults == nil && !unused {
			u.run(m.Value, r.below(m.Key))
		}
	}
}
