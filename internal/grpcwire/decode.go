package grpcwire

import (
	"strconv"

	"cardwright/internal/source"
)

// maxDepth bounds how deep messages may lie in one another.
const maxDepth = 32

// field is what is known of one field of a message. What is not known is left
// out.
type field struct {
	name string // in JSON
	kind string // text, flag, name of an enum or of a message
	form form
}

// form is how often a field stands in a message.
type form int

const (
	once form = iota
	list      // an array
	dict      // an object
)

// Decode returns a message of the given name as the JSON that the other bindings
// send for it. Version is that of A2A.
func Decode(version, name string, data []byte) (*source.Node, error) {
	return reader{version}.message(name, data, 0)
}

type reader struct{ version string }

func (r reader) message(name string, data []byte, depth int) (*source.Node, error) {
	if depth > maxDepth {
		return nil, errBroken
	}
	parts, err := elements(data)
	if err != nil {
		return nil, err
	}
	known := fieldsOf(r.version, name)
	node := &source.Node{Kind: source.Object}
	for _, p := range parts {
		f, ok := known[p.number]
		if !ok {
			continue
		}
		if err := r.field(node, f, p, depth); err != nil {
			return nil, err
		}
	}
	return node, nil
}

// field sets, or adds to, a member of the node.
func (r reader) field(node *source.Node, f field, p element, depth int) error {
	if f.form == dict {
		return r.entry(node, f, p, depth)
	}
	value, err := r.value(f.kind, p, depth)
	switch {
	case err != nil:
		return err
	case f.form == once:
		replace(node, f.name, value)
		return nil
	}
	items := node.Get(f.name)
	if items == nil {
		items = &source.Node{Kind: source.Array}
		node.Set(f.name, items)
	}
	items.Items = append(items.Items, value)
	return nil
}

// entry adds one pair of a map, which is a message of a key and a value.
func (r reader) entry(node *source.Node, f field, p element, depth int) error {
	if p.kind != bounded {
		return errBroken
	}
	pair, err := elements(p.data)
	if err != nil {
		return err
	}
	key, value := "", element{kind: bounded}
	for _, e := range pair {
		switch e.number {
		case 1:
			if key, err = e.text(); err != nil {
				return err
			}
		case 2:
			value = e
		}
	}
	object := node.Get(f.name)
	if object == nil {
		object = &source.Node{Kind: source.Object}
		node.Set(f.name, object)
	}
	v, err := r.value(f.kind, value, depth)
	if err != nil {
		return err
	}
	replace(object, key, v)
	return nil
}

// replace sets a member: the last one of a name counts.
func replace(node *source.Node, name string, value *source.Node) {
	if m := node.Member(name); m != nil {
		m.Value = value
		return
	}
	node.Set(name, value)
}

func (r reader) value(kind string, p element, depth int) (*source.Node, error) {
	switch names := enums[kind]; {
	case kind == "flag" && p.kind == varint:
		return source.NewBool(p.value != 0), nil
	case names != nil && p.kind == varint:
		if p.value < uint64(len(names)) {
			return source.NewText(names[p.value]), nil
		}
		return &source.Node{Kind: source.Number, Text: strconv.FormatUint(p.value, 10)}, nil
	case kind == "text":
		text, err := p.text()
		return source.NewText(text), err
	case p.kind != bounded:
		return nil, errBroken
	}
	return r.message(kind, p.data, depth+1)
}
