package sign

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

const (
	maxSignatures = 16      // of a card
	maxHeader     = 8 << 10 // bytes of an encoded protected header
)

// Trust says whose signatures are good.
type Trust struct {
	Keys []Key
	At   time.Time // when the keys have to be valid; without it, only revoked ones are refused
	All  bool      // every signature has to be good, otherwise one is enough
}

// Verdict is what the signatures of a card come to.
type Verdict string

// The verdicts.
const (
	Verified   Verdict = "good"
	Refused    Verdict = "refused"    // no signature is good, or not all are where all have to be
	Unsigned   Verdict = "unsigned"   // there is no signature
	Unreadable Verdict = "unreadable" // the card has no canonical form, or its signatures are malformed
)

// Result is what became of one signature of a card.
type Result struct {
	Pointer string    // RFC 6901: /signatures/N
	Span    diag.Span // of the signature
	Alg     string    // as its header says, "" when it is unreadable
	Kid     string    // likewise
	Fault   string    // why it is refused, "" when it is good; completes "the signature is refused: "
}

// Good reports whether the signature verifies.
func (r Result) Good() bool { return r.Fault == "" }

// Verify checks every signature of the card in data, which was read from file
// (specification section 8.4.3). The findings say what is wrong; findings about a card that
// is [Verified] are warnings at most. An unsigned card has none.
func Verify(file string, data []byte, trust Trust) (Verdict, []Result, diag.List) {
	card, found := source.ParseJSON(file, data)
	if found.Worst() == diag.Error {
		return Unreadable, nil, found
	}
	payload, found := Payload(card)
	signatures := card.Get("signatures")
	if signatures != nil {
		found = append(found, checkSignatures(signatures)...)
	}
	if len(found) > 0 {
		return Unreadable, nil, found
	}
	var results []Result
	for i, n := range signatures.Elements() {
		results = append(results, trust.verify(n, source.Pointer("/signatures", strconv.Itoa(i)), payload))
	}
	good := slices.ContainsFunc(results, Result.Good)
	for _, r := range results {
		if !r.Good() {
			d := diag.New(diag.SignatureInvalid, r.Span, "the signature is refused: %s", r.Fault).WithPointer(r.Pointer)
			if good && !trust.All {
				d.Severity = diag.Warning
			}
			found = append(found, d)
		}
	}
	switch {
	case len(results) == 0:
		return Unsigned, nil, nil
	case !good || trust.All && len(found) > 0:
		return Refused, results, found
	}
	return Verified, results, found
}

func checkSignatures(n *source.Node) diag.List {
	var message string
	switch {
	case n.Kind != source.Array:
		message = fmt.Sprintf("signatures is of type %s; an array is required", n.Kind)
	case len(n.Items) > maxSignatures:
		message = fmt.Sprintf("the card has %d signatures; at most %d are verified", len(n.Items), maxSignatures)
	default:
		return nil
	}
	return diag.List{diag.New(diag.SignatureMalformed, n.Span, "%s", message).WithPointer("/signatures")}
}

func (t Trust) verify(n *source.Node, pointer string, payload []byte) Result {
	s, err := parseSignature(n)
	if err == nil {
		err = t.match(s, payload)
	}
	r := Result{Pointer: pointer, Span: n.Span, Alg: string(s.alg), Kid: s.kid}
	if err != nil {
		r.Fault = err.Error()
	}
	return r
}

// match returns why none of the keys that the header names made the signature.
func (t Trust) match(s signature, payload []byte) error {
	named, kid := t.named(s.kid), diag.Quote(s.kid)
	if len(named) == 0 {
		return fmt.Errorf("no key has the kid %s: %s", kid, t.names())
	}
	err := fmt.Errorf("its alg is %s, but the key %s is for %s", s.alg, kid, named[0].alg)
	for _, k := range named {
		switch fault := k.validity.fault(t.At); {
		case !k.fits(s.alg):
		case !k.verifies(s, payload):
			err = fmt.Errorf("the key %s did not make it for this card: the card or the signature was changed", kid)
		case fault != "":
			err = fmt.Errorf("its key %s %s", kid, fault)
		default:
			return nil
		}
	}
	return err
}

// named returns the keys with the kid, else those without a name of their own.
func (t Trust) named(kid string) []Key {
	has := func(k Key) bool { return k.Kid == kid || k.Thumbprint() == kid }
	if slices.ContainsFunc(t.Keys, has) {
		return slices.DeleteFunc(slices.Clone(t.Keys), func(k Key) bool { return !has(k) })
	}
	return slices.DeleteFunc(slices.Clone(t.Keys), func(k Key) bool { return k.Kid != "" })
}

func (t Trust) names() string {
	var names []string
	for _, k := range t.Keys {
		names = append(names, diag.Quote(k.Name()))
	}
	slices.Sort(names)
	switch {
	case len(names) == 0:
		return "no key was given"
	case len(names) > 5:
		names = append(names[:5], "…")
	}
	return "the keys given are " + strings.Join(names, ", ")
}

// verifies reports whether the signature over the payload is by the key.
func (k Key) verifies(s signature, payload []byte) bool {
	if public, ok := k.public.(ed25519.PublicKey); ok && s.alg == fullySpecified {
		raw, err := decode(s.value)
		return err == nil && ed25519.Verify(public, signingInput(s.protected, payload), raw)
	}
	jws, err := jose.ParseDetached(s.protected+".."+s.value, payload, []jose.SignatureAlgorithm{s.alg})
	return err == nil && k.fits(s.alg) && jws.DetachedVerify(payload, k.public) == nil
}

// signature is what an AgentCardSignature (section 4.4.7) says.
type signature struct {
	protected, value string
	alg              jose.SignatureAlgorithm // in the protected header (RFC 7515 section 4), as is kid
	kid              string
}

// parseSignature reads a signature, and refuses whatever would make two verifiers
// understand it differently.
func parseSignature(n *source.Node) (signature, error) {
	if !n.Is(source.Object) {
		return signature{}, errors.New("it is not an object")
	}
	s, err := parseHeader(textOf(n.Get("protected")))
	if err != nil {
		return signature{}, err
	}
	if err := checkUnprotected(n.Get("header")); err != nil {
		return s, err
	}
	s.value = textOf(n.Get("signature"))
	if _, err = decode(s.value); err != nil {
		return s, fmt.Errorf("its signature %w", err)
	}
	return s, nil
}

// textOf returns the text of a JSON string, "" for any other value.
func textOf(n *source.Node) string {
	if !n.Is(source.String) {
		return ""
	}
	return n.Text
}

// refusedHeaders are the parameters that no header may have. Extensions that are not
// understood have to be refused (RFC 7515 section 4.1.11), and none is; b64 would change
// what is signed (RFC 7797); a key that the signature brings along proves nothing.
func refusedHeaders() []string { return []string{"crit", "b64", "jwk", "x5c", "x5u"} }

func parseHeader(protected string) (signature, error) {
	n, err := decodeHeader(protected)
	if err != nil {
		return signature{}, err
	}
	for _, name := range refusedHeaders() {
		if n.Get(name) != nil {
			return signature{}, fmt.Errorf("its protected header uses %s, which signed cards do not allow", name)
		}
	}
	s := signature{protected: protected, kid: textOf(n.Get("kid")), alg: jose.SignatureAlgorithm(textOf(n.Get("alg")))}
	switch {
	case s.alg == "":
		err = errors.New("its protected header names no alg")
	case !slices.Contains(verifiable(), s.alg):
		err = fmt.Errorf("its algorithm is %s; %v are allowed", diag.Quote(string(s.alg)), verifiable())
	case s.kid == "":
		err = errors.New("its protected header names no kid")
	case n.Get("jku") != nil && !n.Get("jku").Is(source.String):
		err = errors.New("the jku in its protected header is not a text")
	}
	if err != nil {
		return signature{}, err
	}
	return s, nil
}

func decodeHeader(protected string) (*source.Node, error) {
	if len(protected) > maxHeader {
		return nil, fmt.Errorf("its protected header is larger than %d KiB", maxHeader>>10)
	}
	data, err := decode(protected)
	if err != nil {
		return nil, fmt.Errorf("its protected header %w", err)
	}
	n, faults := source.ParseJSON("", data)
	switch {
	case faults.Worst() == diag.Error:
		return nil, fmt.Errorf("its protected header is malformed: %s", faults[0].Message)
	case !n.Is(source.Object):
		return nil, errors.New("its protected header is not a JSON object")
	}
	return n, nil
}

// checkUnprotected refuses an unprotected header that touches what only a protected one
// may say (RFC 7515 sections 4.1.11 and 7.2.1).
func checkUnprotected(n *source.Node) error {
	if n != nil && n.Kind != source.Object {
		return errors.New("its unprotected header is not an object")
	}
	for _, name := range append(refusedHeaders(), "alg", "kid", "jku", "typ") {
		if n.Get(name) != nil {
			return fmt.Errorf("its unprotected header has %s, which belongs in the protected one", name)
		}
	}
	return nil
}

// decode reads unpadded base64url (RFC 7515 section 2) in its one canonical spelling.
// The error completes a sentence about the text.
func decode(s string) ([]byte, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	switch {
	case s == "":
		return nil, errors.New("is missing")
	case err != nil || strings.ContainsAny(s, "\r\n"): // which the decoder skips
		return nil, errors.New("is not base64url without padding")
	}
	return b, nil
}
