package sign

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// quirk is what an SDK signs because of a fault in it. Such a signature is
// never good, but the message names the fault.
type quirk struct {
	payload []byte
	maker   string // completes "it is as "
}

// quirks returns the payloads of known faults that differ from what the card
// should be signed as.
func quirks(card *source.Node) []quirk {
	tree, _ := Read(card, SDK)
	if tree == nil {
		return nil
	}
	list := []quirk{{
		python(tree),
		"a2a-python up to 1.1.2 writes it, with other text and numbers (issue 1174): sign again with a later release",
	}}
	if tree.Get("securitySchemes") != nil {
		bare, faults := Canonical(tree.Without("securitySchemes"))
		if len(faults) == 0 {
			list = append(list, quirk{
				bare,
				"a2a-js writes it, without securitySchemes (its issue 663): sign the JSON of the card again",
			})
		}
	}
	return list
}

// python writes a value as json.dumps of Python does with sorted keys and no
// blanks: in ASCII, and numbers as its floats.
func python(n *source.Node) []byte {
	c := canonicalizer{text: appendASCII, float: pythonFloat}
	c.value(n)
	return c.out
}

// appendASCII appends a string as RFC 8785 spells it, with what is not printable
// ASCII as escapes.
func appendASCII(b []byte, s string) []byte {
	for _, r := range string(appendText(nil, s)) {
		if r < 0x7f {
			b = utf8.AppendRune(b, r)
			continue
		}
		b = append(b, diag.EscapeJSON(r)...)
	}
	return b
}

// pythonFloat is the repr of a Python float.
func pythonFloat(f float64) string {
	scientific := strconv.FormatFloat(f, 'e', -1, 64)
	_, digits, _ := strings.Cut(scientific, "e")
	if exponent, _ := strconv.Atoi(digits); exponent < -4 || exponent >= 16 {
		return scientific
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(plain, ".") {
		plain += ".0"
	}
	return plain
}
