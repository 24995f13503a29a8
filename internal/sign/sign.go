package sign

import (
	"crypto/ecdsa"
	"errors"
	"fmt"
	"slices"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Options say how a card is signed. The zero value names the key by its own
// name and takes the algorithm from it.
type Options struct {
	Alg            Algorithm // what the key must be for, "" for any
	Kid            string    // name of the key in the header; default [Key.Name]
	JKU            string    // URL of the JWK Set that holds the key, "" for none
	AllowDivergent bool      // sign a card that verifiers read differently
	Compat         bool      // a second signature for a2a-js and a2a-python, where those read the card differently
	At             time.Time // when the key has to be valid; without it, only a revoked one is refused
}

func (o Options) header(key Key) header {
	h := header{alg: key.alg, kid: o.Kid, jku: o.JKU}
	if h.kid == "" {
		h.kid = key.Name()
	}
	return h
}

// Sign signs card with key, as it stands but for its signatures member
// (specification section 8.4.2). The same card, key and options give the same
// bytes: ECDSA goes by RFC 6979.
//
// The findings are those of [Check]: with one of level error the card is not
// signed. An error is about the key or the options.
func Sign(card *source.Node, key Key, o Options) (schema.Signature, diag.List, error) {
	h := o.header(key)
	switch {
	case !key.CanSign():
		return schema.Signature{}, nil, errors.New("the key has no private half, so it cannot sign")
	case key.notSigning:
		return schema.Signature{}, nil, errors.New("the key_ops of the key do not have sign")
	case !slices.Contains(Algorithms(), key.alg):
		return schema.Signature{}, nil, unknownAlgorithm(key.alg)
	case key.validity.fault(o.At) != "":
		return schema.Signature{}, nil, fmt.Errorf("the key %s", key.validity.fault(o.At))
	case o.Alg != "" && !slices.Contains(Algorithms(), o.Alg):
		return schema.Signature{}, nil, unknownAlgorithm(o.Alg)
	case o.Alg != "" && o.Alg != key.alg:
		return schema.Signature{}, nil, fmt.Errorf("the key is for %s, not for %s", key.alg, o.Alg)
	}
	protected, err := h.checked()
	if err != nil {
		return schema.Signature{}, nil, err
	}
	payload, findings := check(card, o)
	if findings.Worst() == diag.Error {
		return schema.Signature{}, findings, nil
	}
	signature, err := key.over(protected, payload)
	return signature, findings, err
}

// over signs a payload.
func (k Key) over(protected string, payload []byte) (schema.Signature, error) {
	signature, err := k.sign(input(protected, payload))
	if err != nil {
		return schema.Signature{}, fmt.Errorf("signing with the key %s: %w", diag.Quote(k.Name()), err)
	}
	return schema.Signature{Protected: protected, Signature: encode(signature)}, nil
}

// Signatures returns all signatures that the options ask for: that of [Sign], and
// the one for the SDKs. What is good on the card published stays as it is there;
// published may be nil.
func Signatures(card, published *source.Node, key Key, o Options) ([]schema.Signature, diag.List, error) {
	first, found, err := Sign(card, key, o)
	if err != nil || found.Worst() == diag.Error {
		return nil, found, err
	}
	if kept, ok := Keep(card, published, key, o); ok {
		first = kept
	}
	second, ok := compatPayload(card)
	if !o.Compat || !ok {
		return []schema.Signature{first}, found, nil
	}
	if kept, ok := keep(second, published, key, o); ok {
		return []schema.Signature{first, kept}, found, nil
	}
	more, err := key.over(o.header(key).encode(), second)
	return []schema.Signature{first, more}, found, err
}

// compatPayload returns what the SDKs verify of a card, where that differs from
// the card as it stands.
func compatPayload(card *source.Node) ([]byte, bool) {
	tree, divergences := Read(card, SDK)
	if len(divergences) == 0 {
		return nil, false
	}
	payload, faults := Canonical(tree)
	return payload, len(faults) == 0
}

// Keep returns the signature on the card signed that [Sign] need not make
// again: one that says the same in its header, and is good for card. The key
// may be a public one.
func Keep(card, signed *source.Node, key Key, o Options) (schema.Signature, bool) {
	payload, faults := Payload(card)
	if len(faults) > 0 {
		return schema.Signature{}, false
	}
	return keep(payload, signed, key, o)
}

// keep returns a signature on the card signed that is good for a payload.
func keep(payload []byte, signed *source.Node, key Key, o Options) (schema.Signature, bool) {
	wanted := o.header(key)
	for _, n := range signed.Get("signatures").Elements() {
		_, signature, err := parseSignature(n)
		if err != nil {
			continue
		}
		protected := n.Get("protected").Text
		if wanted.sameAs(protected) && key.verify(key.alg, key.alg.digest(input(protected, payload)), signature) {
			return schema.Signature{Protected: protected, Signature: encode(signature), Header: n.Get("header")}, true
		}
	}
	return schema.Signature{}, false
}

// input is the JWS Signing Input (RFC 7515 section 5.1).
func input(protected string, payload []byte) []byte {
	return []byte(protected + "." + encode(payload))
}

// sign returns the signature in the form that JWS wants.
func (k Key) sign(input []byte) ([]byte, error) {
	// A nil reader makes ECDSA deterministic (RFC 6979); RSA and Ed25519 are anyway.
	signature, err := k.signer.Sign(nil, k.alg.digest(input), k.alg.hash())
	if err != nil {
		return nil, errors.New("the key does not work")
	}
	if _, ok := k.public.(*ecdsa.PublicKey); !ok {
		return signature, nil
	}
	return k.alg.fixedWidth(signature)
}
