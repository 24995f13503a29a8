package sign

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

const (
	// maxInteger is the largest integer up to which every verifier's numbers
	// are exact (RFC 7493 section 2.2).
	maxInteger = 1<<53 - 1
	// maxNesting is the level of nesting from which on verifiers give up.
	maxNesting = 100
)

// Canonical returns the RFC 8785 form of n, or the findings that say why it
// has none on which all verifiers agree: a member that occurs twice, text that
// is not Unicode, a number beyond ±(2^53−1), 100 levels of nesting.
func Canonical(n *source.Node) ([]byte, diag.List) {
	c := canonicalizer{text: appendText}
	c.value(n)
	if len(c.found) > 0 {
		return nil, c.found
	}
	return c.out, nil
}

// noCard reports a card that is not a JSON object.
func noCard(n *source.Node) diag.List {
	d := diag.New("card-json", diag.Span{}, "a card is a JSON object")
	if n != nil {
		d.Span = n.Span
	}
	return diag.List{d}
}

// Payload returns what a signature of card covers: its canonical form without
// the signatures member (specification section 8.4.1).
func Payload(card *source.Node) ([]byte, diag.List) {
	if !card.Is(source.Object) {
		return nil, noCard(card)
	}
	return Canonical(card.Without("signatures"))
}

// canonicalizer writes values as RFC 8785 section 3.2 says, and notes what
// has no canonical form.
type canonicalizer struct {
	text  func(b []byte, s string) []byte
	float func(f float64) string // nil for that of ECMAScript
	out   []byte
	path  trail
	found diag.List
}

func (c *canonicalizer) value(n *source.Node) {
	if n == nil || n.Kind == source.Invalid {
		c.fault(diag.Span{}, "card-json", "there is no value to sign", "")
		return
	}
	if len(c.path)+1 >= maxNesting && (n.Kind == source.Array || n.Kind == source.Object) {
		c.fault(n.Span, "signature-nesting", fmt.Sprintf("the value is nested %d levels deep, too deep for a signed card",
			maxNesting), "flatten the value")
		return
	}
	switch n.Kind {
	case source.Object:
		c.object(n)
	case source.Array:
		c.array(n)
	case source.String:
		if !utf8.ValidString(n.Text) {
			c.fault(n.Span, "card-invalid-utf8", "the text is not valid Unicode and has no canonical form",
				"remove the broken character")
		}
		c.out = c.text(c.out, n.Text)
	case source.Number:
		c.number(n)
	case source.Bool:
		c.out = append(c.out, n.Text...)
	default:
		c.out = append(c.out, "null"...)
	}
}

func (c *canonicalizer) fault(at diag.Span, rule, message, hint string) {
	c.found = append(c.found, diag.New(rule, at, "%s", message).WithPointer(c.path.pointer()).WithHint(hint))
}

// object writes members in the order of their names' UTF-16 code units
// (section 3.2.3).
func (c *canonicalizer) object(n *source.Node) {
	members := slices.Clone(n.Members)
	slices.SortStableFunc(members, func(a, b source.Member) int { return compareUTF16(a.Key, b.Key) })
	c.out = append(c.out, '{')
	for i, m := range members {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.path.push(m.Key)
		if i > 0 && m.Key == members[i-1].Key {
			c.fault(m.KeySpan, "card-duplicate-member",
				fmt.Sprintf("the member %s occurs twice; verifiers disagree on which one to use", diag.Quote(m.Key)), "")
		}
		if !utf8.ValidString(m.Key) {
			c.fault(m.KeySpan, "card-invalid-utf8",
				fmt.Sprintf("the member name %s is not valid Unicode and has no canonical form", diag.Quote(m.Key)), "")
		}
		c.out = append(c.text(c.out, m.Key), ':')
		c.value(m.Value)
		c.path.pop()
	}
	c.out = append(c.out, '}')
}

func (c *canonicalizer) array(n *source.Node) {
	c.out = append(c.out, '[')
	for i, item := range n.Items {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.path.push(strconv.Itoa(i))
		c.value(item)
		c.path.pop()
	}
	c.out = append(c.out, ']')
}

// number spells a number as ECMAScript does (section 3.2.2.3).
func (c *canonicalizer) number(n *source.Node) {
	spelled, err := jcs.Transform([]byte(n.Text))
	f, outside := strconv.ParseFloat(n.Text, 64)
	if c.float != nil {
		spelled = []byte(c.float(f))
	}
	switch {
	case errors.Is(outside, strconv.ErrRange):
		c.fault(n.Span, "signature-number",
			fmt.Sprintf("the number %s does not fit into 64 bits, so verifiers read different values", diag.Quote(n.Text)),
			"write it as a string")
	case math.Abs(f) > maxInteger && !source.SameEverywhere(n.Text, f):
		c.fault(n.Span, "signature-number",
			fmt.Sprintf("the number %s is beyond ±(2^53−1), where verifiers round differently", diag.Quote(n.Text)),
			"write it as a string")
	case err != nil:
		c.fault(n.Span, "signature-number", diag.Quote(n.Text)+" is not a number in JSON", "write it as a string")
	}
	c.out = append(c.out, spelled...)
}

// appendText appends a string with the escapes of section 3.2.2.2 and no others.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			if c < ' ' {
				b = append(b, diag.EscapeJSON(rune(c))...)
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}

// compareUTF16 orders two strings as their UTF-16 encodings are ordered.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		s, m := utf8.DecodeRuneInString(b)
		if r != s {
			return int(utf16Rank(r) - utf16Rank(s))
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

// utf16Rank ranks runes by their UTF-16 encoding. It is the order of the code
// points but for U+E000 to U+FFFF, which come behind all surrogate pairs.
func utf16Rank(r rune) rune {
	if r >= 0xE000 && r <= 0xFFFF {
		return r + utf8.MaxRune
	}
	return r
}

// trail is the way from the root of a tree to one of its values, as the
// reference tokens of its pointer.
type trail []string

func (t *trail) push(token string) { *t = append(*t, token) }
func (t *trail) pop()              { *t = (*t)[:len(*t)-1] }

// pointer returns the trail as RFC 6901 pointer.
func (t *trail) pointer() string {
	pointer := ""
	for _, token := range *t {
		pointer = source.Pointer(pointer, token)
	}
	return pointer
}
