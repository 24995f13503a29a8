package jsonschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// findings says in our own words what jsonschema found. Its words change from
// run to run, and quote values whole. Where alternatives fail, it is about the
// one that comes nearest.
func (v Validator) findings(err *jsonschema.ValidationError) []finding {
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		return v.missing(err, k.Missing)
	case *kind.AdditionalProperties:
		return v.unknown(err, k.Properties)
	case *kind.PropertyNames:
		f := v.finding(err, Odd, append(slices.Clone(err.InstanceLocation), k.Property))
		f.Message = fmt.Sprintf("the name %s is not allowed", diag.Quote(k.Property))
		return []finding{f}
	case *kind.OneOf:
		if names := v.exclusive(err.SchemaURL); len(names) > 0 {
			return []finding{v.choice(err, names, k.Subschemas)}
		}
		return v.nearest(err)
	case *kind.AnyOf:
		return v.nearest(err)
	}
	if len(err.Causes) == 0 || isWhole(err.ErrorKind) {
		return []finding{v.value(err)}
	}
	var list []finding
	for _, cause := range err.Causes {
		list = append(list, v.findings(cause)...)
	}
	return list
}

// isWhole reports whether a keyword is about a value as a whole, whatever it is
// about the parts of the value that caused it.
func isWhole(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.Not, *kind.Contains, *kind.MinContains:
		return true
	}
	return false
}

// nearest is about the alternative that a value comes nearest to: one whose faults
// lie deeper in the value, and that is of its type.
func (v Validator) nearest(err *jsonschema.ValidationError) []finding {
	if len(err.Causes) == 0 {
		return []finding{v.value(err)}
	}
	return v.findings(slices.MinFunc(err.Causes, func(a, b *jsonschema.ValidationError) int {
		deepA, wrongA := depth(a)
		deepB, wrongB := depth(b)
		return cmp.Or(cmp.Compare(deepB, deepA), cmp.Compare(wrongA, wrongB))
	}))
}

// depth returns how deep in the value an error lies, and how many values of another
// type it is about.
func depth(err *jsonschema.ValidationError) (deepest, mistyped int) {
	deepest = len(err.InstanceLocation)
	if _, ok := err.ErrorKind.(*kind.Type); ok {
		mistyped = 1
	}
	for _, cause := range err.Causes {
		d, m := depth(cause)
		deepest, mistyped = max(deepest, d), mistyped+m
	}
	return deepest, mistyped
}

// finding returns a finding about the value that path names.
func (v Validator) finding(err *jsonschema.ValidationError, c Class, path []string) finding {
	f := finding{class: c, path: path}
	f.Pointer = pointer(path)
	if v.Rule != nil {
		f.Rule, f.Hint = v.Rule(c, definition(err.SchemaURL))
	}
	return f
}

func (v Validator) missing(err *jsonschema.ValidationError, names []string) []finding {
	var list []finding
	for _, name := range names {
		f := v.finding(err, Missing, err.InstanceLocation)
		f.Missing = name
		f.Message = fmt.Sprintf("%s has no %s", v.subject(err.InstanceLocation), diag.Quote(name))
		list = append(list, f)
	}
	return list
}

func (v Validator) unknown(err *jsonschema.ValidationError, names []string) []finding {
	here := v.lookup(err.SchemaURL)
	patterns := memberNames(here.Get("patternProperties"))
	known := memberNames(here.Get("properties"))
	var list []finding
	for _, name := range names {
		path := append(slices.Clone(err.InstanceLocation), name)
		if len(patterns) > 0 {
			f := v.finding(err, Odd, path)
			f.Message = fmt.Sprintf("%s is not a valid name of an entry, must match %s", diag.Quote(name),
				strings.Join(patterns, " or "))
			list = append(list, f)
			continue
		}
		f := v.finding(err, Unknown, path)
		f.Known, f.Message = known, "unknown key "+diag.Quote(name)
		if len(err.InstanceLocation) > 0 {
			f.Message += " in " + v.subject(err.InstanceLocation)
		}
		if len(known) > 0 {
			f.Hint = "known keys: " + strings.Join(known, ", ")
		}
		if meant, ok := diag.Nearest(name, known); ok {
			f.Hint = diag.Meant(meant)
			f.meant = source.Pointer(pointer(err.InstanceLocation), meant)
		}
		list = append(list, f)
	}
	return list
}

// choice is about oneOf with branches that require one member each. It gets the
// indexes of the two branches that match, or none.
func (v Validator) choice(err *jsonschema.ValidationError, all []string, matched []int) finding {
	var names []string
	for i, name := range all {
		if len(matched) == 0 || slices.Contains(matched, i) {
			names = append(names, diag.Quote(name))
		}
	}
	subject := v.subject(err.InstanceLocation)
	if len(matched) == 0 {
		f := v.finding(err, Missing, err.InstanceLocation)
		f.Message = fmt.Sprintf("%s must have one of %s", subject, strings.Join(names, ", "))
		return f
	}
	f := v.finding(err, Odd, err.InstanceLocation)
	f.Message = fmt.Sprintf("%s has %s, must have exactly one", subject, strings.Join(names, " and "))
	return f
}

// value is about a value that is there and wrong.
func (v Validator) value(err *jsonschema.ValidationError) finding {
	d := describe(err.ErrorKind)
	f := v.finding(err, d.class, err.InstanceLocation)
	f.Message = v.subject(err.InstanceLocation) + " " + d.is
	if d.must != "" {
		f.Message += ", must " + d.must
	}
	if f.Hint == "" {
		f.Hint = d.hint
	}
	if k, ok := err.ErrorKind.(*kind.Type); ok {
		f.Want = k.Want
	}
	return f
}

// subject calls the value that path names by the last member name in it.
func (v Validator) subject(path []string) string {
	i := len(path)
	for i > 0 && isIndex(path[i-1]) {
		i--
	}
	if i == 0 {
		return v.What
	}
	name := path[i-1]
	if i < len(path) {
		name += "[" + strings.Join(path[i:], "][") + "]"
	}
	return diag.Quote(name)
}

// definition returns the name of the definition that a place in a schema lies
// in, "" outside of all.
func definition(location string) string {
	_, path, _ := strings.Cut(location, "#/definitions/")
	name, _, _ := strings.Cut(path, "/")
	return name
}

// lookup returns the part of the schema that a location names.
func (v Validator) lookup(location string) *source.Node {
	if v.text == nil {
		return nil
	}
	part, _ := v.text.Find(fragment(location))
	return part
}

// memberNames returns the sorted names of the members of an object.
func memberNames(n *source.Node) []string {
	var names []string
	for _, m := range n.Fields() {
		names = append(names, m.Key)
	}
	slices.Sort(names)
	return names
}

// exclusive returns the members that the branches of oneOf require, none where a
// branch says anything else.
func (v Validator) exclusive(location string) []string {
	var names []string
	for _, branch := range v.lookup(location).Get("oneOf").Elements() {
		required := branch.Get("required").Words()
		if len(required) != 1 || len(branch.Fields()) != 1 {
			return nil
		}
		names = append(names, required[0])
	}
	return names
}

// description says what a value is and what it must be.
type description struct {
	class    Class
	is, must string
	hint     string
}

func odd(is, must string) description { return description{class: Odd, is: is, must: must} }

func describe(k jsonschema.ErrorKind) description {
	switch k := k.(type) {
	case *kind.Type:
		return describeType(k)
	case *kind.Enum:
		return describeValue(k.Got, "be "+oneOf(k.Want), k.Want...)
	case *kind.Const:
		return describeValue(k.Got, "be "+oneOf([]any{k.Want}), k.Want)
	case *kind.Format:
		return describeValue(k.Got, "be "+meaning(k.Want))
	case *kind.Pattern:
		return describeValue(k.Got, "match "+k.Want)
	case *kind.Minimum:
		return odd("is too small", "be at least "+k.Want.RatString())
	case *kind.ExclusiveMinimum:
		return odd("is too small", "be more than "+k.Want.RatString())
	case *kind.Maximum:
		return odd("is too large", "be at most "+k.Want.RatString())
	case *kind.Not:
		return odd("is what is ruled out", "")
	case *kind.Contains, *kind.MinContains:
		return odd("has no entry, or too few, of the kind that is demanded", "")
	case *kind.OneOf:
		return odd("matches more than one of the alternatives", "match exactly one")
	case *kind.MinLength:
		if k.Got > 0 {
			return odd(fmt.Sprintf("has too few characters: %d", k.Got), fmt.Sprintf("hold at least %d", k.Want))
		}
		return description{class: Blank, is: "is empty", must: "hold text"}
	case *kind.MinItems:
		if k.Got > 0 {
			return odd(fmt.Sprintf("has too few entries: %d", k.Got), fmt.Sprintf("hold at least %d", k.Want))
		}
		return description{class: Blank, is: "is empty", must: "hold at least one entry"}
	case *kind.MaxItems:
		return odd(fmt.Sprintf("has too many entries: %d", k.Got), fmt.Sprintf("hold at most %d", k.Want))
	case *kind.MaxLength:
		return odd(fmt.Sprintf("has too many characters: %d", k.Got), fmt.Sprintf("hold at most %d", k.Want))
	case *kind.MinProperties:
		return description{class: Blank, is: "is empty", must: "hold at least one entry"}
	case *kind.UniqueItems:
		return odd(fmt.Sprintf("holds the same value at %d and %d", k.Duplicates[0], k.Duplicates[1]), "hold each once")
	default:
		return odd("is not allowed", "be left out")
	}
}

func describeType(k *kind.Type) description {
	want := make([]string, len(k.Want))
	for i, t := range k.Want {
		want[i] = source.Article(t)
	}
	d := description{class: Mistyped, is: "is " + source.Article(k.Got), must: "be " + strings.Join(want, " or ")}
	switch {
	case k.Got == "null":
		d.class = Null
	case slices.Contains(k.Want, "string") && (k.Got == "number" || k.Got == "boolean"):
		d.hint = "put it in double quotes"
	case slices.Contains(k.Want, "boolean") && k.Got == "string":
		d.hint = "write true or false, without quotes"
	}
	return d
}

// describeValue is about a value of which some are allowed.
func describeValue(got any, must string, allowed ...any) description {
	d := description{class: Odd, is: "is " + show(got), must: must}
	switch got {
	case nil:
		d.class = Null
	case "":
		d.class, d.is = Blank, "is empty"
	}
	var words []string
	for _, a := range allowed {
		if word, ok := a.(string); ok {
			words = append(words, word)
		}
	}
	if word, ok := got.(string); ok {
		if meant, near := diag.Nearest(word, words); near {
			d.hint = diag.Meant(meant)
		}
	}
	for _, a := range allowed {
		switch strings.Trim(show(a), `"`) {
		case show(got):
			d.hint = "put it in double quotes"
		case strings.Trim(show(got), `"`):
			d.hint = "write it without quotes"
		}
	}
	return d
}

func oneOf(values []any) string {
	if len(values) == 1 {
		return show(values[0])
	}
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = show(v)
	}
	return "one of " + strings.Join(list, ", ")
}

// show returns a value as a message shows it.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return diag.Quote(v)
	case json.Number:
		return v.String()
	case []any:
		return source.Article("array")
	case map[string]any:
		return source.Article("object")
	default:
		return fmt.Sprint(v)
	}
}
