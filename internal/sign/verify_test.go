package sign

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
)

func verify(t *testing.T, text string, keys ...Key) []Result {
	t.Helper()
	results, list := Verify("card.json", []byte(text), Trust{Keys: keys}, source.Limits{})
	if len(list) > 0 {
		t.Fatalf("Verify: %v", list)
	}
	return results
}

func TestVerifyAcceptsWhatSignMakes(t *testing.T) {
	card := parse(t, fullCard(t))
	var keys []Key
	var signatures []schema.Signature
	for _, alg := range Algorithms() {
		keys = append(keys, testKey(alg).Public())
		signatures = append(signatures, mustSign(t, card, testKey(alg), Options{JKU: "https://a.example/jwks.json"}))
	}
	results := verify(t, withSignatures(card, signatures...), keys...)
	if len(results) != len(keys) {
		t.Fatalf("got %d results for %d signatures", len(results), len(keys))
	}
	for i, r := range results {
		k := keys[i]
		want := Result{
			Pointer: "/signatures/" + string(rune('0'+i)), Span: r.Span,
			Alg: k.Alg(), Kid: k.Kid, JKU: "https://a.example/jwks.json", Reading: Raw,
		}
		if diff := cmp.Diff(want, r); diff != "" || r.Span.Line == 0 {
			t.Errorf("%s at %s (-want +got):\n%s", k, r.Span, diff)
		}
	}
}

// Every byte of the card that is not a signature is covered by each reading.
func TestVerifyRefusesEveryChangedByte(t *testing.T) {
	card := parse(t, fullCard(t))
	signed := parse(t, withSignatures(card, mustSign(t, card, testKey(EdDSA), Options{})))
	text := string(canonical(signed))
	if results := verify(t, text, testKey(EdDSA)); !results[0].Good() {
		t.Fatalf("the unchanged card is refused: %s", results[0].Fault)
	}
	for i := 0; i < len(text); i += fixture.Rounds(13, 1) {
		changed := []byte(text)
		changed[i] ^= 0x01
		results, _ := Verify("card.json", changed, Trust{Keys: []Key{testKey(EdDSA)}}, source.Limits{})
		for _, r := range results {
			if r.Good() {
				t.Errorf("byte %d changed from %q to %q: still good under %s", i, text[i], changed[i], r.Reading)
			}
		}
	}
}

// Signatures over the other readings are good as well, and say what they leave
// out.
func TestVerifyReadings(t *testing.T) {
	text := strings.NewReplacer(
		`"version"`, `"x-note": "", "version"`,
		`"required": true`, `"required": false`,
		`["Translate this into French"]`, `["", "b"]`,
		`"organization": "Acme Inc.", `, ``,
	).Replace(fullCard(t))
	card := parse(t, text)
	tests := []struct {
		reading   Reading
		uncovered []string
		open      bool
	}{
		{Raw, nil, false},
		{Stripped, []string{"/capabilities/extensions/0/required"}, false},
		{Typed, []string{"/capabilities/extensions/0/required", "/x-note"}, true},
		{SDK, []string{"/capabilities/extensions/0/required", "/skills/0/examples/0", "/x-note"}, true},
	}
	for _, tt := range tests {
		t.Run(string(tt.reading), func(t *testing.T) {
			tree, _ := Read(card, tt.reading)
			protected := Options{}.header(testKey(ES256)).encode()
			signature, err := testKey(ES256).sign(input(protected, canonical(tree)))
			if err != nil {
				t.Fatal(err)
			}
			r := verify(t, withSignatures(card, schema.Signature{Protected: protected, Signature: encode(signature)}),
				testKey(ES256))[0]
			if r.Fault != "" || r.Reading != tt.reading || r.Open() != tt.open {
				t.Errorf("got %q, %q, open %v", r.Reading, r.Fault, r.Open())
			}
			if diff := cmp.Diff(tt.uncovered, places(r.Uncovered)); diff != "" {
				t.Errorf("uncovered (-want +got):\n%s", diff)
			}
		})
	}
}

// Whoever adds what a reading leaves out must not change what the card says.
func TestVerifyTellsWhatIsOpen(t *testing.T) {
	signed := parse(t, fullCard(t))
	tree, _ := Read(signed, SDK)
	protected := Options{}.header(testKey(ES256)).encode()
	signature, err := testKey(ES256).sign(input(protected, canonical(tree)))
	if err != nil {
		t.Fatal(err)
	}
	s := schema.Signature{Protected: protected, Signature: encode(signature)}
	tests := []struct {
		name, old, new string
		uncovered      []string
		open           bool
	}{
		{"nothing", ``, ``, nil, false},
		{"empty member", `"version"`, `"securityRequirement": [], "version"`, []string{"/securityRequirement"}, true},
		{
			"empty member of the protocol", `"url": "https://agents`, `"tenant": "", "url": "https://agents`,
			[]string{"/supportedInterfaces/0/tenant"},
			false,
		},
		{
			"scheme without scopes", `"schemes": {`, `"schemes": {"none": {}, `,
			[]string{"/securityRequirements/0/schemes/none"},
			true,
		},
		{
			"declared scheme without scopes", `"schemes": {`, `"schemes": {"key": {}, `,
			[]string{"/securityRequirements/0/schemes/key"},
			true,
		},
		{
			"requirement of a declared scheme", `"securityRequirements": [`,
			`"securityRequirements": [{"schemes": {"key": {}}}, `,
			[]string{"/securityRequirements/0", "/securityRequirements/0/schemes/key"},
			false,
		},
		{
			"requirement of a scheme that nobody declares", `"securityRequirements": [`,
			`"securityRequirements": [{"schemes": {"none": {}}}, `,
			[]string{"/securityRequirements/0", "/securityRequirements/0/schemes/none"},
			true,
		},
		{
			"requirement of two schemes", `"securityRequirements": [`,
			`"securityRequirements": [{"schemes": {"key": {}, "mtls": {}}}, `,
			[]string{"/securityRequirements/0", "/securityRequirements/0/schemes/key", "/securityRequirements/0/schemes/mtls"},
			true,
		},
		{
			"requirement of nothing", `"securityRequirements": [`, `"securityRequirements": [{}, `,
			[]string{"/securityRequirements/0"},
			true,
		},
		{
			"requirement of no schemes", `"securityRequirements": [`, `"securityRequirements": [{"schemes": {}}, `,
			[]string{"/securityRequirements/0", "/securityRequirements/0/schemes"},
			true,
		},
		{
			"scheme of no kind", `"securitySchemes": {`, `"securitySchemes": {"none": {}, `,
			[]string{"/securitySchemes/none"},
			true,
		},
		{
			"scheme without members", `"securitySchemes": {`, `"securitySchemes": {"none": {"mtlsSecurityScheme": {}}, `,
			[]string{"/securitySchemes/none", "/securitySchemes/none/mtlsSecurityScheme"},
			true,
		},
		{
			"content of params", `"params": {`, `"params": {"unsafe": null, `,
			[]string{"/capabilities/extensions/0/params/unsafe"},
			true,
		},
		{"empty text in a list", `"tags": [`, `"tags": ["", `, []string{"/skills/0/tags/0"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			card := parse(t, strings.Replace(fullCard(t), tt.old, tt.new, 1))
			r := verify(t, withSignatures(card, s), testKey(ES256))[0]
			if !r.Good() || r.Open() != tt.open {
				t.Errorf("got %q, open %v", r.Fault, r.Open())
			}
			if diff := cmp.Diff(tt.uncovered, places(r.Uncovered)); diff != "" {
				t.Errorf("uncovered (-want +got):\n%s", diff)
			}
		})
	}
}

// Unknown members need no signature where that is accepted, those that some client
// reads always do.
func TestVerifyAcceptsWhatIsLeftOut(t *testing.T) {
	key := testKey(ES256)
	for _, tt := range []struct {
		added, pointer string
		want           Verdict
	}{
		{`"x-team":"orders"`, "/x-team", Verified},
		{`"x-team":"orders"`, "/x-*", Verified},
		{`"x-team":"orders"`, "/x-tea", Uncovered},
		{`"x-team":{"lead":"a"}`, "/x-team/lead", Uncovered},
		{`"x-team":"orders","x-site":"b"`, "/x-team", Uncovered},
		{`"url":"https://mallory.example"`, "/url", Uncovered},
		{`"SupportedInterfaces":[]`, "/*", Uncovered},
		{`"ſecurity":[]`, "/*", Uncovered},
		{`"icon_url":"https://mallory.example/i.png"`, "/*", Uncovered},
	} {
		card := parse(t, fullCard(t))
		text := withSignatures(card, mustSign(t, card, key, Options{}))
		text = strings.Replace(text, "{", "{"+tt.added+",", 1)
		results, faults := Verify("card.json", []byte(text), Trust{Keys: []Key{key}, Uncovered: []string{tt.pointer}},
			source.Limits{})
		if got, found := Judge(results, faults, false); got != tt.want {
			t.Errorf("%s without %s: got %s, want %s: %v", tt.pointer, tt.added, got, tt.want, found)
		}
	}
}

func TestVerifyRefusesSignatures(t *testing.T) {
	card := parse(t, fullCard(t))
	key, other := testKey(ES256), testKey(EdDSA)
	good := mustSign(t, card, key, Options{})
	head := func(text string) string {
		s := good
		s.Protected = encode([]byte(text))
		return withSignatures(card, s)
	}
	body := func(signature string) string {
		s := good
		s.Signature = signature
		return withSignatures(card, s)
	}
	raw, err := decode(good.Signature)
	if err != nil {
		t.Fatal(err)
	}
	payload, _ := Payload(card)
	der, err := key.signer.Sign(nil, ES256.digest(input(good.Protected, payload)), ES256.hash())
	if err != nil {
		t.Fatal(err)
	}
	entry := func(text string) string {
		signed := card.Without("signatures")
		signed.Set("signatures", parse(t, "["+text+"]"))
		return string(schema.Write(signed))
	}
	unprotected := func(header string) string {
		s := good
		s.Header = parse(t, header)
		return withSignatures(card, s)
	}
	const allowed = "; ES256, ES384, ES512, EdDSA, RS256, Ed25519, PS256, PS384, PS512, RS384, RS512 are allowed"
	tests := []struct {
		name, card, want string
		keys             []Key
	}{
		{"none", head(`{"alg":"none","kid":"test-es256","typ":"JOSE"}`), `its algorithm is "none"` + allowed, nil},
		{"None", head(`{"alg":"None","kid":"test-es256"}`), `its algorithm is "None"` + allowed, nil},
		{"HS256", head(`{"alg":"HS256","kid":"test-es256"}`), `its algorithm is "HS256"` + allowed, nil},
		{"ES256K", head(`{"alg":"ES256K","kid":"test-es256"}`), `its algorithm is "ES256K"` + allowed, nil},
		{
			"Ed25519", head(`{"alg":"Ed25519","kid":"test-es256"}`),
			`its alg is Ed25519, but the key "test-es256" is for ES256`, nil,
		},
		{"PS256", head(`{"alg":"PS256","kid":"test-es256"}`), `its alg is PS256, but the key "test-es256" is for ES256`, nil},
		{"no algorithm", head(`{"kid":"test-es256"}`), "its protected header names no alg", nil},
		{"algorithm of another type", head(`{"alg":["ES256"],"kid":"test-es256"}`), "its protected header names no alg", nil},
		{
			"algorithm twice", head(`{"alg":"none","alg":"ES256","kid":"test-es256"}`),
			`its protected header is malformed: member "alg" is defined twice, the first one is used`, nil,
		},
		{"no kid", head(`{"alg":"ES256"}`), "its protected header names no kid", nil},
		{"empty kid", head(`{"alg":"ES256","kid":""}`), "its protected header names no kid", nil},
		{
			"jku of another type", head(`{"alg":"ES256","kid":"test-es256","jku":1}`),
			"the jku in its protected header is not a text", nil,
		},
		{
			"crit", head(`{"alg":"ES256","crit":["exp"],"exp":1,"kid":"test-es256"}`),
			"its protected header uses crit, which signed cards do not allow", nil,
		},
		{
			"b64", head(`{"alg":"ES256","b64":false,"kid":"test-es256"}`),
			"its protected header uses b64, which signed cards do not allow", nil,
		},
		{"header of another type", head(`[]`), "its protected header is not a JSON object", nil},
		{
			"header that goes on", head(`{"alg":"ES256","kid":"test-es256"}{}`),
			`its protected header is malformed: found "{", expected the end of the file`, nil,
		},
		{
			"header without end", head(`{"alg":"ES256"`),
			`its protected header is malformed: the file ends too early, expected a comma or "}"`, nil,
		},
		{
			"endless header", head(`{"alg":"ES256","kid":"` + strings.Repeat("a", maxHeader) + `"}`),
			"its protected header is larger than 8 KiB", nil,
		},
		{
			"changed header", head(`{"alg":"ES256","kid":"test-es256","typ":"jose"}`),
			`the key "test-es256" did not make it for this card: the card or the signature was changed`, nil,
		},
		{
			"unknown kid", head(`{"alg":"ES256","kid":"someone"}`),
			`no key has the kid "someone": the keys given are "test-eddsa", "test-es256"`, nil,
		},
		{"no keys", head(`{"alg":"ES256","kid":"someone"}`), `no key has the kid "someone": no key was given`, []Key{}},
		{
			"key of another kind", head(`{"alg":"ES256","kid":"test-eddsa"}`),
			`its alg is ES256, but the key "test-eddsa" is for EdDSA`, nil,
		},
		{
			"padded header", entry(`{"protected":"eyJhIjoxfQ==","signature":"AA"}`),
			"its protected header is padded; base64url without padding is required", nil,
		},
		{
			"header with line breaks", entry(`{"protected":"eyJhbGci\nOiJFUzI1NiJ9","signature":"AA"}`),
			"its protected header is not base64url", nil,
		},
		{
			"header in plain base64", entry(`{"protected":"a+/a","signature":"AA"}`),
			"its protected header is plain base64; base64url is required", nil,
		},
		{
			"header with loose bits", entry(`{"protected":"eyJhIjoxfR","signature":"AA"}`),
			"its protected header is not base64url", nil,
		},
		{"no header", entry(`{"signature":"AA"}`), "it has no protected header", nil},
		{"null", entry(`null`), "it is not an object", nil},
		{"text", entry(`"` + good.Protected + `..` + good.Signature + `"`), "it is not an object", nil},
		{"no signature", entry(`{"protected":"` + good.Protected + `"}`), "it has no signature", nil},
		{"empty signature", body(""), "it has no signature", nil},
		{
			"padded signature", body(base64.URLEncoding.EncodeToString(raw)),
			"its signature is padded; base64url without padding is required", nil,
		},
		{"DER", body(encode(der)), "its signature is in DER, but ES256 needs R and S, 64 bytes in all", nil},
		{"short signature", body(encode(raw[:63])), "its signature has 63 bytes, but ES256 has 64", nil},
		{
			"zeros", body(encode(make([]byte, 64))),
			`the key "test-es256" did not make it for this card: the card or the signature was changed`, nil,
		},
		{
			"swapped halves", body(encode(append(raw[32:64:64], raw[:32]...))),
			`the key "test-es256" did not make it for this card: the card or the signature was changed`, nil,
		},
		{
			"unprotected alg", unprotected(`{"alg":"ES256"}`),
			"its unprotected header has alg, which belongs in the protected one", nil,
		},
		{
			"unprotected crit", unprotected(`{"crit":["alg"]}`),
			"its unprotected header has crit, which belongs in the protected one", nil,
		},
		{"unprotected text", unprotected(`"kid"`), "its unprotected header is not an object", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys := tt.keys
			if keys == nil {
				keys = []Key{key, other}
			}
			r := verify(t, tt.card, keys...)[0]
			if r.Fault != tt.want || r.Good() || r.Reading != "" || r.Uncovered != nil {
				t.Errorf("got  %q\nwant %q\nin %+v", r.Fault, tt.want, r)
			}
		})
	}
}

func TestVerifyNamesTheMaker(t *testing.T) {
	card := parse(t, fullCard(t))
	maker, named := testKey(ES256), testKey(EdDSA)
	second, err := NewKey(ES256)
	if err != nil {
		t.Fatal(err)
	}
	second.Kid = "second"
	signed := withSignatures(card, mustSign(t, card, maker, Options{Kid: "second"}))
	r := verify(t, signed, maker, named, second)[0]
	if want := `its kid is "second", but the key "test-es256" made it`; r.Fault != want {
		t.Errorf("got %q, want %q", r.Fault, want)
	}
}

// A key without a name, as from a PEM file, goes by any name that no other has.
func TestVerifyFindsKeys(t *testing.T) {
	card := parse(t, fullCard(t))
	nameless := testKey(ES256)
	nameless.Kid = ""
	text := withSignatures(card,
		mustSign(t, card, nameless, Options{}),
		mustSign(t, card, nameless, Options{Kid: "billing"}))
	tests := []struct {
		name  string
		keys  []Key
		first bool
		other bool
	}{
		{"nameless", []Key{nameless}, true, true},
		{"named", []Key{testKey(ES256)}, true, false},
		{"nameless behind another", []Key{testKey(EdDSA), testKey(RS256), nameless}, true, true},
		{"another takes the name", []Key{{Kid: "billing", alg: EdDSA, public: testKey(EdDSA).public}, nameless}, true, false},
		{"two of one name", []Key{
			{Kid: "billing", alg: EdDSA, public: testKey(EdDSA).public},
			{Kid: "billing", alg: ES256, public: nameless.public},
		}, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := verify(t, text, tt.keys...)
			if r[0].Good() != tt.first || r[1].Good() != tt.other {
				t.Errorf("got %q and %q", r[0].Fault, r[1].Fault)
			}
		})
	}
}

func TestVerifyRefusesCards(t *testing.T) {
	card := parse(t, fullCard(t))
	signed := withSignatures(card, mustSign(t, card, testKey(ES256), Options{}))
	change := func(old, change string) string { return strings.Replace(signed, old, change, 1) }
	tests := []struct {
		name, card string
		want       []string
	}{
		{"unsigned", fullCard(t), nil},
		{"no signatures", change(`"signatures": [`, `"signatures": [], "x": [`), nil},
		{
			"signatures of another type", change(`"signatures": [`, `"signatures": {}, "x": [`),
			[]string{"error signature-malformed /signatures"},
		},
		{"null", change(`"signatures": [`, `"signatures": null, "x": [`), []string{"error signature-malformed /signatures"}},
		{
			"too many", change(`"signatures": [`, `"signatures": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,`),
			[]string{"error signature-malformed /signatures"},
		},
		{
			"member twice", change(`"version": "1.4.0"`, `"version": "1.4.0", "version": "2.0.0"`),
			[]string{"error card-duplicate-member "},
		},
		{
			"signatures twice", change(`"signatures": [`, `"signatures": [], "signatures": [`),
			[]string{"error card-duplicate-member "},
		},
		{"lone surrogate", change(`"1.4.0"`, `"\ud83d"`), []string{"error card-invalid-utf8 "}},
		{"not UTF-8", change(`"1.4.0"`, "\"\xff\""), []string{"error card-invalid-utf8 "}},
		{
			"large number", change(`"none": 0`, `"none": 9007199254740993`),
			[]string{"error signature-number /capabilities/extensions/0/params/none"},
		},
		{
			"nesting", change(`"none": 0`, `"none": `+strings.Repeat("[", 95)+strings.Repeat("]", 95)),
			[]string{"error signature-nesting /capabilities/extensions/0/params/none" + strings.Repeat("/0", 94)},
		},
		{"byte order mark", "\ufeff" + signed, []string{"error card-json "}},
		{"trailing data", signed + "{}", []string{"error card-json "}},
		{"no object", "[]", []string{"error card-json "}},
		{"nothing", "", []string{"error card-json "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			results, list := Verify("card.json", []byte(tt.card), Trust{Keys: []Key{testKey(ES256)}}, source.Limits{})
			if diff := cmp.Diff(tt.want, rules(list)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(results) > 0 {
				t.Errorf("got results: %v", results)
			}
		})
	}
}

// Whatever the card: a signature that is good covers what was signed, and
// nothing else; one by a key that signed nothing never is.
func FuzzVerify(f *testing.F) {
	key, err := ParseJWK([]byte(rfc8037Key)) // every worker has the same
	if err != nil {
		f.Fatal(err)
	}
	stranger, err := ParseJWK([]byte(rfc7515Key))
	if err != nil {
		f.Fatal(err)
	}
	signed := map[string]bool{}
	for _, text := range []string{
		fullCard(f),
		`{"name":"a","x":{"b":[]},"capabilities":{"streaming":false},"skills":[{"tags":[null,""]}]}`,
	} {
		card := parse(f, text)
		for _, r := range Readings() {
			tree, _ := Read(card, r)
			payload := canonical(tree)
			signed[string(payload)] = true
			protected := Options{}.header(key).encode()
			signature, err := key.sign(input(protected, payload))
			if err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(withSignatures(card, schema.Signature{Protected: protected, Signature: encode(signature)})))
		}
	}
	f.Add([]byte(`{"name":"a","signatures":[{"protected":"eyJhbGciOiJFZERTQSIsImtpZCI6ImEifQ","signature":"AA",` +
		`"header":{}}]}`))
	f.Add([]byte(`{"securitySchemes":{"a":{}},"capabilities":[],"signatures":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		results, list := Verify("card.json", data, Trust{Keys: []Key{key.Public(), stranger.Public()}}, source.Limits{})
		if len(results) > 0 && list != nil {
			t.Errorf("got %+v beside %v", results, list)
		}
		for _, r := range results {
			if r.Span.Line == 0 || r.Good() != (r.Reading != "") {
				t.Errorf("got %+v", r)
			}
			if !r.Good() {
				continue
			}
			tree, _ := Read(parse(t, string(data)), r.Reading)
			if payload := canonical(tree); !signed[string(payload)] || r.Kid != key.Name() {
				t.Errorf("%+v is good for %s", r, payload)
			}
		}
	})
}
