package config

import (
	"reflect"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// fill sets the fields of a struct whose tag names a key of the configuration:
//
//	Include []Text `key:"include"`
//	Origins []string `key:"cors.origins"`
//	Out     string `key:"out" default:"dist"`
//
// "." is the map itself. With the JSON Schema, which says where a key may stand and
// what it means, these tags are the table of keys: a test holds one against the other.
// A value of another type counts as absent, as the schema has reported it.
func fill(of any, n *source.Node) {
	fillStruct(reflect.ValueOf(of).Elem(), n)
}

func fillStruct(of reflect.Value, n *source.Node) {
	for i := range of.NumField() {
		tag := of.Type().Field(i).Tag
		if key, is := tag.Lookup("key"); is {
			fillField(of.Field(i), valueOf(n, key), tag.Get("default"))
		}
	}
}

// valueOf is the value that a tag names, nil where there is none.
func valueOf(n *source.Node, key string) *source.Node {
	if key == "." {
		return n
	}
	return at(n, strings.Split(key, "."))
}

func fillField(field reflect.Value, n *source.Node, otherwise string) {
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
	}
	switch field.Kind() {
	case reflect.String:
		text := n.ScalarText()
		if text == "" {
			text = otherwise
		}
		field.SetString(text)
	case reflect.Bool:
		field.SetBool(n.Is(source.Bool) && n.Text == "true" || !n.Is(source.Bool) && otherwise == "true")
	case reflect.Int:
		field.SetInt(int64(intOf(n)))
	case reflect.Struct:
		fillStruct(field, n)
	case reflect.Slice:
		for _, item := range n.Elements() {
			element := reflect.New(field.Type().Elem()).Elem()
			fillField(element, item, "")
			field.Set(reflect.Append(field, element))
		}
	default:
		panic("no key has a value for a field of type " + field.Type().String())
	}
}
