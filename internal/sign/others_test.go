package sign

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// signedBy returns the card with a signature over any payload, as other programs
// make them.
func signedBy(t *testing.T, card *source.Node, k Key, alg jose.SignatureAlgorithm, payload []byte) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithType("JOSE")
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: k.signer, KeyID: k.Kid}},
		options)
	if err != nil {
		t.Fatal(err)
	}
	jws, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	compact, err := jws.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(compact, ".")
	return withSignatures(card, schema.Signature{Protected: parts[0], Signature: parts[2]})
}

// jwk returns the public JWK of a key with members set.
func jwk(t *testing.T, k Key, members string) Key {
	t.Helper()
	n := k.JWK()
	for _, m := range parse(t, "{"+members+"}").Members {
		if old := n.Member(m.Key); old != nil {
			old.Value = m.Value
		} else {
			n.Set(m.Key, m.Value)
		}
	}
	changed, err := parseJWK(n)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// Verifiers meet more algorithms than cards are signed with here.
func TestVerifyAlgorithmsOfOthers(t *testing.T) {
	card := parse(t, fullCard(t))
	rsa := testKey(RS256)
	open := rsa
	open.pinned = false
	for _, alg := range []Algorithm{PS256, PS384, PS512, RS384, RS512} {
		t.Run(string(alg), func(t *testing.T) {
			text := signedBy(t, card, rsa, jose.SignatureAlgorithm(alg), canonical(card))
			for name, tt := range map[string]struct {
				key  Key
				want string
			}{
				"key of that algorithm": {jwk(t, rsa, fmt.Sprintf(`"alg":%q`, alg)), ""},
				"key of any algorithm":  {open, ""},
				"key of RS256 and no other": {jwk(t, rsa, ""), fmt.Sprintf(`its alg is %s, but the key "test-rs256" is for RS256`,
					alg)},
			} {
				if got := verify(t, text, tt.key)[0].Fault; got != tt.want {
					t.Errorf("%s: got %q, want %q", name, got, tt.want)
				}
				if changed := strings.Replace(text, "Acme", "Bcme", 1); verify(t, changed, tt.key)[0].Good() {
					t.Errorf("%s: a changed card is good", name)
				}
			}
		})
	}
	t.Run("Ed25519", func(t *testing.T) {
		k := testKey(EdDSA)
		protected := encode([]byte(`{"alg":"Ed25519","kid":"test-eddsa","typ":"JOSE"}`))
		signature, err := k.sign(input(protected, canonical(card)))
		if err != nil {
			t.Fatal(err)
		}
		text := withSignatures(card, schema.Signature{Protected: protected, Signature: encode(signature)})
		for _, key := range []Key{k, jwk(t, k, `"alg":"Ed25519"`)} {
			if got := verify(t, text, key)[0].Fault; got != "" {
				t.Error(got)
			}
		}
	})
	for _, alg := range []Algorithm{PS256, Ed25519, "RS1"} {
		if _, err := NewKey(alg); err == nil {
			t.Errorf("a key for %s", alg)
		}
	}
}

// A key is used as long as it says (specification section 8.4.3).
func TestVerifyJudgesKeys(t *testing.T) {
	card := parse(t, fullCard(t))
	key := testKey(ES256)
	text := withSignatures(card, mustSign(t, card, key, Options{}))
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	past, future := at.Add(-time.Hour).Unix(), at.Add(time.Hour).Unix()
	tests := []struct{ name, members, want string }{
		{"no members", ``, ""},
		{"current", fmt.Sprintf(`"nbf":%d,"exp":%d`, past, future), ""},
		{"expired", fmt.Sprintf(`"exp":%d`, past), `its key "test-es256" expired at 2026-11-22T11:00:00Z`},
		{"expired this second", fmt.Sprintf(`"exp":%d`, at.Unix()), `its key "test-es256" expired at 2026-11-22T12:00:00Z`},
		{"valid from this second", fmt.Sprintf(`"nbf":%d`, at.Unix()), ""},
		{"not yet", fmt.Sprintf(`"nbf":%d.5`, future), `its key "test-es256" is not valid before 2026-11-22T13:00:00Z`},
		{"revoked", `"revoked":{"revoked_at":1,"reason":"keyCompromise"}`, `its key "test-es256" is revoked`},
		{"revoked, plainly", `"revoked":true`, `its key "test-es256" is revoked`},
		{"not revoked", `"revoked":false`, ""},
		{"revoked: null", `"revoked":null`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := jwk(t, key, tt.members)
			results, _ := Verify("card.json", []byte(text), Trust{Keys: []Key{k}, At: at}, source.Limits{})
			if got := results[0].Fault; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			// What a key says of itself is published with it.
			if again := jwk(t, k, ""); again.validity.fault(at) != k.validity.fault(at) {
				t.Error("the JWK of the key says something else")
			}
		})
	}
	t.Run("without a clock", func(t *testing.T) {
		if r := verify(t, text, jwk(t, key, fmt.Sprintf(`"exp":%d`, past)))[0]; !r.Good() {
			t.Error(r.Fault)
		}
		if r := verify(t, text, jwk(t, key, `"revoked":true`))[0]; r.Good() {
			t.Error("a revoked key is good")
		}
	})
	t.Run("another key of the name", func(t *testing.T) {
		results, _ := Verify("card.json", []byte(text), Trust{Keys: []Key{jwk(t, key, `"exp":1`), key}, At: at},
			source.Limits{})
		if !results[0].Good() {
			t.Error(results[0].Fault)
		}
	})
	for _, members := range []string{`"exp":"tomorrow"`, `"nbf":null`, `"exp":1e300`, `"exp":{}`} {
		n := key.JWK()
		n.Members = append(n.Members, parse(t, "{"+members+"}").Members...)
		if _, err := parseJWK(n); err == nil {
			t.Errorf("%s is a time", members)
		}
	}
	expired := key
	expired.validity = jwk(t, key, `"exp":1`).validity
	if _, _, err := Sign(card, expired, Options{At: at}); err == nil ||
		err.Error() != "the key expired at 1970-01-01T00:00:01Z" {
		t.Errorf("signing with an expired key: %v", err)
	}
}

// What SDKs sign because of a fault of their own is called by that.
func TestVerifyNamesFaultsOfSDKs(t *testing.T) {
	card := parse(t, strings.NewReplacer(`"params": {`,
		`"params": {"whole": 1, "small": 0.00001, "large": 1e15, "tenth": 0.1, "\uff5e": "\ud83d\ude00\u007f", `).
		Replace(fullCard(t)))
	tree, _ := Read(card, SDK)
	key := testKey(ES256)
	python := string(python(tree))
	for _, want := range []string{
		`"whole":1.0`, `"small":1e-05`, `"large":1000000000000000.0`, `"tenth":0.1`,
		`"\uff5e":"\ud83d\ude00\u007f"`,
	} {
		if !strings.Contains(python, want) {
			t.Errorf("%s is not in %s", want, python)
		}
	}
	tests := []struct{ name, payload, want string }{
		{
			"a2a-python",
			python,
			"it is as a2a-python up to 1.1.2 writes it, with other text and numbers (issue 1174): " +
				"sign again with a later release",
		},
		{
			"a2a-js", string(canonical(tree.Without("securitySchemes"))),
			"it is as a2a-js writes it, without securitySchemes (its issue 663): sign the JSON of the card again",
		},
		{
			"changed",
			python + " ",
			`the key "test-es256" did not make it for this card: the card or the signature was changed`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := verify(t, signedBy(t, card, key, "ES256", []byte(tt.payload)), key)[0].Fault; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	good := Result{Reading: Raw}
	refused := Result{Fault: "it is bad"}
	hollow := Result{Reading: SDK, Uncovered: []Divergence{{Pointer: "/iconUrl", Reason: reasonEmpty}}}
	open := Result{Reading: SDK, Uncovered: []Divergence{{Pointer: "/x", Reason: reasonUnknown}}}
	tests := []struct {
		name    string
		results []Result
		faults  diag.List
		all     bool
		want    Verdict
		found   []string
	}{
		{"none", nil, nil, false, Unsigned, nil},
		{
			"no card", nil,
			diag.List{{Rule: "card-json", Severity: diag.Error}},
			false, Unreadable,
			[]string{"error card-json "},
		},
		{"good", []Result{good}, nil, true, Verified, nil},
		{"refused", []Result{refused}, nil, false, Refused, []string{"error signature-invalid "}},
		{"one of two", []Result{refused, good}, nil, false, Verified, []string{"warning signature-invalid "}},
		{"one of two where all count", []Result{refused, good}, nil, true, Refused, []string{"error signature-invalid "}},
		{"hollow", []Result{hollow}, nil, false, Verified, []string{"warning signature-uncovered "}},
		{"open", []Result{open}, nil, false, Uncovered, []string{"error signature-uncovered "}},
		{
			"open and hollow",
			[]Result{open, hollow},
			nil, false, Verified,
			[]string{"warning signature-uncovered ", "warning signature-uncovered "},
		},
		{"open and whole", []Result{good, open}, nil, false, Verified, []string{"info signature-uncovered "}},
		{
			"open and refused",
			[]Result{refused, open},
			nil, false, Uncovered,
			[]string{"warning signature-invalid ", "error signature-uncovered "},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := Judge(tt.results, tt.faults, tt.all)
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.found, rules(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
