package cli

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"cardwright/internal/fixture"
	"cardwright/internal/report"
	"cardwright/internal/sign/signtest"
)

// leakConfig is a project whose card is signed by what %s says.
const leakConfig = `version: 1
agents:
  - id: billing
    name: Billing
    description: Answers questions about invoices.
    version: 1.0.0
    interfaces: [{url: https://agents.acme.example/a2a/billing}]
    skills:
      add: [{id: ask, name: Ask, description: Answers a question about an invoice., tags: [billing]}]
      extended: []
    signing: %s
`

// Whatever is done with a private key, right or wrong, nothing of it is printed,
// nor written anywhere.
func TestNoCommandLeaksKeys(t *testing.T) {
	for _, alg := range []string{"ES256", "EdDSA", "RS256", "ES384", "ES512"}[:fixture.Rounds(2, 5)] {
		t.Run(alg, func(t *testing.T) {
			l := newLeakage(t, signtest.PEM(t, alg))
			l.use()
			l.misuse()
			l.giveAway()
			l.search()
		})
	}
}

// leakage is a directory to work in with a private key, and what the program
// printed so far.
type leakage struct {
	t       *testing.T
	dir     string
	key     []byte          // PEM
	jwk     []byte          // the same key
	base64  string          // the same key, without the lines of PEM
	own     map[string]bool // files that the test put the key into
	printed []string        // by each run, behind its arguments
}

func newLeakage(t *testing.T, key []byte) *leakage {
	t.Helper()
	block, _ := pem.Decode(key)
	private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	jwk, err := json.Marshal(jose.JSONWebKey{Key: private, KeyID: "billing"})
	if err != nil {
		t.Fatal(err)
	}
	l := &leakage{
		t: t, dir: t.TempDir(), key: key, jwk: jwk, base64: base64.StdEncoding.EncodeToString(block.Bytes),
		own: map[string]bool{},
	}
	for _, name := range []string{"TMPDIR", "HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, l.dir)
	}
	t.Setenv("CARD_KEY", string(key))
	t.Setenv("CARD_JWK", string(jwk))
	l.keep("key.pem", key)
	l.keep("key.json", jwk)
	l.write("card.json", minimalCard)
	l.write("file.yaml", fmt.Sprintf(leakConfig, `{key: "file:key.pem", kid: billing}`))
	return l
}

// keep writes a file that may hold the key.
func (l *leakage) keep(name string, data []byte) {
	l.t.Helper()
	l.own[name] = true
	l.write(name, string(data))
}

func (l *leakage) write(name, text string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.dir, name), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// run runs the program, which has to end with one of the codes.
func (l *leakage) run(codes string, args ...string) {
	l.t.Helper()
	var out bytes.Buffer
	code := Run(append([]string{"-C", l.dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "test")
	l.printed = append(l.printed, fmt.Sprintf("%.60q\n%s", args, out.String()))
	if !strings.Contains(codes, fmt.Sprint(code)) {
		l.t.Errorf("%.200q ends with %d:\n%s", args, code, out.String())
	}
}

// reports asks for a report in every format, in files of their own, which search looks into.
func (l *leakage) reports() (flags []string) {
	for _, format := range report.FileFormats() {
		flags = append(flags, "--report", fmt.Sprintf("%s=report%d.%[1]s", format, len(l.printed)))
	}
	return flags
}

// use does what keys are for.
func (l *leakage) use() {
	l.t.Helper()
	l.run("0", "key", "public", "key.pem")
	l.run("0", "key", "public", "key.json")
	l.run("0", slices.Concat([]string{"generate", "--config", "file.yaml", "--out", "dist", "--set", "version=1.0.1"},
		l.reports())...)
	l.write("env.yaml", fmt.Sprintf(leakConfig,
		`[{key: "env:CARD_KEY"}, {key: "env:CARD_JWK", kid: again, publish: ["file:key.json"]}]`))
	l.run("0", "generate", "--config", "env.yaml", "--out", "dist")
	l.run("0", "generate", "--config", "env.yaml", "--out", "dist", "--check")
	l.run("0", "sign", "card.json", "--key", "file:key.pem")
	l.run("0", "sign", "card.json", "--key", "env:CARD_JWK", "--kid", "second")
	l.run("0", "sign", "dist/.well-known/agent-card.json", "--key", "file:key.pem", "--kid", "third")
	l.run("01", "verify", "card.json", "--key", "file:key.json")
	l.run("0", "verify", "dist")
	l.run("0", "lint", "dist")
}

// misuse does what goes wrong.
func (l *leakage) misuse() {
	l.t.Helper()
	other := "ES384"
	if bytes.Equal(l.key, signtest.PEM(l.t, other)) {
		other = "ES256"
	}
	l.run("2", "sign", "card.json", "--key", "file:key.pem", "--alg", other)
	l.run("2", "generate", "--config", "file.yaml", "--out", "no", "--set", "signing.alg="+other)
	l.run("2", "key", "new", "-o", "key.pem")
	l.run("1", "verify", "card.json", "--jwks", "key.json")
	l.run("1", "verify", "card.json", "--jwks", "key.pem")
	l.run("12", "lint", "key.json", "key.pem")
	if err := os.Chmod(filepath.Join(l.dir, "key.pem"), 0o644); err != nil {
		l.t.Fatal(err)
	}
	l.run("0", "sign", "card.json", "--key", "file:key.pem")
	l.keep("damaged.pem", bytes.Replace(l.key, []byte("M"), []byte("N"), 1))
	l.keep("damaged.json", l.jwk[:len(l.jwk)-2])
	l.keep("twice.pem", append(bytes.Clone(l.key), l.key...))
	l.keep("set.json", append(append([]byte(`{"keys":[`), l.jwk...), "]}"...))
	for _, name := range []string{"damaged.pem", "damaged.json", "twice.pem", "set.json"} {
		l.run("2", "key", "public", name)
		l.run("2", "sign", "card.json", "--key", "file:"+name)
		l.run("01", "verify", "card.json", "--jwks", name)
		l.run("2", "generate", "--config", "file.yaml", "--out", "no", "--set", "signing.key=file:"+name)
	}
	l.run("1", "verify", "card.json", "--all", "--jwks", "set.json")
}

// giveAway puts the key where its name belongs.
func (l *leakage) giveAway() {
	l.t.Helper()
	for _, key := range []string{string(l.key), string(l.jwk), l.base64} {
		l.run("2", "sign", "card.json", "--key", key)
		l.run("2", "verify", "card.json", "--key", key)
		l.run("2", "generate", "--config", "file.yaml", "--out", "no", "--set", "signing.key="+key)
		quoted, err := json.Marshal(key)
		if err != nil {
			l.t.Fatal(err)
		}
		l.keep("inline.yaml", fmt.Appendf(nil, leakConfig, fmt.Sprintf(`{key: %s}`, quoted)))
		l.run("2", slices.Concat([]string{"generate", "--config", "inline.yaml", "--out", "no"}, l.reports())...)
		l.run("2", slices.Concat([]string{"lint", "--config", "inline.yaml"}, l.reports())...)
	}
	for _, key := range []string{
		"file:" + string(l.key), "env:" + string(l.key), "file:" + string(l.jwk),
		"env:" + string(l.jwk), "env:" + l.base64,
	} {
		l.run("2", "sign", "card.json", "--key", key)
	}
	l.keep("jwk.yaml", fmt.Appendf(nil, leakConfig, fmt.Sprintf(`{key: %s}`, l.jwk)))
	l.run("2", "generate", "--config", "jwk.yaml", "--out", "no")
	l.keep("bare.yaml", fmt.Appendf(nil, leakConfig, l.base64))
	l.run("2", "generate", "--config", "bare.yaml", "--out", "no")
}

// search looks for the key in what was printed and in every other file.
func (l *leakage) search() {
	l.t.Helper()
	secrets := signtest.NewSecrets(l.t, l.key)
	for _, text := range l.printed {
		_, out, _ := strings.Cut(text, "\n")
		if name := secrets.In([]byte(out)); name != "" {
			l.t.Errorf("%s is printed: %s", name, text)
		}
	}
	files := 0
	err := filepath.WalkDir(l.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, name)
		if err != nil || d.IsDir() || l.own[rel] {
			return err
		}
		files++
		data, err := os.ReadFile(name)
		if secret := secrets.In(data); secret != "" {
			l.t.Errorf("%s is in %s", secret, rel)
		}
		return err
	})
	if err != nil || files < 10 {
		l.t.Errorf("%d files searched: %v", files, err)
	}
}
