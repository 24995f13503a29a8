package secret

import (
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// Secrets are put together from parts, so that no scanner takes this file for
// a leak.
func TestSecretIn(t *testing.T) {
	const (
		base62 = "q8Zt4Lw0xR2mV7cB9nKdY3sF6hJ1pG5tA0eU"
		hexes  = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	)
	jwt := strings.Join([]string{
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiJpbnZvaWNlLWRlc2sifQ",
		"c2lnbmF0dXJlLXZhbHVl",
	}, ".")
	for name, c := range map[string]struct {
		member, text string
		want         string // what is found, "" for nothing
	}{
		"JWT":             {"", "Bearer " + jwt + ".", "a JSON Web Token"},
		"PuTTY, quoted":   {"", `Public-Lines: 1\nAAAAB3\nPrivate-Lines: 1\nAAAAIQ`, "a private key of PuTTY"},
		"JWK, quoted":     {"", `{\"d\": \"` + base62 + `kX5bQ2w\"}`, "the private part of a JSON Web Key"},
		"URL":             {"", "see postgres://desk:opensesame1@db.acme.example/x", "a user name and password in a URL"},
		"URL by itself":   {"url", "https://desk:secret@acme.example/", "a user name and password in a URL"},
		"password":        {"", "log in with password=hunter2!", "a password"},
		"password, JSON":  {"", `{"password": "Opensesame1"}`, "a password"},
		"query":           {"", "https://acme.example/?api_key=" + base62[:20], `a secret beside the name "api_key"`},
		"environment":     {"", "ACME_API_TOKEN=" + base62, `a secret beside the name "ACME_API_TOKEN"`},
		"beside a name":   {"clientSecret", base62[:24], `a secret beside the name "clientSecret"`},
		"hash as API key": {"api-key", hexes, `a secret beside the name "api-key"`},
		"AWS secret": {
			"awsSecretAccessKey", base62[:18] + "/K7+" + base62[18:],
			`a secret beside the name "awsSecretAccessKey"`,
		},
		"sha256":          {"", "sha256:" + hexes, ""},
		"hash of a token": {"tokenHash", hexes, ""},
		"UUID":            {"token", "123e4567-e89b-12d3-a456-426614174000", ""},
		"contract":        {"token", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", ""},
		"public key":      {"publicKey", base62, ""},
		"angle brackets":  {"", "Authorization: Bearer <token>", ""},
		"variable":        {"", "password=${PASSWORD} token=$TOKEN", ""},
		"prose": {
			"",
			"Needs a token: send it as Bearer token; the secret: keep it. Passwords: at least 8 characters", "",
		},
		"prose, password": {"", "Asks for user name and password, then answers.", ""},
		"documentation":   {"", "postgres://user:password@host/db", ""},
		"token URL":       {"tokenUrl", "https://id.acme.example/oauth2/v1/token", ""},
		"token endpoint":  {"token", "/oauth2/v1/token", ""},
		"word with sk-":   {"", "sk" + "-learn-pipelines-for-everybody-2024", ""},
		"bearer format":   {"bearerFormat", "JWT", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, ok := InMember(c.member, c.text)
			if ok != (c.want != "") || ok && s.What != c.want {
				t.Errorf("%q: got %v %q, want %q", c.text, ok, s.What, c.want)
			}
		})
	}
}

func TestSecretIsNotShown(t *testing.T) {
	if what, _ := InURL("https://a.example/?token=T0ken4Desk9&api_key=K3y4Desk9xYz"); !strings.Contains(what, "api_key") {
		t.Error(what) // the first of several, in every run
	}
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	for text, want := range map[string]string{
		token:                          `a GitHub token, "gh` + `p_…"`,
		"postgres://me:geheim99@acme/": "a user name and password in a URL",
		"password=geheim99":            "a password",
	} {
		if s, _ := Find(text); s.Describe(text) != want {
			t.Errorf("%q: a message says %s, want %s", text, s.Describe(text), want)
		}
	}
}

func TestMask(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	for text, want := range map[string]string{
		"Explains invoices.\n":                   "Explains invoices.\n",
		"token: " + token + ", \u00e9\nnext\n":   "token: gh" + "p_" + strings.Repeat("*", 36) + ", \u00e9\nnext\n",
		`{"password": "Opensesame1", "next": 1}`: `{"password": "***********", "next": 1}`,
		token + " " + token: "gh" + "p_" + strings.Repeat("*", 36) + " gh" + "p_" +
			strings.Repeat("*", 36),
		`-----BEGIN ` + "PRIVATE KEY-----MIG": strings.Repeat("*", len("-----BEGIN PRIVATE KEY-----MIG")),
	} {
		if got := MaskText(text); got != want {
			t.Errorf("%q\ngot  %q\nwant %q", text, got, want)
		}
	}
}

// Each kind of the tables is found as internal/fixture/secrets.txt says, and masked.
func TestKinds(t *testing.T) {
	count := map[string]int{}
	for _, e := range fixture.Secrets() {
		found, ok := Find(e.Text)
		if ok != e.Real || ok && !strings.HasPrefix(found.What, e.What) {
			t.Errorf("%s: %q: found %v %q", e.What, e.Text, ok, found.What)
		}
		count[e.What]++
		if !ok {
			continue
		}
		masked, length := MaskText(e.Text), found.End-found.Start
		if len(masked) != len(e.Text) || strings.Count(masked[found.Start:found.End], "*") < min(length/3, 12) {
			t.Errorf("%s: %q is masked as %q", e.What, e.Text, masked)
		}
	}
	for _, k := range append(kindsOf(tokens, "", ""), kindsOf(patterns, "", "")...) {
		if count[k.what] == 0 {
			t.Errorf("%s has no examples in internal/fixture/secrets.txt", k.what)
		}
	}
}
