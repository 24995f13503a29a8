package sign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/cryptosigner"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Options say how a card is signed. The zero value names the key by its own name and
// takes the algorithm from it.
type Options struct {
	Alg string    // what the key must be for, "" for any
	Kid string    // name of the key in the header; default [Key.Name]
	JKU string    // URL of the JWK Set that holds the key, "" for none
	At  time.Time // when the key has to be valid; without it, only a revoked one is refused
}

// Check returns what is to be said about a card before it is signed. One with an error
// among it is not signed: verifiers would disagree on what the signature covers.
func Check(card *source.Node) diag.List {
	_, found := check(card)
	return found
}

func check(card *source.Node) (payload []byte, found diag.List) {
	found = Hazards(card)
	for i, d := range found {
		if blocks(d) {
			found[i].Severity = diag.Error
		}
	}
	payload, faults := Payload(card)
	return payload, append(found, faults...)
}

// Sign returns card with a signature by key, as section 8.4.2 of the specification says:
// in the place of what the key signed before, else behind the signatures of others. A
// signature on published that says the same and is still good stays unchanged; published
// may be nil. The same card, key and options give the same bytes.
//
// The findings come from [Check]: with one of level error the card is not signed. An
// error is about the key or the options.
func Sign(card, published *source.Node, key Key, o Options) (*source.Node, diag.List, error) {
	if !key.CanSign() {
		return nil, nil, errors.New("the key has no private half, so it cannot sign")
	}
	return signed(card, published, key, o, cryptosigner.Opaque(deterministic{key.signer}))
}

// Input returns what a key that is held elsewhere, in a key management system for
// instance, has to sign: the JWS Signing Input (RFC 7515 section 5.1) of card. The key
// is its public half.
func Input(card *source.Node, key Key, o Options) ([]byte, diag.List, error) {
	payload, found := check(card)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	elsewhere := &held{alg: key.alg}
	_, err := made(payload, key, o, elsewhere)
	return elsewhere.input, found, err
}

// Attach is [Sign] with a signature that was made elsewhere over [Input] of card: its
// bytes or their base64, for ECDSA as R and S or in DER. The key is the public half of
// the one that made it.
func Attach(card *source.Node, signature []byte, key Key, o Options) (*source.Node, diag.List, error) {
	return signed(card, nil, key, o, &held{alg: key.alg, signature: fixedWidth(signature, key)})
}

func signed(card, published *source.Node, key Key, o Options, by jose.OpaqueSigner) (*source.Node, diag.List, error) {
	payload, found := check(card)
	if old := card.Get("signatures"); old != nil {
		found = append(found, checkSignatures(old)...)
	}
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	s, err := made(payload, key, o, by)
	if err != nil {
		return nil, nil, err
	}
	entry := source.ObjectOf("protected", s.Protected, "signature", s.Signature)
	if kept := keep(payload, published, s, key); kept != nil {
		entry = kept
	}
	return attach(card, entry), found, nil
}

// made returns the signature over a payload, after it was verified.
func made(payload []byte, key Key, o Options, by jose.OpaqueSigner) (schema.Signature, error) {
	if err := key.checkAlgorithm(o.Alg); err != nil {
		return schema.Signature{}, err
	}
	if fault := key.validity.fault(o.At); fault != "" {
		return schema.Signature{}, fmt.Errorf("the key %s", fault)
	}
	if o.Kid == "" {
		o.Kid = key.Name()
	}
	options := (&jose.SignerOptions{}).WithType("JOSE").WithHeader("kid", o.Kid)
	if o.JKU != "" {
		options = options.WithHeader("jku", o.JKU)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: key.alg, Key: by}, options)
	if err != nil {
		return schema.Signature{}, errors.New("the key does not work")
	}
	jws, err := signer.Sign(payload)
	if err != nil {
		return schema.Signature{}, errors.New("the key does not work")
	}
	compact, err := jws.DetachedCompactSerialize()
	if err != nil {
		return schema.Signature{}, errors.New("the key does not work")
	}
	protected, signature, _ := strings.Cut(compact, "..")
	s := schema.Signature{Protected: protected, Signature: signature}
	if h, isHeld := by.(*held); isHeld && h.signature == nil {
		return s, nil // only the input was wanted
	}
	return s, checkMade(s, payload, key)
}

// checkMade refuses a signature that whoever verifies would refuse.
func checkMade(s schema.Signature, payload []byte, key Key) error {
	h, err := parseHeader(s.Protected)
	switch {
	case err != nil:
		return fmt.Errorf("the signature would be refused: %w", err)
	case !key.verifies(h, s.Protected, s.Signature, payload):
		return errors.New("the key did not make this signature for this card: " +
			"sign what --print-input prints, with the same flags")
	}
	return nil
}

// keep returns the signature of published that says the same as s and is good for the
// payload, nil for none.
func keep(payload []byte, published *source.Node, s schema.Signature, key Key) *source.Node {
	for _, n := range published.Get("signatures").Elements() {
		h, protected, signature, err := parseSignature(n)
		if err == nil && sameHeader(protected, s.Protected) && key.verifies(h, protected, signature, payload) {
			return n
		}
	}
	return nil
}

// sameHeader reports whether two protected headers have the same members, whatever
// their order.
func sameHeader(a, b string) bool {
	one, _ := decodeHeader(a)
	other, _ := decodeHeader(b)
	differs := func(m source.Member) bool { return !m.Value.Equal(other.Get(m.Key)) }
	return one != nil && len(one.Members) == len(other.Fields()) && !slices.ContainsFunc(one.Members, differs)
}

// attach returns a copy of card with a signature in the place of the one with the same
// kid, else behind all others.
func attach(card, entry *source.Node) *source.Node {
	added, _, _, _ := parseSignature(entry)
	list := source.ArrayOf(card.Get("signatures").Elements()...)
	place := slices.IndexFunc(list.Items, func(n *source.Node) bool {
		other, _, _, err := parseSignature(n)
		return err == nil && other.kid == added.kid
	})
	if place < 0 {
		list.Items = append(list.Items, entry)
	} else {
		list.Items = slices.Clone(list.Items)
		list.Items[place] = entry
	}
	signed := card.Without("signatures")
	signed.Set("signatures", list)
	return signed
}

// deterministic signs without randomness: a nil reader makes ECDSA go by RFC 6979, and
// Ed25519 and RSA need none.
type deterministic struct{ crypto.Signer }

func (d deterministic) Sign(_ io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return d.Signer.Sign(nil, digest, opts) //nolint:wrapcheck // the caller says which key
}

// held stands for a key that is not at hand: it notes what there is to sign, and returns
// what was signed.
type held struct {
	alg       jose.SignatureAlgorithm
	signature []byte
	input     []byte
}

// Public implements [jose.OpaqueSigner]. The header names the key.
func (h *held) Public() *jose.JSONWebKey { return nil }

// Algs implements [jose.OpaqueSigner].
func (h *held) Algs() []jose.SignatureAlgorithm { return []jose.SignatureAlgorithm{h.alg} }

// SignPayload implements [jose.OpaqueSigner].
func (h *held) SignPayload(input []byte, _ jose.SignatureAlgorithm) ([]byte, error) {
	h.input = input
	return h.signature, nil
}

// fixedWidth returns a signature as JWS has it (RFC 7518 section 3.4), of what key
// management systems and their command lines give out. What it does not know it returns
// unchanged, and no one will verify it.
func fixedWidth(signature []byte, key Key) []byte {
	if text, err := anyBase64(string(signature)); err == nil && len(text) > 0 {
		signature = text
	}
	public, ok := key.public.(*ecdsa.PublicKey)
	if !ok {
		return signature
	}
	size := (public.Curve.Params().BitSize + 7) / 8
	var der struct{ R, S *big.Int }
	if len(signature) == 2*size {
		return signature
	}
	rest, err := asn1.Unmarshal(signature, &der)
	if err != nil || len(rest) > 0 || der.R.Sign() < 0 || der.S.Sign() < 0 ||
		max(der.R.BitLen(), der.S.BitLen()) > 8*size {
		return bytes.Clone(signature)
	}
	out := make([]byte, 2*size)
	der.R.FillBytes(out[:size])
	der.S.FillBytes(out[size:])
	return out
}
