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

// faults reports in our own words what jsonschema found. Its words change from
// run to run, and quote values whole. Where alternatives fail, it is about the
// one that comes nearest.
func (v Validator) faults(err *jsonschema.ValidationError) (list []Fault) {
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			list = append(list, v.fault(err, Fault{Class: Missing, Missing: name, Message: "has no " + diag.Quote(name)}))
		}
		return list
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			list = append(list, v.unknown(err, name))
		}
		return list
	case *kind.OneOf:
		if names := v.choice(err, k.Subschemas); names != nil && k.Subschemas == nil {
			return []Fault{v.fault(err, Fault{Class: Missing, Message: "must have one of " + strings.Join(names, ", ")})}
		} else if names != nil {
			return []Fault{v.fault(err, odd("has %s, must have exactly one", strings.Join(names, " and ")))}
		}
		return v.nearest(err)
	case *kind.AnyOf:
		return v.nearest(err)
	case *kind.PropertyNames, *kind.Not, *kind.Contains, *kind.MinContains:
		return []Fault{v.fault(err, describe(k))} // whatever the causes say about the parts of the value
	}
	for _, cause := range err.Causes {
		list = append(list, v.faults(cause)...)
	}
	if len(list) == 0 {
		list = []Fault{v.fault(err, describe(err.ErrorKind))}
	}
	return list
}

// nearest is about the alternative that a value comes nearest to: one whose faults
// lie deeper in the value, and that is of its type.
func (v Validator) nearest(err *jsonschema.ValidationError) []Fault {
	if len(err.Causes) == 0 {
		return []Fault{v.fault(err, describe(err.ErrorKind))}
	}
	return v.faults(slices.MaxFunc(err.Causes, func(a, b *jsonschema.ValidationError) int {
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

// fault completes a fault of a value, whose message follows the name of the value.
func (v Validator) fault(err *jsonschema.ValidationError, f Fault) Fault {
	f.Message = v.subject(err.InstanceLocation) + " " + f.Message
	f.Pointer = source.Pointer("", err.InstanceLocation...)
	if v.Rule != nil {
		rule, hint := v.Rule(f.Class, definition(err.SchemaURL))
		f.Rule, f.Hint = rule, cmp.Or(hint, f.Hint)
	}
	return f
}

// unknown is about a member that the schema does not allow.
func (v Validator) unknown(err *jsonschema.ValidationError, name string) Fault {
	here := v.lookup(err.SchemaURL)
	if patterns := memberNames(here.Get("patternProperties")); len(patterns) > 0 {
		f := v.fault(err, Fault{Class: Odd})
		f.Message = fmt.Sprintf("%s is not a valid name of an entry, must match %s", diag.Quote(name),
			strings.Join(patterns, " or "))
		f.Pointer = source.Pointer(f.Pointer, name)
		return f
	}
	f := v.fault(err, Fault{Class: Unknown, Known: memberNames(here.Get("properties"))})
	f.Message = "unknown key " + diag.Quote(name)
	if f.Pointer != "" {
		f.Message += " in " + v.subject(err.InstanceLocation)
	}
	if len(f.Known) > 0 {
		f.Hint = diag.Hint(name, f.Known, "known keys: "+strings.Join(f.Known, ", "))
	}
	f.Pointer = source.Pointer(f.Pointer, name)
	return f
}

// choice returns the names that oneOf lets a value choose from, where each branch requires
// one member and says nothing else. With indexes it returns the names in these branches only.
func (v Validator) choice(err *jsonschema.ValidationError, matched []int) (names []string) {
	for i, branch := range v.lookup(err.SchemaURL).Get("oneOf").Elements() {
		required := branch.Get("required").Words()
		if len(required) != 1 || len(branch.Fields()) != 1 {
			return nil
		}
		if matched == nil || slices.Contains(matched, i) {
			names = append(names, diag.Quote(required[0]))
		}
	}
	return names
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

func odd(format string, args ...any) Fault {
	return Fault{Class: Odd, Message: fmt.Sprintf(format, args...)}
}

// describe says what is wrong with a value, without its name.
func describe(k jsonschema.ErrorKind) Fault {
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
	case *kind.MinLength:
		return atLeast(k.Got, k.Want, "text")
	case *kind.MinItems:
		return atLeast(k.Got, k.Want, "at least one entry")
	case *kind.MinProperties:
		return atLeast(k.Got, k.Want, "at least one entry")
	case *kind.UniqueItems:
		return odd("holds the same value at %d and %d, must hold each once", k.Duplicates[0], k.Duplicates[1])
	case *kind.Not, *kind.FalseSchema:
		return odd("is not allowed")
	}
	return odd("breaks %q of the schema", strings.Join(k.KeywordPath(), "/"))
}

// atLeast is about a text, list or map that holds too little.
func atLeast(got, want int, something string) Fault {
	if got == 0 {
		return Fault{Class: Blank, Message: "is empty, must hold " + something}
	}
	return odd("has a length of %d, must have at least %d", got, want)
}

func describeType(k *kind.Type) Fault {
	var want []string
	for _, t := range k.Want {
		want = append(want, source.Article(t))
	}
	f := Fault{Want: k.Want, Message: "is " + source.Article(k.Got) + ", must be " + strings.Join(want, " or ")}
	switch {
	case k.Got == "null":
		f.Class = Null
	case slices.Contains(k.Want, "string") && (k.Got == "number" || k.Got == "boolean"):
		f.Hint = quoteIt
	case slices.Contains(k.Want, "boolean") && k.Got == "string":
		f.Hint = "write true or false, without quotes"
	}
	return f
}

const quoteIt = "put it in double quotes"

// describeValue is about a value that must be one of some.
func describeValue(got any, allowed ...any) Fault {
	var names, words []string
	hint := ""
	for _, a := range allowed {
		names, words = append(names, show(a)), append(words, fmt.Sprint(a))
		switch {
		case show(a) == diag.Quote(fmt.Sprint(got)):
			hint = quoteIt
		case diag.Quote(fmt.Sprint(a)) == show(got):
			hint = "write it without quotes"
		}
	}
	must := "be " + strings.Join(names, ", ")
	if len(names) > 1 {
		must = "be one of " + strings.Join(names, ", ")
	}
	f := mustBe(got, must)
	if near, ok := diag.Nearest(fmt.Sprint(got), words); ok && hint == "" {
		hint = diag.Meant(near)
	}
	f.Hint = hint
	return f
}

// mustBe is about a value of the right type.
func mustBe(got any, must string) Fault {
	switch got {
	case nil:
		return Fault{Class: Null, Message: "is null, must " + must}
	case "":
		return Fault{Class: Blank, Message: "is empty, must " + must}
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
