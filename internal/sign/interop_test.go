package sign_test

import (
	"bytes"
	"encoding/base64"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
	"cardwright/internal/sign/signtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

var update = flag.Bool("update", false, "rewrite testdata/vectors")

const vectorsDir = "../../testdata/vectors"

// vector is a signed card, and what verifiers have to say of it.
type vector struct {
	id, note string
	card     string
	raw, sdk bool         // accepted by verifiers of the card as it stands, and of the SDKs' form
	verdict  sign.Verdict // of cardwright
}

// The vectors are made of the keys of signtest, byte for byte, and cardwright says
// of each what it should.
func TestVectors(t *testing.T) {
	keys := map[sign.Algorithm]sign.Key{}
	var public []sign.Key
	for _, alg := range sign.Algorithms() {
		k, err := keyfile.Parse(signtest.PEM(t, string(alg)))
		if err != nil {
			t.Fatal(err)
		}
		k.Kid = "vector-" + strings.ToLower(string(alg))
		keys[alg], public = k, append(public, k)
	}
	set, err := sign.JWKS(public)
	if err != nil {
		t.Fatal(err)
	}
	expectFile(t, "jwks.json", schema.Write(set))

	index := &source.Node{Kind: source.Array}
	for _, v := range append(algorithmVectors(t, keys), trickVectors(t, keys)...) {
		expectFile(t, "cards/"+v.id+".json", []byte(v.card))
		expectForms(t, v)
		results, faults := sign.Verify(v.id, []byte(v.card), sign.Trust{Keys: public}, source.Limits{})
		if got, found := sign.Judge(results, faults, false); got != v.verdict {
			t.Errorf("%s: the verdict is %s, want %s: %v", v.id, got, v.verdict, found)
		}
		n := &source.Node{Kind: source.Object}
		n.SetText("id", v.id)
		n.SetText("card", "cards/"+v.id+".json")
		n.SetText("note", v.note)
		n.Set("raw", source.NewBool(v.raw))
		n.Set("sdk", source.NewBool(v.sdk))
		n.SetText("cardwright", string(v.verdict))
		index.Items = append(index.Items, n)
	}
	all := &source.Node{Kind: source.Object}
	all.SetText("keys", "jwks.json")
	all.Set("vectors", index)
	expectFile(t, "vectors.json", schema.Write(all))
	if files, err := filepath.Glob(filepath.Join(vectorsDir, "cards", "*.json")); err != nil ||
		len(files) != len(index.Items) {
		t.Errorf("there are %d cards for %d vectors", len(files), len(index.Items))
	}
}

// algorithmVectors are four signed cards for each algorithm, each with a twin that
// somebody has changed.
func algorithmVectors(t *testing.T, keys map[sign.Algorithm]sign.Key) (list []vector) {
	t.Helper()
	plain, keyed := vectorCard(t, "plain"), vectorCard(t, "keyed")
	for _, alg := range sign.Algorithms() {
		name := strings.ToLower(string(alg))
		both := signatures(t, keyed, keys[alg])
		for _, v := range []vector{
			{
				name + "-plain", "all verifiers read the card alike", attach(t, plain, signatures(t, plain, keys[alg])...), true,
				true, sign.Verified,
			},
			{
				name + "-raw", "signed as it stands; the SDKs' form has no requirement", attach(t, keyed, both[0]), true, false,
				sign.Verified,
			},
			{
				name + "-sdk", "signed in the SDKs' form, which does not cover the requirement", attach(t, keyed, both[1]), false,
				true, sign.Verified,
			},
			{name + "-both", "two signatures, one over each form", attach(t, keyed, both...), true, true, sign.Verified},
		} {
			twin := vector{
				v.id + "-tampered", "the twin with another endpoint",
				strings.Replace(v.card, "agents.acme.example/a2a", "agents.acme.example/a2b", 1), false, false, sign.Refused,
			}
			list = append(list, v, twin)
		}
	}
	return list
}

// trickVectors are what verifiers have been fooled with.
func trickVectors(t *testing.T, keys map[sign.Algorithm]sign.Key) []vector {
	t.Helper()
	plain, keyed := vectorCard(t, "plain"), vectorCard(t, "keyed")
	key := keys[sign.ES256]
	good := signatures(t, plain, key)[0]
	header := func(text string) string {
		s := good
		s.Protected = base64.RawURLEncoding.EncodeToString([]byte(text))
		return attach(t, plain, s)
	}
	sdk := attach(t, keyed, signatures(t, keyed, key)[1])
	raw, err := base64.RawURLEncoding.DecodeString(good.Signature)
	if err != nil {
		t.Fatal(err)
	}
	swapped := good
	swapped.Signature = base64.RawURLEncoding.EncodeToString(append(raw[32:64:64], raw[:32]...))
	unicode := vectorCard(t, "unicode")
	return []vector{
		{
			"unicode",
			"text beyond ASCII, member names that sort by UTF-16, numbers; a2a-python up to 1.1.2 refuses it (its issue 1174)",
			attach(t, unicode, signatures(t, unicode, key)...),
			true,
			true,
			sign.Verified,
		},
		{
			"alg-none", "no algorithm at all", header(`{"alg":"none","kid":"vector-es256","typ":"JOSE"}`), false, false,
			sign.Refused,
		},
		{
			"alg-hs256", "a symmetric algorithm", header(`{"alg":"HS256","kid":"vector-es256","typ":"JOSE"}`), false, false,
			sign.Refused,
		},
		{
			"kid-of-another", "the header names another key than the one that signed",
			header(`{"alg":"ES256","kid":"vector-es384","typ":"JOSE"}`), false, false, sign.Refused,
		},
		{
			"kid-unknown", "the header names a key that is not in the set",
			header(`{"alg":"ES256","kid":"somebody","typ":"JOSE"}`), false, false, sign.Refused,
		},
		{"halves-swapped", "R and S have changed places", attach(t, plain, swapped), false, false, sign.Refused},
		{
			"scheme-added", "one scheme more in a requirement that the signature does not cover",
			strings.Replace(sdk, `"key": {}`, `"key": {}, "o": {}`, 1), false, true, sign.Uncovered,
		},
		{
			"member-added", "a member that the SDKs do not know, so that they do not see it",
			strings.Replace(sdk, `"name":`, `"url": "https://mallory.example", "name":`, 1), false, true, sign.Uncovered,
		},
		{
			"signature-of-another-card", "the signature of another card by the same key", attach(t, keyed, good), false, false,
			sign.Refused,
		},
		{"unsigned", "no signature", string(schema.Write(plain)), false, false, sign.Unsigned},
	}
}

func vectorCard(t *testing.T, name string) *source.Node {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vector-"+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	card, faults := source.ParseJSON(name, data, source.Limits{})
	if faults.Worst() == diag.Error {
		t.Fatal(faults)
	}
	return card
}

func signatures(t *testing.T, card *source.Node, key sign.Key) []schema.Signature {
	t.Helper()
	list, found, err := sign.Signatures(card, nil, key, sign.Options{Compat: true})
	if err != nil || found.Worst() == diag.Error {
		t.Fatal(err, found)
	}
	return list
}

func attach(t *testing.T, card *source.Node, list ...schema.Signature) string {
	t.Helper()
	signed, found := sign.Attach(card, list...)
	if found != nil {
		t.Fatal(found)
	}
	return string(schema.Write(signed))
}

// expectForms compares the two canonical forms of a card with their files, which hold
// the bytes that verifiers sign, without a line end.
func expectForms(t *testing.T, v vector) {
	t.Helper()
	root, found := source.ParseJSON(v.id, []byte(v.card), source.Limits{})
	if found != nil {
		t.Fatal(found)
	}
	for _, reading := range []sign.Reading{sign.Raw, sign.SDK} {
		node, _ := sign.Read(root, reading)
		form, found := sign.Canonical(node)
		if found.Worst() == diag.Error {
			t.Fatal(found)
		}
		expectFile(t, "canonical/"+v.id+"."+string(reading)+".json", form)
	}
}

// expectFile compares a file of the vectors with what it should hold.
func expectFile(t *testing.T, name string, want []byte) {
	t.Helper()
	name = filepath.Join(vectorsDir, filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current, run go test ./internal/sign -run Vectors -update (%v)", name, err)
	}
}
