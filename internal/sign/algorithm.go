package sign

import (
	"crypto"
	"crypto/ed25519"
	"crypto/elliptic"
	_ "crypto/sha256" // SHA-256, for crypto.Hash
	_ "crypto/sha512" // SHA-384 and SHA-512
	"strings"
)

// Algorithm is a JWS algorithm, spelled as in the alg header parameter
// (RFC 7518 section 3.1, RFC 8037 section 3.1). Each kind of key has exactly one.
type Algorithm string

// The algorithms that are signed with and accepted. There are no others.
const (
	ES256 Algorithm = "ES256"
	ES384 Algorithm = "ES384"
	ES512 Algorithm = "ES512"
	EdDSA Algorithm = "EdDSA" // Ed25519 only
	RS256 Algorithm = "RS256" // 2048 to 8192 bits
)

// Algorithms lists the algorithms in the order in which help texts name them.
func Algorithms() []Algorithm { return []Algorithm{ES256, ES384, ES512, EdDSA, RS256} }

func algorithmNames() string {
	names := make([]string, 0, len(Algorithms()))
	for _, a := range Algorithms() {
		names = append(names, string(a))
	}
	return strings.Join(names, ", ")
}

// curve is what an ECDSA algorithm fixes (RFC 7518 section 3.4).
type curve struct {
	elliptic.Curve
	alg  Algorithm
	name string // crv in a JWK
	size int    // bytes of a coordinate, of the private key, of R and of S
}

// curve returns the curve of an ECDSA algorithm, the zero one for the others.
func (a Algorithm) curve() curve {
	for _, c := range curves() {
		if c.alg == a {
			return c
		}
	}
	return curve{}
}

// signatureSize returns the bytes of a signature, 0 when they depend on the key.
func (a Algorithm) signatureSize() int {
	if a == EdDSA {
		return ed25519.SignatureSize
	}
	return 2 * a.curve().size
}

func curves() []curve {
	return []curve{
		{elliptic.P256(), ES256, "P-256", 32},
		{elliptic.P384(), ES384, "P-384", 48},
		{elliptic.P521(), ES512, "P-521", 66},
	}
}

// hash returns the digest that the algorithm signs; EdDSA signs the message itself.
func (a Algorithm) hash() crypto.Hash {
	switch a {
	case ES256, RS256:
		return crypto.SHA256
	case ES384:
		return crypto.SHA384
	case ES512:
		return crypto.SHA512
	default:
		return 0
	}
}

// digest returns what a key of this algorithm signs in place of input.
func (a Algorithm) digest(input []byte) []byte {
	h := a.hash()
	if h == 0 {
		return input
	}
	w := h.New()
	w.Write(input)
	return w.Sum(nil)
}
