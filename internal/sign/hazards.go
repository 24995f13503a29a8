package sign

import (
	"fmt"
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/source"
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
	found := hazards(card)
	if !o.AllowDivergent {
		refuse(found)
	}
	payload, faults := Payload(card)
	return payload, append(found, faults...)
}

// refuse makes errors of the hazards that a signature does not survive.
func refuse(hazards diag.List) {
	for i, d := range hazards {
		if d.Severity == diag.Warning && !tolerated(d.Pointer) {
			hazards[i].Severity = diag.Error
		}
	}
}

// hazards are what keeps a signature on card from being accepted by every
// verifier.
func hazards(card *source.Node) diag.List {
	if !card.Is(source.Object) {
		return nil
	}
	legacy := card.Get("url") != nil || card.Get("protocolVersion") != nil
	switch {
	case legacy && card.Get("supportedInterfaces") != nil:
		return diag.List{{
			Rule: "signature-dual", Severity: diag.Error, Span: card.Span,
			Message: "a card for A2A 1.0 and 0.3 at once cannot be signed: verifiers of 1.0 leave the members of 0.3 out of what they check",
			Hint:    "make one agent for each version and sign the 1.0 card",
		}}
	case legacy:
		return diag.List{{
			Rule: "signature-legacy", Severity: diag.Info, Span: card.Span,
			Message: "a 0.3 card is signed as it stands; no two SDKs agree on how to verify one",
		}}
	}
	var list diag.List
	for _, d := range Divergences(card) {
		list = append(list, hazard(card, d))
	}
	return append(list, compat(card)...)
}

func hazard(card *source.Node, d Divergence) diag.Diagnostic {
	n, _ := card.Find(d.Pointer)
	finding := diag.Diagnostic{
		Rule: "signature-canonical-hazard", Severity: diag.Warning, Span: n.Span, Pointer: d.Pointer,
		Message: fmt.Sprintf("verifiers disagree on whether %q is signed: %s", d.Pointer, d.Reason),
		Hint:    "leave it out",
	}
	switch {
	case d.Added:
		finding.Hint = "write it"
	case tolerated(d.Pointer):
		finding.Message = fmt.Sprintf("a2a-js and a2a-python leave %q out of what they check, and so refuse the signature: a requirement without scopes is empty", d.Pointer)
		finding.Hint = "verify with cardwright or any verifier that takes the card as it stands"
	case d.Reason == reasonEmpty:
		finding.Hint = "leave it out, or fill it where it is required"
	}
	return finding
}

// tolerated tells whether the pointer names a scheme of a requirement. One
// without scopes has to be empty, so a card is signed in spite of it.
func tolerated(pointer string) bool {
	for _, pattern := range []string{"/securityRequirements/*/schemes/*", "/skills/*/securityRequirements/*/schemes/*"} {
		if ok, _ := path.Match(pattern, pointer); ok {
			return true
		}
	}
	return false
}
