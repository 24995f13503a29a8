package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// NewText returns a String node without a place.
func NewText(s string) *Node { return &Node{Kind: String, Text: s} }

// NewInt returns a Number node without a place.
func NewInt(i int) *Node { return &Node{Kind: Number, Text: strconv.Itoa(i)} }

// NewBool returns a Bool node without a place.
func NewBool(b bool) *Node { return &Node{Kind: Bool, Text: strconv.FormatBool(b)} }

// NewTexts returns an Array of String nodes without places.
func NewTexts(texts []string) *Node {
	return ListOf(texts, NewText)
}

// NewObject returns an Object without a place, with room for so many members.
func NewObject(members int) *Node {
	return &Node{Kind: Object, Members: make([]Member, 0, members)}
}

// ObjectOf returns an Object of names and values in turn: texts, lists of texts,
// numbers, flags and nodes. Texts and lists that are empty, and nodes that are nil, are
// left out: absent and empty are the same thing in everything that cardwright writes.
func ObjectOf(pairs ...any) *Node {
	n := NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		switch value := pairs[i+1].(type) {
		case string:
			n.SetText(key, value)
		case []string:
			n.SetTexts(key, value)
		case int:
			n.Set(key, NewInt(value))
		case bool:
			n.Set(key, NewBool(value))
		case *Node:
			if value != nil {
				n.Set(key, value)
			}
		default:
			panic(fmt.Sprintf("%s is of no kind that JSON has: %T", key, value))
		}
	}
	return n
}

// ArrayOf returns an Array of nodes.
func ArrayOf(nodes ...*Node) *Node { return &Node{Kind: Array, Items: nodes} }

// ListOf returns an Array of what stands for each of the items.
func ListOf[T any](items []T, node func(T) *Node) *Node {
	list := &Node{Kind: Array, Items: make([]*Node, len(items))}
	for i, item := range items {
		list.Items[i] = node(item)
	}
	return list
}

// WithMembers returns a copy of an Object that has these members instead, each
// of another name.
func (n *Node) WithMembers(list []Member) *Node {
	out := *n
	out.Members, out.index = list, indexed(list)
	return &out
}

// Set appends a member to an Object. The caller knows that it has none of
// that name yet.
func (n *Node) Set(key string, value *Node) {
	n.Members = append(n.Members, Member{Key: key, Value: value})
}

// With returns the object with one more member, a new one where n is nil.
func (n *Node) With(key string, value *Node) *Node {
	if n == nil {
		n = &Node{Kind: Object}
	}
	n.Set(key, value)
	return n
}

// SetText appends a text member, unless the text is empty: absent and empty
// are the same thing in everything that cardwright writes.
func (n *Node) SetText(key, text string) {
	if text != "" {
		n.Set(key, NewText(text))
	}
}

// SetTexts appends an array of texts, unless there are none.
func (n *Node) SetTexts(key string, texts []string) {
	if len(texts) > 0 {
		n.Set(key, NewTexts(texts))
	}
}

// Pruned returns a value with the members of every object sorted, and without
// whatever is empty at any depth, nil when nothing is left. It counts what it
// left out.
func (n *Node) Pruned() (kept *Node, empties int) {
	if n == nil {
		return nil, 0
	}
	out := *n
	out.Items, out.Members = nil, nil
	for _, item := range n.Items {
		value, dropped := item.Pruned()
		empties += dropped
		if value != nil {
			out.Items = append(out.Items, value)
		}
	}
	for _, m := range n.Members {
		value, dropped := m.Value.Pruned()
		empties += dropped
		if value != nil {
			out.Members = append(out.Members, Member{Key: m.Key, KeySpan: m.KeySpan, Value: value})
		}
	}
	if out.Empty() {
		return nil, empties + 1
	}
	slices.SortStableFunc(out.Members, func(a, b Member) int { return cmp.Compare(a.Key, b.Key) })
	return &out, empties
}
