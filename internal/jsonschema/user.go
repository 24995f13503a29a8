package jsonschema

import (
	"errors"
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
	maxBytes  = 64 << 10
	maxLevels = 32
)

// Vet checks a JSON Schema that a user has written, such as the input schema of
// an MCP tool, by its metaschema: draft 2020-12 unless $schema says otherwise, back
// to draft 4. Nothing is loaded, and no instance is validated. Pointers are relative
// to the schema, which must not be used where there are faults.
func Vet(n *source.Node) []Fault {
	c := newCompiler()
	c.UseRegexpEngine(anyPattern) // patterns of ECMA-262 differ from Go's
	_, faults := compileUser(c, n, false)
	return faults
}

// Policy makes the validator of a JSON Schema that a user has written about
// documents of ours. Formats count, and patterns have the syntax of RE2. The
// validator must not be used where there are faults.
func Policy(n *source.Node, what string) (Validator, []Fault) {
	c := newCompiler()
	c.AssertFormat()
	schema, faults := compileUser(c, n, true)
	return Validator{Document: Document{What: what}, schema: schema, text: n}, faults
}

// compileUser compiles a schema within the bounds, see [bounds] for follow.
func compileUser(c *jsonschema.Compiler, n *source.Node, follow bool) (s *jsonschema.Schema, faults []Fault) {
	b := bounds{root: n, follow: follow}
	if b.check(n, "", 1); b.faults != nil {
		return nil, b.faults
	}
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
			found := Validator{Document: Document{What: "the schema"}}.faults(cause)
			for i := range found {
				found[i].Pointer, found[i].Hint = fragment(invalid.URL)+found[i].Pointer, ""
			}
			return compact(found)
		}
	}
	if outside, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		f := odd("it refers to %s, which is neither in the schema itself nor a draft from 4 to 2020-12",
			diag.Quote(strings.TrimPrefix(outside.URL, base)))
		f.Hint = `move it below "$defs", and refer to it as "#/$defs/NAME"`
		return []Fault{f}
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
	root   *source.Node
	follow bool    // what a reference leads to counts too: it runs on documents
	bytes  int     // of the schema in JSON without white space, about
	faults []Fault // at most one
}

func (b *bounds) refuse(pointer, format string, args ...any) {
	if b.faults == nil {
		b.faults = []Fault{odd(format, args...)}
		b.faults[0].Pointer = pointer
	}
}

// check checks a value and all below it.
func (b *bounds) check(n *source.Node, pointer string, level int) {
	b.bytes += len(n.Text) + 3
	_, large := strconv.ParseFloat(n.Text, 64)
	switch {
	case b.bytes > maxBytes:
		b.refuse("", "it is larger than %d bytes", maxBytes)
	case level > maxLevels:
		b.refuse(pointer, "it is nested more than %d levels deep", maxLevels)
	case n.Kind == source.Number && large != nil:
		b.refuse(pointer, "the number %s is too large", diag.Quote(n.Text))
	case b.follow:
		b.checkReference(n, pointer, level)
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

// checkReference checks what a policy refers to: with its references a small schema can
// unfold to a huge one, and one that refers to itself has no end.
func (b *bounds) checkReference(n *source.Node, pointer string, level int) {
	for _, key := range []string{"$id", "$anchor", "$dynamicRef", "$recursiveRef"} {
		if n.Get(key).Is(source.String) && (key != "$id" || n != b.root) {
			b.refuse(pointer, `it holds %q, which a policy must not have: use "$ref": "#/$defs/NAME"`, key)
		}
	}
	if ref := n.Get("$ref"); ref.Is(source.String) && (ref.Text == "#" || strings.HasPrefix(ref.Text, "#/")) {
		if target, ok := b.root.Find(fragment(ref.Text)); ok && b.faults == nil {
			b.check(target, pointer, level+1)
		}
	}
}
