package lint

import (
	"strconv"

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
	text string
	name string // of the member that it stands in, "" for a name itself
	path []step
	at   *source.Node
	in   *source.Node   // the object that it is a member of, nil for an item of an array
	key  *source.Member // for the name of a member
}

// step is one step from a value to one inside it.
type step struct {
	key   string
	index int // of an item, when there is no key
	item  bool
}

// place builds the place of a text, which costs more than looking at it.
func (t textAt) place() place {
	pointer := ""
	for _, s := range t.path {
		if s.item {
			s.key = strconv.Itoa(s.index)
		}
		pointer = source.Pointer(pointer, s.key)
	}
	return source.At(t.at, pointer)
}

// eachText calls visit with every text of the card.
func (c *card) eachText(visit func(textAt)) { c.each(source.String, visit) }

// each calls visit with every scalar of a kind on the card, and of texts with the names
// of members too. Signatures are not meant to be read.
func (c *card) each(kind source.Kind, visit func(textAt)) {
	w := scalars{kind, visit}
	path := make([]step, 0, 8) // deep enough for all but hostile cards: no step allocates
	for i := range c.root.Members {
		m := &c.root.Members[i]
		if m.Key != "signatures" {
			w.member(c.root.Node, m, path)
		}
	}
}

// scalars is a walk over the scalars of one kind.
type scalars struct {
	kind  source.Kind
	visit func(textAt)
}

func (w scalars) member(in *source.Node, m *source.Member, path []step) {
	path = append(path, step{key: m.Key})
	if w.kind == source.String && !isOwn(m.Key) {
		w.visit(textAt{text: m.Key, path: path, at: m.Value, key: m})
	}
	w.value(in, m.Value, m.Key, path)
}

// isOwn reports whether a name is one that most skills have, in which nothing is to be
// found.
func isOwn(name string) bool {
	switch name {
	case "id", "name", "description", "tags", "examples":
		return true
	}
	return false
}

func (w scalars) value(in, n *source.Node, name string, path []step) {
	switch n.Kind {
	case w.kind:
		w.visit(textAt{text: n.Text, name: name, path: path, at: n, in: in})
	case source.Array:
		for i, item := range n.Items {
			w.value(nil, item, name, append(path, step{index: i, item: true}))
		}
	case source.Object:
		for i := range n.Members {
			w.member(n, &n.Members[i], path)
		}
	default: // scalars of another kind
	}
}

func secretValue(c *card) {
	reported := map[string]bool{} // by interface-credentials
	for _, e := range c.endpoints {
		if _, ok := secret.InURL(e.url.Word()); ok {
			reported[e.url.Pointer()] = true
		}
	}
	c.eachText(func(t textAt) {
		s, ok := secret.InMember(t.name, t.text)
		if !ok && t.name == "d" && t.in.Get("kty").Is(source.String) {
			s, ok = secret.Match{What: "the private part of a JSON Web Key", End: len(t.text)}, true
		}
		if !ok && t.name == "value" && t.path[0].key == "securitySchemes" && t.text != "" && !secret.IsFiller(t.text) {
			s, ok = secret.Match{What: "the credential of a security scheme", End: len(t.text)}, true
		}
		if !ok {
			return
		}
		if !reported[t.place().Pointer()] {
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
