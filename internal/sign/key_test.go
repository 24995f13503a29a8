package sign

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"cardwright/internal/sign/signtest"
	"cardwright/schema"
)

// privateJWK returns the key as a JWK with its private half.
func privateJWK(tb testing.TB, k Key) []byte {
	tb.Helper()
	data, err := json.Marshal(jose.JSONWebKey{Key: k.signer, KeyID: k.Kid, Algorithm: string(k.alg), Use: "sig"})
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestParseJWK(t *testing.T) {
	for _, alg := range Algorithms() {
		want := testKey(alg)
		for name, data := range map[string][]byte{"private": privateJWK(t, want), "public": schema.Write(want.JWK())} {
			t.Run(string(alg)+" "+name, func(t *testing.T) {
				got, err := ParseJWK(data)
				if err != nil {
					t.Fatal(err)
				}
				if got.Thumbprint() != want.Thumbprint() || got.Alg() != alg || got.Kid != want.Kid ||
					got.CanSign() != (name == "private") {
					t.Errorf("got %s, want %s", got, want)
				}
				if !got.CanSign() {
					return
				}
				signature, err := got.sign([]byte("a"))
				if err != nil || !want.verify(alg, alg.digest([]byte("a")), signature) {
					t.Errorf("the key does not sign: %v", err)
				}
			})
		}
	}
}

func TestParseJWKRefuses(t *testing.T) {
	change := func(jwk, from, to string) string {
		t.Helper()
		changed := strings.Replace(jwk, from, to, 1)
		if changed == jwk {
			t.Fatalf("%q is not in the key", from)
		}
		return changed
	}
	_, modulus, _ := strings.Cut(rfc7638Key, `"n":"`)
	tests := []struct{ name, data, want string }{
		{"damaged JWK", rfc7515Key[:len(rfc7515Key)-1], "the key is not a well-formed JWK"},
		{"member twice", change(rfc7515Key, `"d"`, `"d":"","d"`), "the key is not a well-formed JWK"},
		{"key set", `{"keys":[` + rfc7515Key + `]}`, "the file is a key set (JWKS), not one key"},
		{"no kty", `{}`, "it has no kty"},
		{"kty", change(rfc7515Key, `"EC"`, `"XX"`), "its kty must be EC, OKP or RSA"},
		{
			"symmetric", `{"kty":"oct","k":"c2VjcmV0"}`,
			"a symmetric key (oct) cannot sign a card: everyone who verifies could also sign",
		},
		{"Bitcoin's curve", change(rfc7515Key, "P-256", "secp256k1"), "its crv must be P-256, P-384 or P-521"},
		{"another curve", change(rfc7515Key, "P-256", "P-384"), "its x has 32 bytes instead of 48"},
		{"X25519", change(rfc8037Key, "Ed25519", "X25519"), "its crv is not Ed25519"},
		{"no x", change(rfc7515Key, `"x"`, `"X"`), "it has no x"},
		{"padded x", change(rfc7515Key, `vRVEU`, `vRVEU=`), "its x is padded; base64url without padding is required"},
		{"x of plain base64", change(rfc7515Key, `y":"x_FEz`, `y":"x/FEz`), "its y is plain base64; base64url is required"},
		{"not on the curve", change(rfc7515Key, `"f83O`, `"f93O`), "its x and y are not a point on P-256"},
		{"another's d", change(rfc7515Key, `"jpsQ`, `"jqsQ`), "its d does not belong to its x and y"},
		{
			"no d", change(rfc7515Key, `jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI`, strings.Repeat("A", 43)),
			"its d does not belong to its x and y",
		},
		{"another's seed", change(rfc8037Key, `"nWGx`, `"nWHx`), "its d does not belong to its x"},
		{"short seed", change(rfc8037Key, `"nWGx`, `"`), "its d has 29 bytes instead of 32"},
		{"small modulus", change(rfc7638Key, modulus[:300], ""), "the RSA key has 248 bits; 2048 to 8192 are allowed"},
		{"endless modulus", change(rfc7638Key, `"0vx7`, `"`+strings.Repeat("abcd", 342)), "its n is longer than 8192 bits"},
		{"large exponent", change(rfc7638Key, `"AQAB"`, `"AQABAQAB"`), "its e is too large"},
		{"exponent 1", change(rfc7638Key, `"AQAB"`, `"AQ"`), "the RSA key is not well-formed"},
		{"no primes", change(rfc7638Key, `"AQAB"`, `"AQAB","d":"AQ"`), "it has no p"},
		{
			"odd primes", change(rfc7638Key, `"AQAB"`, `"AQAB","d":"AQ","p":"Aw","q":"AA"`),
			"its d, p and q do not belong to its n and e",
		},
		{
			"many primes", change(rfc7638Key, `"AQAB"`, `"AQAB","d":"AQ","p":"Aw","q":"Aw","oth":[]`),
			"an RSA key of more than two primes is not supported",
		},
		{"other alg", change(rfc7638Key, `"RS256"`, `"HS256"`), "its alg is not RS256, the one that such a key is used with"},
		{"for encryption", change(rfc7638Key, `"AQAB"`, `"AQAB","use":"enc"`), "its use is not sig"},
		{
			"for wrapping", change(rfc7638Key, `"AQAB"`, `"AQAB","key_ops":["wrapKey"]`),
			"its key_ops have neither sign nor verify",
		},
		{"odd kid", change(rfc7638Key, `"2011-04-29"`, `7`), "its kid is not a text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, err := ParseJWK([]byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v, %v\nwant %s", k, err, tt.want)
			}
		})
	}
}

// A key does what its key_ops allow (RFC 7517 section 4.3).
func TestKeyOperations(t *testing.T) {
	for _, tt := range []struct {
		ops             string
		signs, verifies bool
	}{
		{`["sign"]`, true, false},
		{`["verify"]`, false, true},
		{`["verify","sign"]`, true, true},
		{`["sign","encrypt"]`, true, false},
	} {
		k, err := ParseJWK([]byte(strings.Replace(rfc8037Key, `"crv"`, `"key_ops":`+tt.ops+`,"crv"`, 1)))
		if err != nil {
			t.Fatalf("%s: %v", tt.ops, err)
		}
		free := k
		free.notSigning, free.notVerifying = false, false
		card := parse(t, fullCard(t))
		_, _, err = Sign(card, k, Options{})
		if signs := err == nil; signs != tt.signs {
			t.Errorf("%s: signs: %t, %v", tt.ops, signs, err)
		}
		result := verify(t, withSignatures(card, mustSign(t, card, free, Options{})), k.Public())[0]
		if result.Good() != tt.verifies {
			t.Errorf("%s: verifies: %t, %s", tt.ops, result.Good(), result.Fault)
		}
	}
}

func TestParseJWKAcceptsTheOtherNameOfEdDSA(t *testing.T) {
	k, err := ParseJWK([]byte(strings.Replace(rfc8037Key, `"crv"`, `"alg":"Ed25519","key_ops":["sign"],"crv"`, 1)))
	if err != nil || k.Alg() != EdDSA {
		t.Errorf("got %v, %v", k, err)
	}
}

func TestNewKeyRefusesUnknownAlgorithms(t *testing.T) {
	_, err := NewKey("HS256")
	if want := `unknown algorithm "HS256"; known are ES256, ES384, ES512, EdDSA, RS256`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestKeyFormat(t *testing.T) {
	if got := fmt.Sprintf("%v %+v %#v %s %d %x", testKey(ES256), testKey(ES256), testKey(ES256), testKey(ES256),
		testKey(ES256), Key{}); got != strings.Repeat("ES256 key test-es256 ", 5)+"no key" {
		t.Error(got)
	}
}

// ParseJWK does not panic, and a key that it returns works.
func FuzzParseJWK(f *testing.F) {
	for _, alg := range Algorithms() {
		f.Add(schema.Write(testKey(alg).JWK()))
		f.Add(privateJWK(f, testKey(alg)))
	}
	f.Add([]byte(rfc7515Key))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := ParseJWK(data)
		if err != nil {
			if k.public != nil || k.signer != nil {
				t.Errorf("a key beside %v", err)
			}
			return
		}
		again, err := ParseJWK(schema.Write(k.JWK()))
		if err != nil || again.Thumbprint() != k.Thumbprint() || again.CanSign() {
			t.Errorf("the JWK of %s reads as %s, %v", k, again, err)
		}
		if !k.CanSign() || !slices.Contains(Algorithms(), k.alg) {
			return
		}
		if signature, err := k.sign(data); err != nil || !k.verify(k.alg, k.alg.digest(data), signature) {
			t.Errorf("the key does not work: %v", err)
		}
	})
}

// Nothing that comes out of the package for others to see holds a private key
// or a part of one.
func TestNothingLeaks(t *testing.T) {
	card := parse(t, fullCard(t))
	for _, alg := range Algorithms() {
		k := testKey(alg)
		jwk := privateJWK(t, k)
		var out bytes.Buffer
		tell := func(values ...any) {
			for _, v := range values {
				fmt.Fprintf(&out, "%v %+v %#v %q\n", v, v, v, v)
			}
		}
		s, list, err := Sign(card, k, Options{})
		tell(s, list, err, k, []Key{k}, &k, struct{ Key }{k})
		out.Write(schema.Write(k.JWK()))
		set, err := JWKS([]Key{k})
		tell(err)
		out.Write(schema.Write(set))
		for _, damaged := range signtest.Damaged(jwk) {
			_, err := ParseJWK(damaged)
			tell(err)
			_, list := ParseJWKS("jwks.json", append(append([]byte(`{"keys":[`), damaged...), "]}"...), limits)
			tell(list)
		}
		der, err := x509.MarshalPKCS8PrivateKey(k.signer)
		if err != nil {
			t.Fatal(err)
		}
		pemText := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
		if name := signtest.NewSecrets(t, pemText).In(out.Bytes()); name != "" {
			t.Errorf("%s: part of %s is in the output", alg, name)
		}
	}
}
