package source

import (
	"fmt"
	"strings"

	"cardwright/internal/diag"
)

// jsonParser reads one document. Once it has reported that the text is not JSON, it has
// failed and is at the end of the text, so that each method comes to an end.
type jsonParser struct {
	cursor
	pos     int // ahead of the cursor, which follows where a span is needed
	open    []*Node
	values  int
	most    int // bytes that the text may have
	lenient bool
	failed  bool
	found   findings
	block   []Node
}

func (p *jsonParser) document() *Node {
	if strings.HasPrefix(p.text, byteOrderMark) {
		p.skip(len(byteOrderMark), "there is a byte order mark before the document",
			"save the file as UTF-8 without a byte order mark")
		p.seek(p.pos)
		p.col = 1 // editors do not count it
	}
	p.space()
	if p.lenient && strings.HasPrefix(p.rest(), codeFence) {
		opening, _, _ := strings.Cut(p.rest(), "\n")
		p.skip(len(opening), "there is a Markdown code fence before the document", "delete the fence")
		p.space()
	}
	root := p.value()
	p.space()
	if rest := p.rest(); strings.TrimRight(rest, jsonSpace) == codeFence {
		p.skip(len(rest), "there is a Markdown code fence after the document", "delete the fence")
	}
	if p.pos < len(p.text) {
		p.unexpected("the end of the file")
	}
	if p.failed {
		return nil
	}
	return root
}

// value reads the value that begins at p.pos.
func (p *jsonParser) value() *Node {
	n := p.node()
	switch p.peek() {
	case '{':
		p.object(n)
	case '[':
		p.array(n)
	case '"':
		n.Kind, n.Text = String, p.str()
	default:
		p.plain(n)
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
	}
	if len(p.block) == 0 {
		p.block = make([]Node, min(256, 8+p.values))
	}
	n := &p.block[0]
	p.block = p.block[1:]
	n.Span = p.begin(p.pos)
	return n
}

func (p *jsonParser) object(n *Node) {
	p.enter(n, Object)
	var all members
	for first := true; p.next('}', first); first = false {
		p.member(&all)
	}
	all.put(n)
	p.open = p.open[:len(p.open)-1]
}

func (p *jsonParser) member(all *members) {
	if p.peek() != '"' {
		p.unexpected(`a member name in double quotes or "}"`)
		return
	}
	m := Member{KeySpan: p.begin(p.pos), Key: p.str()}
	p.end(&m.KeySpan, p.pos)
	p.space()
	if p.peek() != ':' {
		p.unexpected(fmt.Sprintf("a colon after the member name %q", diag.Clip(m.Key)))
		return
	}
	p.pos++
	p.space()
	m.Value = p.value()
	if first := all.add(m); first != nil {
		p.found.add(diag.New(diag.CardDuplicateMember, m.KeySpan, "member %q is defined twice, the first one is used",
			diag.Clip(m.Key)).
			WithHint("keep one of them: readers differ in which one they use").
			WithRelated(diag.Related{Span: first.KeySpan, Message: "first defined here"}))
	}
}

func (p *jsonParser) array(n *Node) {
	p.enter(n, Array)
	for first := true; p.next(']', first); first = false {
		n.Items = append(n.Items, p.value())
	}
	p.open = p.open[:len(p.open)-1]
}

// enter steps over the bracket that opens n.
func (p *jsonParser) enter(n *Node, k Kind) {
	n.Kind = k
	if len(p.open) == MaxNesting {
		p.fail(1, fmt.Sprintf("the document is nested more than %d levels deep", MaxNesting), "write it flatter")
	} else {
		p.pos++
	}
	p.open = append(p.open, n)
}

// next steps over the comma to the next element of the innermost container, or
// over the bracket that closes it, and reports whether there is an element.
func (p *jsonParser) next(closing byte, first bool) bool {
	p.space()
	if comma := p.pos; !first && p.peek() == ',' {
		p.pos++
		p.space()
		if p.peek() != closing {
			return true
		}
		p.pos = comma
		p.skip(1, fmt.Sprintf("there is a comma before %q", string(closing)), "delete the comma")
		p.space()
	}
	switch {
	case p.failed:
		return false
	case p.peek() == closing:
		p.pos++
		return false
	case !first:
		p.unexpected(fmt.Sprintf("a comma or %q", string(closing)))
	}
	return first
}

// plain reads a number, true, false or null.
func (p *jsonParser) plain(n *Node) {
	switch n.Text = p.word(); {
	case n.Text == "true", n.Text == "false":
		n.Kind = Bool
	case n.Text == "null":
		n.Kind = Null
	case IsNumber(n.Text):
		n.Kind = Number
	case strings.Trim(n.Text[:min(1, len(n.Text))], "-+.0123456789") == "" && n.Text != "":
		p.fail(len(n.Text), fmt.Sprintf("%q is not a JSON number", diag.Clip(n.Text)),
			"write digits, with a minus sign, a fraction and an exponent where needed, and no leading zero")
		return
	default:
		p.unexpected("a value")
		return
	}
	p.pos += len(n.Text)
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

// skip reports the n bytes at p.pos as something that does not belong into
// JSON, and steps over them if the parser is lenient.
func (p *jsonParser) skip(n int, message, hint string) {
	if !p.lenient {
		p.fail(n, message, hint)
		return
	}
	p.found.add(diag.New(diag.CardJSON, p.span(p.pos, n), "%s, it is ignored", message).WithSeverity(diag.Warning).
		WithHint(hint))
	p.pos += n
}

// fail reports that the n bytes at p.pos are not JSON, and ends the reading.
func (p *jsonParser) fail(n int, message, hint string, related ...diag.Related) {
	if p.failed {
		return
	}
	p.found.list = append(p.found.list, // however many repairs were reported
		diag.New(diag.CardJSON, p.span(p.pos, n), "%s", message).WithHint(hint).WithRelated(related...))
	p.failed, p.pos = true, len(p.text)
}

// unexpected reports that what stands at p.pos is not what JSON wants there.
func (p *jsonParser) unexpected(want string) {
	if p.pos < len(p.text) {
		n, what, hint := describe(p.rest())
		if hint == "" && strings.HasPrefix(want, "a comma") {
			hint = "put a comma before it, or check the brackets"
		}
		p.fail(n, fmt.Sprintf("found %s, expected %s", what, want), hint)
		return
	}
	var opened []diag.Related
	if len(p.open) > 0 {
		n := p.open[len(p.open)-1]
		opened = []diag.Related{{Span: n.Span, Message: fmt.Sprintf("the %s begins here", n.Kind)}}
	}
	p.fail(0, "the file ends too early, expected "+want, "the file may have been cut short", opened...)
}
