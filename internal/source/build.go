package source

import (
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
	n := &Node{Kind: Array, Items: make([]*Node, len(texts))}
	for i, s := range texts {
		n.Items[i] = NewText(s)
	}
	return n
}

// Set appends a member to an Object. The caller knows that it has none of
// that name yet.
func (n *Node) Set(key string, value *Node) {
	n.Members = append(n.Members, Member{Key: key, Value: value})
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
