package sign

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
	"cardwright/schema"
)

var limits source.Limits

func TestJWKS(t *testing.T) {
	var keys []Key
	for _, alg := range []Algorithm{RS256, ES256, EdDSA, ES512, ES384, ES256} {
		keys = append(keys, testKey(alg))
	}
	nameless := testKey(EdDSA)
	nameless.Kid = ""
	keys = append(keys, nameless)
	set, err := JWKS(keys)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range set.Get("keys").Items {
		for _, m := range k.Members {
			if !slices.Contains(strings.Fields("kty crv x y n e alg kid use"), m.Key) {
				t.Errorf("the set has a member %s", m.Key)
			}
		}
		got = append(got, fmt.Sprintln(k.Get("kid").Text, k.Get("alg").Text, k.Get("use").Text))
	}
	want := []string{
		nameless.Thumbprint() + " EdDSA sig\n", "test-eddsa EdDSA sig\n", "test-es256 ES256 sig\n",
		"test-es384 ES384 sig\n", "test-es512 ES512 sig\n", "test-rs256 RS256 sig\n",
	}
	if nameless.Thumbprint() > "test" {
		want = append(want[1:], want[0])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	read, list := ParseJWKS("jwks.json", schema.Write(set), limits)
	if len(list) > 0 || len(read) != len(want) {
		t.Errorf("reading it gives %v, %v", read, list)
	}
}

func TestJWKSRefusesOneNameForTwoKeys(t *testing.T) {
	a, b := testKey(ES256), testKey(EdDSA)
	a.Kid, b.Kid = "key", "key"
	_, err := JWKS([]Key{a, testKey(RS256), b})
	if want := `two different keys have the kid "key"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestJWKSRefusesWhatIsNotRead(t *testing.T) {
	var keys []Key
	for i := range maxKeys + 1 {
		k := testKey(EdDSA)
		k.Kid = fmt.Sprint(i)
		keys = append(keys, k)
	}
	if _, err := JWKS(keys[1:]); err != nil {
		t.Error(err)
	}
	_, err := JWKS(keys)
	if want := `the agents of one host have 1001 keys; a key set holds at most 1000`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// An odd key spoils only itself.
func TestParseJWKS(t *testing.T) {
	good := string(schema.Write(testKey(EdDSA).JWK()))
	tests := []struct {
		name, data string
		keys       int
		want       []string
	}{
		{"none", `{"keys":[]}`, 0, []string{`error jwks-invalid : the key set is empty, so it cannot verify a signature`}},
		{"one", `{"keys":[` + good + `],"more":1}`, 1, nil},
		{"odd ones", `{"keys":[{"kty":"AKP","kid":"new"},` + good + `,7,{"kty":"oct","k":"c2VjcmV0"}]}`, 1, []string{
			`warning jwks-key /keys/0: the key "new" is not used: its kty must be EC, OKP or RSA`,
			`warning jwks-key /keys/2: key 3 of the set is not used: a JWK is a JSON object`,
			`warning jwks-private /keys/3: key 4 of the set is published with its private half: anyone who can read it can sign`,
			`warning jwks-key /keys/3: key 4 of the set is not used: a symmetric key (oct) cannot sign a card: ` +
				`everyone who verifies could also sign`,
		}},
		{"private half", `{"keys":[` + rfc8037Key + `]}`, 1, []string{
			`warning jwks-private /keys/0: key 1 of the set is published with its private half: anyone who can read it can sign`,
		}},
		{"one key", rfc8037Key, 0, []string{`error jwks-invalid : the file is one key (JWK), not a key set (JWKS)`}},
		{"no keys", `{}`, 0, []string{`error jwks-invalid : a key set (JWKS) is an object with an array "keys"`}},
		{"text", `"` + rfc7515Key[20:30], 0, []string{`error jwks-invalid : the key set is not well-formed JSON`}},
		{"member twice", `{"keys":[],"keys":[]}`, 0, []string{`error jwks-invalid : the key set is not well-formed JSON`}},
		{
			"too many", `{"keys":[0` + strings.Repeat(`,0`, maxKeys) + `]}`, 0,
			[]string{`error jwks-invalid : the key set holds 1001 keys; at most 1000 are read`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys, list := ParseJWKS("jwks.json", []byte(tt.data), limits)
			var got []string
			for _, d := range list {
				got = append(got, fmt.Sprintf("%s %s %s: %s", d.Severity, d.Rule, d.Pointer, d.Message))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(keys) != tt.keys {
				t.Errorf("got %d keys, want %d", len(keys), tt.keys)
			}
			for _, k := range keys {
				if k.CanSign() {
					t.Errorf("%s came with its private half", k)
				}
			}
		})
	}
}

// What is read from a set is public, and written it is the same set.
func FuzzParseJWKS(f *testing.F) {
	f.Add([]byte(`{"keys":[` + rfc7515Key + `,` + rfc7638Key + `,` + rfc8037Key + `,{"kty":"oct","k":"AA"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, _ := ParseJWKS("jwks.json", data, limits)
		if len(keys) == 0 {
			return
		}
		set, err := JWKS(keys)
		if err != nil {
			return // two keys of one name
		}
		text := schema.Write(set)
		again, list := ParseJWKS("jwks.json", text, limits)
		if len(list) > 0 {
			t.Fatalf("%s gives %v", text, list)
		}
		set, err = JWKS(again)
		if err != nil || string(schema.Write(set)) != string(text) {
			t.Errorf("%s becomes %s, %v", text, schema.Write(set), err)
		}
	})
}
