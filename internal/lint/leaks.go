package lint

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

var leaksChecks = []check{
	{diag.SecretValue, both, secretValue},
	{diag.TextInvisible, both, textInvisible},
	{diag.TextNotNFC, both, textNotNFC},
}

// textAt is a text of a card: a scalar, or the name of a member.
type textAt struct {
	place
	text string
	name string         // of the member that it stands in, "" for a name itself
	in   *source.Node   // the object that it is a member of, nil for an item of an array
	key  *source.Member // for the name of a member
}

// eachText calls visit with every text of the card.
func (c *card) eachText(visit func(textAt)) { c.each(source.String, visit) }

// each calls visit with every scalar of a kind on the card, and of texts with the names
// of members too. Signatures are not meant to be read.
func (c *card) each(kind source.Kind, visit func(textAt)) {
	for m, p := range c.root.Entries() {
		if m.Key != "signatures" {
			eachIn(c.root.Node, m, p, kind, visit)
		}
	}
}

func eachIn(in *source.Node, m *source.Member, p place, kind source.Kind, visit func(textAt)) {
	name := ""
	if m != nil {
		name = m.Key
		if kind == source.String {
			visit(textAt{place: p, text: name, key: m})
		}
	}
	switch p.Node.Kind {
	case kind:
		visit(textAt{place: p, text: p.Node.Text, name: name, in: in})
	case source.Array:
		for item := range p.List() {
			eachIn(nil, nil, item, kind, visit)
		}
	case source.Object:
		for m, value := range p.Entries() {
			eachIn(p.Node, m, value, kind, visit)
		}
	}
}

func secretValue(c *card) {
	reported := map[string]bool{} // by interface-credentials
	for _, e := range c.endpoints {
		if _, ok := secret.InURL(e.url.Node.Word()); ok {
			reported[e.url.Pointer()] = true
		}
	}
	c.eachText(func(t textAt) {
		s, ok := secret.InMember(t.name, t.text)
		if !ok && t.name == "d" && t.in.Get("kty").Is(source.String) {
			s, ok = secret.Match{What: "the private part of a JSON Web Key", End: len(t.text)}, true
		}
		if !ok && t.name == "value" && strings.HasPrefix(t.Pointer(),
			"/securitySchemes/") && t.text != "" && !secret.IsFiller(t.text) {
			s, ok = secret.Match{What: "the credential of a security scheme", End: len(t.text)}, true
		}
		if !ok {
			return
		}
		if !reported[t.Pointer()] {
			c.findText(t, "remove it and revoke it: the card is public, and so is its history", "the text holds %s",
				s.Describe(t.text))
		}
	})
}

func textInvisible(c *card) {
	c.eachText(func(t textAt) {
		found := hidden(t.text)
		if len(found) == 0 {
			return
		}
		c.findText(t, "delete them", "the text has invisible characters that language models read: %s in %s",
			nameHidden(found), quote(t.text))
	})
}

func textNotNFC(c *card) {
	c.eachText(func(t textAt) {
		if !isPlain(t.text) && !norm.NFC.IsNormalString(t.text) {
			c.findText(t, "save it in normalization form C",
				"the text %s is not in Unicode normalization form C, so equal words compare as different", quote(t.text))
		}
	})
}
