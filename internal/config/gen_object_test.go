package config_test

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/hosting"
	"cardwright/mapping"
	"cardwright/schema"
)

// key is a key of an object.
type key struct {
	name string
	reflect.StructField
	text string
}

func (d docs) keys(object reflect.Type) iter.Seq[key] {
	return func(yield func(key) bool) {
		for name, f := range config.Keys(object) {
			if !yield(key{name, f, d.field(object, f)}) {
				return
			}
		}
	}
}

// words returns the words of a tag, nil where it has none.
func (k key) words(tag string) []string { return slices.Collect(strings.FieldsSeq(k.Tag.Get(tag))) }

func (k key) is(tag string) bool { return k.Tag.Get(tag) == "true" }

// serves reports whether an object of a kind, "" for one without kinds, can have the key.
func (k key) serves(kind string) bool {
	kinds := k.words("for")
	return len(kinds) == 0 || slices.Contains(kinds, kind)
}

// enum returns the values that are allowed, nil for any.
func (k key) enum() []string {
	switch k.Tag.Get("enum") {
	case "*servers":
		return hosting.Targets()
	case "*versions":
		return spelled(schema.All.Versions())
	case "*schemes":
		return spelled(schema.SchemeTypes())
	case "*flows":
		return spelled(schema.FlowTypes())
	case "*sources":
		var names []string
		for _, f := range mapping.Formats() {
			names = append(names, string(f.Type))
		}
		return names
	}
	return k.words("enum")
}

func spelled[T any](values []T) []string {
	var all []string
	for _, v := range values {
		if named, ok := any(v).(interface{ String() string }); ok {
			all = append(all, named.String())
		} else {
			all = append(all, reflect.ValueOf(v).String())
		}
	}
	return all
}

// kinds returns what the type of an object can be, where its keys depend on it.
func (d docs) kinds(object reflect.Type) []string {
	if object == reflect.TypeFor[schema.Flow]() {
		return spelled(schema.FlowTypes())
	}
	for k := range d.keys(object) {
		if k.name == "type" && k.enum() != nil {
			return k.enum()
		}
	}
	return nil
}

// called is what the schema and the page call an object.
func called(object reflect.Type) string {
	return strings.ToLower(object.Name()[:1]) + object.Name()[1:]
}
