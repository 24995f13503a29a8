package keyfile

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
)

// What secret stores and shells make of a key is the same key.
func TestParseOnOneLine(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		text := string(signtest.PEM(t, string(alg)))
		want := testKey(t, alg)
		jwk := string(privateJWK(t, want))
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		quotedJWK, err := json.Marshal(jwk)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(text), "\n")
		forms := map[string]string{
			"escaped line breaks":     strings.ReplaceAll(text, "\n", `\n`),
			"escaped, of Windows":     strings.ReplaceAll(text, "\n", `\r\n`),
			"line breaks of Windows":  strings.ReplaceAll(text, "\n", "\r\n"),
			"line breaks of old Macs": strings.ReplaceAll(text, "\n", "\r"),
			"blanks":                  strings.ReplaceAll(text, "\n", " "),
			"nothing":                 strings.ReplaceAll(text, "\n", ""),
			"indented":                "  " + strings.Join(lines, "\n  "),
			"quotes":                  `"` + text + `"`,
			"single quotes":           `'` + strings.ReplaceAll(text, "\n", `\n`) + `'`,
			"JSON text":               string(quoted),
			"base64":                  base64.StdEncoding.EncodeToString([]byte(text)),
			"base64url":               base64.RawURLEncoding.EncodeToString([]byte(text)),
			"base64 in lines":         wrap(base64.StdEncoding.EncodeToString([]byte(text))),
			"base64 of one line":      base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(text, "\n", `\n`))),
			"JWK":                     jwk,
			"JWK in quotes":           `'` + jwk + `'`,
			"JWK as JSON text":        string(quotedJWK),
			"base64 of a JWK":         base64.StdEncoding.EncodeToString([]byte(jwk)),
		}
		for name, data := range forms {
			t.Run(string(alg)+" "+name, func(t *testing.T) {
				got, err := Parse([]byte(data))
				if err != nil {
					t.Fatal(err)
				}
				if got.Thumbprint() != want.Thumbprint() || !got.CanSign() {
					t.Errorf("got %s, want %s", got, want)
				}
			})
		}
	}
}

func wrap(s string) string {
	var lines []string
	for len(s) > 76 {
		lines, s = append(lines, s[:76]), s[76:]
	}
	return strings.Join(append(lines, s), "\n")
}

// A private JWK is the key again, and go-jose agrees.
func TestJWK(t *testing.T) {
	for _, alg := range sign.Algorithms() {
		want := testKey(t, alg)
		text, err := JWK(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(text)
		if err != nil || got.Thumbprint() != want.Thumbprint() || !got.CanSign() || got.Kid != want.Kid {
			t.Errorf("%s: got %s, %v", alg, got, err)
		}
		var ours, theirs map[string]string
		if err := json.Unmarshal(text, &ours); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(privateJWK(t, want), &theirs); err != nil {
			t.Fatal(err)
		}
		for name, value := range theirs {
			if ours[name] != value {
				t.Errorf("%s: %s differs from what go-jose writes", alg, name)
			}
		}
		if _, err := JWK(want.Public()); err == nil {
			t.Errorf("%s: a private JWK of a public key", alg)
		}
	}
}
