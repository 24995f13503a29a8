package jsonschema

import (
	"errors"
	"math"
	"net/url"
	"regexp"
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
	maxObjects  = 1000
	maxNumber   = 32 // characters
	maxUnfolded = 5000
)

// Vet checks a JSON Schema that a user has written, such as the input schema of
// an MCP tool, by its metaschema: draft 2020-12 unless $schema says otherwise, back
// to draft 4. Nothing is loaded, and no instance is validated. Pointers are relative
// to the schema, which must not be used where there are faults.
func Vet(n *source.Node) []Fault {
	b := bounds{root: n}
	if b.check(n, "", 1); b.faults != nil {
		return b.faults
	}
	c := newCompiler()
	c.UseRegexpEngine(anyPattern) // patterns of ECMA-262 differ from Go's
	_, faults := compileUser(c, n)
	return faults
}

// Policy makes the validator of a JSON Schema that a user has written about
// documents of ours. Formats count, and patterns have the syntax of RE2. The
// validator must not be used where there are faults.
func Policy(n *source.Node, what string) (Validator, []Fault) {
	b := bounds{root: n}
	b.check(n, "", 1)
	if b.unfold(n); b.faults != nil {
		return Validator{}, b.faults
	}
	c := newCompiler()
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
	err := c.AddResource(base+"schema", n.Any(number))
	if err == nil {
		s, err = c.Compile(base + "schema")
	}
	return s, explain(err)
}

// explain reports in our own words why a schema does not compile.
func explain(err error) []Fault {
	if err == nil {
		return nil
	}
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if cause, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			found := faults(Validator{Document: Document{What: "the schema"}}.findings(cause))
			for i := range found {
				found[i].Pointer, found[i].Hint = fragment(invalid.URL)+found[i].Pointer, ""
			}
			return found
		}
	}
	if outside, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return []Fault{faultAt("", `move it below "$defs", and refer to it as "#/$defs/NAME"`,
			"it refers to %s, which is neither in the schema itself nor a draft from 4 to 2020-12",
			diag.Quote(strings.TrimPrefix(outside.URL, base)))}
	}
	if dangling, ok := errors.AsType[*jsonschema.JSONPointerNotFoundError](err); ok {
		return []Fault{faultAt("", "", "it refers to %s, but has nothing there", diag.Quote("#"+fragment(dangling.URL)))}
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

// anyPattern accepts every regular expression.
func anyPattern(string) (jsonschema.Regexp, error) { return regexp.MustCompile(""), nil }

// bounds is the check of a user's schema before it is compiled.
type bounds struct {
	root     *source.Node
	bytes    int // of the schema in JSON without white space, about
	objects  int
	unfolded int
	faults   []Fault // at most one
}

func (b *bounds) refuse(pointer, hint, format string, args ...any) {
	if b.faults == nil {
		b.faults = []Fault{faultAt(pointer, hint, format, args...)}
	}
}

// check checks a value and all below it.
func (b *bounds) check(n *source.Node, pointer string, level int) {
	b.bytes += len(n.Text) + 3
	if n.Kind == source.Object {
		b.objects++
	}
	switch {
	case b.bytes > maxBytes:
		b.refuse("", "", "it is larger than %d bytes", maxBytes)
	case b.objects > maxObjects:
		b.refuse("", "", "it holds more than %d objects", maxObjects)
	case level > maxLevels:
		b.refuse(pointer, "", "it is nested more than %d levels deep", maxLevels)
	case n.Kind == source.Number && !isModest(n.Text):
		b.refuse(pointer, "", "the number %s is too long or too large", diag.Quote(n.Text))
	}
	for i, item := range n.Items {
		if b.faults == nil {
			b.check(item, source.Pointer(pointer, strconv.Itoa(i)), level+1)
		}
	}
	for _, m := range n.Members {
		b.bytes += len(m.Key) + 3
		if b.faults == nil {
			b.check(m.Value, source.Pointer(pointer, m.Key), level+1)
		}
	}
}

// isModest reports whether a number can be computed with.
func isModest(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return len(text) <= maxNumber && err == nil && !math.IsInf(f, 0)
}

// unfold counts the schemas that a policy runs on a document at most: with its references
// a small schema can unfold to a huge one, and one that refers to itself has no end.
func (b *bounds) unfold(n *source.Node) {
	if b.unfolded++; b.unfolded > maxUnfolded {
		b.refuse("", "", "with its references it holds more than %d schemas and values, or it refers to itself", maxUnfolded)
	}
	for _, key := range []string{"$id", "$anchor", "$dynamicRef", "$recursiveRef"} {
		if n.Get(key).Is(source.String) && (key != "$id" || n != b.root) {
			b.refuse("", `use "$ref": "#/$defs/NAME"`, "it holds %q, which a policy must not have", key)
		}
	}
	if b.faults != nil {
		return
	}
	if ref := n.Get("$ref"); ref.Is(source.String) && (ref.Text == "#" || strings.HasPrefix(ref.Text, "#/")) {
		target, _ := b.root.Find(fragment(ref.Text))
		b.unfold(target)
	}
	for _, item := range n.Items {
		b.unfold(item)
	}
	for _, m := range n.Members {
		b.unfold(m.Value)
	}
}
