package sign

import (
	"errors"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// maxHeader bounds the encoded protected header, in bytes.
const maxHeader = 8 << 10

// header is a JWS protected header (RFC 7515 section 4).
type header struct {
	alg Algorithm
	kid string
	jku string // "" for none
}

// encode returns the header as it is signed: base64url of its canonical form,
// "" when a member has none.
func (h header) encode() string {
	text, _ := Canonical(source.ObjectOf("alg", string(h.alg), "jku", h.jku, "kid", h.kid, "typ", "JOSE"))
	return encode(text)
}

// checked returns the header as it is signed, unless whoever verifies would refuse it.
func (h header) checked() (string, error) {
	protected := h.encode()
	if protected == "" {
		return "", errors.New("the kid or the jku is not valid Unicode")
	}
	if _, err := parseHeader(protected); err != nil {
		return "", fmt.Errorf("the signature would be refused: %w", err)
	}
	return protected, nil
}

// sameAs reports whether a protected header has the same members and no others,
// whatever their order.
func (h header) sameAs(protected string) bool {
	data, _ := decode(protected)
	n, faults := source.ParseJSON("", data, source.Limits{})
	if len(faults) > 0 {
		return false
	}
	text, _ := Canonical(n)
	return encode(text) == h.encode()
}

// parseHeader reads the protected member of a signature and refuses whatever
// would make two verifiers understand it differently.
func parseHeader(protected string) (header, error) {
	if len(protected) > maxHeader {
		return header{}, fmt.Errorf("its protected header is larger than %d KiB", maxHeader>>10)
	}
	data, err := decode(protected)
	if err != nil {
		return header{}, fmt.Errorf("its protected header %w", err)
	}
	n, faults := source.ParseJSON("", data, source.Limits{})
	if i := slices.IndexFunc(faults, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 {
		return header{}, fmt.Errorf("its protected header is malformed: %s", faults[i].Message)
	}
	if !n.Is(source.Object) {
		return header{}, errors.New("its protected header is not a JSON object")
	}
	// RFC 7515 section 4.1.11: extensions that are not understood are refused,
	// and none is. RFC 7797's b64 would change what is signed.
	for _, name := range []string{"crit", "b64"} {
		if n.Get(name) != nil {
			return header{}, fmt.Errorf("its protected header uses %s, which signed cards do not allow", name)
		}
	}
	alg, kid, jku := n.Get("alg"), n.Get("kid"), n.Get("jku")
	switch {
	case !alg.Is(source.String) || alg.Text == "":
		return header{}, errors.New("its protected header names no alg")
	case !slices.Contains(verifiable(), Algorithm(alg.Text)):
		return header{}, fmt.Errorf("its algorithm is %s; %s are allowed", diag.Quote(alg.Text), listed(verifiable()))
	case !kid.Is(source.String) || kid.Text == "":
		return header{}, errors.New("its protected header names no kid")
	case jku != nil && !jku.Is(source.String):
		return header{}, errors.New("the jku in its protected header is not a text")
	}
	h := header{alg: Algorithm(alg.Text), kid: kid.Text}
	if jku != nil {
		h.jku = jku.Text
	}
	return h, nil
}

// checkUnprotected refuses an unprotected header that touches what only a
// protected one may say (RFC 7515 sections 4.1.11 and 7.2.1).
func checkUnprotected(n *source.Node) error {
	switch {
	case n == nil:
		return nil
	case n.Kind != source.Object:
		return errors.New("its unprotected header is not an object")
	}
	for _, name := range []string{"alg", "kid", "jku", "typ", "crit", "b64"} {
		if n.Get(name) != nil {
			return fmt.Errorf("its unprotected header has %s, which belongs in the protected one", name)
		}
	}
	return nil
}
