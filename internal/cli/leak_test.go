package cli

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
    skills: {add: [{id: ask, name: Ask, description: Answers a question about an invoice., tags: [billing]}]}
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
	workdir
	key, jwk, base64 string          // the same key: PEM, JWK, and PEM without its lines
	own              map[string]bool // files that the test put the key into
	printed          []string        // by each run, behind its arguments
}

func newLeakage(t *testing.T, key []byte) *leakage {
	t.Helper()
	l := &leakage{workdir: inDir(t), key: string(key), own: map[string]bool{}}
	block, _ := pem.Decode(key)
	private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	l.must(err)
	jwk, err := json.Marshal(jose.JSONWebKey{Key: private, KeyID: "billing"})
	l.must(err)
	l.jwk, l.base64 = string(jwk), base64.StdEncoding.EncodeToString(block.Bytes)
	for _, name := range []string{"TMPDIR", "HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, l.dir)
	}
	t.Setenv("CARD_KEY", l.key)
	t.Setenv("CARD_JWK", l.jwk)
	l.keep("key.pem", l.key)
	l.keep("key.json", l.jwk)
	l.put("card.json", minimalCard)
	l.put("file.yaml", fmt.Sprintf(leakConfig, `{key: "file:key.pem", kid: billing}`))
	return l
}

// keep writes a file that may hold the key.
func (l *leakage) keep(name, text string) {
	l.Helper()
	l.own[name] = true
	l.put(name, text)
}

// ends runs the program, which has to end with one of the codes.
func (l *leakage) ends(codes, command string, args ...string) {
	l.Helper()
	args = append(strings.Fields(command), args...)
	out, err, code := l.run(args...)
	l.printed = append(l.printed, fmt.Sprintf("%.60q\n%s%s", args, out, err))
	if !strings.Contains(codes, fmt.Sprint(code)) {
		l.Errorf("%.200q ends with %d:\n%s%s", args, code, out, err)
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
	l.Helper()
	l.ends("0", "key public key.pem")
	l.ends("0", "key public key.json")
	l.ends("0", "generate --config file.yaml --out dist --set version=1.0.1", l.reports()...)
	l.put("env.yaml", fmt.Sprintf(leakConfig,
		`[{key: "env:CARD_KEY"}, {key: "env:CARD_JWK", kid: again, publish: ["file:key.json"]}]`))
	l.ends("0", "generate --config env.yaml --out dist")
	l.ends("0", "generate --config env.yaml --out dist --check")
	l.ends("0", "sign card.json --key file:key.pem")
	l.ends("0", "sign card.json --key env:CARD_JWK --kid second")
	l.ends("01", "verify card.json --key file:key.json")
	l.ends("0", "verify dist")
	l.ends("0", "lint dist")
}

// misuse does what goes wrong.
func (l *leakage) misuse() {
	l.Helper()
	other := "ES384"
	if l.key == string(signtest.PEM(l.T, other)) {
		other = "ES256"
	}
	l.ends("2", "sign card.json --key file:key.pem --alg "+other)
	l.ends("2", "generate --config file.yaml --out no --set signing.alg="+other)
	l.ends("2", "key new -o key.pem")
	l.ends("12", "lint key.json key.pem")
	l.must(os.Chmod("key.pem", 0o644))
	l.ends("0", "sign card.json --key file:key.pem")
	for name, text := range map[string]string{
		"damaged.pem": strings.Replace(l.key, "M", "N", 1), "damaged.json": l.jwk[:len(l.jwk)-2],
		"twice.pem": l.key + l.key, "set.json": `{"keys":[` + l.jwk + "]}",
	} {
		l.keep(name, text)
		l.ends("2", "key public "+name)
		l.ends("2", "sign card.json --key file:"+name)
		l.ends("01", "verify card.json --jwks "+name)
		l.ends("2", "generate --config file.yaml --out no --set signing.key=file:"+name)
	}
}

// giveAway puts the key where its name belongs. The tests of config have more such places.
func (l *leakage) giveAway() {
	l.Helper()
	for _, key := range []string{l.key, l.jwk, l.base64} {
		l.ends("2", "sign card.json --key", key)
		l.ends("2", "sign card.json --key", "env:"+key)
		l.ends("2", "verify card.json --key", key)
		l.ends("2", "generate --config file.yaml --out no --set", "signing.key="+key)
	}
	l.ends("2", "sign card.json --key", "file:"+l.key)
	l.ends("2", "sign card.json --key", "file:"+l.jwk)
	l.keep("inline.yaml", fmt.Sprintf(leakConfig, fmt.Sprintf(`{key: %s}`, l.jwk)))
	l.ends("2", "generate --config inline.yaml --out no", l.reports()...)
	l.ends("2", "lint --config inline.yaml", l.reports()...)
}

// search looks for the key in what was printed and in every other file.
func (l *leakage) search() {
	l.Helper()
	secrets := signtest.NewSecrets(l.T, []byte(l.key))
	for _, text := range l.printed {
		_, out, _ := strings.Cut(text, "\n")
		if name := secrets.In([]byte(out)); name != "" {
			l.Errorf("%s is printed: %s", name, text)
		}
	}
	files := 0
	l.must(filepath.WalkDir(l.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, name)
		if err != nil || d.IsDir() || l.own[rel] {
			return err
		}
		files++
		if secret := secrets.In([]byte(l.read(rel))); secret != "" {
			l.Errorf("%s is in %s", secret, rel)
		}
		return nil
	}))
	if files < 10 {
		l.Errorf("%d files searched", files)
	}
}
