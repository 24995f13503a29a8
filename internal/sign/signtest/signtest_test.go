package signtest

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"testing"
)

var algorithms = []string{"ES256", "ES384", "ES512", "EdDSA", "RS256"}

func TestPEM(t *testing.T) {
	for _, alg := range algorithms {
		if !bytes.Equal(PEM(t, alg), PEM(t, alg)) {
			t.Errorf("%s: two keys", alg)
		}
	}
}

// What is to be found is found: a search that misses it proves nothing.
func TestSecrets(t *testing.T) {
	for _, alg := range algorithms {
		key := PEM(t, alg)
		secrets := NewSecrets(t, key)
		block, _ := pem.Decode(key)
		for _, text := range []string{
			string(block.Bytes), base64.StdEncoding.EncodeToString(block.Bytes),
			base64.RawURLEncoding.EncodeToString(block.Bytes),
		} {
			if secrets.In([]byte(text)) == "" {
				t.Errorf("%s: %q is missed", alg, text)
			}
		}
		for name, number := range numbers(t, key) {
			if secrets.In(number[:len(number)/2]) == "" {
				t.Errorf("%s: one half of %s is missed", alg, name)
			}
		}
		if name := secrets.In(PEM(t, algorithms[0])); alg != algorithms[0] && name != "" {
			t.Errorf("%s: %s is seen in another key", alg, name)
		}
	}
}
