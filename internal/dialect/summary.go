package dialect

import (
	"slices"

	"cardwright/internal/diag"
)

// Summary says in one finding what the document is written in and what
// [Convert] would do about it; slips is how many faults of its text had
// to be read over. It returns false for a clean card, and for a document that is
// no card at all.
func Summary(r *Reading, slips int) (diag.Diagnostic, bool) {
	if r.Card == nil {
		return listing(r)
	}
	var work []string
	if slips > 0 {
		work = append(work, "read over "+diag.Count(slips, "fault")+" of the text")
	}
	for _, part := range []struct {
		rule, what string
	}{{ruleRepaired, "repair "}, {ruleAssumed, "assume "}, {ruleDropped, "leave out "}} {
		if n := r.Count(part.rule); n > 0 {
			work = append(work, part.what+diag.Count(n, "value"))
		}
	}
	if len(work) == 0 && len(r.Missing) == 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.New(ruleDialect, r.Place(""), "the card is written in %s", r.Form)
	if len(work) > 0 {
		d.Message += "; cardwright convert would " + diag.Enumerate(work, "and")
	}
	if len(r.Missing) > 0 {
		var names []string
		for _, m := range r.Missing {
			names = append(names, m.Pointer[1:])
		}
		d.Message += "; to convert it, " + diag.Enumerate(names, "and") + " must be supplied"
	}
	return d, true
}

// listing says how one agent of a document that lists several becomes a card.
// It returns false for any other document.
func listing(r *Reading) (diag.Diagnostic, bool) {
	i := slices.IndexFunc(r.Found, func(d diag.Diagnostic) bool { return d.Rule == ruleAgent })
	if i < 0 {
		return diag.Diagnostic{}, false
	}
	d := r.Found[i]
	d.Rule, d.Severity = ruleDialect, diag.Info
	d.Message += "; cardwright convert --agent NAME makes a card of one"
	return d, true
}
