package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/gowebpki/jcs"
)

// signedCard is a card of the signed golden tree.
type signedCard struct {
	card
	Signatures []struct{ Protected, Signature string }
}

// signedCards returns the signed golden cards, and the keys that are published
// with them.
func signedCards(t *testing.T) ([]signedCard, jose.JSONWebKeySet) {
	t.Helper()
	tree := filepath.Join("..", "golden", "signed")
	var keys jose.JSONWebKeySet
	data, err := os.ReadFile(filepath.Join(tree, ".well-known", "jwks.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	var signed []signedCard
	for _, c := range cardsBelow(t, tree) {
		s := signedCard{card: c}
		if err := json.Unmarshal(c.data, &s); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(c.path) == "agent-card.json" {
			signed = append(signed, s)
		}
	}
	return signed, keys
}

// There is a golden card for every algorithm, and its signatures are good for
// go-jose, for the SDKs and for cardwright itself: until anything changes.
func TestSignedGoldenCards(t *testing.T) {
	signed, keys := signedCards(t)
	seen := map[string]int{}
	for _, c := range signed {
		for i := range c.Signatures {
			key := c.key(t, keys, i)
			seen[key.Algorithm]++
			t.Run(c.path+" "+key.Algorithm, func(t *testing.T) {
				public, err := json.Marshal(key)
				if err != nil {
					t.Fatal(err)
				}
				if err := c.verifyJose(c.data, key, i); err != nil {
					t.Errorf("go-jose: %v", err)
				}
				changed := changes(t, c.data)
				for _, data := range changed {
					if c.verifyJose(data, key, i) == nil {
						t.Errorf("go-jose accepts a changed card:\n%s", data)
					}
				}
				c.askJose(t, public, changed)
				c.askSDKs(t, public, changed)
			})
		}
	}
	for _, alg := range algorithms {
		if seen[alg] == 0 {
			t.Errorf("no golden card is signed with %s", alg)
		}
	}
}

// askJose checks the card and changed ones with jose of npm.
func (c signedCard) askJose(t *testing.T, public []byte, changed [][]byte) {
	t.Helper()
	lines := []signatureLine{{Card: c.data, Key: public}}
	for _, data := range changed {
		lines = append(lines, signatureLine{Card: data, Key: public})
	}
	for i, reply := range ask[signatureReply](t, &npmJose, lines...) {
		if good := reply.Error == ""; good != (i == 0) {
			t.Errorf("jose accepts card %d: %t, %s", i, good, reply.Error)
		}
	}
}

// askSDKs holds the card and changed ones against both SDKs.
func (c signedCard) askSDKs(t *testing.T, public []byte, changed [][]byte) {
	t.Helper()
	lines := []signatureLine{{Card: c.data, Key: public}}
	for _, data := range changed {
		lines = append(lines, signatureLine{Card: data, Key: public})
	}
	for _, sdk := range sdks {
		replies := askSDK(t, sdk, lines)
		if replies[0].Error != "" {
			t.Errorf("%s: %s", sdk, replies[0].Error)
		}
		for i, reply := range replies[1:] {
			if reply.Error == "" {
				t.Errorf("%s accepts a changed card:\n%s", sdk, changed[i])
			}
		}
	}
}

func TestCardwrightVerifiesGoldenCards(t *testing.T) {
	c := newCardwright(t)
	jwks, err := filepath.Abs(filepath.Join("..", "golden", "signed", ".well-known", "jwks.json"))
	if err != nil {
		t.Fatal(err)
	}
	signed, _ := signedCards(t)
	for _, card := range signed {
		t.Run(card.path, func(t *testing.T) {
			if out, ok := c.run(card.data, "verify", "--all", "--jwks", jwks, "-"); !ok {
				t.Errorf("%s", out)
			}
			args := []string{"verify", "--jwks", jwks}
			for i, data := range changes(t, card.data) {
				name := fmt.Sprintf("changed-%d.json", i)
				if err := os.WriteFile(filepath.Join(c.dir, name), data, 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, name)
			}
			if out, ok := c.run(nil, args...); ok || strings.Contains(string(out), "good signature") {
				t.Errorf("a changed card is accepted: %s", out)
			}
		})
	}
}

// key returns the published key that a signature of the card names.
func (c signedCard) key(t *testing.T, keys jose.JSONWebKeySet, i int) jose.JSONWebKey {
	t.Helper()
	jws, err := jose.ParseDetached(c.Signatures[i].Protected+".."+c.Signatures[i].Signature, []byte{}, joseAlgorithms())
	if err != nil {
		t.Fatal(err)
	}
	named := keys.Key(jws.Signatures[0].Header.KeyID)
	if len(named) != 1 {
		t.Fatalf("%d keys are named %q", len(named), jws.Signatures[0].Header.KeyID)
	}
	return named[0]
}

// verifyJose holds one signature of the card against a card, which may be
// another, over the canonical form of the whole of it.
func (c signedCard) verifyJose(card []byte, key jose.JSONWebKey, i int) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(card, &members); err != nil {
		return err
	}
	delete(members, "signatures")
	payload, err := json.Marshal(members)
	if err != nil {
		return err
	}
	if payload, err = jcs.Transform(payload); err != nil {
		return err
	}
	jws, err := jose.ParseDetached(c.Signatures[i].Protected+".."+c.Signatures[i].Signature, payload, joseAlgorithms())
	if err != nil {
		return err
	}
	return jws.DetachedVerify(payload, key)
}

func joseAlgorithms() []jose.SignatureAlgorithm {
	var list []jose.SignatureAlgorithm
	for _, alg := range algorithms {
		list = append(list, jose.SignatureAlgorithm(alg))
	}
	return list
}
