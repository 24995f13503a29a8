package sign

import (
	"crypto"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestSignIsDeterministic(t *testing.T) {
	card := parse(t, fullCard(t))
	for _, alg := range Algorithms() {
		t.Run(string(alg), func(t *testing.T) {
			first := mustSign(t, card, testKey(alg), Options{})
			for range fixture.Rounds(9, 199) {
				if again := mustSign(t, card, testKey(alg), Options{}); again != first {
					t.Fatalf("one run gives %v, another %v", first, again)
				}
			}
		})
	}
}

func TestSignHeader(t *testing.T) {
	tests := []struct {
		name    string
		options Options
		want    string
	}{
		{"default", Options{}, `{"alg":"ES256","kid":"test-es256","typ":"JOSE"}`},
		{
			"all",
			Options{Alg: ES256, Kid: "billing-2026", JKU: "https://a.example/jwks.json"},
			`{"alg":"ES256","jku":"https://a.example/jwks.json","kid":"billing-2026","typ":"JOSE"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustSign(t, parse(t, fullCard(t)), testKey(ES256), tt.options)
			header, err := decode(s.Protected)
			if diff := cmp.Diff(tt.want, string(header)); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if s.Header != nil {
				t.Error("there is an unprotected header")
			}
		})
	}
}

// What a key of its own has no name for is named by its thumbprint.
func TestSignNamesTheKeyByThumbprint(t *testing.T) {
	k := testKey(EdDSA)
	k.Kid = ""
	s := mustSign(t, parse(t, fullCard(t)), k, Options{})
	header, _ := decode(s.Protected)
	if want := `"kid":"` + k.Thumbprint() + `"`; !strings.Contains(string(header), want) {
		t.Errorf("header %s lacks %s", header, want)
	}
}

func TestSignCoversEverythingButSignatures(t *testing.T) {
	card := parse(t, fullCard(t))
	first := mustSign(t, card, testKey(ES256), Options{})
	signed := parse(t, withSignatures(card, first))
	if again := mustSign(t, signed, testKey(ES256), Options{}); again != first {
		t.Errorf("signing the signed card gives %v, not %v", again, first)
	}
}

func TestSignRefusesKeys(t *testing.T) {
	tests := []struct {
		name    string
		key     Key
		options Options
		want    string
	}{
		{"public key", testKey(ES256).Public(), Options{}, "the key has no private half, so it cannot sign"},
		{"no key", Key{}, Options{}, "the key has no private half, so it cannot sign"},
		{"other algorithm", testKey(ES256), Options{Alg: ES384}, "the key is for ES256, not for ES384"},
		{
			"no signature at all", testKey(ES256),
			Options{Alg: "none"},
			`unknown algorithm "none"; known are ES256, ES384, ES512, EdDSA, RS256`,
		},
		{
			"symmetric", testKey(ES256),
			Options{Alg: "HS256"},
			`unknown algorithm "HS256"; known are ES256, ES384, ES512, EdDSA, RS256`,
		},
		{
			"Bitcoin's curve", testKey(ES256),
			Options{Alg: "ES256K"},
			`unknown algorithm "ES256K"; known are ES256, ES384, ES512, EdDSA, RS256`,
		},
		{
			"Ed25519 by its other name", testKey(EdDSA),
			Options{Alg: "Ed25519"},
			`cards are not signed with Ed25519, only verified; use ES256, ES384, ES512, EdDSA, RS256`,
		},
		{
			"endless name", testKey(ES256),
			Options{Kid: strings.Repeat("a", maxHeader)},
			"the signature would be refused: its protected header is larger than 8 KiB",
		},
		{"broken name", testKey(ES256), Options{Kid: "a\xff"}, "the kid or the jku is not valid Unicode"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, list, err := Sign(parse(t, fullCard(t)), tt.key, tt.options)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if s != (schema.Signature{}) || list != nil {
				t.Errorf("got %v and %v beside the error", s, list)
			}
		})
	}
}

func TestSignRefusesCards(t *testing.T) {
	tests := []struct {
		name, old, new string
		divergent      bool // what --allow-divergent gives
		want           []string
	}{
		{"as it should be", "", "", true, nil},
		{"dual", `"version"`, `"url": "https://a.example", "version"`, false, []string{"error signature-dual "}},
		{"unknown member", `"version"`, `"x": 1, "version"`, true, []string{"error signature-canonical-hazard /x"}},
		{
			"empty member", `["Translate this into French"]`, `[]`, true,
			[]string{"error signature-canonical-hazard /skills/0/examples"},
		},
		{"missing member", `"version": "1.4.0",`, ``, true, []string{"error signature-canonical-hazard /version"}},
		{
			"large number", `"none": 0`, `"none": 9007199254740993`, false,
			[]string{"error signature-number /capabilities/extensions/0/params/none"},
		},
		{
			"scheme without scopes", `{"list": ["read", "write"]}`, `{}`, true,
			[]string{"warning signature-canonical-hazard /securityRequirements/0/schemes/code"},
		},
		{
			"scheme of a skill without scopes", `{"list": ["read"]}`, `{}`, true,
			[]string{"warning signature-canonical-hazard /skills/0/securityRequirements/0/schemes/oidc"},
		},
		{
			"scheme with no scopes", `{"list": ["read", "write"]}`, `{"list": []}`, true,
			[]string{"error signature-canonical-hazard /securityRequirements/0/schemes/code/list"},
		},
		{
			"0.3", `"supportedInterfaces"`, `"protocolVersion": "0.3.0", "interfaces"`, true,
			[]string{"info signature-legacy "},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			card := parse(t, strings.Replace(fullCard(t), tt.old, tt.new, 1))
			s, list, err := Sign(card, testKey(ES256), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, rules(withoutCompat(list))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if refused := list.Worst() == diag.Error; refused != (s == schema.Signature{}) {
				t.Errorf("signature %v beside %v", s, list)
			}
			s, list, err = Sign(card, testKey(ES256), Options{AllowDivergent: true})
			if err != nil {
				t.Fatal(err)
			}
			if signed := s != (schema.Signature{}); signed != tt.divergent {
				t.Errorf("allowing divergence: signed is %v, findings %v", signed, list)
			}
		})
	}
}

// withoutCompat leaves out what is the fault of verifiers alone.
func withoutCompat(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool {
		return strings.HasPrefix(d.Rule,
			"compat-")
	})
}

func TestSignRefusesWhatIsNoCard(t *testing.T) {
	for _, text := range []string{`[]`, `"card"`, `null`, `7`} {
		s, list, err := Sign(parse(t, text), testKey(ES256), Options{})
		if s != (schema.Signature{}) || list.Worst() != diag.Error || err != nil {
			t.Errorf("%s: got %v, %v, %v", text, s, list, err)
		}
	}
}

func TestKeep(t *testing.T) {
	card := parse(t, fullCard(t))
	key := testKey(ES256)
	// One that another program made: not the deterministic one, but as good.
	foreign := mustSign(t, card, key, Options{})
	foreign.Signature = joseSignature(t, card, foreign.Protected, key)
	other := mustSign(t, card, testKey(EdDSA), Options{})
	signed := parse(t, withSignatures(card, other, foreign))
	under := func(header string) *source.Node {
		payload, _ := Payload(card)
		s := schema.Signature{Protected: encode([]byte(header))}
		signature, err := key.sign(input(s.Protected, payload))
		if err != nil {
			t.Fatal(err)
		}
		s.Signature = encode(signature)
		return parse(t, withSignatures(card, s))
	}

	tests := []struct {
		name    string
		card    *source.Node
		signed  *source.Node
		key     Key
		options Options
		want    bool
	}{
		{"same card", card, signed, key, Options{}, true},
		{"public key", card, signed, key.Public(), Options{}, true},
		{"other card", parse(t, strings.Replace(fullCard(t), "1.4.0", "1.4.1", 1)), signed, key, Options{}, false},
		{"other header", card, signed, key, Options{JKU: "https://a.example"}, false},
		{
			"header in another order", card, under(`{"typ": "JOSE", "kid": "test-es256", "alg": "ES256"}`), key,
			Options{},
			true,
		},
		{"header without typ", card, under(`{"alg":"ES256","kid":"test-es256"}`), key, Options{}, false},
		{"header with more", card, under(`{"alg":"ES256","iat":1,"kid":"test-es256","typ":"JOSE"}`), key, Options{}, false},
		{"other key", card, signed, testKey(ES384), Options{Kid: key.Kid}, false},
		{"unsigned card", card, card, key, Options{}, false},
		{"no card", card, nil, key, Options{}, false},
		{"no array", card, parse(t, `{"signatures": {}}`), key, Options{}, false},
		{"odd entries", card, parse(t, `{"signatures": [null, 1, {}, {"protected": 7}, {"protected": "`+foreign.Protected+
			`"}]}`), key, Options{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Keep(tt.card, tt.signed, tt.key, tt.options)
			if ok != tt.want {
				t.Errorf("got %v, %v", got, ok)
			}
			if ok && !strings.Contains(string(schema.Write(tt.signed)), got.Signature) {
				t.Errorf("got %v, which is not on the card", got)
			}
		})
	}
}

func TestAttach(t *testing.T) {
	card := parse(t, fullCard(t))
	first, second := mustSign(t, card, testKey(ES256), Options{}), mustSign(t, card, testKey(EdDSA), Options{})
	renewed := first
	renewed.Signature = joseSignature(t, card, first.Protected, testKey(ES256))
	broken := parse(t, `{"signatures": [{"protected": "bm90IEpTT04", "signature": "AA"}, 7]}`)
	tests := []struct {
		name string
		card *source.Node
		s    schema.Signature
		want []string
	}{
		{"first", card, first, []string{first.Signature}},
		{"another", parse(t, withSignatures(card, first)), second, []string{first.Signature, second.Signature}},
		{"renewed", parse(t, withSignatures(card, first, second)), renewed, []string{renewed.Signature, second.Signature}},
		{"beside what cannot be read", broken, first, []string{"AA", "", first.Signature}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := string(schema.Write(tt.card))
			signed, list := Attach(tt.card, tt.s)
			if len(list) > 0 {
				t.Fatal(list)
			}
			var got []string
			for _, n := range signed.Get("signatures").Items {
				text := ""
				if s := n.Get("signature"); s != nil {
					text = s.Text
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if string(schema.Write(tt.card)) != before {
				t.Error("the card itself has changed")
			}
		})
	}
	signed, list := Attach(parse(t, `{"signatures": {}}`), first)
	if diff := cmp.Diff([]string{"error signature-malformed /signatures"}, rules(list)); diff != "" || signed != nil {
		t.Errorf("got %v (-want +got):\n%s", signed, diff)
	}
}

// joseSignature signs with go-jose, whose ECDSA is randomized.
func joseSignature(t *testing.T, card *source.Node, protected string, k Key) string {
	t.Helper()
	payload, list := Payload(card)
	if len(list) > 0 {
		t.Fatal(list)
	}
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.SignatureAlgorithm(k.Alg()), Key: jose.JSONWebKey{Key: k.signer, KeyID: k.Kid}},
		(&jose.SignerOptions{}).WithType("JOSE"),
	)
	if err != nil {
		t.Fatal(err)
	}
	jws, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	var flat struct{ Protected, Signature string }
	if err := json.Unmarshal([]byte(jws.FullSerialize()), &flat); err != nil {
		t.Fatal(err)
	}
	if flat.Protected != protected {
		t.Fatalf("go-jose writes the header %s", flat.Protected)
	}
	return flat.Signature
}

// go-jose accepts what Sign makes, by the keys that JWKS publishes.
func TestJoseVerifies(t *testing.T) {
	card := parse(t, fullCard(t))
	payload, _ := Payload(card)
	var keys []Key
	for _, alg := range Algorithms() {
		keys = append(keys, testKey(alg))
	}
	set, err := JWKS(keys)
	if err != nil {
		t.Fatal(err)
	}
	var published jose.JSONWebKeySet
	if err := json.Unmarshal(schema.Write(set), &published); err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		t.Run(string(k.Alg()), func(t *testing.T) {
			s := mustSign(t, card, k, Options{})
			flat, _ := json.Marshal(map[string]string{
				"payload": encode(payload), "protected": s.Protected,
				"signature": s.Signature,
			})
			jws, err := jose.ParseSignedJSON(string(flat), []jose.SignatureAlgorithm{jose.SignatureAlgorithm(k.Alg())})
			if err != nil {
				t.Fatal(err)
			}
			named := published.Key(k.Kid)
			if len(named) != 1 || !named[0].IsPublic() || !named[0].Valid() {
				t.Fatalf("published are %v", named)
			}
			if got, err := jws.Verify(named[0]); err != nil || string(got) != string(payload) {
				t.Errorf("go-jose says %v", err)
			}
			thumbprint, err := named[0].Thumbprint(crypto.SHA256)
			if err != nil || encode(thumbprint) != k.Thumbprint() {
				t.Errorf("go-jose has the thumbprint %s, %v", encode(thumbprint), err)
			}
		})
	}
}

const keyedRequirement = `"securityRequirements": [{"schemes": {"key": {}}}, {"schemes": {"code"`

// With Compat there are two signatures: one for those who take the card as it
// stands, and one for the SDKs.
func TestSignaturesForSDKs(t *testing.T) {
	card := parse(t, strings.Replace(fullCard(t), `"securityRequirements": [{"schemes": {"code"`, keyedRequirement, 1))
	key := testKey(ES256)
	list, found, err := Signatures(card, nil, key, Options{Compat: true})
	if err != nil || len(list) != 2 {
		t.Fatalf("got %d signatures, %v", len(list), err)
	}
	for _, d := range found {
		if d.Severity == diag.Warning && !strings.HasPrefix(d.Message,
			"the second signature, for a2a-js and a2a-python, does not cover") {
			t.Errorf("%s: %s", d.Pointer, d.Message)
		}
	}
	signed, _ := Attach(card, list...)
	results := verify(t, string(schema.Write(signed)), key)
	if diff := cmp.Diff([]string{"raw", "sdk"}, []string{
		string(results[0].Reading),
		string(results[1].Reading),
	}); diff != "" {
		t.Errorf("readings (-want +got):\n%s", diff)
	}
	// Both stay, and one option less means one signature less.
	again, _, err := Signatures(card, signed, key, Options{Compat: true})
	if err != nil || !slices.Equal(again, list) {
		t.Errorf("again: %v, %v", again, err)
	}
	one, _, err := Signatures(card, signed, key, Options{})
	if err != nil || len(one) != 1 || one[0] != list[0] {
		t.Errorf("without Compat: %v, %v", one, err)
	}
	if less, _ := Attach(signed, one...); len(less.Get("signatures").Items) != 1 {
		t.Error("the signature for the SDKs stays")
	}
	// A card on which everybody agrees needs no second one.
	if plain, _, err := Signatures(parse(t, fullCard(t)), nil, key, Options{Compat: true}); err != nil || len(plain) != 1 {
		t.Errorf("got %d signatures, %v", len(plain), err)
	}
}

func TestReencode(t *testing.T) {
	tests := []struct {
		name, in, want string
		found          []string
	}{
		{
			"requirement", `{"securityRequirements":[{"schemes":{"key":{"list":[]},"code":{"list":["read"]}}}]}`,
			`{"securityRequirements":[{"schemes":{"code":{"list":["read"]},"key":{}}}]}`,
			[]string{"info signature-reencoded /securityRequirements/0/schemes/key"},
		},
		{
			"of a skill", `{"skills":[{"securityRequirements":[{"schemes":{"key":{"list":[]}}}]}]}`,
			`{"skills":[{"securityRequirements":[{"schemes":{"key":{}}}]}]}`,
			[]string{"info signature-reencoded /skills/0/securityRequirements/0/schemes/key"},
		},
		{
			"elsewhere", `{"x":{"list":[]},"skills":[{"list":[]}],"capabilities":{"extensions":[{"params":{"list":[]}}]}}`,
			`{"capabilities":{"extensions":[{"params":{"list":[]}}]},"skills":[{"list":[]}],"x":{"list":[]}}`, nil,
		},
		{
			"more members", `{"securityRequirements":[{"schemes":{"key":{"list":[],"x":1}}}]}`,
			`{"securityRequirements":[{"schemes":{"key":{"list":[],"x":1}}}]}`, nil,
		},
		{
			"signed", `{"securityRequirements":[{"schemes":{"key":{"list":[]}}}],"signatures":[]}`,
			`{"securityRequirements":[{"schemes":{"key":{"list":[]}}}],"signatures":[]}`, nil,
		},
		{"no card", `[]`, `[]`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			card := parse(t, tt.in)
			got, found := Reencode(card)
			if diff := cmp.Diff(tt.want, string(canonical(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.found, rules(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if string(canonical(card)) != string(canonical(parse(t, tt.in))) {
				t.Error("the card that was given has changed")
			}
		})
	}
}

// A signature that was made elsewhere, in any of the forms in which key management
// systems give it out.
func TestMade(t *testing.T) {
	card := parse(t, fullCard(t))
	for _, alg := range Algorithms() {
		key := testKey(alg)
		o := Options{Alg: alg, Kid: key.Kid}
		in, found, err := Input(card, o)
		if err != nil || found.Worst() == diag.Error {
			t.Fatalf("%s: %v, %v", alg, err, found)
		}
		want := mustSign(t, card, key, Options{})
		raw, err := key.sign(in)
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string][]byte{
			"raw":       raw,
			"base64":    []byte(base64.StdEncoding.EncodeToString(raw) + "\n"),
			"base64url": []byte(encode(raw)),
		}
		if alg.curve().size > 0 {
			der, err := key.signer.Sign(nil, alg.digest(in), alg.hash())
			if err != nil {
				t.Fatal(err)
			}
			forms["DER"], forms["base64 of DER"] = der, []byte(base64.StdEncoding.EncodeToString(der))
		}
		for name, form := range forms {
			got, found, err := Made(card, o, form, key.Public())
			if err != nil || found.Worst() >= diag.Warning || got != want {
				t.Errorf("%s, %s: %+v, %v, %v", alg, name, got, found, err)
			}
			_, found, err = Made(card, o, form, Key{})
			if err != nil || !slices.Contains(rules(found), "warning signature-unchecked ") {
				t.Errorf("%s, %s without a key: %v, %v", alg, name, found, err)
			}
		}
		changed := parse(t, strings.Replace(fullCard(t), "Acme", "Bcme", 1))
		if _, _, err := Made(changed, o, raw, key); err == nil ||
			!strings.HasPrefix(err.Error(), "the key did not make this signature for this card") {
			t.Errorf("%s over a changed card: %v", alg, err)
		}
	}
	key := testKey(ES256)
	huge, err := asn1.Marshal(struct{ R, S *big.Int }{new(big.Int).Lsh(big.NewInt(1), 300), big.NewInt(1)})
	if err != nil {
		t.Fatal(err)
	}
	const neither = " bytes and is neither R and S of ES256, 64 bytes in all, nor DER"
	for name, tt := range map[string]struct {
		o         Options
		signature string
		want      string
	}{
		"no name": {Options{Alg: ES256}, "AA", "the name of the key is missing"},
		"PS256": {
			Options{Alg: PS256, Kid: "k"},
			"AA",
			"cards are not signed with PS256, only verified; use ES256, ES384, ES512, EdDSA, RS256",
		},
		"nothing": {Options{Alg: ES256, Kid: "k"}, "", "the signature has 0" + neither},
		"text":    {Options{Alg: ES256, Kid: "k"}, "{}", "the signature has 2" + neither},
		"huge numbers": {
			Options{Alg: ES256, Kid: "k"},
			string(huge),
			fmt.Sprintf("the signature has %d%s", len(huge), neither),
		},
		"Ed25519":   {Options{Alg: EdDSA, Kid: "k"}, "AAAA", "the signature has 3 bytes, but EdDSA has 64"},
		"other key": {Options{Alg: ES384, Kid: "k"}, strings.Repeat("A", 128), "the key is for ES256, not for ES384"},
	} {
		if _, _, err := Made(card, tt.o, []byte(tt.signature), key); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}
