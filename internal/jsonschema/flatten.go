package jsonschema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// findings reports in our own words what jsonschema found. Its words change from
// run to run, and quote values whole. Where alternatives fail, it is about the
// one that comes nearest.
func (v Validator) findings(err *jsonschema.ValidationError) (list []finding) {
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			f := v.finding(err, Missing, "has no "+diag.Quote(name))
			f.Missing = name
			list = append(list, f)
		}
		return list
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			list = append(list, v.unknown(err, name))
		}
		return list
	case *kind.OneOf:
		if f, ok := v.choice(err, k.Subschemas); ok {
			return []finding{f}
		}
		return v.nearest(err)
	case *kind.AnyOf:
		return v.nearest(err)
	case *kind.PropertyNames, *kind.Not, *kind.Contains, *kind.MinContains:
		return []finding{v.value(err)} // whatever the causes say about the parts of the value
	}
	for _, cause := range err.Causes {
		list = append(list, v.findings(cause)...)
	}
	if len(list) == 0 {
		list = []finding{v.value(err)}
	}
	return list
}

// nearest is about the alternative that a value comes nearest to: one whose faults
// lie deeper in the value, and that is of its type.
func (v Validator) nearest(err *jsonschema.ValidationError) []finding {
	if len(err.Causes) == 0 {
		return []finding{v.value(err)}
	}
	return v.findings(slices.MaxFunc(err.Causes, func(a, b *jsonschema.ValidationError) int {
		return cmp.Compare(rank(a), rank(b))
	}))
}

// rank is higher for an error that lies deeper in the value, and lower for a value of
// another type than for other errors at one depth.
func rank(err *jsonschema.ValidationError) int {
	highest := 2 * len(err.InstanceLocation)
	if _, mistyped := err.ErrorKind.(*kind.Type); !mistyped && len(err.Causes) == 0 {
		highest++
	}
	for _, cause := range err.Causes {
		highest = max(highest, rank(cause))
	}
	return highest
}

// finding returns a finding about the value at fault. The text follows its name.
func (v Validator) finding(err *jsonschema.ValidationError, c Class, text string) finding {
	f := finding{class: c}
	f.Message = v.subject(err.InstanceLocation) + " " + text
	f.Pointer = source.Pointer("", err.InstanceLocation...)
	if v.Rule != nil {
		f.Rule, f.Hint = v.Rule(c, definition(err.SchemaURL))
	}
	return f
}

// unknown is about a member that the schema does not allow.
func (v Validator) unknown(err *jsonschema.ValidationError, name string) (f finding) {
	here := v.lookup(err.SchemaURL)
	if patterns := memberNames(here.Get("patternProperties")); len(patterns) > 0 {
		f = v.finding(err, Odd, "")
		f.Message = fmt.Sprintf("%s is not a valid name of an entry, must match %s", diag.Quote(name),
			strings.Join(patterns, " or "))
	} else {
		f = v.finding(err, Unknown, "")
		f.Known, f.Message = memberNames(here.Get("properties")), "unknown key "+diag.Quote(name)
		if f.Pointer != "" {
			f.Message += " in " + v.subject(err.InstanceLocation)
		}
		if len(f.Known) > 0 {
			f.Hint = "known keys: " + strings.Join(f.Known, ", ")
		}
		if meant, ok := diag.Nearest(name, f.Known); ok {
			f.Hint, f.meant = diag.Meant(meant), source.Pointer(f.Pointer, meant)
		}
	}
	f.Pointer = source.Pointer(f.Pointer, name)
	return f
}

// choice is about oneOf with branches that require one member each, and not ok where a
// branch says anything else. It gets the indexes of the two branches that match, or none.
func (v Validator) choice(err *jsonschema.ValidationError, matched []int) (f finding, ok bool) {
	var names []string
	for i, branch := range v.lookup(err.SchemaURL).Get("oneOf").Elements() {
		required := branch.Get("required").Words()
		if len(required) != 1 || len(branch.Fields()) != 1 {
			return f, false
		}
		if len(matched) == 0 || slices.Contains(matched, i) {
			names = append(names, diag.Quote(required[0]))
		}
	}
	if len(matched) > 0 {
		return v.finding(err, Odd, "has "+strings.Join(names, " and ")+", must have exactly one"), len(names) > 0
	}
	return v.finding(err, Missing, "must have one of "+strings.Join(names, ", ")), len(names) > 0
}

// value is about a value that is there and wrong.
func (v Validator) value(err *jsonschema.ValidationError) finding {
	d := describe(err.ErrorKind)
	f := v.finding(err, d.class, d.text)
	f.Hint = cmp.Or(f.Hint, d.hint)
	if k, ok := err.ErrorKind.(*kind.Type); ok {
		f.Want = k.Want
	}
	return f
}

// subject calls the value that path names by the last member name in it.
func (v Validator) subject(path []string) string {
	name := ""
	for _, token := range path {
		if name != "" && strings.Trim(token, "0123456789") == "" {
			name += "[" + token + "]"
		} else {
			name = token
		}
	}
	if name == "" {
		return v.What
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

// description says what a value is and what it must be.
type description struct {
	class      Class
	text, hint string
}

func odd(format string, args ...any) description {
	return description{class: Odd, text: fmt.Sprintf(format, args...)}
}

func describe(k jsonschema.ErrorKind) description {
	switch k := k.(type) {
	case *kind.Type:
		return describeType(k)
	case *kind.Enum:
		return describeValue(k.Got, k.Want...)
	case *kind.Const:
		return describeValue(k.Got, k.Want)
	case *kind.Format:
		return mustBe(k.Got, "be "+meaning(k.Want))
	case *kind.Pattern:
		return mustBe(k.Got, "match "+k.Want)
	case *kind.Minimum:
		return odd("is too small, must be at least %s", k.Want.RatString())
	case *kind.ExclusiveMinimum:
		return odd("is too small, must be more than %s", k.Want.RatString())
	case *kind.MinLength:
		return atLeast(k.Got, k.Want, "text")
	case *kind.MinItems:
		return atLeast(k.Got, k.Want, "at least one entry")
	case *kind.MinProperties:
		return atLeast(k.Got, k.Want, "at least one entry")
	case *kind.MaxItems:
		return odd("has %d entries, must have at most %d", k.Got, k.Want)
	case *kind.MaxLength:
		return odd("has %d characters, must have at most %d", k.Got, k.Want)
	case *kind.UniqueItems:
		return odd("holds the same value at %d and %d, must hold each once", k.Duplicates[0], k.Duplicates[1])
	case *kind.PropertyNames:
		return odd("has the name %s, which is not allowed", diag.Quote(k.Property))
	case *kind.Not, *kind.FalseSchema:
		return odd("is not allowed")
	}
	return odd("breaks %q of the schema", strings.Join(k.KeywordPath(), "/"))
}

// atLeast is about a text, list or map that holds too little.
func atLeast(got, want int, something string) description {
	if got == 0 {
		return description{class: Blank, text: "is empty, must hold " + something}
	}
	return odd("has a length of %d, must have at least %d", got, want)
}

func describeType(k *kind.Type) description {
	want := make([]string, len(k.Want))
	for i, t := range k.Want {
		want[i] = source.Article(t)
	}
	d := description{Mistyped, "is " + source.Article(k.Got) + ", must be " + strings.Join(want, " or "), ""}
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

// describeValue is about a value that must be one of some.
func describeValue(got any, allowed ...any) description {
	var names, words []string
	hint := ""
	for _, a := range allowed {
		name := show(a)
		names = append(names, name)
		if text, ok := a.(string); ok {
			words = append(words, text)
		}
		switch strings.Trim(name, `"`) {
		case show(got):
			hint = "put it in double quotes"
		case strings.Trim(show(got), `"`):
			hint = "write it without quotes"
		}
	}
	if word, ok := got.(string); ok {
		if meant, near := diag.Nearest(word, words); near {
			hint = diag.Meant(meant)
		}
	}
	must := "be " + strings.Join(names, ", ")
	if len(names) > 1 {
		must = "be one of " + strings.Join(names, ", ")
	}
	d := mustBe(got, must)
	d.hint = hint
	return d
}

// mustBe is about a value of the right type.
func mustBe(got any, must string) description {
	switch got {
	case nil:
		return description{class: Null, text: "is null, must " + must}
	case "":
		return description{class: Blank, text: "is empty, must " + must}
	}
	return odd("is %s, must %s", show(got), must)
}

// show returns a value as a message shows it.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return diag.Quote(v)
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}
