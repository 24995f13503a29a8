package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// algorithms are those that cardwright signs with.
var algorithms = []string{"ES256", "ES384", "ES512", "EdDSA", "RS256"}

// sdks are the releases of @a2a-js/sdk that verify signatures, as the packages
// are called in js/package.json.
var sdks = []string{"@a2a-js/sdk", "a2a-js-sdk-1.0"}

// The SDKs accept what cardwright signs, and refuse it once anything changes.
func TestA2AJSVerifiesSignatures(t *testing.T) {
	c := newCardwright(t)
	for i, alg := range algorithms {
		private, public := c.key(alg)
		var lines []signatureLine
		var want []bool
		var names []string
		for _, card := range cards(t) {
			if !card.is10() || card.is03() {
				continue // the SDKs cannot verify others
			}
			ours := filepath.Dir(card.path) == filepath.Join("testdata", "cards")
			if !ours && i > 0 {
				continue // the signed part of a card is the same with each algorithm
			}
			signed, ok := c.sign(card.data, private)
			if !ok {
				continue
			}
			lines = append(lines, signatureLine{Card: signed, Key: public})
			want, names = append(want, true), append(names, card.path)
			if !ours {
				continue // each value of those is covered
			}
			for _, changed := range changes(t, signed) {
				lines = append(lines, signatureLine{Card: changed, Key: public})
				want, names = append(want, false), append(names, card.path+", changed")
			}
		}
		if len(lines) == 0 {
			t.Fatal("no card can be signed")
		}
		for _, sdk := range sdks {
			t.Run(alg+" "+sdk, func(t *testing.T) {
				for i, reply := range askSDK(t, sdk, lines) {
					if (reply.Error == "") != want[i] {
						t.Errorf("%s: %q\n%s", names[i], reply.Error, lines[i].Card)
					}
				}
			})
		}
	}
}

// cardwright accepts what the SDKs sign of a card that all verifiers read alike. The key
// is in RFC 7515 appendix A.3.
func TestVerifiesSignaturesOfA2AJS(t *testing.T) {
	c := newCardwright(t)
	const public = `{"kty":"EC","crv":"P-256","alg":"ES256","kid":"rfc7515",` +
		`"x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}`
	private := json.RawMessage(strings.Replace(public, `"x"`, `"d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI","x"`, 1))
	plain := handWritten(t, "1.0.json")
	for _, sdk := range sdks {
		reply := askSDK(t, sdk, []signatureLine{{Card: plain.data, Key: private}})[0]
		if reply.Error != "" || !c.verify(reply.Signed, []byte(public)) {
			t.Errorf("%s: what it signs is refused: %s", sdk, reply.Error)
		}
	}
}

// changes returns the card with one value changed at a time, including its
// signatures left alone.
func changes(t *testing.T, card []byte) [][]byte {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(card, &members); err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	keep := func() {
		data, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	for name, member := range members {
		if name != "signatures" {
			eachValue(member, func(v any) { members[name] = v }, keep)
		}
	}
	return all
}

// eachValue changes one text, number, true or false in v at a time and calls keep
// for each.
func eachValue(v any, set func(any), keep func()) {
	switch v := v.(type) {
	case string:
		set(v + "x")
		keep()
		set(v)
	case float64:
		set(v + 1)
		keep()
		set(v)
	case bool:
		set(!v)
		keep()
		set(v)
	case []any:
		for i, e := range v {
			eachValue(e, func(n any) { v[i] = n }, keep)
		}
	case map[string]any:
		for k, e := range v {
			eachValue(e, func(n any) { v[k] = n }, keep)
		}
	}
}

// signatureLine is one line for js/signatures.mjs.
type signatureLine struct {
	SDK  string          `json:"sdk"`
	Card json.RawMessage `json:"card"`
	Key  json.RawMessage `json:"key"`
}

// signatureReply is one line of js/signatures.mjs.
type signatureReply struct {
	Error  string
	Signed json.RawMessage
}

// askSDK has a release of the SDK sign or verify cards.
func askSDK(t *testing.T, sdk string, lines []signatureLine) []signatureReply {
	t.Helper()
	for i := range lines {
		lines[i].SDK = sdk
	}
	return ask[signatureReply](t, &signatures, lines...)
}

// cardwright is the program, and a directory to work in.
type cardwright struct {
	t   *testing.T
	bin string
	dir string
}

func newCardwright(t *testing.T) *cardwright {
	t.Helper()
	return &cardwright{t: t, bin: fixture.Program(t), dir: t.TempDir()}
}

// run returns what the program prints and whether it is content.
func (c *cardwright) run(stdin []byte, args ...string) ([]byte, bool) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), c.bin, args...)
	cmd.Dir = c.dir
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	return out, err == nil
}

// key makes a key and returns its file and its public JWK.
func (c *cardwright) key(alg string) (file string, public []byte) {
	c.t.Helper()
	file = strings.ToLower(alg) + ".pem"
	out, ok := c.run(nil, "key", "new", "--alg", alg, "-o", file)
	var set struct{ Keys []json.RawMessage }
	if err := json.Unmarshal(out, &set); err != nil || !ok || len(set.Keys) != 1 {
		c.t.Fatalf("no key for %s: %v", alg, err)
	}
	return file, set.Keys[0]
}

// sign returns the signed card, and whether every verifier is said to accept it.
func (c *cardwright) sign(card []byte, key string) ([]byte, bool) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), c.bin, "sign", "--key", "file:"+key, "-")
	cmd.Dir = c.dir
	cmd.Stdin = bytes.NewReader(card)
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	return out, err == nil && !strings.Contains(talk.String(), "warning: ")
}

// verify reports whether the program accepts the signature of a card by a key.
func (c *cardwright) verify(card, key []byte) bool {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, "public.json"), key, 0o600); err != nil {
		c.t.Fatal(err)
	}
	_, ok := c.run(card, "verify", "--key", "file:public.json", "-")
	return ok
}
