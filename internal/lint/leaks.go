package lint

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

var leakChecks = checks{
	diag.SecretValue:   {both, eachScalar(source.String, secretValue)},
	diag.TextInvisible: {both, eachScalar(source.String, textInvisible)},
	diag.TextNotNFC:    {both, eachScalar(source.String, textNotNFC)},
}

// textAt is a text of a card: a scalar, or the name of a member.
type textAt struct {
	location
	text string
	name string       // of the member that it stands in, "" for a name itself
	in   *source.Node // the object that it is a member of, nil for an item of an array
}

// eachScalar returns a check of every scalar of a kind on the card, and of texts with the
// names of members too. Signatures are not meant to be read.
func eachScalar(kind source.Kind, check func(c *card, t textAt)) func(*card) {
	return func(c *card) {
		eachMember(c.root, kind, func(t textAt) { check(c, t) })
	}
}

func eachMember(of location, kind source.Kind, visit func(textAt)) {
	of = of.Anchored()
	for m, p := range of.Entries() {
		if m.Key == "signatures" && of.Pointer() == "" {
			continue
		}
		if kind == source.String {
			visit(textAt{location: of.Named(m), text: m.Key})
		}
		eachIn(textAt{location: p, text: p.Node.Text, name: m.Key, in: of.Node}, kind, visit)
	}
}

func eachIn(t textAt, kind source.Kind, visit func(textAt)) {
	switch t.Node.Kind {
	case kind:
		visit(t)
	case source.Array:
		for item := range t.List() {
			eachIn(textAt{location: item, text: item.Node.Text}, kind, visit)
		}
	case source.Object:
		eachMember(t.location, kind, visit)
	}
}

func secretValue(c *card, t textAt) {
	s, ok := secret.InMember(t.name, t.text)
	switch {
	case ok:
		if _, inURL := secret.InURL(t.text); inURL && t.name == "url" && isEndpoint(c, t.Pointer()) {
			return // interface-credentials says so
		}
	case t.name == "d" && t.in.Get("kty").Is(source.String):
		s = secret.Match{What: "the private part of a JSON Web Key", End: len(t.text)}
	case t.name == "value" && strings.HasPrefix(t.Pointer(), "/securitySchemes/") &&
		t.text != "" && !secret.IsFiller(t.text):
		s = secret.Match{What: "the credential of a security scheme", End: len(t.text)}
	default:
		return
	}
	c.find(t.location, "remove it and revoke it: the card is public, and so is its history", "the text holds %s",
		s.Describe(t.text))
}

// isEndpoint reports whether a member at a pointer belongs to an endpoint of the card.
func isEndpoint(c *card, pointer string) bool {
	flat := pointer == "/url" || strings.HasPrefix(pointer, "/additionalInterfaces/")
	return strings.HasPrefix(pointer, "/supportedInterfaces/") || flat && len(c.endpoints) > 0 && c.in.Has(v03)
}

func textInvisible(c *card, t textAt) {
	if found := hidden(t.text); len(found) > 0 {
		c.find(t.location, "delete them", "the text has invisible characters that language models read: %s in %s",
			nameHidden(found), diag.Quote(t.text))
	}
}

func textNotNFC(c *card, t textAt) {
	if !isPlain(t.text) && !norm.NFC.IsNormalString(t.text) {
		c.find(t.location, "save it in normalization form C",
			"the text %s is not in Unicode normalization form C, so equal words compare as different", diag.Quote(t.text))
	}
}
