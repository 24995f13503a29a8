package config

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Keys are the keys of an object with the fields that document them, in their order. Embedded
// structs are parts of the object.
func Keys(object reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		for f := range object.Fields() {
			key := strings.TrimSuffix(f.Tag.Get("key"), "-")
			switch inner := f.Type.Kind() == reflect.Struct && f.Type != spanType; {
			case inner && (f.Anonymous || key == "."):
				for name, field := range Keys(f.Type) {
					if !yield(name, field) {
						return
					}
				}
			case key != "" && key != "." && f.Type != spanType:
				if !yield(key, f) {
					return
				}
			}
		}
	}
}

// Objects are the structs that a configuration consists of, [File] first.
func Objects() []reflect.Type { return objects(reflect.TypeFor[File](), nil) }

func objects(of reflect.Type, known []reflect.Type) []reflect.Type {
	if slices.Contains(known, of) {
		return known
	}
	known = append(known, of)
	for _, f := range Keys(of) {
		if inner := Element(f.Type); IsObject(inner) {
			known = objects(inner, known)
		}
	}
	return known
}

// Element returns what a list, a map or a pointer holds, and any other type itself.
func Element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

// IsObject reports whether a type is an object with keys of its own.
func IsObject(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[Text]() && t != reflect.TypeFor[source.Node]()
}

var spanType = reflect.TypeFor[diag.Span]()

// fill sets the fields of a struct to the values of their keys. A value of another type
// counts as absent, as the JSON Schema has reported it.
func fill(of any, n *source.Node) {
	fillStruct(reflect.ValueOf(of).Elem(), n)
}

func fillStruct(of reflect.Value, n *source.Node) {
	for i := range of.NumField() {
		field := of.Type().Field(i)
		key, tagged := field.Tag.Lookup("key")
		switch {
		case field.Anonymous && !tagged && field.IsExported() && field.Type.Kind() == reflect.Struct:
			fillStruct(of.Field(i), n)
		case key == ".":
			fillField(of.Field(i), n, field.Tag)
		case tagged && !strings.HasSuffix(key, "-"):
			fillField(of.Field(i), n.Get(key), field.Tag)
		}
	}
}

func fillField(field reflect.Value, n *source.Node, tag reflect.StructTag) {
	otherwise := tag.Get("default")
	switch of := field.Addr().Interface().(type) {
	case **source.Node:
		*of = n
		return
	case *diag.Span:
		*of = spanOf(n)
		return
	case *Text:
		*of = Text{n.ScalarText(), spanOf(n)}
		return
	case *map[diag.RuleID]diag.Severity:
		*of = severities(n)
		return
	}
	switch field.Kind() {
	case reflect.String:
		text := n.ScalarText()
		if text == "" {
			text = otherwise
		}
		field.SetString(text)
	case reflect.Bool:
		yes := n.Is(source.Bool) && n.Text == "true" || !n.Is(source.Bool) && otherwise == "true"
		field.SetBool(yes != (tag.Get("not") == "true"))
	case reflect.Struct:
		fillStruct(field, n)
	case reflect.Slice:
		items := n.Elements()
		if n.Is(source.Object) { // one in place of a list
			items = []*source.Node{n}
		}
		for _, item := range items {
			element := reflect.New(field.Type().Elem()).Elem()
			fillField(element, item, "")
			field.Set(reflect.Append(field, element))
		}
	default:
		panic("no key has a value for a field of type " + field.Type().String())
	}
}

func severities(n *source.Node) map[diag.RuleID]diag.Severity {
	out := map[diag.RuleID]diag.Severity{}
	for _, m := range n.Fields() {
		severity, ok := diag.ParseSeverity(m.Value.ScalarText())
		if rule, known := diag.ParseRuleID(m.Key); ok && known {
			out[rule] = severity
		}
	}
	return out
}
