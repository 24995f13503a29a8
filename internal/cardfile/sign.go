package cardfile

import (
	"cmp"
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Signer signs cards.
type Signer struct {
	sign.Options
	// Key signs or, with Elsewhere, is the public half of the key that does.
	Key sign.Key
	// Elsewhere tells that the private key is not at hand.
	Elsewhere bool
	Made      []byte // the signature that was made elsewhere
	Limits    source.Limits
}

// NameKey completes the name and the algorithm of a key that is held elsewhere by
// those of its public key.
func (s *Signer) NameKey() {
	s.Kid = cmp.Or(s.Kid, s.Key.Name())
	s.Alg = cmp.Or(s.Alg, s.Key.Alg())
}

// by is how messages name the key.
func (s *Signer) by() string {
	if s.Elsewhere {
		return fmt.Sprintf("%s key %s", s.Alg, s.Kid)
	}
	key := s.Key
	key.Kid = cmp.Or(s.Kid, key.Kid)
	return fmt.Sprint(key)
}

// Summary says in a line each what became of cards that were signed.
func (s *Signer) Summary(cards []Rewritten) []string {
	var lines []string
	for _, c := range cards {
		what := "signed with"
		if c.Same() {
			what = "unchanged, has a good signature by"
		}
		if c.Name != "-" {
			lines = append(lines, fmt.Sprintf("%s: %s the %s", c.Path(), what, s.by()))
		}
	}
	return lines
}

// Sign returns the text of the card with its signatures. Good ones leave the card
// as it is.
func (s *Signer) Sign(f Input) ([]byte, diag.List, error) {
	old, card, found := f.forSigning(s.Limits)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	signatures, more, err := s.signatures(card, old)
	found = append(found, offered(more)...)
	if err != nil || more.Worst() == diag.Error {
		return nil, found, err
	}
	signed, more := sign.Attach(card, signatures...)
	switch found = append(found, more...); {
	case more != nil:
		return nil, found, nil
	case signed.Equal(old):
		return f.Data, found, nil
	}
	return schema.Write(signed), found, nil
}

// signatures are those of a card as it is signed, which as it is has some already.
func (s *Signer) signatures(card, old *source.Node) ([]schema.Signature, diag.List, error) {
	if !s.Elsewhere {
		return sign.Signatures(card, old, s.Key, s.Options)
	}
	made, found, err := sign.Made(card, s.Options, s.Made, s.Key)
	return sign.Beside(old, card, made, s.Options, s.Key), found, err
}

// Input returns what a key that is held elsewhere has to sign.
func (s *Signer) Input(f Input) ([]byte, diag.List, error) {
	_, card, found := f.forSigning(s.Limits)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	input, more, err := sign.Input(card, s.Options)
	return input, append(found, offered(more)...), err
}

// forSigning returns the card in a file, and as it is signed.
func (f Input) forSigning(limits source.Limits) (old, card *source.Node, found diag.List) {
	old, found = source.ParseJSON(f.Path(), f.Data, limits)
	if found.Worst() == diag.Error {
		return nil, nil, found
	}
	if what := dialect.Foreign(old); old.Is(source.Object) && what != "" {
		return nil, nil, append(found, diag.New("card-foreign", old.Span, "not an agent card: looks like %s", what).
			WithHint("an agent card has a name, skills and supportedInterfaces"))
	}
	card, more := sign.Reencode(old)
	return old, card, append(found, more...)
}

// offered adds hints to the errors that a flag can turn off.
func offered(found diag.List) diag.List {
	for i, d := range found {
		if d.Rule == "signature-canonical-hazard" && d.Severity == diag.Error {
			found[i].Hint = d.Hint + "; or sign with --allow-divergent"
		}
	}
	return found
}
