package keyfile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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

// Keys as ssh-keygen makes them, where there is one.
func TestParseOpenSSH(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("no ssh-keygen")
	}
	dir := t.TempDir()
	for _, kind := range []string{"ed25519", "ecdsa -b 256", "ecdsa -b 384", "ecdsa -b 521", "rsa -b 2048"} {
		t.Run(kind, func(t *testing.T) {
			file := filepath.Join(dir, strings.ReplaceAll(kind, " ", ""))
			args := append([]string{"-q", "-N", "", "-C", "me@example", "-f", file, "-t"}, strings.Fields(kind)...)
			if out, err := exec.CommandContext(t.Context(), "ssh-keygen", args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			private, err := Parse(text)
			if err != nil || !private.CanSign() {
				t.Fatalf("%v", err)
			}
			line, err := os.ReadFile(file + ".pub")
			if err != nil {
				t.Fatal(err)
			}
			public, err := Parse(line)
			if err != nil || public.CanSign() || public.Thumbprint() != private.Thumbprint() {
				t.Errorf("the public key: %s, %v", public, err)
			}
			for i := 0; i < len(text); i += 17 { // no damage makes it another key, or ends the run
				changed := bytes.Clone(text)
				changed[i] ^= 4
				if k, err := Parse(changed); err == nil && k.Thumbprint() != private.Thumbprint() {
					t.Fatalf("byte %d changed: another key", i)
				}
			}
			if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-p", "-P", "", "-N", "secret", "-f",
				file).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if text, err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
			if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "ssh-keygen -p -N ''") {
				t.Errorf("with a passphrase: %v", err)
			}
		})
	}
}
