package conformance

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// signedCard is a card with signatures, and the public keys that they name.
type signedCard struct {
	data []byte
	keys []json.RawMessage
	algs []string
}

// readSigned reads a card. A signature that names no key of the set has the first one.
func readSigned(t *testing.T, name string, set []json.RawMessage) (c signedCard) {
	t.Helper()
	var card struct{ Signatures []struct{ Protected string } }
	c.data = readJSON(t, name, &card)
	for _, s := range card.Signatures {
		var header, key struct{ Kid, Alg string }
		text, _ := base64.RawURLEncoding.DecodeString(s.Protected)
		_ = json.Unmarshal(text, &header) // hostile headers are no JSON
		named := set[0]
		for _, k := range set {
			if json.Unmarshal(k, &key) == nil && key.Kid == header.Kid {
				named = k
			}
		}
		c.keys, c.algs = append(c.keys, named), append(c.algs, header.Alg)
	}
	return c
}

func readJSON(t *testing.T, name string, v any) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

type keySet struct{ Keys []json.RawMessage }

// There is a golden card for every algorithm, and its signatures are good for jose of npm
// and for the SDKs: until anything changes.
func TestSignedGoldenCards(t *testing.T) {
	var set keySet
	readJSON(t, "../golden/signed/.well-known/jwks.json", &set)
	seen := map[string]bool{}
	for _, golden := range cardsBelow(t, filepath.Join("..", "golden", "signed")) {
		if filepath.Base(golden.path) != "agent-card.json" {
			continue
		}
		c := readSigned(t, golden.path, set.Keys)
		for i, key := range c.keys {
			seen[c.algs[i]] = true
			lines := []signatureLine{{Card: c.data, Key: key}}
			for _, data := range changes(t, c.data) {
				lines = append(lines, signatureLine{Card: data, Key: key})
			}
			for name, replies := range askAll(t, lines) {
				for n, reply := range replies {
					if good := reply.Error == ""; good != (n == 0) {
						t.Errorf("%s accepts %s: %t, %s:\n%s", name, golden.path, good, reply.Error, lines[n].Card)
					}
				}
			}
		}
	}
	for _, alg := range algorithms {
		if !seen[alg] {
			t.Errorf("no golden card is signed with %s", alg)
		}
	}
}

// askAll has jose and the SDKs verify cards.
func askAll(t *testing.T, lines []signatureLine) map[string][]signatureReply {
	t.Helper()
	all := map[string][]signatureReply{"jose": ask[signatureReply](t, &npmJose, lines...)}
	for _, sdk := range sdks {
		all[sdk] = askSDK(t, sdk, lines)
	}
	return all
}

// jose of npm reads the vectors as they stand, and @a2a-js/sdk reads a card into its types
// first.
func TestVectors(t *testing.T) {
	const dir = "../testdata/vectors/"
	var index struct {
		Keys    string
		Vectors []struct {
			ID, Card string
			Raw, SDK bool
		}
	}
	readJSON(t, dir+"vectors.json", &index)
	var set keySet
	readJSON(t, dir+index.Keys, &set)
	var lines []signatureLine
	for _, v := range index.Vectors {
		c := readSigned(t, dir+v.Card, set.Keys)
		lines = append(lines, signatureLine{Card: c.data, Key: append(c.keys, set.Keys[0])[0]})
	}
	for name, replies := range askAll(t, lines) {
		for i, v := range index.Vectors {
			want := v.SDK
			if name == "jose" {
				want = v.Raw
			}
			if accepted := replies[i].Error == ""; accepted != want {
				t.Errorf("%s, %s: accepted: %t, want %t: %s", name, v.ID, accepted, want, replies[i].Error)
			}
		}
	}
}

// The script that runs any verifier on the vectors finds the program to be right, and one
// that accepts everything to be wrong.
func TestVectorsScript(t *testing.T) {
	c := newCardwright(t)
	const script = "../testdata/vectors/run.sh"
	verify := []string{"cardwright", "sh", "-c", `"$0" verify -q --jwks "$2" "$1"`, c.bin}
	if out, err := exec.CommandContext(t.Context(), script, verify...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), script, "sdk", "true").CombinedOutput(); err == nil {
		t.Errorf("a verifier that accepts everything passes: %s", out)
	}
}
