package sign_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gowebpki/jcs"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

func fullCard(tb testing.TB) *source.Node {
	tb.Helper()
	data, err := os.ReadFile("testdata/full.json")
	if err != nil {
		tb.Fatal(err)
	}
	return parse(tb, string(data))
}

func parse(tb testing.TB, text string) *source.Node {
	tb.Helper()
	n, found := source.ParseJSON("card.json", []byte(text))
	if found.Worst() == diag.Error {
		tb.Fatalf("parsing the test's JSON: %v", found)
	}
	return n
}

// testKey returns the private key of an algorithm, the same at every run.
func testKey(tb testing.TB, alg string) sign.Key {
	tb.Helper()
	k, err := sign.ParseKey(signtest.PEM(tb, alg))
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func mustSign(tb testing.TB, card *source.Node, k sign.Key, o sign.Options) *source.Node {
	tb.Helper()
	signed, found, err := sign.Sign(card, nil, k, o)
	if err != nil || found.Worst() == diag.Error {
		tb.Fatalf("Sign: %v, %v", err, found)
	}
	return signed
}

func verify(card *source.Node, keys ...sign.Key) (sign.Verdict, []sign.Result) {
	verdict, results, _ := sign.Verify("card.json", schema.Write(card), sign.Trust{Keys: keys})
	return verdict, results
}

// A card that is signed with any of the algorithms verifies here and by the text of the
// specification, until anything changes; and it is the same bytes again.
func TestSign(t *testing.T) {
	o := sign.Options{JKU: "https://acme.example/jwks.json"}
	for _, alg := range sign.Algorithms() {
		k := testKey(t, alg)
		signed := mustSign(t, fullCard(t), k, o)
		if again := mustSign(t, fullCard(t), k, o); !signed.Equal(again) {
			t.Errorf("%s: a second run gives another signature", alg)
		}
		changed := parse(t, strings.Replace(string(schema.Write(signed)), "https://", "https://x", 1))
		for card, want := range map[*source.Node]bool{signed: true, changed: false} {
			if verdict, results := verify(card, k.Public()); (verdict == sign.Verified) != want {
				t.Errorf("%s: %s, %+v", alg, verdict, results)
			}
			if specificationAccepts(t, card, alg) != want {
				t.Errorf("%s: by the specification, accepted: %t", alg, !want)
			}
		}
	}
}

// split returns the signature of a card, and what it has to cover.
func split(card *source.Node) (protected, signature string, payload []byte) {
	s := card.Get("signatures").Elements()[0]
	payload, _ = jcs.Transform(schema.Write(card.Without("signatures")))
	return s.Get("protected").Word(), s.Get("signature").Word(), payload
}

// specificationAccepts verifies as RFC 7515 section 5.2 and RFC 7518 section 3 say, with
// no code but the standard library's.
func specificationAccepts(t *testing.T, card *source.Node, alg string) bool {
	t.Helper()
	protected, encoded, payload := split(card)
	signature, err := base64.RawURLEncoding.DecodeString(encoded)
	text, fault := base64.RawURLEncoding.DecodeString(protected)
	var header struct{ Alg, Typ, Kid string }
	err = errors.Join(err, fault, json.Unmarshal(text, &header))
	if err != nil || header.Alg != alg || header.Typ != "JOSE" || header.Kid == "" {
		return false
	}
	input := digest(alg, []byte(protected+"."+b64(string(payload))))
	switch k := privateKey(t, alg).(type) {
	case *ecdsa.PrivateKey:
		half := len(signature) / 2
		return half == (k.Curve.Params().BitSize+7)/8 && ecdsa.Verify(&k.PublicKey, input,
			new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:]))
	case ed25519.PrivateKey:
		public, ok := k.Public().(ed25519.PublicKey)
		return ok && ed25519.Verify(public, input, signature)
	case *rsa.PrivateKey:
		return rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, input, signature) == nil
	}
	return false
}

var hashes = map[string]crypto.Hash{
	"ES256": crypto.SHA256, "ES384": crypto.SHA384, "ES512": crypto.SHA512, "RS256": crypto.SHA256,
}

// digest is what an algorithm signs.
func digest(alg string, input []byte) []byte {
	if hashes[alg] == 0 {
		return input
	}
	h := hashes[alg].New()
	h.Write(input)
	return h.Sum(nil)
}

// A signature that is still good stays, also signatures by other keys, and the one by the same
// key is replaced in its place.
func TestSignAgain(t *testing.T) {
	card, first, second := fullCard(t), testKey(t, "ES256"), testKey(t, "EdDSA")
	both := mustSign(t, mustSign(t, card, first, sign.Options{}), second, sign.Options{})
	if verdict, results := verify(both, first, second); verdict != sign.Verified || len(results) != 2 {
		t.Fatalf("%s, %+v", verdict, results)
	}
	again, _, err := sign.Sign(both, both, first, sign.Options{})
	if err != nil || !again.Equal(both) {
		t.Errorf("signing again changes the card: %v", err)
	}
	compact := []byte(schema.WriteCompact(both))
	signer := sign.Signer{Key: first}
	if text, found, err := signer.Sign("card.json", compact); string(text) != string(compact) {
		t.Errorf("signing a file again changes it: %v, %v", found, err)
	}
	changed := parse(t, strings.Replace(string(schema.Write(both)), `"version": "`, `"version": "9.`, 1))
	renewed, _, err := sign.Sign(changed, both, first, sign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, results := verify(renewed, first, second)
	if len(results) != 2 || !results[0].Good() || results[1].Good() {
		t.Errorf("after a change: %+v", results)
	}
}

// What others signed stays unchanged when it says the same, whatever the order of its
// header.
func TestKeepsSignatures(t *testing.T) {
	card, k := fullCard(t), testKey(t, "ES256")
	payload, _ := sign.Payload(card)
	for format, kept := range map[string]bool{
		`{"typ":"JOSE","kid":%q,"alg":"ES256"}`: true, `{"kid":%q,"alg":"ES256"}`: false,
	} {
		protected := b64(fmt.Sprintf(format, k.Name()))
		published := card.Without("signatures")
		published.Set("signatures", parse(t, fmt.Sprintf(`[{"protected":%q,"signature":%q}]`, protected,
			signAnything(t, protected, payload))))
		signed, _, err := sign.Sign(card, published, k, sign.Options{})
		if err != nil || signed.Equal(published) != kept {
			t.Errorf("%s: kept: %t, %v", format, signed.Equal(published), err)
		}
	}
}

func TestSignRefuses(t *testing.T) {
	k := testKey(t, "ES256")
	for name, tt := range map[string]struct {
		key  sign.Key
		o    sign.Options
		want string
	}{
		"public key": {k.Public(), sign.Options{}, "the key has no private half, so it cannot sign"},
		"other alg":  {k, sign.Options{Alg: "ES384"}, "the key is for ES256, not for ES384"},
		"unknown alg": {
			k,
			sign.Options{Alg: "none"},
			`cards are not signed with "none"; use ES256, ES384, ES512, EdDSA, RS256`,
		},
		"long kid": {
			k,
			sign.Options{Kid: strings.Repeat("k", 9000)},
			"the signature would be refused: its protected header is larger than 8 KiB",
		},
	} {
		if _, _, err := sign.Sign(fullCard(t), nil, tt.key, tt.o); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}

// A key that is held elsewhere signs what Input returns; KMS and command lines give the
// signature in many forms.
func TestElsewhere(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		private := testKey(t, alg)
		o := sign.Options{Kid: "kms"}
		signer := sign.Signer{Options: o, Key: private.Public()}
		input, found, err := signer.Input("card.json", schema.Write(fullCard(t)))
		if err != nil || found.Worst() == diag.Error {
			t.Fatal(err, found)
		}
		_, encoded, _ := split(mustSign(t, fullCard(t), private, o))
		raw, err := base64.RawURLEncoding.DecodeString(encoded)
		if err != nil || len(input) == 0 {
			t.Fatal(err)
		}
		forms := map[string][]byte{
			"bytes": raw, "base64url": []byte(encoded + "\n"), "base64": []byte(base64.StdEncoding.EncodeToString(raw)),
		}
		if der := signDER(t, alg, input); der != nil {
			forms["DER"], forms["DER in base64"] = der, []byte(base64.StdEncoding.EncodeToString(der))
		}
		for name, form := range forms {
			signed, _, err := sign.Sign(fullCard(t), nil, private.Public(), made(o, form))
			if err != nil {
				t.Errorf("%s, %s: %v", alg, name, err)
				continue
			}
			if verdict, _ := verify(signed, private); verdict != sign.Verified {
				t.Errorf("%s, %s: %s", alg, name, verdict)
			}
		}
		if _, _, err := sign.Sign(fullCard(t), nil, private.Public(), made(sign.Options{Kid: "other"}, raw)); err == nil {
			t.Errorf("%s: a signature over another header is attached", alg)
		}
	}
}

// signDER signs as the standard library does, nil for keys that have no DER.
func signDER(t *testing.T, alg string, input []byte) []byte {
	t.Helper()
	k, ok := privateKey(t, alg).(*ecdsa.PrivateKey)
	if !ok {
		return nil
	}
	der, err := k.Sign(nil, digest(alg, input), hashes[alg])
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// Keys are used only while they are valid.
func TestValidity(t *testing.T) {
	k := testKey(t, "EdDSA")
	signed := mustSign(t, fullCard(t), k, sign.Options{})
	at := time.Unix(2000, 0)
	for member, good := range map[string]bool{
		`"exp":2001`: true, `"exp":2000`: false, `"nbf":2000`: true, `"nbf":2001`: false,
		`"revoked":true`: false, `"revoked":{"revoked_at":1}`: false, `"revoked":false`: true,
	} {
		text := strings.Replace(string(schema.Write(k.JWK())), "{", "{"+member+",", 1)
		key, err := sign.ParseKey([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		verdict, _, _ := sign.Verify("card.json", schema.Write(signed), sign.Trust{Keys: []sign.Key{key}, At: at})
		if (verdict == sign.Verified) != good {
			t.Errorf("%s: %s", member, verdict)
		}
		name := strings.Trim(strings.SplitN(member, ":", 2)[0], `"`)
		if written := key.JWK().Get(name) != nil; written != (member != `"revoked":false`) {
			t.Errorf("%s: published with it: %t", member, written)
		}
	}
}

func TestVectors(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "vectors")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var index struct {
		Keys    string
		Vectors []struct{ ID, Card, Cardwright string }
	}
	if err := json.Unmarshal(read("vectors.json"), &index); err != nil || len(index.Vectors) < 25 {
		t.Fatal(len(index.Vectors), err)
	}
	keys, found := sign.ParseJWKS("jwks.json", read(index.Keys))
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, v := range index.Vectors {
		card := read(v.Card)
		if verdict, _, _ := sign.Verify(v.Card, card, sign.Trust{Keys: keys}); string(verdict) != v.Cardwright {
			t.Errorf("%s: %s, want %s", v.ID, verdict, v.Cardwright)
		}
		payload, _ := sign.Payload(parse(t, string(card)))
		if want := read("canonical/" + v.ID + ".raw.json"); string(payload) != strings.TrimSuffix(string(want), "\n") {
			t.Errorf("%s: the payload is %s, want %s", v.ID, payload, want)
		}
	}
}

// made adds a signature that was made elsewhere.
func made(o sign.Options, signature []byte) sign.Options {
	o.Made = signature
	return o
}
