package config

import (
	"cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// mostPolicies limits the policies of an agent: each card is checked against
// each of them.
const mostPolicies = 100

// policies are the house rules of lists, whose ids are those of no other rule.
func (l *loader) policies(lists ...*source.Node) []Policy {
	var out []Policy
	first := map[string]diag.Span{}
	for _, list := range lists {
		for _, n := range list.Elements() {
			var p Policy
			fill(&p, n)
			p.Severity, _ = diag.ParseSeverity(cmp.Or(n.Get("severity").ScalarText(), diag.Error.String()))
			at := spanOf(n.Get("id"))
			switch other, taken := first[p.ID]; {
			case p.ID == "" || p.Schema.Value == "":
				continue // the schema of the configuration reports it
			case isRule(p.ID):
				l.report(diag.New("config-value", at, "a policy has the id %q, which is that of a rule", p.ID).
					WithHint("choose another one, such as house-" + p.ID))
			case taken:
				l.report(diag.New("config-value", at, "two policies have the id %q", p.ID).WithHint("choose another id").
					WithRelated(diag.Related{Span: other, Message: "first used here"}))
			case len(out) == mostPolicies:
				if !l.crowded {
					l.report(diag.New("config-value", at, "an agent has more than %d policies", mostPolicies).
						WithHint("join some of them with allOf in one schema"))
				}
				l.crowded = true
			default:
				first[p.ID] = at
				out = append(out, p)
			}
		}
	}
	return out
}

func isRule(id string) bool {
	_, known := diag.FindRule(id)
	return known
}
