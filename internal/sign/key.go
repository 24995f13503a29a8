package sign

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
)

const (
	minRSABits = 2048
	maxRSABits = 8192
	newRSABits = 3072
)

// Key is a public key, or a private key with its public half. Formatted, it
// shows its name only.
type Key struct {
	// Kid is the name that the key was given, "" for one from a PEM file.
	Kid string

	alg      Algorithm
	pinned   bool // a JWK that names its alg, which is then the only one of an RSA key
	public   crypto.PublicKey
	signer   crypto.Signer // nil for a public key
	validity validity

	notSigning, notVerifying bool // the key_ops of a JWK lack it (RFC 7517 section 4.3)
}

// fits reports whether a signature with the algorithm can be by the key.
func (k Key) fits(a Algorithm) bool {
	return a == k.alg || a == Ed25519 && k.alg == EdDSA || a.rsa() && k.alg.rsa() && !k.pinned
}

// KeyOf returns the key if one of the [Algorithms] can use it. The signer is nil
// for a public key.
func KeyOf(public crypto.PublicKey, signer crypto.Signer) (Key, error) {
	k := Key{public: public, signer: signer}
	switch p := public.(type) {
	case *ecdsa.PublicKey:
		for _, c := range curves() {
			if c.Curve == p.Curve {
				k.alg = c.alg
				return k, nil
			}
		}
		return Key{}, errors.New("an EC key must be on the curve P-256, P-384 or P-521")
	case ed25519.PublicKey:
		k.alg = EdDSA
		return k, nil
	case *rsa.PublicKey:
		if bits := p.N.BitLen(); bits < minRSABits || bits > maxRSABits {
			return Key{}, fmt.Errorf("the RSA key has %d bits; %d to %d are allowed", bits, minRSABits, maxRSABits)
		}
		if p.N.Bit(0) == 0 || p.E < 3 || p.E%2 == 0 {
			return Key{}, errors.New("the RSA key is not well-formed")
		}
		k.alg = RS256
		return k, nil
	}
	return Key{}, errors.New("a key must be EC (P-256, P-384, P-521), Ed25519 or RSA")
}

// NewKey makes a private key for alg. RSA keys have 3072 bits.
func NewKey(alg Algorithm) (Key, error) {
	var signer crypto.Signer
	var err error
	switch alg {
	case ES256:
		signer, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case ES384:
		signer, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case ES512:
		signer, err = ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	case EdDSA:
		_, signer, err = ed25519.GenerateKey(rand.Reader)
	case RS256:
		signer, err = rsa.GenerateKey(rand.Reader, newRSABits)
	default:
		return Key{}, unknownAlgorithm(alg)
	}
	if err != nil {
		return Key{}, fmt.Errorf("making a key: %w", err)
	}
	return KeyOf(signer.Public(), signer)
}

// Alg returns the algorithm that the key signs with, or the one for which alone
// it may be used.
func (k Key) Alg() Algorithm { return k.alg }

// CanSign reports whether the key has its private half.
func (k Key) CanSign() bool { return k.signer != nil }

// Signer returns the private half, nil when there is none. It is for storing the
// key: unlike the key itself it can be printed by mistake.
func (k Key) Signer() crypto.Signer { return k.signer }

// Public returns the key without its private half.
func (k Key) Public() Key {
	k.signer = nil
	return k
}

// Name returns the key's Kid, its [Key.Thumbprint] when it has none.
func (k Key) Name() string {
	if k.Kid != "" {
		return k.Kid
	}
	return k.Thumbprint()
}

// Thumbprint returns the SHA-256 thumbprint of the public key, as base64url
// (RFC 7638).
func (k Key) Thumbprint() string {
	text, _ := Canonical(k.material()) // plain texts always have a canonical form
	sum := sha256.Sum256(text)
	return encode(sum[:])
}

// Format shows the name of the key under every verb, so that no format string
// can print a private key.
func (k Key) Format(f fmt.State, _ rune) {
	if k.public == nil {
		fmt.Fprint(f, "no key")
		return
	}
	fmt.Fprintf(f, "%s key %s", k.alg, k.Name())
}
