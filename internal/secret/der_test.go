package secret

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"testing"

	"cardwright/internal/sign/signtest"
)

// Private keys are known in DER, in each form in which tools write them, wherever
// they begin in a file; public keys and what is cut short are none.
func TestInBinary(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	two, err := signtest.RSA()
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
		if !InBinary(key) || !InBinary(slices.Concat([]byte("\x89PNG0000"), key, []byte("tail"))) {
			t.Errorf("%s is not known", name)
		}
		if InBinary(key[:len(key)/2]) {
			t.Errorf("half of %s is taken for a key", name)
		}
	}
	for name, key := range map[string]any{"EC": ec.Public(), "RSA": two.Public(), "Ed25519": public} {
		if InBinary(must(x509.MarshalPKIXPublicKey(key))) {
			t.Errorf("the public key of %s is taken for a private one", name)
		}
	}

	const store = "\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00"
	for name, c := range map[string]struct {
		file string
		is   bool
	}{
		"PKCS #12":              {"\x30\x12\x02\x01\x03\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0\x00", true},
		"PKCS #7":               {"\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0\x00", false},
		"Java":                  {"\xfe\xed\xfe\xed" + store + "\x01\x00\x01a", true},
		"Java, certificates":    {"\xfe\xed\xfe\xed" + store + "\x02\x00\x01a", false},
		"OpenPGP":               {"\x94\x58\x04\x65\x00\x00\x00\x16" + string(private), true},
		"OpenPGP, new form":     {"\xc5\x58\x06\x65\x00\x00\x00\x1b" + string(private), true},
		"OpenPGP, public":       {"\x98\x33\x04\x65\x00\x00\x00\x16" + string(public), false},
		"OpenPGP, no algorithm": {"\x94\x58\x04\x65\x00\x00\x00\x63" + string(private), false},
		"OpenPGP, cut":          {"\x94\x58\x04\x65", false},
		"text":                  {"Explains invoices, and who may change them.", false},
	} {
		if InBinary([]byte(c.file)) != c.is {
			t.Errorf("%s: %v", name, !c.is)
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
