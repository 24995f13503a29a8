package signtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"strconv"
	"sync"
	"testing"
)

// PEM returns a private key for a JWS algorithm, in PKCS#8: the same key on every
// machine. It is made of the name of the algorithm, so that it protects nothing.
func PEM(tb testing.TB, alg string) []byte {
	tb.Helper()
	var key crypto.Signer
	var err error
	switch alg {
	case "ES256":
		key, err = ecdsa.ParseRawPrivateKey(elliptic.P256(), stream(alg, 32))
	case "ES384":
		key, err = ecdsa.ParseRawPrivateKey(elliptic.P384(), stream(alg, 48))
	case "ES512":
		d := stream(alg, 66)
		d[0] &= 1 // the order of the curve has 521 bits
		key, err = ecdsa.ParseRawPrivateKey(elliptic.P521(), d)
	case "EdDSA":
		key = ed25519.NewKeyFromSeed(stream(alg, ed25519.SeedSize))
	case "RS256":
		key, err = RSA()
	default:
		tb.Fatalf("no key for %s", alg)
	}
	if err != nil {
		tb.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// RSA makes the RSA key once in a process. The primes are the next ones from two
// numbers on, and so far from them, for it takes a while to find them.
var RSA = sync.OnceValues(func() (*rsa.PrivateKey, error) {
	return rsaKey(prime(stream("RS256 p", 128), 870), prime(stream("RS256 q", 128), 618))
})

// stream returns size bytes that depend on the seed alone.
func stream(seed string, size int) []byte {
	var out []byte
	for i := 0; len(out) < size; i++ {
		sum := sha512.Sum512([]byte("cardwright test key " + seed + strconv.Itoa(i)))
		out = append(out, sum[:]...)
	}
	return out[:size]
}

// rsaKey returns the key of two primes. The standard library makes none that is the
// same twice.
func rsaKey(p, q *big.Int) (*rsa.PrivateKey, error) {
	one, e := big.NewInt(1), big.NewInt(65537)
	phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
	key := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: 65537},
		D:         new(big.Int).ModInverse(e, phi),
		Primes:    []*big.Int{p, q},
	}
	key.Precompute()
	return key, key.Validate()
}

// prime returns the prime so far from a number, which is made odd and large enough for
// the product of two to have all its bits.
func prime(from []byte, distance int64) *big.Int {
	p := new(big.Int).SetBytes(from)
	p.SetBit(p, 8*len(from)-1, 1)
	p.SetBit(p, 8*len(from)-2, 1)
	p.SetBit(p, 0, 1)
	return p.Add(p, big.NewInt(distance))
}
