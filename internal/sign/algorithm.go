package sign

import (
	"crypto"
	"crypto/ed25519"
	"crypto/elliptic"
	_ "crypto/sha256" // SHA-256, for crypto.Hash
	_ "crypto/sha512" // SHA-384 and SHA-512
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// Algorithm is a JWS algorithm, spelled as in the alg header parameter
// (RFC 7518 section 3.1, RFC 8037 section 3.1, RFC 9864 section 2.2).
type Algorithm string

// The algorithms that cards are signed with. Each kind of key has exactly one.
const (
	ES256 Algorithm = "ES256"
	ES384 Algorithm = "ES384"
	ES512 Algorithm = "ES512"
	EdDSA Algorithm = "EdDSA" // Ed25519 only
	RS256 Algorithm = "RS256" // 2048 to 8192 bits
)

// The algorithms that others sign with and that are accepted as well.
const (
	Ed25519 Algorithm = "Ed25519" // another name of EdDSA
	PS256   Algorithm = "PS256"
	PS384   Algorithm = "PS384"
	PS512   Algorithm = "PS512"
	RS384   Algorithm = "RS384"
	RS512   Algorithm = "RS512"
)

// Algorithms lists the algorithms that cards are signed with, in the order in
// which help texts name them.
func Algorithms() []Algorithm { return []Algorithm{ES256, ES384, ES512, EdDSA, RS256} }

// verifiable lists the algorithms whose signatures are accepted. There are no others.
func verifiable() []Algorithm {
	return append(Algorithms(), Ed25519, PS256, PS384, PS512, RS384, RS512)
}

func names(algorithms []Algorithm) []string {
	list := make([]string, len(algorithms))
	for i, a := range algorithms {
		list[i] = string(a)
	}
	return list
}

func listed(algorithms []Algorithm) string { return strings.Join(names(algorithms), ", ") }

// unknownAlgorithm says of an algorithm that cards are not signed with it.
func unknownAlgorithm(a Algorithm) error {
	if slices.Contains(verifiable(), a) {
		return fmt.Errorf("cards are not signed with %s, only verified; use %s", a, listed(Algorithms()))
	}
	return fmt.Errorf("unknown algorithm %s; known are %s", diag.Quote(string(a)), listed(Algorithms()))
}

// rsa reports whether the algorithm is one of RSA keys.
func (a Algorithm) rsa() bool { return a.padded() || strings.HasPrefix(string(a), "RS") }

// padded reports whether the algorithm is RSASSA-PSS (RFC 7518 section 3.5).
func (a Algorithm) padded() bool { return strings.HasPrefix(string(a), "PS") }

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
	if a == EdDSA || a == Ed25519 {
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

// hash returns the digest that the algorithm signs; Ed25519 signs the message itself.
func (a Algorithm) hash() crypto.Hash {
	switch a {
	case ES256, RS256, PS256:
		return crypto.SHA256
	case ES384, RS384, PS384:
		return crypto.SHA384
	case ES512, RS512, PS512:
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

// AlgorithmNames are the names of the algorithms.
func AlgorithmNames() []string { return names(Algorithms()) }
