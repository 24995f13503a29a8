package lint

import (
	"encoding/base64"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var signatureChecks = checks{
	diag.SignatureJKUInsecure: {both, eachSignature(signatureJKUInsecure)},
	diag.SignatureMalformed:   {both, eachSignature(signatureMalformed)},
	diag.SignatureMissing:     {both, signatureMissing},
	diag.SignatureTyp:         {both, eachSignature(signatureTyp)},
}

// signature is an entry of signatures, with what its protected header says.
type signature struct {
	location
	protected location
	header    location // without a node when it cannot be read
	fault     string   // why not
}

// eachSignature returns a check of every signature.
func eachSignature(check func(c *card, s signature)) func(*card) {
	return func(c *card) {
		for p := range c.root.At("signatures").List() {
			if p.Node.Is(source.Object) {
				check(c, readSignature(p))
			}
		}
	}
}

func readSignature(p location) signature {
	s := signature{location: p, protected: p.At("protected")}
	if s.protected.Node.Word() == "" {
		return s // missing, which the check of the shape reports
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(s.protected.Node.Text)
	header, found := source.ParseJSON("", data)
	switch {
	case err != nil:
		s.fault = "the protected header is not unpadded base64url"
	case len(found) > 0 || !header.Is(source.Object):
		s.fault = "the protected header does not decode to one JSON object"
	default:
		s.header = source.At(header, "")
	}
	return s
}

func signatureMissing(c *card) {
	if lacks(c.root, "signatures") {
		c.find(c.root.At("signatures"), "to sign it, set signing in the configuration or run cardwright sign",
			"the card is not signed, so clients cannot verify who published it")
	}
}

func signatureMalformed(c *card, s signature) {
	if s.fault != "" {
		c.find(s.protected, "", "%s", s.fault)
	}
	if s.header.Node != nil {
		checkHeader(c, s)
	}
	value := s.At("signature")
	if _, err := base64.RawURLEncoding.Strict().DecodeString(value.Node.Word()); err != nil {
		c.find(value, "base64url uses - and _, and no = at the end", "the signature is not unpadded base64url")
	}
}

// algorithms are the asymmetric ones of RFC 7518 section 3.1 and RFC 8037.
func algorithms() []string {
	return strings.Fields("ES256 ES384 ES512 EdDSA Ed25519 Ed448 RS256 RS384 RS512 PS256 PS384 PS512")
}

func checkHeader(c *card, s signature) {
	switch alg := s.header.At("alg").Node.Word(); {
	case alg == "":
		c.find(s.protected, "", "the protected header names no alg")
	case strings.EqualFold(alg, "none"):
		c.find(s.protected, "", `the algorithm is "none", which protects nothing`)
	case strings.HasPrefix(alg, "HS"):
		c.find(s.protected, "sign with ES256",
			"the algorithm %s is symmetric, so everyone who can verify the signature can forge it", diag.Quote(alg))
	case !slices.Contains(algorithms(), alg):
		c.find(s.protected, "sign with ES256", "verifiers do not know the algorithm %s", diag.Quote(alg))
	}
	if s.header.At("kid").Node.Word() == "" {
		c.find(s.protected, "", "the protected header names no kid, so verifiers cannot find the key")
	}
}

func signatureTyp(c *card, s signature) {
	typ := s.header.At("typ")
	switch {
	case s.header.Node == nil || typ.Node.Word() == "JOSE":
	case typ.Node == nil:
		c.find(s.protected, "", `the protected header has no typ, which should be "JOSE"`)
	default:
		c.find(s.protected, "", `the typ of the protected header is %s, which should be "JOSE"`, diag.Quote(typ.Node.Word()))
	}
}

func signatureJKUInsecure(c *card, s signature) {
	jku := s.header.At("jku").Node.Word()
	if u := web(jku); jku != "" && (u == nil || u.Scheme != "https") {
		c.find(s.protected, "anyone who can change its content can sign the card",
			"the URL of the keys, %s, is not an https URL", diag.Quote(jku))
	}
}
