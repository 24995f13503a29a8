package sign

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"

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
	// Made is a signature that was made elsewhere over [Signer.Input], nil for none: its bytes or
	// their base64, for ECDSA as R and S or in DER. The key is its public half then.
	Made []byte
}

// Check returns what a signature of a card covers, and what is to be said about the card
// before it is signed. One with an error among it is not signed: verifiers would disagree on
// what the signature covers. A requirement without scopes is no error: nothing else says the
// same in A2A 1.0.
func Check(card *source.Node) (payload []byte, found diag.List) {
	found = Hazards(card)
	for i, d := range found {
		if d.Severity == diag.Warning && !schema.ScopesOf(d.Pointer) {
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
	if o.Made == nil && !key.CanSign() {
		return nil, nil, errors.New("the key has no private half, so it cannot sign")
	}
	payload, found := Check(card)
	if old := card.Get("signatures"); old != nil {
		found = append(found, checkSignatures(old)...)
	}
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	s, err := made(payload, key, o)
	if err != nil {
		return nil, nil, err
	}
	entry := source.ObjectOf("protected", s.protected, "signature", s.value)
	for _, n := range published.Get("signatures").Elements() {
		old, err := parseSignature(n)
		header, _ := decodeHeader(old.protected)
		if err == nil && encodeHeader(header) == s.protected && key.verifies(old, payload) {
			entry = n
			break
		}
	}
	return attach(card, entry, s.kid), found, nil
}

// signingInput is the JWS Signing Input (RFC 7515 section 5.1).
func signingInput(protected string, payload []byte) []byte {
	return []byte(protected + "." + base64.RawURLEncoding.EncodeToString(payload))
}

// protect returns the encoded protected header of a signature.
func protect(key Key, o Options) (string, error) {
	fault, alg := key.validity.fault(o.At), cmp.Or(o.Alg, string(key.alg))
	switch {
	case !slices.Contains(Algorithms(), alg):
		return "", unknownAlgorithm(alg)
	case alg != string(key.alg):
		return "", fmt.Errorf("the key is for %s, not for %s", key.alg, alg)
	case fault != "":
		return "", fmt.Errorf("the key %s", fault)
	}
	header := source.ObjectOf("alg", alg, "jku", o.JKU, "kid", cmp.Or(o.Kid, key.Name()), "typ", "JOSE")
	return encodeHeader(header), nil
}

// encodeHeader spells a header canonically.
func encodeHeader(header *source.Node) string {
	text, _ := Canonical(header)
	return base64.RawURLEncoding.EncodeToString(text)
}

// made returns the signature over a payload. It refuses one that whoever verifies would
// refuse.
func made(payload []byte, key Key, o Options) (signature, error) {
	protected, err := protect(key, o)
	if err != nil {
		return signature{}, err
	}
	s, err := parseHeader(protected)
	if err != nil {
		return signature{}, fmt.Errorf("the signature would be refused: %w", err)
	}
	raw := o.Made
	if text, err := anyBase64(string(raw)); err == nil && len(text) > 0 {
		raw = text
	}
	if o.Made == nil {
		if raw, err = key.sign(signingInput(protected, payload)); err != nil {
			return signature{}, errors.New("the key does not work")
		}
	}
	s.value = base64.RawURLEncoding.EncodeToString(fixedWidth(raw, key))
	if !key.verifies(s, payload) {
		return signature{}, errors.New("the key did not make this signature for this card: " +
			"sign what --print-input prints, with the same flags")
	}
	return s, nil
}

// sign signs without randomness: a nil reader makes ECDSA go by RFC 6979, and Ed25519 and
// RSA need none.
func (k Key) sign(input []byte) ([]byte, error) {
	hash := map[jose.SignatureAlgorithm]crypto.Hash{
		jose.ES256: crypto.SHA256, jose.ES384: crypto.SHA384, jose.ES512: crypto.SHA512, jose.RS256: crypto.SHA256,
	}[k.alg] // Ed25519 hashes by itself
	if hash != 0 {
		h := hash.New()
		h.Write(input)
		input = h.Sum(nil)
	}
	return k.signer.Sign(nil, input, hash) // the caller says which key
}

// attach returns a copy of card with a signature in the place of the one with the same
// kid, else behind all others.
func attach(card, entry *source.Node, kid string) *source.Node {
	list := source.ArrayOf(slices.Clone(card.Get("signatures").Elements())...)
	place := slices.IndexFunc(list.Items, func(n *source.Node) bool {
		other, err := parseSignature(n)
		return err == nil && other.kid == kid
	})
	if place < 0 {
		list.Items = append(list.Items, entry)
	} else {
		list.Items[place] = entry
	}
	return card.Without("signatures").With("signatures", list)
}

// fixedWidth returns a signature by ECDSA as JWS has it (RFC 7518 section 3.4), also one in
// DER, which signers and key management systems give out. What it does not know it returns
// unchanged, and no one will verify it.
func fixedWidth(signature []byte, key Key) []byte {
	public, ok := key.public.(*ecdsa.PublicKey)
	if !ok {
		return signature
	}
	size := (public.Curve.Params().BitSize + 7) / 8
	var der struct{ R, S *big.Int }
	rest, err := asn1.Unmarshal(signature, &der)
	if len(signature) == 2*size || err != nil || len(rest) > 0 || der.R.Sign() < 0 || der.S.Sign() < 0 ||
		max(der.R.BitLen(), der.S.BitLen()) > 8*size {
		return signature
	}
	out := make([]byte, 2*size)
	der.R.FillBytes(out[:size])
	der.S.FillBytes(out[size:])
	return out
}
