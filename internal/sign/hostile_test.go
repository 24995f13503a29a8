package sign_test

import (
	"crypto"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// headers are protected headers that no signature may have, %s for the name of the key. The
// right key signs them.
func headers() []string {
	list := []string{
		`{"kid":%q}`, `{"alg":null,"kid":%q}`, `{"alg":["ES256"],"kid":%q}`, `{"alg":256,"kid":%q}`,
		`{"alg":"ES256"}%.0s`, `{"alg":"ES256","kid":""}%.0s`, `{"alg":"ES256","kid":"nobody"}%.0s`,
		`{"alg":"ES256","kid":"../../dev/null"}%.0s`, `{"alg":"ES256","kid":7}%.0s`, `{"alg":"ES256","kid":null}%.0s`,
		`{"alg":"ES256","alg":"none","kid":%q}`, `{"alg":"ES256","\u0061lg":"none","kid":%q}`,
		`{"alg":"ES256","kid":%q,"kid":"other"}`, `["ES256",%q]`, `"ES256 %s"`, `%.0s`,
	}
	for _, alg := range []string{
		"none", "None", "", "es256", "ES256 ", "ES384", "ES256K", "RS256", "EdDSA", "PS256", "RSA-OAEP", "dir", "ML-DSA-44",
		"HS256", "HS512",
	} {
		list = append(list, `{"alg":"`+alg+`","kid":%q}`)
	}
	for _, end := range []string{
		`,"crit":["exp"],"exp":1}`, `,"crit":[]}`, `,"b64":false}`, `,"b64":true}`, `,"b64":false,"crit":["b64"]}`,
		`,"jwk":{"kty":"EC"}}`, `,"x5c":["MIIB"]}`, `,"x5u":"https://m.example/c"}`, `,"jku":["https://a.example"]}`,
		`}{}`, `/**/}`, `,}`, ",\"x\":\"\xff\"}", `,"x":"\ud83d"}`, `,"x":"` + strings.Repeat("x", 9000) + `"}`,
	} {
		list = append(list, `{"alg":"ES256","kid":%q,"typ":"JOSE"`+end)
	}
	return list
}

// forged are signatures that are none, by what they are made of.
func forged() map[string]func(s string) string {
	raw := func(change func(rs string) string) func(string) string {
		return func(s string) string {
			rs, _ := base64.RawURLEncoding.DecodeString(s)
			return b64(change(string(rs)))
		}
	}
	order, _ := new(big.Int).SetString("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16)
	one := strings.Repeat("\x00", 31) + "\x01"
	return map[string]func(s string) string{
		"empty":        func(string) string { return "" },
		"padded":       func(s string) string { return s + "==" },
		"line break":   func(s string) string { return s[:40] + `\n` + s[40:] },
		"blank":        func(s string) string { return s[:40] + " " + s[40:] },
		"end bits":     func(s string) string { return s[:len(s)-1] + next(s[len(s)-1]) },
		"short":        func(s string) string { return s[:len(s)-4] },
		"long":         func(s string) string { return s[:len(s)-2] + "AAAAAA" },
		"zeros":        raw(func(string) string { return strings.Repeat("\x00", 64) }),
		"ones":         raw(func(string) string { return one + one }),
		"the order":    raw(func(string) string { return string(order.Bytes()) + string(order.Bytes()) }),
		"exchanged":    raw(func(rs string) string { return rs[32:] + rs[:32] }),
		"DER":          raw(func(rs string) string { return "\x30\x44\x02\x20" + rs[:32] + "\x02\x20" + rs[32:] }),
		"another card": raw(func(rs string) string { return rs[:63] + string(rs[63]^1) }),
	}
}

func next(c byte) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return string(alphabet[strings.IndexByte(alphabet, c)|1])
}

// edits are changes of the text of a card, from and to.
func edits() [][2]string {
	list := [][2]string{
		{"https://", "https://mallory.example/?"},
		{`"name": "`, "\"name\": \"\xff"},
		{`"name": "`, `"name": "\ud83d`},
		{`"signatures": [`, `"signatures": {"0": [`},
		{`{`, `[{`},
	}
	for _, member := range []string{
		`"x-owner":"mallory"`, `"documentationUrl":null`, `"security":[]`, `"name":"Mallory"`, `"n\u0061me":"Mallory"`,
		`"signatures":[]`, `"n":9007199254740993`, `"n":1e400`, `"n":NaN`,
		`"n":` + strings.Repeat("[", 200) + strings.Repeat("]", 200),
	} {
		list = append(list, [2]string{`{`, `{` + member + `,`})
	}
	for _, header := range []string{`{"alg":"none"}`, `{"kid":"other"}`, `{"crit":["x"]}`, `{"jwk":{}}`, `"x"`} {
		list = append(list, [2]string{`"protected":`, `"header":` + header + `,"protected":`})
	}
	return list
}

// No hostile signature is accepted, not even one that the right key made over a hostile
// header.
func TestHostile(t *testing.T) {
	key, others := testKey(t, "ES256"), []sign.Key{testKey(t, "RS256"), testKey(t, "EdDSA")}
	key.Kid, others[0].Kid, others[1].Kid = "cards-2026", "other", "third"
	trust := sign.Trust{Keys: append(others, key)}
	text := string(schema.Write(mustSign(t, fullCard(t), key, sign.Options{})))
	protected, signature, payload := split(parse(t, text))
	cards := map[string]string{"nothing": "", "trailing data": text + `{"name":"M"}`, "alg none": strings.NewReplacer(
		protected, b64(`{"alg":"none","kid":"cards-2026"}`), signature, "").Replace(text)}
	for _, header := range headers() {
		hostile := b64(fmt.Sprintf(header, key.Name()))
		cards[header] = strings.NewReplacer(protected, hostile, signature, signAnything(t, hostile, payload)).Replace(text)
	}
	for name, change := range forged() {
		cards[name] = strings.Replace(text, signature, change(signature), 1)
	}
	for _, edit := range edits() {
		cards[edit[1]] = strings.Replace(text, edit[0], edit[1], 1)
	}
	for name, card := range cards {
		verdict, results, _ := sign.Verify("card.json", []byte(card), trust)
		if verdict == sign.Verified || card == text {
			t.Errorf("%s: accepted: %+v", name, results)
		}
	}
	if verdict, _, _ := sign.Verify("card.json", []byte(text), trust); verdict != sign.Verified {
		t.Errorf("the card itself is %s", verdict)
	}
}

// signAnything signs a header that cardwright would not write with the right key.
func signAnything(t *testing.T, protected string, payload []byte) string {
	t.Helper()
	der := signDER(t, "ES256", []byte(protected+"."+b64(string(payload))))
	rs := make([]byte, 64)
	new(big.Int).SetBytes(der[4 : 4+der[3]]).FillBytes(rs[:32])
	new(big.Int).SetBytes(der[6+der[3]:]).FillBytes(rs[32:])
	return b64(string(rs))
}

// No byte of a signed card can be changed but for what says the same.
func TestEveryChangedByte(t *testing.T) {
	key, step := testKey(t, "EdDSA"), 5
	if fixture.Long() {
		step = 1
	}
	text := schema.Write(mustSign(t, fullCard(t), key, sign.Options{}))
	want, _ := sign.Payload(parse(t, string(text)))
	for i := 0; i < len(text); i += step {
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

// signedBy returns a card with a signature over a header.
func signedBy(t *testing.T, protected string, signature []byte) *source.Node {
	t.Helper()
	card := fullCard(t)
	card.Set("signatures", parse(t, fmt.Sprintf(`[{"protected":%q,"signature":%q}]`, protected, b64(string(signature)))))
	return card
}

// The public key as the secret of HMAC, in every form that an attacker has it in.
func TestSymmetricConfusion(t *testing.T) {
	key := testKey(t, "RS256")
	payload, _ := sign.Payload(fullCard(t))
	protected := b64(fmt.Sprintf(`{"alg":"HS256","kid":%q}`, key.Name()))
	jwk := schema.WriteCompact(key.JWK())
	for _, secret := range [][]byte{signtest.PEM(t, "RS256"), []byte(jwk), schema.Write(key.JWK()), nil} {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(protected + "." + b64(string(payload))))
		if verdict, results := verify(signedBy(t, protected, mac.Sum(nil)), key.Public()); verdict != sign.Refused {
			t.Errorf("%s: %+v", verdict, results)
		}
	}
}

// One good signature is enough beside a bad one, unless all have to be good.
func TestSeveralSignatures(t *testing.T) {
	good, other := testKey(t, "ES256"), testKey(t, "EdDSA")
	card := schema.Write(mustSign(t, mustSign(t, fullCard(t), good, sign.Options{}), other, sign.Options{}))
	for all, want := range map[bool]sign.Verdict{false: sign.Verified, true: sign.Refused} {
		verdict, _, found := sign.Verify("card.json", card, sign.Trust{Keys: []sign.Key{good}, All: all})
		if verdict != want || len(found) != 1 || found[0].Pointer != "/signatures/1" {
			t.Errorf("all: %t: %s, %v", all, verdict, found)
		}
	}
	for n, want := range map[int]sign.Verdict{0: sign.Unsigned, 16: sign.Refused, 17: sign.Unreadable} {
		many := fullCard(t)
		many.Set("signatures", parse(t, `[`+strings.TrimSuffix(strings.Repeat(`{},`, n), ",")+`]`))
		if verdict, _ := verify(many, good); verdict != want {
			t.Errorf("%d signatures: %s, want %s", n, verdict, want)
		}
	}
}

// Others sign with the name that RFC 9864 gives EdDSA; a card of ours never has it.
func TestFullySpecified(t *testing.T) {
	key := testKey(t, "EdDSA")
	payload, _ := sign.Payload(fullCard(t))
	protected := b64(fmt.Sprintf(`{"alg":"Ed25519","kid":%q,"typ":"JOSE"}`, key.Name()))
	signer, ok := privateKey(t, "EdDSA").(ed25519.PrivateKey)
	if !ok {
		t.Fatal("the key is of another type")
	}
	good, err := signer.Sign(nil, []byte(protected+"."+b64(string(payload))), crypto.Hash(0))
	if err != nil {
		t.Fatal(err)
	}
	for want, made := range map[sign.Verdict][]byte{sign.Verified: good, sign.Refused: slices.Repeat([]byte{1}, 64)} {
		card := signedBy(t, protected, made)
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
