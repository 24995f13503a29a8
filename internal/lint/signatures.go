package lint

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var signaturesChecks = []check{
	{diag.SignatureJKUInsecure, both, signatureJKUInsecure},
	{diag.SignatureMalformed, both, signatureMalformed},
	{diag.SignatureMissing, both, signatureMissing},
	{diag.SignatureTyp, both, signatureTyp},
}

// signature is an entry of signatures, with what its protected header says.
type signature struct {
	place
	header *source.Node // nil when it cannot be read
	fault  *finding     // why not
}

func (c *card) signatures() func(yield func(signature) bool) {
	return func(yield func(signature) bool) {
		for p := range c.root.At("signatures").List() {
			if p.Node.Is(source.Object) && !yield(readSignature(p)) {
				return
			}
		}
	}
}

func readSignature(p place) signature {
	s := signature{place: p}
	protected := p.At("protected")
	if protected.Node.Word() == "" {
		return s // missing, which the check of the shape reports
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(protected.Node.Text)
	if err != nil {
		s.fault = new(fault(protected, "", "the protected header is not unpadded base64url"))
		return s
	}
	header, found := source.ParseJSON("", data)
	if header == nil || len(found) > 0 || header.Kind != source.Object {
		s.fault = new(fault(protected, "", "the protected header does not decode to one JSON object"))
		return s
	}
	s.header = header
	return s
}

func signatureMissing(c *card) {
	if lacks(c.root, "signatures") {
		c.find(c.root.At("signatures"), "to sign it, set signing in the configuration or run cardwright sign",
			"the card is not signed, so clients cannot verify who published it")
	}
}

func signatureMalformed(c *card) {
	for s := range c.signatures() {
		if s.fault != nil {
			c.report(*s.fault)
		}
		if s.header != nil {
			c.reportHeader(s)
		}
		value := s.At("signature")
		if _, err := base64.RawURLEncoding.Strict().DecodeString(value.Node.Word()); err != nil {
			c.find(value, "base64url uses - and _, and no = at the end", "the signature is not unpadded base64url")
		}
	}
}

// algorithms are the asymmetric ones of RFC 7518 section 3.1 and RFC 8037.
func algorithms() []string {
	return []string{
		"ES256", "ES384", "ES512", "EdDSA", "Ed25519", "Ed448", "RS256", "RS384", "RS512", "PS256",
		"PS384", "PS512",
	}
}

func (c *card) reportHeader(s signature) {
	header := rootPlace(s.header)
	at := s.At("protected")
	switch alg := header.At("alg"); {
	case alg.Node.Word() == "":
		c.find(at, "", "the protected header names no alg")
	case strings.EqualFold(alg.Node.Text, "none"):
		c.find(at, "", `the algorithm is "none", which protects nothing`)
	case strings.HasPrefix(alg.Node.Text, "HS"):
		c.find(at, "sign with ES256", "the algorithm %s is symmetric, so everyone who can verify the signature can forge it",
			quote(alg.Node.Text))
	case !slices.Contains(algorithms(), alg.Node.Text):
		c.find(at, "sign with ES256", "verifiers do not know the algorithm %s", quote(alg.Node.Text))
	}
	if header.At("kid").Node.Word() == "" {
		c.find(at, "", "the protected header names no kid, so verifiers cannot find the key")
	}
}

func signatureTyp(c *card) {
	for s := range c.signatures() {
		if s.header == nil {
			continue
		}
		if typ := rootPlace(s.header).At("typ"); typ.Node.Word() != "JOSE" {
			f := fault(s.At("protected"), "", `the protected header has no typ, which should be "JOSE"`)
			if typ.Node != nil {
				f.message = fmt.Sprintf(`the typ of the protected header is %s, which should be "JOSE"`, quote(typ.Node.Word()))
			}
			c.report(f)
		}
	}
}

func signatureJKUInsecure(c *card) {
	for s := range c.signatures() {
		jku := rootPlace(s.header).At("jku")
		if jku.Node.Word() == "" {
			continue
		}
		if u := web(jku.Node.Text); u == nil || u.Scheme != "https" {
			c.find(s.At("protected"), "anyone who can change its content can sign the card",
				"the URL of the keys, %s, is not an https URL", quote(jku.Node.Text))
		}
	}
}
