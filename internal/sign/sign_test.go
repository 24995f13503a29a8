package sign_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
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

// A card that is signed with any of the algorithms verifies here, in go-jose and by the
// text of the specification, until anything changes; and it is the same bytes again.
func TestSign(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		t.Run(alg, func(t *testing.T) {
			k := testKey(t, alg)
			signed := mustSign(t, fullCard(t), k, sign.Options{JKU: "https://acme.example/jwks.json"})
			if again := mustSign(t, fullCard(t), k, sign.Options{JKU: "https://acme.example/jwks.json"}); !signed.Equal(again) {
				t.Error("a second run gives another signature")
			}
			changed := parse(t, strings.Replace(string(schema.Write(signed)), "https://", "https://x", 1))
			set, err := sign.JWKS([]sign.Key{k})
			if err != nil {
				t.Fatal(err)
			}
			for name, accepts := range map[string]func(*source.Node) bool{
				"cardwright":        func(card *source.Node) bool { v, _ := verify(card, k.Public()); return v == sign.Verified },
				"go-jose":           func(card *source.Node) bool { return joseAccepts(card, schema.Write(set)) },
				"the specification": func(card *source.Node) bool { return specificationAccepts(card, signtest.PEM(t, alg)) },
			} {
				if !accepts(signed) {
					t.Errorf("%s refuses it", name)
				}
				if accepts(changed) {
					t.Errorf("%s accepts it after a change", name)
				}
			}
		})
	}
}

type wire struct {
	Signatures []struct{ Protected, Signature string }
}

// split returns the signature of a card, and what it has to cover.
func split(card *source.Node) (protected, signature string, payload []byte) {
	var w wire
	if json.Unmarshal(schema.Write(card), &w) != nil || len(w.Signatures) != 1 {
		return "", "", nil
	}
	payload, err := jcs.Transform(schema.Write(card.Without("signatures")))
	if err != nil {
		return "", "", nil
	}
	return w.Signatures[0].Protected, w.Signatures[0].Signature, payload
}

func joseAccepts(card *source.Node, jwks []byte) bool {
	protected, signature, payload := split(card)
	jws, err := jose.ParseDetached(protected+".."+signature, payload,
		[]jose.SignatureAlgorithm{jose.ES256, jose.ES384, jose.ES512, jose.EdDSA, jose.RS256})
	var set jose.JSONWebKeySet
	if err != nil || json.Unmarshal(jwks, &set) != nil {
		return false
	}
	keys := set.Key(jws.Signatures[0].Header.KeyID)
	return len(keys) == 1 && jws.DetachedVerify(payload, keys[0]) == nil
}

// specificationAccepts verifies as RFC 7515 section 5.2 and RFC 7518 section 3 say, with
// no code but the standard library's.
func specificationAccepts(card *source.Node, privateKey []byte) bool {
	protected, encoded, payload := split(card)
	signature, err := base64.RawURLEncoding.DecodeString(encoded)
	text, fault := base64.RawURLEncoding.DecodeString(protected)
	var header struct{ Alg, Typ, Kid string }
	err = errors.Join(err, fault, json.Unmarshal(text, &header))
	if err != nil || header.Typ != "JOSE" || header.Kid == "" {
		return false
	}
	input := []byte(protected + "." + base64.RawURLEncoding.EncodeToString(payload))
	block, _ := pem.Decode(privateKey)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return false
	}
	hashes := map[string]func() []byte{
		"ES256": func() []byte { h := sha256.Sum256(input); return h[:] },
		"RS256": func() []byte { h := sha256.Sum256(input); return h[:] },
		"ES384": func() []byte { h := sha512.Sum384(input); return h[:] },
		"ES512": func() []byte { h := sha512.Sum512(input); return h[:] },
		"EdDSA": func() []byte { return input },
	}
	digest := hashes[header.Alg]()
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		half := len(signature) / 2
		return half == (k.Curve.Params().BitSize+7)/8 && ecdsa.Verify(&k.PublicKey, digest,
			new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:]))
	case ed25519.PrivateKey:
		public, ok := k.Public().(ed25519.PublicKey)
		return ok && ed25519.Verify(public, digest, signature)
	case *rsa.PrivateKey:
		return rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, digest, signature) == nil
	}
	return false
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
		if der := derOf(t, alg, input); der != nil {
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

func derOf(t *testing.T, alg string, input []byte) []byte {
	t.Helper()
	block, _ := pem.Decode(signtest.PEM(t, alg))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	k, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil
	}
	hash := map[string]crypto.Hash{"ES256": crypto.SHA256, "ES384": crypto.SHA384, "ES512": crypto.SHA512}[alg]
	h := hash.New()
	h.Write(input)
	der, err := k.Sign(nil, h.Sum(nil), hash)
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

// The signed cards that this project has published before verify unchanged.
func TestPublished(t *testing.T) {
	root := filepath.Join("..", "..", "golden", "signed")
	seen := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != "agent-card.json" {
			return err
		}
		card, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		jwks, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path.Dir(name)), "jwks.json"))
		if errors.Is(err, fs.ErrNotExist) {
			jwks, err = os.ReadFile(filepath.Join(root, ".well-known", "jwks.json"))
		}
		if err != nil {
			return err
		}
		keys, found := sign.ParseJWKS("jwks.json", jwks)
		verdict, _, faults := sign.Verify(name, card, sign.Trust{Keys: keys, All: true})
		if len(found) > 0 || verdict != sign.Verified {
			t.Errorf("%s: %s, %v, %v", name, verdict, found, faults)
		}
		seen++
		return nil
	})
	if err != nil || seen < 4 {
		t.Errorf("%d cards, %v", seen, err)
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
