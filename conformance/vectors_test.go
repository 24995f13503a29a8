package conformance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// vector is an entry of testdata/vectors/vectors.json.
type vector struct {
	ID         string
	Card       string
	Raw        bool
	SDK        bool
	Cardwright string
}

// vectors returns the vectors, and the key set that belongs to them.
func vectors(t *testing.T) ([]vector, jose.JSONWebKeySet) {
	t.Helper()
	var index struct {
		Keys    string
		Vectors []vector
	}
	var keys jose.JSONWebKeySet
	readVectorFile(t, "vectors.json", &index)
	readVectorFile(t, index.Keys, &keys)
	return index.Vectors, keys
}

func vectorFile(name string) string {
	return filepath.Join("..", "testdata", "vectors", filepath.FromSlash(name))
}

func readVectorFile(t *testing.T, name string, v any) []byte {
	t.Helper()
	data, err := os.ReadFile(vectorFile(name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
	return data
}

// go-jose, over the card as it stands.
func TestVectorsJose(t *testing.T) {
	list, keys := vectors(t)
	for _, v := range list {
		t.Run(v.ID, func(t *testing.T) {
			var s signedCard
			s.data = readVectorFile(t, v.Card, &s)
			accepted := false
			for i, signature := range s.Signatures {
				jws, err := jose.ParseDetached(signature.Protected+".."+signature.Signature, []byte{}, joseAlgorithms())
				if err != nil {
					continue
				}
				for _, key := range keys.Key(jws.Signatures[0].Header.KeyID) {
					accepted = accepted || s.verifyJose(s.data, key, i) == nil
				}
			}
			if accepted != v.Raw {
				t.Errorf("accepted: %t, want %t", accepted, v.Raw)
			}
		})
	}
}

// @a2a-js/sdk, which reads the card into its types first.
func TestVectorsA2AJS(t *testing.T) {
	list, keys := vectors(t)
	var lines []signatureLine
	for _, v := range list {
		var s signedCard
		data := readVectorFile(t, v.Card, &s)
		key := keys.Keys[0]
		for _, signature := range s.Signatures {
			jws, err := jose.ParseDetached(signature.Protected+".."+signature.Signature, []byte{}, joseAlgorithms())
			if err != nil {
				continue
			}
			if named := keys.Key(jws.Signatures[0].Header.KeyID); len(named) == 1 {
				key = named[0]
			}
		}
		public, err := json.Marshal(key)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, signatureLine{Card: data, Key: public})
	}
	for _, sdk := range sdks {
		for i, reply := range askSDK(t, sdk, lines) {
			if accepted := reply.Error == ""; accepted != list[i].SDK {
				t.Errorf("%s, %s: accepted: %t, want %t: %s", sdk, list[i].ID, accepted, list[i].SDK, reply.Error)
			}
		}
	}
}

// The script that runs any verifier on the vectors finds the program to be right, and one
// that accepts everything to be wrong.
func TestVectorsScript(t *testing.T) {
	c := newCardwright(t)
	script := vectorFile("run.sh")
	verify := []string{"cardwright", "sh", "-c", `"$0" verify -q --jwks "$2" "$1"`, c.bin}
	if out, err := exec.CommandContext(t.Context(), script, verify...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), script, "sdk", "true").CombinedOutput(); err == nil {
		t.Errorf("a verifier that accepts everything passes: %s", out)
	}
}
