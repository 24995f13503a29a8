package sign_test

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/schema"
)

// hostile is what an attacker does to a signed card.
type hostile struct {
	name string
	// header replaces the text of the protected header, which is signed again by the
	// right key unless the signature is replaced as well.
	header func(kid string) string
	// signature replaces the signature's text.
	signature func(s string) string
	// unprotected is an unprotected header.
	unprotected string
	// card replaces the whole text.
	card func(text string) string
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

func header(format string) func(string) string {
	return func(kid string) string { return fmt.Sprintf(format, kid) }
}

func replaced(old, with string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, with, 1) }
}

func hostiles() []hostile {
	const good = `{"alg":"ES256","kid":%q,"typ":"JOSE"`
	list := []hostile{
		// Algorithms.
		{name: "alg none", header: header(`{"alg":"none","kid":%q}`)},
		{
			name: "alg none without signature", header: header(`{"alg":"none","kid":%q}`),
			signature: func(string) string { return "" },
		},
		{name: "alg None", header: header(`{"alg":"None","kid":%q}`)},
		{name: "alg NONE", header: header(`{"alg":"NONE","kid":%q}`)},
		{name: "alg empty", header: header(`{"alg":"","kid":%q}`)},
		{name: "alg missing", header: header(`{"kid":%q}`)},
		{name: "alg null", header: header(`{"alg":null,"kid":%q}`)},
		{name: "alg a list", header: header(`{"alg":["ES256"],"kid":%q}`)},
		{name: "alg a number", header: header(`{"alg":256,"kid":%q}`)},
		{name: "alg in lower case", header: header(`{"alg":"es256","kid":%q}`)},
		{name: "alg with a blank", header: header(`{"alg":"ES256 ","kid":%q}`)},
		{name: "alg of another curve", header: header(`{"alg":"ES384","kid":%q}`)},
		{name: "alg of the curve of Bitcoin", header: header(`{"alg":"ES256K","kid":%q}`)},
		{name: "alg of another kind of key", header: header(`{"alg":"RS256","kid":%q}`)},
		{name: "alg EdDSA for an EC key", header: header(`{"alg":"EdDSA","kid":%q}`)},
		{name: "alg PS256 for an EC key", header: header(`{"alg":"PS256","kid":%q}`)},
		{name: "alg of encryption", header: header(`{"alg":"RSA-OAEP","kid":%q}`)},
		{name: "alg dir", header: header(`{"alg":"dir","kid":%q}`)},
		{name: "alg of quantum computers", header: header(`{"alg":"ML-DSA-44","kid":%q}`)},
		{name: "alg HS256", header: header(`{"alg":"HS256","kid":%q}`)},
		{name: "alg HS512", header: header(`{"alg":"HS512","kid":%q}`)},
		// Parameters of the header.
		{name: "crit", header: header(good + `,"crit":["exp"],"exp":1}`)},
		{name: "crit empty", header: header(good + `,"crit":[]}`)},
		{name: "b64 false", header: header(good + `,"b64":false}`)},
		{name: "b64 true", header: header(good + `,"b64":true}`)},
		{name: "b64 false and crit", header: header(good + `,"b64":false,"crit":["b64"]}`)},
		{
			name: "jwk",
			header: header(good + `,"jwk":{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",` +
				`"y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}}`),
		},
		{name: "x5c", header: header(good + `,"x5c":["MIIB"]}`)},
		{name: "x5u", header: header(good + `,"x5u":"https://mallory.example/cert.pem"}`)},
		{name: "kid missing", header: header(`{"alg":"ES256"}%.0s`)},
		{name: "kid empty", header: header(`{"alg":"ES256","kid":""}%.0s`)},
		{name: "kid of nobody", header: header(`{"alg":"ES256","kid":"nobody"}%.0s`)},
		{name: "kid with a path", header: header(`{"alg":"ES256","kid":"../../dev/null"}%.0s`)},
		{name: "kid a number", header: header(`{"alg":"ES256","kid":7}%.0s`)},
		{name: "kid null", header: header(`{"alg":"ES256","kid":null}%.0s`)},
		{name: "jku not a text", header: header(good + `,"jku":["https://acme.example"]}`)},
		{name: "alg twice", header: header(`{"alg":"ES256","alg":"none","kid":%q}`)},
		{name: "alg twice, escaped", header: header(`{"alg":"ES256","\u0061lg":"none","kid":%q}`)},
		{name: "kid twice", header: header(`{"alg":"ES256","kid":%q,"kid":"other"}`)},
		// Spellings of the header.
		{name: "header with trailing data", header: header(good + `}{}`)},
		{name: "header with a comment", header: header(good + `/**/}`)},
		{name: "header with a comma at its end", header: header(good + `,}`)},
		{name: "header in invalid UTF-8", header: header(good + ",\"x\":\"\xff\"}")},
		{name: "header with half a surrogate pair", header: header(good + `,"x":"\ud83d"}`)},
		{name: "header a list", header: header(`["ES256",%q]`)},
		{name: "header a text", header: header(`"ES256 %s"`)},
		{name: "header empty", header: header(`%.0s`)},
		{name: "header too large", header: header(good + `,"x":"` + strings.Repeat("x", 9000) + `"}`)},
		// The signature.
		{name: "signature empty", signature: func(string) string { return "" }},
		{name: "signature padded", signature: func(s string) string { return s + "==" }},
		{name: "signature with a line break", signature: func(s string) string { return s[:40] + `\n` + s[40:] }},
		{name: "signature with a blank", signature: func(s string) string { return s[:40] + " " + s[40:] }},
		{
			name:      "signature with other bits at its end",
			signature: func(s string) string { return s[:len(s)-1] + next(s[len(s)-1]) },
		},
		{name: "signature short", signature: func(s string) string { return s[:len(s)-4] }},
		{name: "signature with bytes behind it", signature: func(s string) string { return s[:len(s)-2] + "AAAAAA" }},
		{name: "signature of zeros", signature: func(string) string { return b64(strings.Repeat("\x00", 64)) }},
		{name: "signature of r and s 1", signature: func(string) string {
			one := strings.Repeat("\x00", 31) + "\x01"
			return b64(one + one)
		}},
		{name: "signature of r and s the order", signature: func(string) string {
			n, _ := new(big.Int).SetString("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16)
			return b64(string(n.Bytes()) + string(n.Bytes()))
		}},
		{name: "signature with halves exchanged", signature: func(s string) string {
			raw, _ := base64.RawURLEncoding.DecodeString(s)
			return b64(string(raw[32:]) + string(raw[:32]))
		}},
		{name: "signature in DER", signature: func(s string) string {
			raw, _ := base64.RawURLEncoding.DecodeString(s)
			return b64("\x30\x44\x02\x20" + string(raw[:32]) + "\x02\x20" + string(raw[32:]))
		}},
		{name: "signature of another content", signature: func(string) string {
			return "08lzFaV1MhUaTWONsA3j_1UcZR_Qfx4vlIjjL4wBaUP3KO_-8f-AtnEWT0lKzQyDH78RjtyaRELzl2jf3oNrxQ"
		}},
		// The unprotected header.
		{name: "unprotected alg", unprotected: `{"alg":"none"}`},
		{name: "unprotected kid", unprotected: `{"kid":"other"}`},
		{name: "unprotected crit", unprotected: `{"crit":["x"]}`},
		{name: "unprotected jwk", unprotected: `{"jwk":{}}`},
		{name: "unprotected a text", unprotected: `"x"`},
		// The card.
		{name: "other endpoint", card: replaced("https://", "https://mallory.example/?")},
		{name: "member added", card: replaced(`{`, `{"x-owner":"mallory",`)},
		{name: "null added", card: replaced(`{`, `{"documentationUrl":null,`)},
		{name: "empty list added", card: replaced(`{`, `{"security":[],`)},
		{name: "member twice", card: replaced(`{`, `{"name":"Mallory",`)},
		{name: "member twice, escaped", card: replaced(`{`, `{"n\u0061me":"Mallory",`)},
		{name: "signatures twice", card: replaced(`{`, `{"signatures":[],`)},
		{name: "trailing data", card: func(text string) string { return text + `{"name":"Mallory"}` }},
		{name: "invalid UTF-8", card: replaced(`"name": "`, "\"name\": \"\xff")},
		{name: "half a surrogate pair", card: replaced(`"name": "`, `"name": "\ud83d`)},
		{name: "unsafe integer", card: replaced(`{`, `{"n":9007199254740993,`)},
		{name: "number out of range", card: replaced(`{`, `{"n":1e400,`)},
		{name: "NaN", card: replaced(`{`, `{"n":NaN,`)},
		{name: "nested deeply", card: replaced(`{`, `{"n":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`,`)},
		{
			name: "signatures an object",
			card: func(text string) string { return strings.Replace(text, `"signatures": [`, `"signatures": {"0": [`, 1) },
		},
		{name: "a list of the card", card: func(text string) string { return "[" + text + "]" }},
		{name: "nothing", card: func(string) string { return "" }},
	}
	return list
}

func next(c byte) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return string(alphabet[strings.IndexByte(alphabet, c)|1])
}

// No hostile signature is accepted, not even one that the right key made over a hostile
// header.
func TestHostile(t *testing.T) {
	list := hostiles()
	if len(list) < 60 {
		t.Errorf("%d hostile signatures", len(list))
	}
	key, others := testKey(t, "ES256"), []sign.Key{testKey(t, "RS256"), testKey(t, "EdDSA")}
	key.Kid, others[0].Kid, others[1].Kid = "cards-2026", "other", "third"
	trust := sign.Trust{Keys: append(others, key)}
	text := string(schema.Write(mustSign(t, fullCard(t), key, sign.Options{})))
	protected, signature, payload := split(parse(t, text))
	for _, h := range list {
		t.Run(h.name, func(t *testing.T) {
			newProtected, newSignature := protected, signature
			if h.header != nil {
				newProtected = b64(h.header(key.Name()))
				newSignature = signAnything(t, newProtected, payload)
			}
			if h.signature != nil {
				newSignature = h.signature(newSignature)
			}
			card := strings.Replace(strings.Replace(text, protected, newProtected, 1), signature, newSignature, 1)
			if h.unprotected != "" {
				card = strings.Replace(card, `"protected":`, `"header":`+h.unprotected+`,"protected":`, 1)
			}
			if h.card != nil {
				card = h.card(card)
			}
			if card == text {
				t.Fatal("nothing was changed")
			}
			if verdict, results, _ := sign.Verify("card.json", []byte(card), trust); verdict == sign.Verified {
				t.Errorf("accepted: %+v", results)
			}
		})
	}
	if verdict, _, _ := sign.Verify("card.json", []byte(text), trust); verdict != sign.Verified {
		t.Errorf("the card itself is %s", verdict)
	}
}

// signAnything signs a header that cardwright would not write with the right key.
func signAnything(t *testing.T, protected string, payload []byte) string {
	t.Helper()
	der := derOf(t, "ES256", []byte(protected+"."+base64.RawURLEncoding.EncodeToString(payload)))
	rs := make([]byte, 64)
	r := der[4 : 4+der[3]]
	s := der[6+der[3]:]
	new(big.Int).SetBytes(r).FillBytes(rs[:32])
	new(big.Int).SetBytes(s).FillBytes(rs[32:])
	return base64.RawURLEncoding.EncodeToString(rs)
}

// No byte of a signed card can be changed but for what says the same.
func TestEveryChangedByte(t *testing.T) {
	key := testKey(t, "EdDSA")
	text := schema.Write(mustSign(t, fullCard(t), key, sign.Options{}))
	want, _ := sign.Payload(parse(t, string(text)))
	for i := range text {
		changed := slices.Clone(text)
		changed[i] ^= 1
		verdict, _, _ := sign.Verify("card.json", changed, sign.Trust{Keys: []sign.Key{key}})
		if verdict != sign.Verified {
			continue
		}
		if got, _ := sign.Payload(parse(t, string(changed))); string(got) != string(want) {
			t.Errorf("byte %d can be changed", i)
		}
	}
}

// The public key as the secret of HMAC, in every form that an attacker has it in.
func TestSymmetricConfusion(t *testing.T) {
	key := testKey(t, "RS256")
	_, _, payload := split(mustSign(t, fullCard(t), key, sign.Options{}))
	protected := b64(fmt.Sprintf(`{"alg":"HS256","kid":%q}`, key.Name()))
	jwk, err := json.Marshal(key.JWK().Any(func(text string) any { return text }))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range [][]byte{signtest.PEM(t, "RS256"), jwk, schema.Write(key.JWK()), nil} {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(protected + "." + base64.RawURLEncoding.EncodeToString(payload)))
		card := fullCard(t)
		card.Set("signatures",
			parse(t, fmt.Sprintf(`[{"protected":%q,"signature":%q}]`, protected, b64(string(mac.Sum(nil))))))
		if verdict, results := verify(card, key.Public()); verdict != sign.Refused {
			t.Errorf("%s: %+v", verdict, results)
		}
	}
}

// One good signature is enough beside a bad one, unless all have to be good.
func TestSeveralSignatures(t *testing.T) {
	good, other := testKey(t, "ES256"), testKey(t, "EdDSA")
	card := schema.Write(mustSign(t, mustSign(t, fullCard(t), good, sign.Options{}), other, sign.Options{}))
	for _, all := range []bool{false, true} {
		want := sign.Verified
		if all {
			want = sign.Refused
		}
		verdict, _, found := sign.Verify("card.json", card, sign.Trust{Keys: []sign.Key{good}, All: all})
		if verdict != want || len(found) != 1 || found[0].Pointer != "/signatures/1" {
			t.Errorf("all: %t: %s, %v", all, verdict, found)
		}
	}
	many := fullCard(t)
	many.Set("signatures", parse(t, `[`+strings.Repeat(`{},`, 16)+`{}]`))
	if verdict, _ := verify(many, good); verdict != sign.Unreadable {
		t.Errorf("17 signatures: %s", verdict)
	}
}

// Others sign with the name that RFC 9864 gives EdDSA; a card of ours never has it.
func TestFullySpecified(t *testing.T) {
	key := testKey(t, "EdDSA")
	_, _, payload := split(mustSign(t, fullCard(t), key, sign.Options{}))
	block, _ := pem.Decode(signtest.PEM(t, "EdDSA"))
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		t.Fatal(err)
	}
	protected := b64(fmt.Sprintf(`{"alg":"Ed25519","kid":%q,"typ":"JOSE"}`, key.Name()))
	signature := ed25519.Sign(private, []byte(protected+"."+b64(string(payload))))
	for want, made := range map[sign.Verdict][]byte{sign.Verified: signature, sign.Refused: slices.Repeat([]byte{1}, 64)} {
		card := fullCard(t)
		card.Set("signatures", parse(t, fmt.Sprintf(`[{"protected":%q,"signature":%q}]`, protected, b64(string(made)))))
		if verdict, results := verify(card, key.Public()); verdict != want {
			t.Errorf("%s, want %s: %+v", verdict, want, results)
		}
		if verdict, _ := verify(card, testKey(t, "ES256").Public()); verdict != sign.Refused {
			t.Errorf("by another key: %s", verdict)
		}
	}
	if _, _, err := sign.Sign(fullCard(t), nil, key, sign.Options{Alg: "Ed25519"}); err == nil {
		t.Error("a card is signed with it")
	}
}
