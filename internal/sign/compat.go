package sign

import (
	"bytes"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// compat returns what verifiers that are in use get wrong about card, however
// well it is signed.
func compat(card *source.Node) diag.List {
	var list diag.List
	if schemes := card.Get("securitySchemes"); schemes != nil {
		list = append(list, diag.New("compat-a2a-js-schemes",
			schemes.Span, "the client of a2a-js refuses the signature, "+
				"because it drops securitySchemes before it checks (issue 663)").
			WithPointer("/securitySchemes").
			WithHint("clients that check the original JSON accept it"))
	}
	for _, m := range card.Get("capabilities").Fields() {
		if m.Value.Is(source.Bool) && m.Value.Text == "false" {
			list = append(list, diag.New("compat-a2a-go-flags", m.Value.Span,
				"a2a-go omits \"%s\": false when it writes the card again, so its copy no longer verifies", m.Key).
				WithPointer("/capabilities/"+m.Key))
		}
	}
	if n, at := findMisread(card.Without("signatures"), ""); n != nil {
		list = append(list, diag.New("compat-a2a-python-json", n.Span,
			"a2a-python up to 1.1.2 refuses the signature, "+
				"because it writes non-ASCII text and some numbers differently (issue 1174)").
			WithPointer(at).
			WithHint("clients with a later release accept it"))
	}
	return list
}

// findMisread returns the first value in n that a2a-python up to 1.1.2 does not
// write as RFC 8785 says, itself or its name.
func findMisread(n *source.Node, at string) (*source.Node, string) {
	if n.Scalar() && misread(n) {
		return n, at
	}
	for i, item := range n.Items {
		if found, p := findMisread(item, source.Pointer(at, strconv.Itoa(i))); found != nil {
			return found, p
		}
	}
	for _, m := range n.Members {
		p := source.Pointer(at, m.Key)
		if misread(source.NewText(m.Key)) {
			return m.Value, p
		}
		if found, p := findMisread(m.Value, p); found != nil {
			return found, p
		}
	}
	return nil, ""
}

func misread(n *source.Node) bool {
	text, _ := Canonical(n)
	return !bytes.Equal(python(n), text)
}
