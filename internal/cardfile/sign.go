package cardfile

import (
	"cardwright/internal/diag"
	"cardwright/internal/foreign"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Sign returns the text of the card with the signatures that makes makes of
// the card as it is signed and as it is. Good ones leave the card as it is.
func (f File) Sign(limits source.Limits, makes func(card, old *source.Node) ([]schema.Signature, diag.List,
	error),
) ([]byte, diag.List, error) {
	old, card, found := f.forSigning(limits)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	signatures, more, err := makes(card, old)
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

// SigningInput returns what a key that is held elsewhere has to sign.
func (f File) SigningInput(limits source.Limits, o sign.Options) ([]byte, diag.List, error) {
	_, card, found := f.forSigning(limits)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	input, more, err := sign.Input(card, o)
	return input, append(found, offered(more)...), err
}

// forSigning returns the card in a file, and as it is signed.
func (f File) forSigning(limits source.Limits) (old, card *source.Node, found diag.List) {
	old, found = source.ParseJSON(f.Path(), f.Data, limits)
	if found.Worst() == diag.Error {
		return nil, nil, found
	}
	if what := foreign.Name(old); old.Is(source.Object) && what != "" {
		return nil, nil, append(found, diag.New("card-foreign", old.Span, "not an agent card: looks like %s", what).
			WithHint("an agent card has a name, skills and supportedInterfaces"))
	}
	card, more := sign.Reencode(old)
	return old, card, append(found, more...)
}

// offered adds to the errors that a flag can make less of which that is.
func offered(found diag.List) diag.List {
	for i, d := range found {
		if d.Rule == "signature-canonical-hazard" && d.Severity == diag.Error {
			found[i].Hint = d.Hint + "; or sign with --allow-divergent"
		}
	}
	return found
}
