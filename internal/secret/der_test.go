package secret

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"testing"
)

// Private keys are known in DER, in each form in which tools write them, wherever
// they begin in a file; public keys and what is cut short are none.
func TestInDER(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	two, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	must := func(data []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for name, key := range map[string][]byte{
		"SEC 1":            must(x509.MarshalECPrivateKey(ec)),
		"PKCS #1":          x509.MarshalPKCS1PrivateKey(two),
		"PKCS #8, EC":      must(x509.MarshalPKCS8PrivateKey(ec)),
		"PKCS #8, RSA":     must(x509.MarshalPKCS8PrivateKey(two)),
		"PKCS #8, Ed25519": must(x509.MarshalPKCS8PrivateKey(private)),
	} {
		if !InDER(key) || !InDER(slices.Concat([]byte("\x89PNG0000"), key, []byte("tail"))) {
			t.Errorf("%s is not known", name)
		}
		if InDER(key[:len(key)/2]) {
			t.Errorf("half of %s is taken for a key", name)
		}
	}
	for name, key := range map[string]any{"EC": ec.Public(), "RSA": two.Public(), "Ed25519": public} {
		if InDER(must(x509.MarshalPKIXPublicKey(key))) {
			t.Errorf("the public key of %s is taken for a private one", name)
		}
	}

	var keys Keys
	keys.Add(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(private))}))
	seed := private.Seed()
	for _, file := range []string{
		string(seed), "\xff\xfe" + string(seed), fmt.Sprintf("%x", seed),
		fmt.Sprintf("priv:\n    % X\n    % X", seed[:15], seed[15:]),
		base64.URLEncoding.EncodeToString(seed),
	} {
		if !keys.In([]byte(file)) {
			t.Errorf("%q does not hold the key", file)
		}
	}
	if keys.In(fmt.Appendf(nil, "pub: %x %x", public, seed[:15])) || (&Keys{}).In(seed) {
		t.Error("a file without the key is taken for one")
	}
}
