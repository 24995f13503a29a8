package source

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

// Kind is the JSON type of a [Node].
type Kind uint8

// The kinds, named as in JSON. Invalid is the kind of no value at all.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind as JSON Schema spells it.
func (k Kind) String() string {
	return [...]string{"invalid", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Article returns the name of the kind with its article.
func (k Kind) Article() string { return Article(k.String()) }

// Article returns the name of a JSON type, as JSON Schema spells it, with its
// article.
func Article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "integer":
		return "a whole number"
	case "array", "object":
		return "an " + kind
	}
	return "a " + kind
}

// Node is a value with the place it stands at.
type Node struct {
	Kind Kind
	// Cut means that the scalar is a plain YAML one with a comment behind it:
	// the author may not know that the text ends there.
	Cut bool
	// Glued means that no blank follows the # of that comment, which looks like text: #1.
	Glued bool
	// Plain means that the scalar is a YAML one without quotes.
	Plain bool
	// Text is the decoded text of a String, and the spelling of any other
	// scalar as the author wrote it: 1.10 stays "1.10".
	Text    string
	Members []Member // of an Object, in the order of the document, keys unique
	Items   []*Node  // of an Array
	Span    diag.Span

	index *index // of the members, nil where there are few
}

// Member is one entry of an Object.
type Member struct {
	Key     string
	KeySpan diag.Span
	Value   *Node
}

// Get returns the value of the member named key, or nil. It works on a nil Node.
func (n *Node) Get(key string) *Node {
	if m := n.Member(key); m != nil {
		return m.Value
	}
	return nil
}

// HasAny reports whether one of these members is there. It works on a nil Node.
func (n *Node) HasAny(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
}

// Member returns the member named key, or nil. It works on a nil Node.
func (n *Node) Member(key string) *Member {
	if n == nil {
		return nil
	}
	if n.index.of(n.Members) {
		i, ok := n.index.byKey[key]
		if !ok {
			return nil
		}
		return &n.Members[i]
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Is reports whether n is there and has the given kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Scalar reports whether n is a Bool, Number or String, the kinds that have a Text.
func (n *Node) Scalar() bool {
	return n != nil && (n.Kind == Bool || n.Kind == Number || n.Kind == String)
}

// Word returns the text of a String, "" for anything else.
func (n *Node) Word() string {
	if n.Is(String) {
		return n.Text
	}
	return ""
}

// ScalarText returns the text of a scalar, "" for anything else.
func (n *Node) ScalarText() string {
	if n.Scalar() {
		return n.Text
	}
	return ""
}

// Elements returns the items of an Array, none for anything else.
func (n *Node) Elements() []*Node {
	if n.Is(Array) {
		return n.Items
	}
	return nil
}

// Words returns the text of each item of an Array.
func (n *Node) Words() []string {
	var words []string
	for _, item := range n.Elements() {
		words = append(words, item.Word())
	}
	return words
}

// Fields returns the members of an Object, none for anything else.
func (n *Node) Fields() []Member {
	if n.Is(Object) {
		return n.Members
	}
	return nil
}

// All returns the value and all that it holds, each before what is in it.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.all(yield) }
}

func (n *Node) all(yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	return yield(n) &&
		!slices.ContainsFunc(n.Members, func(m Member) bool { return !m.Value.all(yield) }) &&
		!slices.ContainsFunc(n.Items, func(item *Node) bool { return !item.all(yield) })
}

// Without returns a copy of an Object that lacks a member.
func (n *Node) Without(key string) *Node {
	return n.WithMembers(slices.DeleteFunc(slices.Clone(n.Members), func(m Member) bool { return m.Key == key }))
}

// Empty reports whether n says nothing: no value at all, null, "", [] or {}.
func (n *Node) Empty() bool {
	return n == nil || n.Kind <= Null || n.Text == "" && len(n.Items) == 0 && len(n.Members) == 0
}

// Find returns the node that the RFC 6901 pointer names. Where there is none,
// it returns the nearest ancestor that exists, and false.
func (n *Node) Find(pointer string) (*Node, bool) {
	for token := range Tokens(pointer) {
		next := child(n, token)
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}

// Below returns where the value at a pointer below n stands, or the nearest thing
// that it stands in and whose place is known, span when there is none.
func (n *Node) Below(pointer string, span diag.Span) diag.Span {
	for token := range Tokens(pointer) {
		if n = child(n, token); n == nil {
			break
		}
		if n.Span != (diag.Span{}) {
			span = n.Span
		}
	}
	return span
}

func child(n *Node, token string) *Node {
	if n == nil || n.Kind == Object {
		return n.Get(token)
	}
	if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

// Tokens iterates over the unescaped reference tokens of an RFC 6901 pointer.
func Tokens(pointer string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		_, rest, more := strings.Cut(pointer, "/")
		for more {
			var token string
			token, rest, more = strings.Cut(rest, "/")
			if strings.IndexByte(token, '~') >= 0 { // a replacer copies what it does not change
				token = unescape.Replace(token)
			}
			if !yield(token) {
				return
			}
		}
	}
}

// Pointer returns parent extended by one reference token, escaped as RFC 6901
// section 3 says.
func Pointer(parent string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(parent)
	for _, token := range tokens {
		if strings.ContainsAny(token, "~/") {
			token = escape.Replace(token)
		}
		b.WriteByte('/')
		b.WriteString(token)
	}
	return b.String()
}

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Any returns the value as encoding/json would decode it, with what number makes of the
// text of a number: what a JSON Schema validator wants.
func (n *Node) Any(number func(text string) any) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Object:
		m := make(map[string]any, len(n.Members))
		for _, e := range n.Members {
			m[e.Key] = e.Value.Any(number)
		}
		return m
	case Array:
		a := make([]any, len(n.Items))
		for i, e := range n.Items {
			a[i] = e.Any(number)
		}
		return a
	case String:
		return n.Text
	case Number:
		return number(n.Text)
	case Bool:
		return n.Text == "true"
	default:
		return nil
	}
}
