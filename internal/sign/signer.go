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
	signed, more, err := Sign(card, old, s.Key, s.Options)
	switch found = append(found, more...); {
	case err != nil || more.Worst() == diag.Error:
		return nil, found, err
	case signed.Equal(old):
		return data, found, nil
	}
	return schema.Write(signed), found, nil
}

// Input returns what a key that is held elsewhere, in a key management system for
// instance, has to sign. The key is its public half.
func (s *Signer) Input(file string, data []byte) ([]byte, diag.List, error) {
	_, card, found := forSigning(file, data)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	payload, more := Check(card)
	if found = append(found, more...); more.Worst() == diag.Error {
		return nil, found, nil
	}
	protected, err := protect(s.Key, s.Options)
	return signingInput(protected, payload), found, err
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
