package signtest

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// part is how many characters of a secret are no accident.
const part = 16

// Secrets are the parts of a private key's secret numbers, in every spelling,
// and what each is part of.
type Secrets map[string]string

// NewSecrets returns the secrets of a private key in PKCS#8, as PEM: the numbers of its JWK,
// as they are, hexadecimal, decimal and in base64.
func NewSecrets(tb testing.TB, privateKey []byte) Secrets {
	tb.Helper()
	parts := Secrets{}
	for name, number := range numbers(tb, privateKey) {
		spellings := []string{
			string(number), hex.EncodeToString(number), fmt.Sprintf("%X", number), new(big.Int).SetBytes(number).String(),
		}
		for shift := range 3 { // of the bytes within something larger
			spellings = append(spellings, base64.RawURLEncoding.EncodeToString(number[shift:]),
				base64.RawStdEncoding.EncodeToString(number[shift:]))
		}
		for _, spelling := range spellings {
			for i := 0; i+part <= len(spelling); i++ {
				parts[spelling[i:i+part]] = name
			}
		}
	}
	return parts
}

// In returns the name of the secret that shows in the text, in whole or in part, "" when
// none does.
func (s Secrets) In(text []byte) string {
	for i := 0; i+part <= len(text); i++ {
		if name, ok := s[string(text[i:i+part])]; ok {
			return name
		}
	}
	return ""
}

// numbers returns the secret numbers of the key by their names in a JWK.
func numbers(tb testing.TB, privateKey []byte) map[string][]byte {
	tb.Helper()
	var jwk map[string]string
	block, _ := pem.Decode(privateKey)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := json.Marshal(jose.JSONWebKey{Key: key})
	if err != nil || json.Unmarshal(text, &jwk) != nil {
		tb.Fatal(err)
	}
	secret := map[string][]byte{}
	for _, name := range []string{"d", "p", "q", "dp", "dq", "qi"} {
		if number, _ := base64.RawURLEncoding.DecodeString(jwk[name]); len(number) > 0 {
			secret[name] = number
		}
	}
	return secret
}
