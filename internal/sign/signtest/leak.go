package signtest

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"testing"
)

// part is how many characters of a secret are no accident.
const part = 16

// Secrets are the parts of a private key's secret numbers, in every spelling,
// and what each is part of.
type Secrets map[string]string

// NewSecrets returns the secrets of a private key in PKCS#8, as PEM.
func NewSecrets(tb testing.TB, privateKey []byte) Secrets {
	tb.Helper()
	parts := Secrets{}
	for name, spelling := range spellings(numbers(tb, privateKey)) {
		for i := 0; i+part <= len(spelling); i++ {
			parts[string(spelling[i:i+part])] = name
		}
	}
	return parts
}

// In returns the secret that shows in the text, in whole or in part, "" when none
// does.
func (s Secrets) In(text []byte) string {
	for i := 0; i+part <= len(text); i++ {
		if name, ok := s[string(text[i:i+part])]; ok {
			return name
		}
	}
	return ""
}

// spellings returns the numbers in bytes, hexadecimal, decimal and base64.
func spellings(numbers map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, b := range numbers {
		out[name+" in bytes"] = b
		out[name+" in hexadecimal"] = fmt.Appendf(nil, "%x", b)
		out[name+" in upper case hexadecimal"] = fmt.Appendf(nil, "%X", b)
		out[name+" in decimal"] = []byte(new(big.Int).SetBytes(b).String())
		for shift := range 3 { // of the bytes within something larger
			out[fmt.Sprintf("%s in base64url from byte %d", name, shift)] = base64.RawURLEncoding.AppendEncode(nil, b[shift:])
			out[fmt.Sprintf("%s in base64 from byte %d", name, shift)] = base64.RawStdEncoding.AppendEncode(nil, b[shift:])
		}
	}
	return out
}

// numbers returns the secret numbers of the key.
func numbers(tb testing.TB, privateKey []byte) map[string][]byte {
	tb.Helper()
	block, _ := pem.Decode(privateKey)
	if block == nil {
		tb.Fatal("the key is not PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		tb.Fatal(err)
	}
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		d, err := k.Bytes()
		if err != nil {
			tb.Fatal(err)
		}
		return map[string][]byte{"d": d}
	case ed25519.PrivateKey:
		return map[string][]byte{"seed": k.Seed()}
	case *rsa.PrivateKey:
		return map[string][]byte{
			"d": k.D.Bytes(), "p": k.Primes[0].Bytes(), "q": k.Primes[1].Bytes(),
			"dp": k.Precomputed.Dp.Bytes(), "dq": k.Precomputed.Dq.Bytes(), "qi": k.Precomputed.Qinv.Bytes(),
		}
	}
	tb.Fatalf("no secrets are known of a %T", key)
	return nil
}
