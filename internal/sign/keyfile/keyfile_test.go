package keyfile

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/schema"
)

func testKey(tb testing.TB, alg sign.Algorithm) sign.Key {
	tb.Helper()
	k, err := Parse(signtest.PEM(tb, string(alg)))
	if err != nil {
		tb.Fatal(err)
	}
	k.Kid = "test"
	return k
}

func encodePEM(tb testing.TB, kind string, der []byte, err error) []byte {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// privateJWK returns the key as a JWK with its private half.
func privateJWK(tb testing.TB, k sign.Key) []byte {
	tb.Helper()
	data, err := json.Marshal(jose.JSONWebKey{Key: k.Signer(), KeyID: k.Kid, Algorithm: string(k.Alg()), Use: "sig"})
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Each form of each key reads as the same key.
func TestParse(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		want := testKey(t, alg)
		forms := map[string][]byte{"JWK": privateJWK(t, want), "public JWK": schema.Write(want.JWK())}
		der, err := x509.MarshalPKCS8PrivateKey(want.Signer())
		forms["PKCS#8"] = encodePEM(t, "PRIVATE KEY", der, err)
		der, err = x509.MarshalPKIXPublicKey(want.Signer().Public())
		forms["public PKIX"] = encodePEM(t, "PUBLIC KEY", der, err)
		switch s := want.Signer().(type) {
		case *ecdsa.PrivateKey:
			der, err = x509.MarshalECPrivateKey(s)
			forms["SEC 1"] = encodePEM(t, "EC PRIVATE KEY", der, err)
			forms["SEC 1 of openssl"] = append(
				[]byte("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"), forms["SEC 1"]...)
		case *rsa.PrivateKey:
			forms["PKCS#1"] = encodePEM(t, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(s), nil)
			forms["public PKCS#1"] = encodePEM(t, "RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(&s.PublicKey), nil)
		}
		for name, data := range forms {
			t.Run(string(alg)+" "+name, func(t *testing.T) {
				got, err := Parse(append([]byte("\n "), data...))
				if err != nil {
					t.Fatal(err)
				}
				if got.Thumbprint() != want.Thumbprint() || got.Alg() != alg {
					t.Errorf("got %s, want %s", got, want)
				}
				if private := !strings.HasPrefix(name, "public"); got.CanSign() != private {
					t.Errorf("CanSign is %v", got.CanSign())
				}
				if named := strings.Contains(name, "JWK"); named != (got.Kid == want.Kid) {
					t.Errorf("the kid is %q", got.Kid)
				}
			})
		}
	}
}

func TestParseRefuses(t *testing.T) {
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	p224, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p224DER, err := x509.MarshalECPrivateKey(p224)
	if err != nil {
		t.Fatal(err)
	}
	good := signtest.PEM(t, "ES256")
	const damaged = "the PEM file is damaged, or its key is of a kind that cannot sign a card"
	tests := []struct{ name, data, want string }{
		{"nothing", " \n", "the key is empty"},
		{"too much", strings.Repeat("a", maxKey+1), "the key is larger than 64 KiB"},
		{"text", "hunter2", "the key is neither PEM nor a JWK"},
		{
			"RSA of 1024 bits", string(encodePEM(t, "PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(small)), nil)),
			"the RSA key has 1024 bits; 2048 to 8192 are allowed",
		},
		{
			"P-224", string(encodePEM(t, "EC PRIVATE KEY", p224DER, nil)),
			"an EC key must be on the curve P-256, P-384 or P-521",
		},
		{
			"passphrase", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n",
			`the private key is encrypted with a passphrase; ` +
				`decrypt it with "openssl pkcs8 -topk8 -nocrypt" and keep it in a secret store`,
		},
		{
			"old passphrase",
			"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMAA=\n" +
				"-----END RSA PRIVATE KEY-----\n",
			`the private key is encrypted with a passphrase; ` +
				`decrypt it with "openssl pkcs8 -topk8 -nocrypt" and keep it in a secret store`,
		},
		{
			"OpenSSH", "-----BEGIN OPENSSH PRIVATE KEY-----\nMAA=\n-----END OPENSSH PRIVATE KEY-----\n", errOpenSSH.Error(),
		},
		{"public OpenSSH", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me", errOpenSSH.Error()},
		{"base64 of something else", "aGVsbG8sIHdvcmxk", "the key is neither PEM nor a JWK"},
		{
			"passphrase, on one line", "-----BEGIN ENCRYPTED PRIVATE KEY----- MAA= -----END ENCRYPTED PRIVATE KEY-----",
			`the private key is encrypted with a passphrase; ` +
				`decrypt it with "openssl pkcs8 -topk8 -nocrypt" and keep it in a secret store`,
		},
		{"quotes around nothing", `""`, "the key is empty"},
		{
			"certificate", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n",
			`the file is a certificate; extract its key with "openssl x509 -pubkey -noout"`,
		},
		{
			"other PEM", "-----BEGIN MESSAGE-----\nMAA=\n-----END MESSAGE-----\n",
			"the PEM file holds no key; PRIVATE KEY, EC PRIVATE KEY, RSA PRIVATE KEY and PUBLIC KEY are read",
		},
		{"cut PEM", string(good[:len(good)/2]), "the PEM file is damaged: it has no complete block"},
		{"damaged PEM", "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n", damaged},
		{"wrong label", strings.ReplaceAll(string(good), "PRIVATE", "RSA PRIVATE"), damaged},
		{"two keys", string(good) + string(good), "the PEM file holds more than one block; keep one key per file"},
		{"damaged JWK", "{", "the key is not a well-formed JWK"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, err := Parse([]byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v, %v\nwant %s", k, err, tt.want)
			}
		})
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestPEM(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		want := signtest.PEM(t, string(alg))
		if got, err := PEM(testKey(t, alg)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %s, %v", alg, got, err)
		}
	}
	if data, err := PEM(testKey(t, sign.ES256).Public()); err == nil {
		t.Errorf("a public key gives %s", data)
	}
}

// Parse does not panic, and a key that it returns can be written and read again.
func FuzzParse(f *testing.F) {
	for _, alg := range sign.Algorithms() {
		f.Add(signtest.PEM(f, string(alg)))
		f.Add(privateJWK(f, testKey(f, alg)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := Parse(data)
		if err != nil {
			if k.CanSign() || k.Alg() != "" {
				t.Errorf("a key beside %v", err)
			}
			return
		}
		again, err := Parse(schema.Write(k.JWK()))
		if err != nil || again.Thumbprint() != k.Thumbprint() || again.CanSign() {
			t.Errorf("the JWK of %s reads as %s, %v", k, again, err)
		}
		if !k.CanSign() {
			return
		}
		text, err := PEM(k)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Parse(text); err != nil || !again.CanSign() || again.Thumbprint() != k.Thumbprint() {
			t.Errorf("the PEM file of %s reads as %s, %v", k, again, err)
		}
	})
}

// No complaint about a file holds a part of the key in it.
func TestNothingLeaks(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		text := signtest.PEM(t, string(alg))
		var out bytes.Buffer
		for _, file := range [][]byte{text, privateJWK(t, testKey(t, alg))} {
			for _, damaged := range signtest.Damaged(file) {
				k, err := Parse(damaged)
				fmt.Fprintf(&out, "%v %+v %#v %q %v\n", err, err, err, err, k)
			}
		}
		if name := signtest.NewSecrets(t, text).In(out.Bytes()); name != "" {
			t.Errorf("%s: part of %s is in the output", alg, name)
		}
	}
}
