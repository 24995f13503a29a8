package source

import (
	"fmt"
	"math"
	"strings"

	"cardwright/internal/diag"
)

// jsonParser reads one document. Its methods return false, or nil, once they
// have reported that the text is not JSON.
type jsonParser struct {
	cursor
	pos     int // ahead of the cursor, which follows where a span is needed
	open    []*Node
	values  int
	most    int // bytes that the text may have
	lenient bool
	found   findings
	block   []Node
}

func (p *jsonParser) document() *Node {
	if strings.HasPrefix(p.text, byteOrderMark) {
		if !p.repair(len(byteOrderMark), "there is a byte order mark before the document",
			"save the file as UTF-8 without a byte order mark") {
			return nil
		}
		// Editors do not count it.
		p.seek(p.pos)
		p.col = 1
	}
	p.space()
	if p.lenient && strings.HasPrefix(p.rest(), codeFence) {
		opening, _, _ := strings.Cut(p.rest(), "\n")
		p.repair(len(opening), "there is a Markdown code fence before the document", "delete the fence")
		p.space()
	}
	root := p.value()
	if root == nil {
		return nil
	}
	p.space()
	if rest := p.rest(); strings.TrimRight(rest, jsonSpace) == codeFence {
		if !p.repair(len(rest), "there is a Markdown code fence after the document", "delete the fence") {
			return nil
		}
	}
	if p.pos < len(p.text) {
		p.unexpected("the end of the file")
		return nil
	}
	return root
}

// value reads the value that begins at p.pos.
func (p *jsonParser) value() *Node {
	n := p.node()
	if n == nil {
		return nil
	}
	var ok bool
	switch c := p.peek(); {
	case c == '{':
		ok = p.object(n)
	case c == '[':
		ok = p.array(n)
	case c == '"':
		n.Kind = String
		n.Text, ok = p.str()
	case strings.IndexByte("-+.0123456789", c) >= 0 && c != 0:
		ok = p.number(n)
	default:
		ok = p.literal(n)
	}
	if !ok {
		return nil
	}
	p.end(&n.Span, p.pos)
	return n
}

// node returns a new node that begins at p.pos.
func (p *jsonParser) node() *Node {
	p.values++
	if most := p.most / bytesPerValue; p.values > most {
		p.fail(0, fmt.Sprintf("the document holds more than %d values, the limit for a card", most),
			"split it into smaller ones")
		return nil
	}
	if len(p.block) == 0 {
		p.block = make([]Node, min(256, 8+p.values))
	}
	n := &p.block[0]
	p.block = p.block[1:]
	n.Span = p.begin(p.pos)
	return n
}

func (p *jsonParser) object(n *Node) bool {
	if !p.enter(n, Object) {
		return false
	}
	var all members
	for more, ok := p.next('}', true); more || !ok; more, ok = p.next('}', false) {
		if !ok || !p.member(&all) {
			return false
		}
	}
	all.put(n)
	p.open = p.open[:len(p.open)-1]
	return true
}

func (p *jsonParser) member(all *members) bool {
	if p.peek() != '"' {
		p.unexpected(`a member name in double quotes or "}"`)
		return false
	}
	m := Member{KeySpan: p.begin(p.pos)}
	var ok bool
	if m.Key, ok = p.str(); !ok {
		return false
	}
	p.end(&m.KeySpan, p.pos)
	p.space()
	if p.peek() != ':' {
		p.unexpected(fmt.Sprintf("a colon after the member name %q", diag.Clip(m.Key)))
		return false
	}
	p.pos++
	p.space()
	if m.Value = p.value(); m.Value == nil {
		return false
	}
	if first := all.add(m); first != nil {
		all.repeat("member", m, &p.found, diag.New(ruleDuplicate, m.KeySpan, "").
			WithHint("keep one of them: readers differ in which one they use").
			WithRelated(diag.Related{Span: first.KeySpan, Message: "first defined here"}))
	}
	return true
}

func (p *jsonParser) array(n *Node) bool {
	if !p.enter(n, Array) {
		return false
	}
	for more, ok := p.next(']', true); more || !ok; more, ok = p.next(']', false) {
		if !ok {
			return false
		}
		item := p.value()
		if item == nil {
			return false
		}
		n.Items = append(n.Items, item)
	}
	p.open = p.open[:len(p.open)-1]
	return true
}

// enter steps over the bracket that opens n.
func (p *jsonParser) enter(n *Node, k Kind) bool {
	n.Kind = k
	if len(p.open) == MaxNesting {
		p.fail(1, fmt.Sprintf("the document is nested more than %d levels deep", MaxNesting), "write it flatter")
		return false
	}
	p.open = append(p.open, n)
	p.pos++
	return true
}

// next steps over the comma to the next element of the innermost container, or
// over the bracket that closes it.
func (p *jsonParser) next(closing byte, first bool) (more, ok bool) {
	p.space()
	if p.peek() == closing {
		p.pos++
		return false, true
	}
	if first {
		return true, true
	}
	if p.peek() != ',' {
		p.unexpected(fmt.Sprintf("a comma or %q", string(closing)))
		return false, false
	}
	comma := p.pos
	p.pos++
	p.space()
	if p.peek() != closing {
		return true, true
	}
	p.pos = comma
	if !p.repair(1, fmt.Sprintf("there is a comma before %q", string(closing)), "delete the comma") {
		return false, false
	}
	p.space()
	p.pos++
	return false, true
}

func (p *jsonParser) number(n *Node) bool {
	word := p.word()
	if numberLen(word) != len(word) {
		p.fail(len(word), fmt.Sprintf("%q is not a JSON number", diag.Clip(word)),
			"write digits, with a minus sign, a fraction and an exponent where needed, and no leading zero")
		return false
	}
	n.Kind, n.Text = Number, word
	p.pos += len(word)
	return true
}

func (p *jsonParser) literal(n *Node) bool {
	word := p.word()
	switch word {
	case "true", "false":
		n.Kind = Bool
	case "null":
		n.Kind = Null
	default:
		p.unexpected("a value")
		return false
	}
	n.Text = word
	p.pos += len(word)
	return true
}

const jsonSpace = " \t\r\n"

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the byte at p.pos, 0 at the end.
func (p *jsonParser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *jsonParser) rest() string { return p.text[p.pos:] }

// word returns the run of characters at p.pos up to what ends a JSON token.
func (p *jsonParser) word() string {
	rest := p.rest()
	if i := strings.IndexAny(rest, jsonSpace+`,:"{}[]`); i >= 0 {
		return rest[:i]
	}
	return rest
}

// IsNumber reports whether s is a number as RFC 8259 section 6 spells it.
func IsNumber(s string) bool { return s != "" && numberLen(s) == len(s) }

// SameEverywhere reports whether every reader takes a number in JSON for f and
// spells it alike, although f is beyond the whole numbers that are exact in 64
// bits: from 1e21 on, where ECMAScript writes exponents as all others do (section
// 6.1.6.1.20), if the text does not read as a whole number of arbitrary length.
func SameEverywhere(text string, f float64) bool {
	return math.Abs(f) >= 1e21 && strings.ContainsAny(text, "eE.")
}

// numberLen returns the length of the longest JSON number (RFC 8259 section 6)
// that s begins with, 0 where there is none.
func numberLen(s string) int {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	at := func(chars string) bool {
		ok := i < len(s) && strings.IndexByte(chars, s[i]) >= 0
		if ok {
			i++
		}
		return ok
	}
	at("-")
	if !at("0") && !digits() {
		return 0
	}
	end := i
	if at(".") {
		if !digits() {
			return end
		}
		end = i
	}
	if at("eE") {
		at("+-")
		if !digits() {
			return end
		}
		end = i
	}
	return end
}
