package sign

import (
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Check returns what is to be said of a card before it is signed; [Sign] refuses
// one with an error among it. Members on which verifiers disagree are errors,
// warnings where divergence is allowed. What is the fault of a verifier alone
// has level info.
func Check(card *source.Node, o Options) diag.List {
	_, found := check(card, o)
	return found
}

// check returns the payload to sign as well.
func check(card *source.Node, o Options) ([]byte, diag.List) {
	found := hazards(card, o)
	if !o.AllowDivergent {
		refuse(found)
	}
	payload, faults := Payload(card)
	return payload, append(found, faults...)
}

// refuse makes errors of the hazards that a signature does not survive.
func refuse(hazards diag.List) {
	for i, d := range hazards {
		if d.Severity == diag.Warning && !schema.ScopesOf(d.Pointer) {
			hazards[i].Severity = diag.Error
		}
	}
}

// hazards are what keeps a signature on card from being accepted by every
// verifier.
func hazards(card *source.Node, o Options) diag.List {
	if !card.Is(source.Object) {
		return nil
	}
	legacy := card.Get("url") != nil || card.Get("protocolVersion") != nil
	switch {
	case legacy && card.Get("supportedInterfaces") != nil:
		return diag.List{diag.New("signature-dual", card.Span,
			"a card for both A2A 1.0 and 0.3 cannot be signed: verifiers of 1.0 do not check the members of 0.3").
			WithHint("make one agent per version, and sign the 1.0 card")}
	case legacy:
		return diag.List{diag.New("signature-legacy", card.Span,
			"a 0.3 card is signed as it is, but SDKs do not agree on how to verify it")}
	}
	var list diag.List
	for _, d := range Divergences(card) {
		list = append(list, hazard(card, d, o))
	}
	return append(list, compat(card)...)
}

func hazard(card *source.Node, d Divergence, o Options) diag.Diagnostic {
	n, _ := card.Find(d.Pointer)
	finding := diag.New("signature-canonical-hazard", n.Span, "verifiers disagree on whether %q is signed: %s", d.Pointer,
		d.Reason).
		WithPointer(d.Pointer).
		WithHint("leave it out")
	switch {
	case d.Added:
		finding.Hint = "write it"
	case schema.ScopesOf(d.Pointer) && o.Compat:
		finding.Message = fmt.Sprintf(
			"the second signature, for a2a-js and a2a-python, does not cover %q, so some clients accept changes there",
			d.Pointer)
		finding.Hint = "give the scheme a scope, as in security: [{key: [call]}], and one signature covers everything"
	case schema.ScopesOf(d.Pointer):
		finding.Message = fmt.Sprintf(
			"a2a-js and a2a-python refuse the signature: they do not check %q, a requirement without scopes", d.Pointer)
		finding.Hint = "give the scheme a scope, as in security: [{key: [call]}], or sign with --compat sdk"
	case d.Reason == reasonEmpty:
		finding.Hint = "leave it out, or fill it where it is required"
	}
	return finding
}

// Reencode returns the card with requirements in the form that signed cards have:
// a scheme without scopes is {}, where others are {"list": []}. That is what
// verifiers make of it which go through the types of the protocol. A card with
// signatures stays as it is, since they cover it.
func Reencode(card *source.Node) (*source.Node, diag.List) {
	if !card.Is(source.Object) || card.Get("signatures") != nil {
		return card, nil
	}
	var found diag.List
	again := schema.Unlisted(card, func(n *source.Node, pointer string) {
		found = append(found, diag.New("signature-reencoded", n.Span,
			`{"list": []} is written as {}, the form that a signature over it needs`).
			WithPointer(pointer))
	})
	return again, found
}
