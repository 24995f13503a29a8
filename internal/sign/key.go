package sign

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-jose/go-jose/v4"

	"cardwright/internal/diag"
)

const (
	minRSABits = 2048
	maxRSABits = 8192
	newRSABits = 3072
)

// Algorithms lists the JWS algorithms that cards are signed with (RFC 7518 section 3.1,
// RFC 8037 section 3.1). Each kind of key has exactly one.
func Algorithms() []string { return []string{"ES256", "ES384", "ES512", "EdDSA", "RS256"} }

// verifiable lists the algorithms whose signatures are accepted: those that cards are
// signed with, the others of RSA keys, which a2a-js signs with, and the name that RFC 9864
// gives EdDSA with Ed25519, which go-jose does not know.
func verifiable() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{
		jose.ES256, jose.ES384, jose.ES512, jose.EdDSA, jose.RS256,
		jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, fullySpecified,
	}
}

const fullySpecified jose.SignatureAlgorithm = "Ed25519"

// Key is a public key, or a private key with its public half. Formatted, it shows its
// name only.
type Key struct {
	// Kid is the name that the key was given, "" for one from a PEM file.
	Kid string

	alg      jose.SignatureAlgorithm // that the key signs with
	only     bool                    // a JWK restricts an RSA key to alg
	public   crypto.PublicKey
	signer   crypto.Signer // nil for a public key
	validity validity
}

// newKey returns the key if one of the [Algorithms] can use it.
func newKey(material any) (Key, error) {
	k := Key{public: material}
	if signer, ok := material.(crypto.Signer); ok {
		k.signer, k.public = signer, signer.Public()
	}
	switch p := k.public.(type) {
	case *ecdsa.PublicKey:
		algs := map[elliptic.Curve]jose.SignatureAlgorithm{
			elliptic.P256(): jose.ES256, elliptic.P384(): jose.ES384, elliptic.P521(): jose.ES512,
		}
		if k.alg = algs[p.Curve]; k.alg == "" {
			return Key{}, errors.New("an EC key must be on the curve P-256, P-384 or P-521")
		}
	case ed25519.PublicKey:
		k.alg = jose.EdDSA
	case *rsa.PublicKey:
		k.alg = jose.RS256
		if bits := p.N.BitLen(); bits < minRSABits || bits > maxRSABits {
			return Key{}, fmt.Errorf("the RSA key has %d bits; %d to %d are allowed", bits, minRSABits, maxRSABits)
		}
	default:
		return Key{}, errors.New("a key must be EC (P-256, P-384, P-521), Ed25519 or RSA")
	}
	return k, nil
}

// NewKey makes a private key for one of the [Algorithms]. RSA keys have 3072 bits.
func NewKey(alg string) (Key, error) {
	var signer crypto.Signer
	var err error
	switch jose.SignatureAlgorithm(alg) {
	case jose.ES256:
		signer, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.ES384:
		signer, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case jose.ES512:
		signer, err = ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	case jose.EdDSA:
		_, signer, err = ed25519.GenerateKey(rand.Reader)
	case jose.RS256:
		signer, err = rsa.GenerateKey(rand.Reader, newRSABits)
	default:
		return Key{}, unknownAlgorithm(alg)
	}
	if err != nil {
		return Key{}, fmt.Errorf("making a key: %w", err)
	}
	return newKey(signer)
}

func unknownAlgorithm(alg string) error {
	return fmt.Errorf("cards are not signed with %s; use %s", diag.Quote(alg), strings.Join(Algorithms(), ", "))
}

// fits reports whether the key can have made a signature with the algorithm.
func (k Key) fits(alg jose.SignatureAlgorithm) bool {
	_, isRSA := k.public.(*rsa.PublicKey)
	padded := strings.HasPrefix(string(alg), "RS") || strings.HasPrefix(string(alg), "PS")
	return alg == k.alg || isRSA && padded && !k.only || alg == fullySpecified && k.alg == jose.EdDSA
}

// CanSign reports whether the key has its private half.
func (k Key) CanSign() bool { return k.signer != nil }

// Public returns the key without its private half.
func (k Key) Public() Key {
	k.signer = nil
	return k
}

// Name returns the key's Kid, its [Key.Thumbprint] when it has none.
func (k Key) Name() string { return cmp.Or(k.Kid, k.Thumbprint()) }

// Thumbprint returns the SHA-256 thumbprint of the public key in base64url (RFC 7638).
func (k Key) Thumbprint() string {
	jwk := jose.JSONWebKey{Key: k.public}
	sum, _ := jwk.Thumbprint(crypto.SHA256) // fails only for kinds of keys that newKey refuses
	return base64.RawURLEncoding.EncodeToString(sum)
}

// Format shows the name of the key under every verb, so that no format string can print
// a private key.
func (k Key) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "%s key %s", k.alg, k.Name())
}

// PEM returns a private key in PKCS#8.
func (k Key) PEM() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k.signer)
	if err != nil {
		return nil, fmt.Errorf("encoding the key %s: %w", diag.Quote(k.Name()), err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// ParseKey reads one private or public key: PEM (PKCS#8, SEC 1, PKCS#1, PKIX) or a JWK
// (RFC 7517), also as CI secrets hold them: PEM on one line, base64 of either. Errors
// quote nothing of it.
func ParseKey(data []byte) (Key, error) {
	text := strings.TrimSpace(string(data))
	if decoded, err := anyBase64(text); err == nil && !strings.HasPrefix(text, beginPEM) {
		text = strings.TrimSpace(string(decoded))
	}
	switch {
	case text == "":
		return Key{}, errors.New("the key is empty")
	case strings.HasPrefix(text, "{"):
		return parseJWKText([]byte(text))
	case !strings.Contains(text, beginPEM):
		return Key{}, errors.New("the key is neither PEM nor a JWK")
	}
	return parsePEM(text)
}

// pemBlock matches a block of PEM (RFC 7468), whatever became of its line breaks.
var pemBlock = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END [A-Z0-9 ]+-----`)
})

func parsePEM(text string) (Key, error) {
	text = strings.NewReplacer(`\r`, "", `\n`, "\n").Replace(text)
	blocks := slices.DeleteFunc(pemBlock().FindAllStringSubmatch(text, -1), func(block []string) bool {
		return block[1] == "EC PARAMETERS" // openssl writes them ahead of a key that repeats them
	})
	switch {
	case len(blocks) == 0:
		return Key{}, errors.New("the PEM file is damaged: it has no complete block")
	case len(blocks) > 1:
		return Key{}, errors.New("the PEM file holds more than one block; keep one key per file")
	}
	kind, body := blocks[0][1], blocks[0][2]
	if strings.Contains(body, "DEK-Info:") {
		kind = encryptedPEM
	}
	if reason := unusablePEM()[kind]; reason != "" {
		return Key{}, errors.New(reason)
	}
	der, _ := anyBase64(body) // parseDER refuses what is damaged
	material, err := parseDER(kind, der)
	if err != nil {
		return Key{}, errors.New("the PEM file is damaged, or its key is of a kind that cannot sign a card")
	}
	return newKey(material)
}

func parseDER(kind string, der []byte) (any, error) {
	switch kind {
	case "PRIVATE KEY":
		return x509.ParsePKCS8PrivateKey(der)
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(der)
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(der)
	default:
		return x509.ParsePKIXPublicKey(der)
	}
}

const (
	beginPEM     = "-----BEGIN "
	encryptedPEM = "ENCRYPTED PRIVATE KEY"
)

// unusablePEM says for the PEM blocks that people mistake for a key what to do with them.
func unusablePEM() map[string]string {
	return map[string]string{
		"OPENSSH PRIVATE KEY": "the key is in the format of OpenSSH; " +
			"make a key with \"cardwright key new\", or convert it with \"ssh-keygen -p -m PEM\"",
		encryptedPEM: "the private key is encrypted with a passphrase; " +
			"decrypt it with \"openssl pkcs8 -topk8 -nocrypt\" and keep it in a secret store",
		"CERTIFICATE": "the file is a certificate; extract its key with \"openssl x509 -pubkey -noout\"",
	}
}

// anyBase64 decodes base64 in any of its spellings, over several lines too.
func anyBase64(text string) ([]byte, error) {
	text = strings.Join(strings.Fields(text), "")
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}
