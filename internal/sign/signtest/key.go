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
	switch curve := curves()[alg]; {
	case curve != nil:
		bits := curve.Params().BitSize
		d := stream(alg, (bits+7)/8)
		if bits%8 != 0 {
			d[0] &= 1 // the order of P-521 has one bit in its first byte
		}
		key, err = ecdsa.ParseRawPrivateKey(curve, d)
	case alg == "EdDSA":
		key = ed25519.NewKeyFromSeed(stream(alg, ed25519.SeedSize))
	case alg == "RS256":
		key, err = rsaKey()
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

func curves() map[string]elliptic.Curve {
	return map[string]elliptic.Curve{"ES256": elliptic.P256(), "ES384": elliptic.P384(), "ES512": elliptic.P521()}
}

// stream returns size bytes that depend on the seed alone.
func stream(seed string, size int) []byte {
	var out []byte
	for i := 0; len(out) < size; i++ {
		sum := sha512.Sum512([]byte("cardwright test key " + seed + strconv.Itoa(i)))
		out = append(out, sum[:]...)
	}
	return out[:size]
}

// rsaKey makes the RSA key once in a process: the standard library makes none that is the
// same twice. The primes are the next ones from two numbers on, and so far from them, for it
// takes a while to find them.
var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) {
	p, q := prime(stream("RS256 p", 128), 870), prime(stream("RS256 q", 128), 618)
	one, e := big.NewInt(1), big.NewInt(65537)
	phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
	key := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: 65537},
		D:         new(big.Int).ModInverse(e, phi),
		Primes:    []*big.Int{p, q},
	}
	key.Precompute()
	return key, key.Validate()
})

// prime returns the prime so far from a number, which is made odd and large enough for
// the product of two to have all its bits.
func prime(from []byte, distance int64) *big.Int {
	from[0], from[len(from)-1] = from[0]|0xc0, from[len(from)-1]|1
	return new(big.Int).Add(new(big.Int).SetBytes(from), big.NewInt(distance))
}
