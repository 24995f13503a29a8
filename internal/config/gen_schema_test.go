package config_test

import (
	"reflect"
	"slices"

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
func jsonSchema(said docs) []byte {
	d := &definer{docs: said, definitions: object()}
	body := d.object(reflect.TypeFor[config.File](), "", nil)
	root := object(
		"$schema", text("http://json-schema.org/draft-07/schema#"),
		"$id", text("config.schema.json"),
		"title", text("cardwright configuration"),
	)
	root.Members = append(root.Members, body.Members...)
	root.Set("definitions", d.definitions)
	return schema.Write(root)
}

// object returns the schema of an object of a kind, "" for any, without some of its keys.
func (d *definer) object(t reflect.Type, kind string, without []string) *source.Node {
	words, _ := d.of(t)
	properties, required := object(), &source.Node{Kind: source.Array}
	for k := range d.keys(t) {
		switch {
		case !k.serves(kind) || slices.Contains(without, k.name):
			continue
		case k.name == "type" && kind != "":
			properties.Set(k.name, object("const", text(kind), "description", text(k.text)))
		default:
			properties.Set(k.name, d.key(k))
		}
		if k.is("required") {
			required.Items = append(required.Items, text(k.name))
		}
	}
	n := object("type", text("object"), "description", text(words), "properties", properties)
	if len(required.Items) > 0 {
		n.Set("required", required)
	}
	n.Set("additionalProperties", source.NewBool(false))
	return n
}

// reference returns a reference to the definition of an object, which it makes.
func (d *definer) reference(t reflect.Type) *source.Node {
	name := called(t)
	if d.definitions.Get(name) == nil {
		d.definitions.Set(name, object()) // it may refer to itself
		made := d.definition(t)
		d.definitions.Member(name).Value = made
	}
	return object("$ref", text("#/definitions/"+name))
}

// definition returns the schema of an object. Where the keys depend on its type, that is a
// choice of the definitions of each type.
func (d *definer) definition(t reflect.Type) *source.Node {
	kinds := d.kinds(t)
	if kinds == nil {
		return d.object(t, "", nil)
	}
	choices := &source.Node{Kind: source.Array}
	var names []*source.Node
	for _, kind := range kinds {
		d.definitions.Set(called(t)+"-"+kind, d.object(t, kind, nil))
		names = append(names, text(kind))
		choices.Items = append(choices.Items, object(
			"if", object("properties", object("type", object("const", text(kind))), "required", array(text("type"))),
			"then", object("$ref", text("#/definitions/"+called(t)+"-"+kind))))
	}
	words, _ := d.of(t)
	kind := object("enum", array(names...), "description", text(d.field(t, typeField(t))))
	return object("type", text("object"), "description", text(words), "required", array(text("type")),
		"properties", object("type", kind), "allOf", choices)
}

// typeField is the field that decides which keys an object can have.
func typeField(t reflect.Type) reflect.StructField {
	f, _ := t.FieldByName("Type")
	return f
}

// key returns the schema of the value of a key.
func (d *definer) key(k key) *source.Node {
	n := d.value(k, k.Type)
	if ref := n.Get("$ref"); ref != nil {
		n = object("$ref", ref)
	}
	if own := n.Member("description"); own != nil {
		own.Value = text(k.text)
	} else {
		n.Set("description", text(k.text))
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
		return object("type", text("object"), "additionalProperties", d.object(config.Element(t), "", k.words("keyed")))
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
		return object("type", text("object"))
	case t.Kind() == reflect.Slice:
		return d.list(k, d.entry(k, t.Elem()))
	case t.Kind() == reflect.Map:
		return d.entries(k, t)
	case config.IsObject(t):
		return d.reference(t)
	}
	return d.scalar(k, t)
}

// entry returns the schema of the entries of a list.
func (d *definer) entry(k key, t reflect.Type) *source.Node {
	n := d.value(key{name: k.name, StructField: reflect.StructField{Tag: k.Tag, Type: t}}, t)
	if needs := k.words("needs"); needs != nil {
		var names []*source.Node
		for _, name := range needs {
			names = append(names, text(name))
		}
		n = object("allOf", array(n, object("required", array(names...))))
	}
	return n
}

func (d *definer) list(k key, items *source.Node) *source.Node {
	n := object("type", text("array"), "items", items)
	if k.Tag.Get("min") != "" {
		n.Set("minItems", literal(k.Tag.Get("min")))
	}
	if k.enum() != nil {
		n.Set("uniqueItems", source.NewBool(true))
	}
	return n
}

func (d *definer) entries(k key, t reflect.Type) *source.Node {
	values := d.entry(k, t.Elem())
	if names := k.Tag.Get("names"); names != "" {
		return object("type", text("object"), "patternProperties", object(names, values),
			"additionalProperties", source.NewBool(false))
	}
	return object("type", text("object"), "additionalProperties", values)
}

// flows returns the schema of an object with a flow for each of its types.
func (d *definer) flows(k key) *source.Node {
	properties := object()
	for _, kind := range k.enum() {
		properties.Set(kind, d.object(config.Element(k.Type), kind, nil))
	}
	return object("type", text("object"), "properties", properties, "minProperties", literal("1"),
		"additionalProperties", source.NewBool(false))
}

// signing returns the schema of a key, a list of keys, or false.
func (d *definer) signing(t reflect.Type) *source.Node {
	one := d.reference(t)
	return object(
		"type", array(text("object"), text("array"), text("boolean")),
		"if", object("type", text("array")),
		"then", object("items", one, "minItems", literal("1")),
		"else", object("if", object("type", text("boolean")), "then", object("const", source.NewBool(false)), "else", one),
	)
}

// scalar returns the schema of a text, a number or a flag.
func (d *definer) scalar(k key, t reflect.Type) *source.Node {
	if values := k.enum(); values != nil {
		n := array()
		for _, v := range values {
			n.Items = append(n.Items, literalOf(v, t))
		}
		if len(n.Items) == 1 && t.Kind() == reflect.Int {
			return object("const", n.Items[0])
		}
		return object("enum", n)
	}
	if config.Element(t).Kind() == reflect.Bool {
		return object("type", text("boolean"))
	}
	n := object("type", text("string"))
	if types := k.words("type"); types != nil {
		n.Member("type").Value = source.NewTexts(types)
	}
	if k.Tag.Get("names") == "" && t.Kind() == reflect.String && k.name != "scopes" || isText(t) {
		n.Set("minLength", literal("1"))
	}
	if format := k.Tag.Get("format"); format != "" {
		n.SetText("format", format)
	}
	if k.Tag.Get("pattern") != "" {
		n.SetText("pattern", keyReference)
	}
	return n
}

func isText(t reflect.Type) bool { return t == reflect.TypeFor[config.Text]() }

// literalOf returns a value as a type of Go has it: true is a flag but for names.
func literalOf(value string, t reflect.Type) *source.Node {
	if t.Kind() == reflect.String && value != "true" && value != "false" {
		return text(value)
	}
	return literal(value)
}

// literal returns a value as spelled in YAML.
func literal(value string) *source.Node {
	switch {
	case value == "true" || value == "false":
		return source.NewBool(value == "true")
	case source.IsNumber(value):
		return &source.Node{Kind: source.Number, Text: value}
	}
	return text(value)
}

func text(s string) *source.Node { return source.NewText(s) }

func array(items ...*source.Node) *source.Node { return &source.Node{Kind: source.Array, Items: items} }

// object makes an object of keys and values in turn.
func object(members ...any) *source.Node {
	n := &source.Node{Kind: source.Object}
	for pair := range slices.Chunk(members, 2) {
		n.Set(pair[0].(string), pair[1].(*source.Node)) //nolint:errcheck // a mistake here panics, as it should
	}
	return n
}
