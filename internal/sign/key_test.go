package sign_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
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

func privateKey(tb testing.TB, alg string) any {
	tb.Helper()
	block, _ := pem.Decode(signtest.PEM(tb, alg))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

func encodePEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// A key is the same in every form in which people keep keys.
func TestParseKey(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		key := privateKey(t, alg)
		text := signtest.PEM(t, alg)
		jwk, err := json.Marshal(jose.JSONWebKey{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string][]byte{
			"PKCS#8": text, "JWK": jwk,
			"PEM with \\n":       []byte(strings.ReplaceAll(string(text), "\n", `\n`)),
			"PEM with blanks":    []byte(strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", " ")),
			"PEM without breaks": []byte(strings.ReplaceAll(string(text), "\n", "")),
			"PEM with CR LF":     []byte(strings.ReplaceAll(string(text), "\n", "\r\n")),
			"base64 of PEM":      []byte(base64.StdEncoding.EncodeToString(text)),
			"base64 of JWK":      []byte(base64.RawURLEncoding.EncodeToString(jwk)),
		}
		switch k := key.(type) {
		case *ecdsa.PrivateKey:
			der, err := x509.MarshalECPrivateKey(k)
			if err != nil {
				t.Fatal(err)
			}
			forms["SEC 1"] = encodePEM("EC PRIVATE KEY", der)
			forms["openssl"] = append(encodePEM("EC PARAMETERS", []byte{6, 0}), forms["SEC 1"]...)
		case *rsa.PrivateKey:
			forms["PKCS#1"] = encodePEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(k))
		}
		want := testKey(t, alg).Thumbprint()
		for name, form := range forms {
			k, err := sign.ParseKey(form)
			if err != nil || k.Thumbprint() != want || !k.CanSign() {
				t.Errorf("%s, %s: %v, %v", alg, name, k, err)
			}
		}
		again, err := testKey(t, alg).PEM()
		if err != nil || string(again) != string(text) {
			t.Errorf("%s: PEM gives %v", alg, err)
		}
		public, err := sign.ParseKey(schema.Write(testKey(t, alg).JWK()))
		if err != nil || public.CanSign() || public.Thumbprint() != want {
			t.Errorf("%s: the JWK gives %v, %v", alg, public, err)
		}
	}
}

const (
	rfc7515Key = `{"kty":"EC","crv":"P-256",
 "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
 "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
 "d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}`
	rfc8037Key = `{"kty":"OKP","crv":"Ed25519",
 "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
 "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`
	rfc7638Key = `{"kty":"RSA",
 "n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWK` +
		`RXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMic` +
		`AtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3` +
		`XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
 "e":"AQAB","alg":"RS256","kid":"2011-04-29"}`
)

func TestParseKeyRefuses(t *testing.T) {
	change := func(key, old, with string) []byte { return []byte(strings.Replace(key, old, with, 1)) }
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("hunter2"), "damaged PEM": signtest.PEM(t, "ES256")[:100],
		"two keys":      append(signtest.PEM(t, "ES256"), signtest.PEM(t, "ES384")...),
		"OpenSSH":       encodePEM("OPENSSH PRIVATE KEY", []byte("x")),
		"encrypted":     encodePEM("ENCRYPTED PRIVATE KEY", []byte("x")),
		"certificate":   encodePEM("CERTIFICATE", []byte("x")),
		"damaged DER":   encodePEM("PRIVATE KEY", []byte("x")),
		"damaged JWK":   []byte(rfc7515Key[:80]),
		"member twice":  change(rfc7515Key, `"d"`, `"d":"","d"`),
		"key set":       []byte(`{"keys":[` + rfc7515Key + `]}`),
		"no kty":        []byte(`{}`),
		"symmetric":     []byte(`{"kty":"oct","k":"c2VjcmV0"}`),
		"secp256k1":     change(rfc7515Key, "P-256", "secp256k1"),
		"another curve": change(rfc7515Key, "P-256", "P-384"),
		"X25519":        change(rfc8037Key, "Ed25519", "X25519"),
		"off the curve": change(rfc7515Key, `"f83O`, `"f93O`),
		"small modulus": []byte(`{"kty":"RSA","e":"AQAB","n":"gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"}`),
		"other alg":     change(rfc7638Key, `"RS256"`, `"HS256"`),
		"encryption":    change(rfc7638Key, `"AQAB"`, `"AQAB","use":"enc"`),
		"wrapping":      change(rfc7638Key, `"AQAB"`, `"AQAB","key_ops":["wrapKey"]`),
		"odd exp":       change(rfc7638Key, `"AQAB"`, `"AQAB","exp":"tomorrow"`),
	} {
		k, err := sign.ParseKey(data)
		if err == nil {
			t.Errorf("%s: accepted as %v", name, k)
		} else if secret := signtest.NewSecrets(t, signtest.PEM(t, "ES256")).In([]byte(err.Error())); secret != "" {
			t.Errorf("%s: the error shows %s", name, secret)
		}
	}
}

// A private half that belongs to another public half makes no signature.
func TestMismatchedHalves(t *testing.T) {
	for _, text := range []string{
		strings.Replace(rfc7515Key, `"jpsQ`, `"jqsQ`, 1), strings.Replace(rfc8037Key, `"nWGx`, `"nWHx`, 1),
	} {
		k, err := sign.ParseKey([]byte(text))
		if err == nil {
			_, _, err = sign.Sign(fullCard(t), nil, k, sign.Options{})
		}
		if err == nil {
			t.Errorf("%s signs", k)
		}
	}
}

// RFC 7638 section 3.1 and RFC 8037 appendix A.3.
func TestThumbprint(t *testing.T) {
	for text, want := range map[string]string{
		rfc7638Key: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
		rfc8037Key: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
	} {
		if k, err := sign.ParseKey([]byte(text)); err != nil || k.Thumbprint() != want {
			t.Errorf("got %v, %v, want %s", k.Thumbprint(), err, want)
		}
	}
}

func TestParseJWKS(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		keys       int
		want       string
	}{
		{"keys", `{"keys":[` + strings.Replace(rfc7515Key, `"d"`, `"ext"`, 1) + `,` + rfc7638Key + `]}`, 2, "[]"},
		{"private half", `{"keys":[` + rfc8037Key + `]}`, 1, "[error jwks-private /keys/0]"},
		{
			"bad keys", `{"keys":[{"kty":"oct","k":"AA"},7,{"kty":"XX"},` + rfc7638Key + `]}`, 1,
			"[error jwks-private /keys/0 warning jwks-invalid /keys/0 " +
				"warning jwks-invalid /keys/1 warning jwks-invalid /keys/2]",
		},
		{"one key", rfc7638Key, 0, "[error jwks-invalid ]"},
		{"no keys", `{}`, 0, "[error jwks-invalid ]"},
		{"empty", `{"keys":[]}`, 0, "[error jwks-invalid ]"},
		{"text", `"x`, 0, "[error jwks-invalid ]"},
		{"member twice", `{"keys":[],"keys":[]}`, 0, "[error jwks-invalid ]"},
		{"too many", `{"keys":[0` + strings.Repeat(`,0`, 1000) + `]}`, 0, "[error jwks-invalid ]"},
	} {
		keys, found := sign.ParseJWKS("jwks.json", []byte(tt.data))
		var got []string
		for _, d := range found {
			got = append(got, fmt.Sprintf("%s %s %s", d.Severity, d.Rule, d.Pointer))
		}
		if len(keys) != tt.keys || fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %d keys, %v; want %d, %s", tt.name, len(keys), got, tt.keys, tt.want)
		}
		for _, k := range keys {
			if k.CanSign() {
				t.Errorf("%s: %v came with its private half", tt.name, k)
			}
		}
	}
}

// The most keys that a set may have.
func TestParseJWKSLargest(t *testing.T) {
	if _, found := sign.ParseJWKS("", []byte(`{"keys":[0`+strings.Repeat(`,0`, 999)+`]}`)); len(found) != 1000 {
		t.Errorf("%d findings", len(found))
	}
}

// An RSA key verifies signatures with any padding, unless its JWK names one.
func TestRSAPadding(t *testing.T) {
	private, ok := privateKey(t, "RS256").(*rsa.PrivateKey)
	if !ok {
		t.Fatal("the key is of another type")
	}
	payload, _ := sign.Payload(fullCard(t))
	protected := b64(`{"alg":"PS256","kid":"a"}`)
	input := digest("RS256", []byte(protected+"."+b64(string(payload))))
	options := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
	signature, err := rsa.SignPSS(rand.Reader, private, crypto.SHA256, input, options)
	if err != nil {
		t.Fatal(err)
	}
	for alg, want := range map[string]sign.Verdict{"": sign.Verified, "PS256": sign.Verified, "RS256": sign.Refused} {
		jwk, err := json.Marshal(jose.JSONWebKey{Key: private.Public(), KeyID: "a", Algorithm: alg})
		if err != nil {
			t.Fatal(err)
		}
		key, err := sign.ParseKey(jwk)
		if verdict, results := verify(signedBy(t, protected, signature), key); err != nil || verdict != want {
			t.Errorf("%q: %s, %v, %+v", alg, verdict, err, results)
		}
	}
}

func TestJWKS(t *testing.T) {
	one, two := testKey(t, "ES256"), testKey(t, "EdDSA")
	one.Kid, two.Kid = "b", "a"
	set, err := sign.JWKS([]sign.Key{one, two, one.Public()})
	if err != nil {
		t.Fatal(err)
	}
	var keys struct {
		Keys []struct{ Kid, Alg, Use, D string }
	}
	if err := json.Unmarshal(schema.Write(set), &keys); err != nil || len(keys.Keys) != 2 || keys.Keys[0].Kid != "a" ||
		keys.Keys[1].Alg != "ES256" || keys.Keys[1].Use != "sig" || keys.Keys[0].D+keys.Keys[1].D != "" {
		t.Errorf("%v, %+v", err, keys)
	}
	two.Kid = "b"
	if _, err := sign.JWKS([]sign.Key{one, two}); err == nil {
		t.Error("two keys of one name are published")
	}
}

// No format string prints a key.
func TestKeyFormat(t *testing.T) {
	k := testKey(t, "ES256")
	text := signtest.PEM(t, "ES256")
	secrets := signtest.NewSecrets(t, text)
	block, _ := pem.Decode(text)
	if secrets.In(block.Bytes) == "" || secrets.In(text) == "" || secrets.In(signtest.PEM(t, "ES384")) != "" {
		t.Error("a search for the key misses it, or sees it in another one")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q"} {
		if text := fmt.Sprintf(verb, k); secrets.In([]byte(text)) != "" {
			t.Errorf("%s prints %s", verb, text)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, alg := range sign.Algorithms() {
		f.Add(signtest.PEM(f, alg))
		f.Add(schema.Write(testKey(f, alg).JWK()))
	}
	f.Add([]byte(rfc7515Key))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := sign.ParseKey(data)
		if err != nil || !k.CanSign() {
			return
		}
		if signed, _, err := sign.Sign(fullCard(t), nil, k, sign.Options{}); err == nil {
			if verdict, _ := verify(signed, k.Public()); verdict != sign.Verified {
				t.Errorf("the signature of %v is %s", k, verdict)
			}
		}
	})
}
