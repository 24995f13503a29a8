package sign

import (
	"errors"
	"math"
	"strconv"

	"github.com/gowebpki/jcs"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// maxInteger is the largest integer up to which every verifier's numbers are exact
// (RFC 7493 section 2.2).
const maxInteger = 1<<53 - 1

// Canonical returns the RFC 8785 form of n, or the findings about numbers that
// verifiers read differently. n comes from a reader that refuses duplicate members and
// invalid Unicode.
func Canonical(n *source.Node) ([]byte, diag.List) {
	if found := unsafeNumbers(n, ""); len(found) > 0 {
		return nil, found
	}
	text, err := jcs.Transform([]byte(schema.WriteCompact(n)))
	if err != nil {
		return nil, diag.List{diag.New(diag.CardJSON, n.Span, "the value has no canonical form")}
	}
	return text, nil
}

// Payload returns what a signature of card covers: its canonical form without the
// signatures member (specification section 8.4.1).
func Payload(card *source.Node) ([]byte, diag.List) {
	if !card.Is(source.Object) {
		return nil, diag.List{diag.New(diag.CardJSON, card.Span, "a card is a JSON object")}
	}
	return Canonical(card.Without("signatures"))
}

// unsafeNumbers reports the numbers in n that verifiers read differently.
func unsafeNumbers(n *source.Node, pointer string) (found diag.List) {
	for i, item := range n.Elements() {
		found = append(found, unsafeNumbers(item, source.Pointer(pointer, strconv.Itoa(i)))...)
	}
	for _, m := range n.Fields() {
		found = append(found, unsafeNumbers(m.Value, source.Pointer(pointer, m.Key))...)
	}
	if !n.Is(source.Number) {
		return found
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	var reason string
	switch {
	case errors.Is(err, strconv.ErrRange):
		reason = "does not fit into 64 bits, so verifiers read different values"
	case err != nil:
		reason = "is not a number in JSON"
	case math.Abs(f) > maxInteger && !source.SameEverywhere(n.Text, f):
		reason = "is beyond ±(2^53−1), where verifiers round differently"
	default:
		return found
	}
	return append(found, diag.New(diag.SignatureNumber, n.Span, "the number %s %s", diag.Quote(n.Text), reason).
		WithPointer(pointer).
		WithHint("write it as a string"))
}
