package project

import (
	"fmt"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Signer signs cards.
type Signer struct {
	Options sign.Options
	// Key signs or, where the private key is held elsewhere, is its public half.
	Key sign.Key
	// Made is the signature that was made elsewhere, nil for none.
	Made []byte
}

// Summary says in a line each what became of cards that were signed.
func (s *Signer) Summary(cards []Rewritten) []string {
	key := s.Key
	if s.Options.Kid != "" {
		key.Kid = s.Options.Kid
	}
	var lines []string
	for _, c := range cards {
		what := "signed with"
		if c.Same() {
			what = "unchanged, has a good signature by"
		}
		if c.Name != "-" {
			lines = append(lines, fmt.Sprintf("%s: %s the %v", c.Path(), what, key))
		}
	}
	return lines
}

// Sign returns the text of the card with its signatures. Good ones leave the card
// as it is.
func (s *Signer) Sign(f Input) ([]byte, diag.List, error) {
	old, card, found := f.forSigning()
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	var signed *source.Node
	var more diag.List
	var err error
	if s.Made == nil {
		signed, more, err = sign.Sign(card, old, s.Key, s.Options)
	} else {
		signed, more, err = sign.Attach(card, s.Made, s.Key, s.Options)
	}
	switch found = append(found, more...); {
	case err != nil || more.Worst() == diag.Error:
		return nil, found, err
	case signed.Equal(old):
		return f.Data, found, nil
	}
	return schema.Write(signed), found, nil
}

// Input returns what a key that is held elsewhere has to sign.
func (s *Signer) Input(f Input) ([]byte, diag.List, error) {
	_, card, found := f.forSigning()
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	input, more, err := sign.Input(card, s.Key, s.Options)
	return input, append(found, more...), err
}

// forSigning returns the card in a file, and as it is signed: a scheme without scopes in
// a requirement is {}, unless signatures cover another form of it already.
func (f Input) forSigning() (old, card *source.Node, found diag.List) {
	old, found = source.ParseJSON(f.Path(), f.Data)
	if found.Worst() == diag.Error {
		return nil, nil, found
	}
	if what := convert.Foreign(old); old.Is(source.Object) && what != "" {
		return nil, nil, append(found, diag.New(diag.CardForeign, old.Span, "not an agent card: looks like %s", what).
			WithHint("an agent card has a name, skills and supportedInterfaces"))
	}
	if old.Get("signatures") != nil {
		return old, old, found
	}
	return old, schema.Unlisted(old), found
}
