package sign

import (
	"os"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/sign/signtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

// fullCard returns a 1.0 card with every kind of member, on which all readings
// agree.
func fullCard(tb testing.TB) string {
	tb.Helper()
	data, err := os.ReadFile("testdata/full.json")
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func parse(tb testing.TB, text string) *source.Node {
	tb.Helper()
	n, faults := source.ParseJSON("card.json", []byte(text), source.Limits{})
	if faults.Worst() == diag.Error {
		tb.Fatalf("parsing the test's JSON: %v", faults)
	}
	return n
}

// canonical returns the canonical form even of what [Canonical] refuses.
func canonical(n *source.Node) []byte {
	c := canonicalizer{text: appendText}
	c.value(n)
	return c.out
}

// makeKeys makes one key for each algorithm. A new RSA key takes half a second, so this
// one is made already.
var makeKeys = sync.OnceValue(func() map[Algorithm]Key {
	keys := map[Algorithm]Key{}
	for _, alg := range Algorithms() {
		k, err := newTestKey(alg)
		if err != nil {
			panic(err)
		}
		k.Kid = "test-" + strings.ToLower(string(alg))
		keys[alg] = k
	}
	return keys
})

func newTestKey(alg Algorithm) (Key, error) {
	if alg != RS256 {
		return NewKey(alg)
	}
	signer, err := signtest.RSA()
	if err != nil {
		return Key{}, err
	}
	return KeyOf(signer.Public(), signer)
}

func testKey(alg Algorithm) Key { return makeKeys()[alg] }

// mustSign signs a card that is fit for it.
func mustSign(tb testing.TB, card *source.Node, k Key, o Options) schema.Signature {
	tb.Helper()
	s, findings, err := Sign(card, k, o)
	if err != nil || findings.Worst() == diag.Error {
		tb.Fatalf("Sign: %v, %v", err, findings)
	}
	return s
}

// withSignatures returns the text of the card with these signatures alone.
func withSignatures(card *source.Node, signatures ...schema.Signature) string {
	signed := card.Without("signatures")
	list := &source.Node{Kind: source.Array}
	for _, s := range signatures {
		attached, _ := Attach(signed, s)
		list.Items = append(list.Items, attached.Get("signatures").Items...)
	}
	signed.Set("signatures", list)
	return string(schema.Write(signed))
}

func rules(list diag.List) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Severity.String()+" "+d.Rule+" "+d.Pointer)
	}
	return out
}
