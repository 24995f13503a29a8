package jsonschema

import (
	"fmt"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// vetQuality finds what makes a valid schema of little use to its readers.
func vetQuality(n *source.Node) []Fault {
	var found []Fault
	if top := resolve(n, n); top.Get("type") == nil || top.Get("type").Text != "object" {
		found = append(found, faultAt("", "callers send and get JSON objects", `it does not say "type": "object" at the top`))
	}
	var bare []string // pointers to properties without a description
	walkBelow(n, "", declares, func(s *source.Node, pointer string) {
		properties := s.Get("properties")
		if !properties.Is(source.Object) {
			return
		}
		for _, p := range properties.Members {
			if p.Value.Is(source.Object) && p.Value.Get("$ref") == nil && !describes(p.Value) {
				bare = append(bare, source.Pointer(pointer+"/properties", p.Key))
			}
		}
		found = append(found, strayRequired(s, pointer)...)
	})
	if len(bare) > 0 {
		found = append(found, undescribed(bare))
	}
	return found
}

// declares reports whether the schemas below a keyword say what there is: others,
// such as if and anyOf, add conditions to what is described elsewhere.
func declares(keyword string) bool {
	switch keyword {
	case "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "$defs", "definitions":
		return true
	}
	return false
}

// Sample is a text that a JSON Schema shows as a value.
type Sample struct {
	Pointer string
	Name    string // of the property whose value it is, "" when unknown
	Text    string
}

// Samples returns the texts in the defaults, examples and allowed values of a
// JSON Schema.
func Samples(n *source.Node) []Sample {
	var list []Sample
	walkSchema(n, func(s *source.Node, pointer string) {
		for _, key := range []string{"default", "example", "examples", "const", "enum"} {
			if v := s.Get(key); v != nil {
				list = samples(list, v, source.Pointer(pointer, key), propertyName(pointer))
			}
		}
	})
	return list
}

func samples(list []Sample, n *source.Node, pointer, name string) []Sample {
	if n.Kind == source.String {
		return append(list, Sample{Pointer: pointer, Name: name, Text: n.Text})
	}
	for i, item := range n.Items {
		list = samples(list, item, source.Pointer(pointer, strconv.Itoa(i)), name)
	}
	for _, m := range n.Members {
		list = samples(list, m.Value, source.Pointer(pointer, m.Key), m.Key)
	}
	return list
}

// propertyName returns the last property that a pointer into a schema leads
// through.
func propertyName(pointer string) string {
	path := propertyPath(pointer)
	return path[strings.LastIndexByte(path, '.')+1:]
}

// resolve follows the references of a schema to its own parts.
func resolve(root, n *source.Node) *source.Node {
	for range maxSchemaLevels {
		ref := n.Get("$ref")
		if !ref.Is(source.String) {
			break
		}
		target, ok := root.Find(fragment(ref.Text))
		if !ok {
			break
		}
		n = target
	}
	return n
}

func describes(n *source.Node) bool {
	for _, key := range []string{"description", "title"} {
		if d := n.Get(key); d != nil && strings.TrimSpace(d.Text) != "" {
			return true
		}
	}
	return false
}

// bareShown is how many properties a message lists.
const bareShown = 5

func undescribed(pointers []string) Fault {
	var names []string
	for i, p := range pointers {
		if i == bareShown {
			names = append(names, "…")
			break
		}
		names = append(names, diag.Quote(propertyPath(p)))
	}
	f := faultAt(pointers[0], "say what to put there", "the property %s has no description", names[0])
	if len(pointers) > 1 {
		f.Message = fmt.Sprintf("%d properties have no description: %s", len(pointers), strings.Join(names, ", "))
	}
	return f
}

// propertyPath writes /properties/a/items/properties/b as a.b.
func propertyPath(pointer string) string {
	var path []string
	property := false
	for token := range source.Tokens(pointer) {
		if property {
			path = append(path, token)
		}
		property = !property && token == "properties"
	}
	return strings.Join(path, ".")
}

// strayRequired finds the required names that are no property, in a schema that
// lists its properties itself.
func strayRequired(s *source.Node, pointer string) []Fault {
	required := s.Get("required")
	if !required.Is(source.Array) || s.Get("allOf") != nil || s.Get("$ref") != nil || s.Get("patternProperties") != nil {
		return nil
	}
	var found []Fault
	for i, name := range required.Items {
		if s.Get("properties").Member(name.Text) == nil {
			found = append(found, faultAt(fmt.Sprintf("%s/required/%d", pointer, i), "",
				"%s is required, but no property has that name", diag.Quote(name.Text)))
		}
	}
	return found
}
