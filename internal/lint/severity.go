package lint

import (
	"cardwright/internal/diag"
)

// Switches changes what findings count as. The zero value changes nothing, and
// nothing changes what a fixed rule finds.
type Switches struct {
	Rules  map[diag.RuleID]diag.Severity // by rule id; zero switches a rule off
	Strict bool                          // warnings count as errors
}

// Apply returns the findings that remain, with the severity they count as.
func (s Switches) Apply(found diag.List) diag.List {
	out := make(diag.List, 0, len(found))
	for _, d := range found {
		if r, _ := d.Rule.Rule(); r.Fixed {
			out = append(out, d)
			continue
		}
		if severity, ok := s.Rules[d.Rule]; ok {
			d.Severity = severity
		} else if s.Strict && d.Rule == diag.CardMemberUnknown {
			d.Severity = max(d.Severity, diag.Warning)
		}
		if d.Severity == 0 {
			continue
		}
		if s.Strict && d.Severity == diag.Warning && d.Rule != diag.CardMemberUnknown {
			d.Severity = diag.Error
		}
		out = append(out, d)
	}
	return out
}
