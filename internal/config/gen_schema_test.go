package config_test

import (
	"reflect"
	"slices"
	"strconv"

	"cardwright/internal/config"
	"cardwright/internal/source"
	"cardwright/schema"
)

// keyReference is the pattern of references to keys, which have no other form, so that
// no one writes the key itself.
const keyReference = `^(env:[A-Za-z_][A-Za-z0-9_]{0,59}|file:[^\r\n]+)$`

// definer collects the definitions of the JSON Schema.
type definer struct {
	docs
	definitions *source.Node
}

// jsonSchema returns the JSON Schema of a configuration, in draft 7.
func jsonSchema(comments docs) []byte {
	d := &definer{docs: comments, definitions: source.NewObject(0)}
	root := source.ObjectOf(
		"$schema", "http://json-schema.org/draft-07/schema#", "$id", "config.schema.json",
		"title", "cardwright configuration",
	)
	root.Members = append(root.Members, d.object(reflect.TypeFor[config.File](), "", nil).Members...)
	root.Set("definitions", d.definitions)
	return schema.Write(root)
}

// object returns the schema of an object of a kind, "" for any, without some of its keys.
func (d *definer) object(t reflect.Type, kind string, without []string) *source.Node {
	words, _ := d.of(t)
	properties, required := source.NewObject(0), []string(nil)
	for k := range d.keys(t) {
		switch {
		case !k.serves(kind) || slices.Contains(without, k.name):
			continue
		case k.name == "type" && kind != "":
			properties.Set(k.name, source.ObjectOf("const", kind, "description", k.text))
		default:
			properties.Set(k.name, d.key(k))
		}
		if k.is("required") {
			required = append(required, k.name)
		}
	}
	return source.ObjectOf("type", "object", "description", words, "properties", properties, "required", required,
		"additionalProperties", false)
}

// reference returns a reference to the definition of an object, which it makes.
func (d *definer) reference(t reflect.Type) *source.Node {
	name := called(t)
	if d.definitions.Get(name) == nil {
		d.definitions.Set(name, source.NewObject(0)) // it may refer to itself
		made := d.definition(t)
		d.definitions.Member(name).Value = made
	}
	return source.ObjectOf("$ref", "#/definitions/"+name)
}

// definition returns the schema of an object. Where the keys depend on its type, that is a
// choice of the definitions of each type.
func (d *definer) definition(t reflect.Type) *source.Node {
	kinds := d.kinds(t)
	if kinds == nil {
		return d.object(t, "", nil)
	}
	for _, kind := range kinds {
		d.definitions.Set(called(t)+"-"+kind, d.object(t, kind, nil))
	}
	needed := []string{"type"}
	choices := source.ListOf(kinds, func(kind string) *source.Node {
		is := source.ObjectOf("type", source.ObjectOf("const", kind))
		return source.ObjectOf(
			"if", source.ObjectOf("properties", is, "required", needed),
			"then", source.ObjectOf("$ref", "#/definitions/"+called(t)+"-"+kind))
	})
	words, _ := d.of(t)
	field, _ := t.FieldByName("Type")
	kind := source.ObjectOf("enum", kinds, "description", d.field(t, field))
	return source.ObjectOf("type", "object", "description", words, "required", needed,
		"properties", source.ObjectOf("type", kind), "allOf", choices)
}

// key returns the schema of the value of a key.
func (d *definer) key(k key) *source.Node {
	n := d.value(k, k.Type)
	if ref := n.Get("$ref"); ref != nil {
		n = source.ObjectOf("$ref", ref)
	}
	if own := n.Member("description"); own != nil {
		own.Value = source.NewText(k.text)
	} else {
		n.SetText("description", k.text)
	}
	if otherwise := k.Tag.Get("default"); otherwise != "" {
		n.Set("default", literal(otherwise))
	}
	return n
}

// value returns the schema of values of a type, with what the tags of a key say of them.
func (d *definer) value(k key, t reflect.Type) *source.Node {
	switch {
	case k.name == "signing":
		return d.signing(t.Elem())
	case k.Tag.Get("keyed") != "": // a list that is written as a map
		return source.ObjectOf("type", "object", "additionalProperties",
			d.object(config.Element(t), "", k.words("keyed")))
	case config.Element(t) == reflect.TypeFor[schema.Flow]():
		return d.flows(k)
	case k.is("open"):
		n := d.object(t, "", nil)
		n.Member("additionalProperties").Value = source.NewBool(true)
		return n
	case k.is("list"):
		return d.list(k, d.scalar(k, t))
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && config.IsObject(t.Elem()):
		return d.reference(t.Elem())
	case t == reflect.TypeFor[*source.Node]():
		return source.ObjectOf("type", "object")
	case t.Kind() == reflect.Slice:
		return d.list(k, d.entry(k, t.Elem()))
	case t.Kind() == reflect.Map && k.Tag.Get("names") != "":
		names := source.ObjectOf(k.Tag.Get("names"), d.entry(k, t.Elem()))
		return source.ObjectOf("type", "object", "patternProperties", names, "additionalProperties", false)
	case t.Kind() == reflect.Map:
		return source.ObjectOf("type", "object", "additionalProperties", d.entry(k, t.Elem()))
	case config.IsObject(t):
		return d.reference(t)
	}
	return d.scalar(k, t)
}

// entry returns the schema of the entries of a list or a map.
func (d *definer) entry(k key, t reflect.Type) *source.Node {
	n := d.value(key{name: k.name, StructField: reflect.StructField{Tag: k.Tag, Type: t}}, t)
	if needs := k.words("needs"); needs != nil {
		n = source.ObjectOf("allOf", source.ArrayOf(n, source.ObjectOf("required", needs)))
	}
	return n
}

func (d *definer) list(k key, items *source.Node) *source.Node {
	n := source.ObjectOf("type", "array", "items", items)
	if k.Tag.Get("min") != "" {
		n.Set("minItems", literal(k.Tag.Get("min")))
	}
	if k.enum() != nil {
		n.Set("uniqueItems", source.NewBool(true))
	}
	return n
}

// flows returns the schema of an object with a flow for each of its types.
func (d *definer) flows(k key) *source.Node {
	properties := source.NewObject(0)
	for _, kind := range k.enum() {
		properties.Set(kind, d.object(config.Element(k.Type), kind, nil))
	}
	return source.ObjectOf("type", "object", "properties", properties, "minProperties", 1, "additionalProperties", false)
}

// signing returns the schema of a key, a list of keys, or false.
func (d *definer) signing(t reflect.Type) *source.Node {
	one, flag := d.reference(t), source.ObjectOf("type", "boolean")
	return source.ObjectOf(
		"type", []string{"object", "array", "boolean"},
		"if", source.ObjectOf("type", "array"),
		"then", source.ObjectOf("items", one, "minItems", 1),
		"else", source.ObjectOf("if", flag, "then", source.ObjectOf("const", false), "else", one),
	)
}

// scalar returns the schema of a text, a number or a flag.
func (d *definer) scalar(k key, t reflect.Type) *source.Node {
	if values := k.enum(); values != nil && t.Kind() == reflect.Int {
		return source.ObjectOf("const", literal(values[0]))
	} else if values != nil {
		return source.ObjectOf("enum", source.ListOf(values, func(v string) *source.Node {
			if t.Kind() == reflect.String && v != "true" && v != "false" {
				return source.NewText(v)
			}
			return literal(v)
		}))
	}
	if config.Element(t).Kind() == reflect.Bool {
		return source.ObjectOf("type", "boolean")
	}
	n := source.ObjectOf("type", "string")
	if types := k.words("type"); types != nil {
		n.Member("type").Value = source.NewTexts(types)
	}
	if k.Tag.Get("names") == "" && t.Kind() == reflect.String && k.name != "scopes" ||
		t == reflect.TypeFor[config.Text]() {
		n.Set("minLength", source.NewInt(1))
	}
	if format := k.Tag.Get("format"); format != "" {
		n.SetText("format", format)
	}
	if k.Tag.Get("pattern") != "" {
		n.SetText("pattern", keyReference)
	}
	return n
}

// literal returns a value as spelled in YAML: true is a flag.
func literal(value string) *source.Node {
	if flag, err := strconv.ParseBool(value); err == nil && len(value) > 1 {
		return source.NewBool(flag)
	}
	if source.IsNumber(value) {
		return &source.Node{Kind: source.Number, Text: value}
	}
	return source.NewText(value)
}
