package sign

import (
	"fmt"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Signer signs cards that exist.
type Signer struct {
	Options Options
	// Key signs or, where the private key is held elsewhere, is its public half.
	Key Key
	// Made is the signature that was made elsewhere, nil for none.
	Made []byte
}

// Name is the key as a summary names it.
func (s *Signer) Name() string {
	key := s.Key
	if s.Options.Kid != "" {
		key.Kid = s.Options.Kid
	}
	return fmt.Sprint(key)
}

// Sign returns the text of the card in a file with its signatures. Good ones leave the
// text unchanged.
func (s *Signer) Sign(file string, data []byte) ([]byte, diag.List, error) {
	old, card, found := forSigning(file, data)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	var signed *source.Node
	var more diag.List
	var err error
	if s.Made == nil {
		signed, more, err = Sign(card, old, s.Key, s.Options)
	} else {
		signed, more, err = Attach(card, s.Made, s.Key, s.Options)
	}
	switch found = append(found, more...); {
	case err != nil || more.Worst() == diag.Error:
		return nil, found, err
	case signed.Equal(old):
		return data, found, nil
	}
	return schema.Write(signed), found, nil
}

// Input returns what a key that is held elsewhere has to sign.
func (s *Signer) Input(file string, data []byte) ([]byte, diag.List, error) {
	_, card, found := forSigning(file, data)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	input, more, err := Input(card, s.Key, s.Options)
	return input, append(found, more...), err
}

// forSigning returns the card in a file, and as signed: a scheme without scopes in
// a requirement is {}, unless signatures cover another form of it already.
func forSigning(file string, data []byte) (old, card *source.Node, found diag.List) {
	old, found = source.ParseJSON(file, data)
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
