package sign

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// Verdict is what the signatures of a card come to.
type Verdict string

// The verdicts.
const (
	Verified   Verdict = "good"       // a good signature covers all that the card says
	Uncovered  Verdict = "uncovered"  // good signatures leave out what somebody may have added
	Refused    Verdict = "refused"    // no signature is good, or not all are where all have to be
	Unsigned   Verdict = "unsigned"   // there is no signature
	Unreadable Verdict = "unreadable" // the card has no canonical form, or its signatures are malformed
)

// Judge says what the results of [Verify] and its findings come to, and what is to
// be said of each signature. One good signature is enough, unless all have to be good.
func Judge(results []Result, faults diag.List, all bool) (Verdict, diag.List) {
	good := slices.ContainsFunc(results, Result.Good)
	covered := slices.ContainsFunc(results, func(r Result) bool { return r.Good() && !r.Open() })
	whole := slices.ContainsFunc(results, func(r Result) bool { return r.Good() && len(r.Uncovered) == 0 })
	list := slices.Clone(faults)
	for _, r := range results {
		var d diag.Diagnostic
		switch {
		case !r.Good():
			d = diag.New("signature-invalid", r.Span, "the signature is refused: %s", r.Fault)
			if good && !all {
				d.Severity = diag.Warning
			}
		case len(r.Uncovered) > 0:
			remedy := "accept them with --allow-uncovered POINTER"
			if !r.acceptable() {
				remedy = "delete them or sign the card again"
			}
			d = diag.New("signature-uncovered", r.Span, "the signature is good under the reading %q, which does not cover %s",
				r.Reading, Few(r.Uncovered)).
				WithHint("anyone could have added these members: do not rely on them, and " + remedy)
			switch {
			case whole:
				d.Severity, d.Hint = diag.Info, "another good signature covers them"
			case r.accepted():
				d.Severity, d.Hint = diag.Info, "accepted with --allow-uncovered: do not rely on them"
			case !r.Open() || covered:
				d.Severity = diag.Warning
			}
		default:
			continue
		}
		list = append(list, d.WithPointer(r.Pointer))
	}
	refused := slices.ContainsFunc(results, func(r Result) bool { return !r.Good() })
	switch {
	case len(results) == 0 && len(faults) > 0:
		return Unreadable, list
	case len(results) == 0:
		return Unsigned, list
	case !good, all && refused:
		return Refused, list
	case !covered:
		return Uncovered, list
	}
	return Verified, list
}

// Few lists the places of divergences for a message.
func Few(list []Divergence) string {
	const most = 5
	places := Pointers(list[:min(len(list), most)])
	if more := len(list) - len(places); more > 0 {
		return strings.Join(places, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(places, ", ")
}

// Pointers returns the places of divergences.
func Pointers(list []Divergence) []string {
	var places []string
	for _, d := range list {
		places = append(places, d.Pointer)
	}
	return places
}
