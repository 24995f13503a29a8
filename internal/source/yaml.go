package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
)

// ParseYAML reads exactly one YAML document and returns it as a tree of JSON
// values with the place of every value and key. Every fault is an error under
// the given rule and leaves no tree: what is not YAML, more than one document,
// keys that are defined twice, anchors, aliases, merge keys, tags, keys
// that are no scalars, control characters, numbers that JSON does not have, and
// more than [MaxSource] bytes or [MaxNesting] levels.
//
// Scalars are typed as YAML 1.2 says (section 10.3): dates are strings, and so
// are yes, no and numbers with leading zeros. A number keeps its spelling if
// JSON knows it. An empty document is Null.
func ParseYAML(file string, data []byte, rule diag.RuleID) (*Node, diag.List) {
	text := strings.TrimPrefix(string(data), byteOrderMark)
	r := yamlReader{cursor: newCursor(file, text), invalid: rule, nesting: MaxNesting}
	line := conflict(data) // which a text in quotes over several lines would take in
	switch message, hint := notText(text); {
	case len(data) > MaxSource:
		r.refuse(diag.Span{File: file}, fmt.Sprintf("the file is larger than %d bytes, the limit for a source", MaxSource),
			"split it into smaller ones")
	case message != "":
		r.refuse(diag.Span{File: file}, message, hint)
	case line > 0:
		r.refuse(diag.Span{File: file, Line: line, Column: 1}, conflictFound, conflictHint)
	default:
		return r.document(), r.found.list
	}
	return nil, r.found.list
}

// yamlReader turns one YAML document into a tree. Positions come from yaml.v3
// where a value begins, and from the text where it ends.
type yamlReader struct {
	cursor
	invalid  diag.RuleID
	nesting  int
	spelling bool // scalars keep it, even where JSON does not know it
	before   int  // lines of the file before the text
	found    findings
	refused  bool
}

// document returns the tree, nil when it is refused. The tree of an empty document
// is Null.
func (r *yamlReader) document() *Node {
	root, ok := parseYAML(r.text)
	switch {
	case !ok:
		r.blame()
		return nil
	case root == nil:
		return &Node{Kind: Null, Span: r.begin(0)}
	}
	return r.tree(root)
}

// parseYAML returns the root of the one document that a text holds, nil when it is empty,
// and whether it is one.
func parseYAML(text string) (root *yaml.Node, ok bool) {
	if off, _ := unprintable(text); off >= 0 {
		return nil, false
	}
	doc, second, err := decodeYAML(strings.NewReader(text))
	if doc == nil || err != nil || second != nil {
		return nil, err == nil && second == nil
	}
	return doc.Content[0], true
}

// blame reports why the text cannot be parsed.
func (r *yamlReader) blame() {
	if off, what := unprintable(r.text); off >= 0 {
		span := r.begin(off)
		span.EndColumn++
		r.refuse(span, what+" is not allowed", "delete it")
		return
	}
	_, second, err := decodeYAML(strings.NewReader(r.text))
	if err == nil {
		r.refuse(r.place(second), "a second YAML document begins here, expected one only",
			`delete the line "---" before it, or what follows it`)
		return
	}
	off, message, hint := explain(r.text, faultyLine(r.text))
	r.refuse(r.begin(off), message, hint)
}

// tree returns the tree below root, nil when it is refused.
func (r *yamlReader) tree(root *yaml.Node) *Node {
	tree := r.value(root, 0)
	if r.refused {
		return nil
	}
	return tree
}

// decodeYAML parses a document, nil if it is empty, and the one behind it, nil
// if there is none. Only nodes are safe to decode into: see yaml.v3 on merge
// keys and on many equal keys.
func decodeYAML(text io.Reader) (doc, second *yaml.Node, err error) {
	decoder := yaml.NewDecoder(text)
	for _, to := range []**yaml.Node{&doc, &second} {
		var n yaml.Node
		if err := decoder.Decode(&n); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, err
		}
		*to = &n
	}
	return doc, second, nil
}

// refuse reports a fault that leaves no tree.
func (r *yamlReader) refuse(span diag.Span, message, hint string, related ...diag.Related) {
	r.refused = true
	r.found.add(diag.New(r.invalid, span, "%s", message).WithHint(hint).WithRelated(related...))
}

// place returns the span at which n begins; its end is unknown.
func (r *yamlReader) place(n *yaml.Node) diag.Span {
	return diag.Span{File: r.file, Line: n.Line + r.before, Column: n.Column}
}

func (r *yamlReader) value(n *yaml.Node, depth int) *Node {
	switch {
	case r.refused && r.spelling: // one reason is enough to leave out a skill
	case n.Kind == yaml.AliasNode:
		r.refuse(r.place(n), fmt.Sprintf("the alias *%s is not supported", diag.Clip(n.Value)),
			"write the value itself, or quote text that begins with *; in a configuration, vars and defaults repeat values")
	case n.Anchor != "":
		r.refuse(r.place(n), fmt.Sprintf("the anchor &%s is not supported", diag.Clip(n.Anchor)),
			"delete it, or quote text that begins with &; in a configuration, vars and defaults repeat values")
	case n.Style&yaml.TaggedStyle != 0:
		r.refuse(r.place(n), fmt.Sprintf("the tag %s is not supported", diag.Clip(n.Tag)),
			"delete it, or put text that begins with ! in quotes")
	case n.Kind == yaml.ScalarNode:
		return r.scalar(n)
	case depth == r.nesting:
		r.refuse(r.place(n), fmt.Sprintf("the document is nested more than %d levels deep", r.nesting), "write it flatter")
	case n.Kind == yaml.SequenceNode:
		return r.sequence(n, depth+1)
	default:
		return r.mapping(n, depth+1)
	}
	return &Node{Kind: Null}
}

func (r *yamlReader) sequence(n *yaml.Node, depth int) *Node {
	out := &Node{Kind: Array, Span: r.place(n), Items: make([]*Node, len(n.Content))}
	for i, item := range n.Content {
		out.Items[i] = r.value(item, depth)
	}
	return out
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) *Node {
	all := members{list: make([]Member, 0, len(n.Content)/2)}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		m, ok := r.member(key, n.Content[i+1], depth)
		if !ok {
			continue
		}
		if first := all.add(m); first != nil {
			r.refuse(m.KeySpan, fmt.Sprintf("the key %q is defined twice", diag.Clip(m.Key)), "keep one of them",
				diag.Related{Span: first.KeySpan, Message: "first defined here"})
		}
	}
	out := &Node{Kind: Object, Span: r.place(n)}
	all.put(out)
	return out
}

// member returns a member of a map.
func (r *yamlReader) member(key, value *yaml.Node, depth int) (m Member, ok bool) {
	switch {
	case key.Kind == yaml.ScalarNode && key.Tag == "!!merge":
		r.refuse(r.place(key), "the merge key << is not supported", "write the members themselves")
	case key.Kind == yaml.MappingNode, key.Kind == yaml.SequenceNode:
		r.refuse(r.place(key), "a key is not a text", "put it in quotes, like every text that begins with { or [")
	default:
		k := r.value(key, depth)
		m = Member{Key: k.Text, KeySpan: k.Span, Value: r.value(value, depth)}
		m.Value.Cut = m.Value.Cut || m.Value.Kind == Null && key.LineComment != "" && value.Value == ""
	}
	return m, !r.refused
}

func (r *yamlReader) scalar(n *yaml.Node) *Node {
	out := &Node{Kind: String, Text: n.Value}
	out.Span, out.Plain = r.scalarSpan(n)
	switch n.ShortTag() {
	case "!!null":
		out.Kind = Null
	case "!!bool":
		out.Kind = Bool
		if !r.spelling {
			out.Text = strings.ToLower(n.Value)
		}
	case "!!int", "!!float":
		out.Kind = Number
		if !r.spelling {
			r.number(out, n)
		}
	}
	if n.Style&yaml.DoubleQuotedStyle != 0 {
		r.unescaped(out)
	}
	out.Cut = n.Style == 0 && n.LineComment != ""
	out.Glued = out.Cut && len(n.LineComment) > 1 && n.LineComment[1] != ' '
	return out
}

// unescaped demands that the escapes of out stand for nothing that the text
// itself may not hold.
func (r *yamlReader) unescaped(out *Node) {
	out.Text = strings.ReplaceAll(out.Text, "\r\n", "\n")
	if off, what := unprintable(out.Text); off >= 0 {
		r.refuse(out.Span, "the text holds an escape for "+what+", which is not allowed", "delete the escape")
	}
}

// number makes the spelling of out one that JSON knows.
func (r *yamlReader) number(out *Node, n *yaml.Node) {
	if IsNumber(out.Text) {
		return
	}
	digits := strings.TrimLeft(out.Text, "+-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		out.Kind = String // octal to YAML 1.1, decimal to YAML 1.2
		return
	}
	var v any
	err := n.Decode(&v)
	if f, ok := v.(float64); err != nil || ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
		r.refuse(out.Span, fmt.Sprintf("%q is not a number that JSON can hold", diag.Clip(out.Text)),
			"put it in quotes if it is meant as text")
		return
	}
	if spelling, err := json.Marshal(v); err == nil {
		out.Text = string(spelling)
	}
}

// scalarSpan returns the place of a scalar, and whether it is one without quotes there. The end of one that goes over
// several lines without quotes stays unknown.
func (r *yamlReader) scalarSpan(n *yaml.Node) (span diag.Span, plain bool) {
	span = r.place(n)
	if !r.seekPlace(n.Line+r.before, n.Column) {
		if n.Value == "" { // no value at the end of the text, said to stand on the line after
			return r.begin(r.off), true
		}
		return span, n.Style == 0
	}
	rest := r.text[r.off:]
	length := -1
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		length = quotedLen(rest)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && strings.HasPrefix(rest, n.Value):
		length = len(n.Value)
	}
	if length >= 0 {
		r.end(&span, r.off+length)
	}
	return span, rest != "" && strings.IndexByte("'\"|>", rest[0]) < 0
}
