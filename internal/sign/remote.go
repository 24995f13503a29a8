package sign

import (
	"bytes"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Input returns what a key that is held elsewhere, in a key management system for
// instance, has to sign: the JWS Signing Input (RFC 7515 section 5.1) of card.
// The options name the key and its algorithm. The findings are those of [Check].
func Input(card *source.Node, o Options) ([]byte, diag.List, error) {
	protected, err := o.protected()
	if err != nil {
		return nil, nil, err
	}
	payload, findings, err := o.payload(card)
	if err != nil || findings.Worst() == diag.Error {
		return nil, findings, err
	}
	return input(protected, payload), findings, nil
}

// payload returns what a signature that is made elsewhere covers: the card, or
// with Compat what a2a-js and a2a-python verify of it, for a signature of its own.
func (o Options) payload(card *source.Node) ([]byte, diag.List, error) {
	payload, findings := check(card, o)
	if !o.Compat || findings.Worst() == diag.Error {
		return payload, findings, nil
	}
	second, ok := compatPayload(card)
	if !ok {
		return nil, findings, errors.New(
			"a2a-js and a2a-python read this card unchanged, so one signature without --compat is enough")
	}
	return second, findings, nil
}

// Made returns the signature that somebody made over [Input] of card: its bytes or
// their base64, for ECDSA as R and S or in DER. With a key, which may be a public
// one, it has to be by that key; the zero key checks nothing, and that is a finding.
func Made(card *source.Node, o Options, signature []byte, key Key) (schema.Signature, diag.List, error) {
	protected, err := o.protected()
	if err != nil {
		return schema.Signature{}, nil, err
	}
	value, err := o.Alg.normalize(signature)
	if err != nil {
		return schema.Signature{}, nil, err
	}
	payload, findings, err := o.payload(card)
	switch {
	case err != nil || findings.Worst() == diag.Error:
		return schema.Signature{}, findings, err
	case key.public == nil:
		findings = append(findings, diag.New("signature-unchecked", card.Span,
			"the signature has not been checked against this card").
			WithHint("name its public key with --key"))
	case !key.fits(o.Alg):
		return schema.Signature{}, nil, fmt.Errorf("the key is for %s, not for %s", key.alg, o.Alg)
	case !key.verify(o.Alg, o.Alg.digest(input(protected, payload)), value):
		return schema.Signature{}, nil,
			errors.New("the key did not make this signature for this card: sign what --print-input prints, with the same flags")
	}
	return schema.Signature{Protected: protected, Signature: encode(value)}, findings, nil
}

// Beside returns a signature that was made elsewhere with the one that it goes
// beside: with Compat it is the second of its key, and the first stays where it
// covers the card.
func Beside(old, card *source.Node, made schema.Signature, o Options, key Key) []schema.Signature {
	payload, faults := Payload(card)
	if !o.Compat || len(faults) > 0 {
		return []schema.Signature{made}
	}
	for _, n := range old.Get("signatures").Elements() {
		h, signature, err := parseSignature(n)
		if err != nil || h.kid != o.Kid {
			continue
		}
		protected := n.Get("protected").Text
		if key.public == nil || key.fits(o.Alg) && key.verify(o.Alg, o.Alg.digest(input(protected, payload)), signature) {
			return []schema.Signature{{Protected: protected, Signature: encode(signature), Header: n.Get("header")}, made}
		}
	}
	return []schema.Signature{made}
}

// protected returns the header of a signature that is made elsewhere.
func (o Options) protected() (string, error) {
	switch {
	case o.Kid == "":
		return "", errors.New("the name of the key is missing")
	case !slices.Contains(Algorithms(), o.Alg):
		return "", unknownAlgorithm(o.Alg)
	}
	return header{alg: o.Alg, kid: o.Kid, jku: o.JKU}.checked()
}

// normalize returns a signature as JWS has it, of what key management systems and
// their command lines give out.
func (a Algorithm) normalize(signature []byte) ([]byte, error) {
	if text := bytes.TrimSpace(signature); len(text) > 0 && !bytes.ContainsFunc(text, notBase64) {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.Join(strings.Fields(string(text)), ""))
		if data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(plain, "=")); err == nil {
			signature = data
		}
	}
	if a.curve().size > 0 && len(signature) != a.signatureSize() {
		return a.fixedWidth(signature)
	}
	if len(signature) == 0 {
		return nil, errors.New("the signature is empty")
	}
	if err := a.checkSize(signature); err != nil {
		return nil, errors.New("the" + strings.TrimPrefix(err.Error(), "its"))
	}
	return signature, nil
}

func notBase64(r rune) bool {
	return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_= \t\r\n", r)
}

// fixedWidth turns an ECDSA signature from DER into R‖S (RFC 7518 section 3.4).
func (a Algorithm) fixedWidth(der []byte) ([]byte, error) {
	var v struct{ R, S *big.Int }
	size := a.signatureSize() / 2
	rest, err := asn1.Unmarshal(der, &v)
	if err != nil || len(rest) > 0 || v.R.Sign() <= 0 || v.S.Sign() <= 0 || max(v.R.BitLen(), v.S.BitLen()) > 8*size {
		return nil, fmt.Errorf("the signature has %d bytes and is neither R and S of %s, %d bytes in all, nor DER", len(der),
			a, 2*size)
	}
	out := make([]byte, 2*size)
	v.R.FillBytes(out[:size])
	v.S.FillBytes(out[size:])
	return out, nil
}
