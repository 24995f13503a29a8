package project

import (
	"slices"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// ConvertCard converts the text of a card, nil where that cannot be done. Beside what
// became of it, the findings say what is still wrong with the card that comes out.
func ConvertCard(file string, data []byte, o convert.Options) (*source.Node, diag.List) {
	node, found := convert.Text(file, data, o)
	if node == nil {
		return nil, found
	}
	return node, append(found, remaining(node, o, found)...)
}

// remaining returns lint's findings about the new card: errors that are not
// reported yet, and everything about its endpoints. The values stay as they are,
// so none of them is an error.
func remaining(node *source.Node, o convert.Options, known diag.List) diag.List {
	reported := map[string]bool{}
	for _, d := range known {
		reported[d.Rule.String()] = true
	}
	var found diag.List
	for _, d := range lint.Card(node, lint.Options{Protocol: o.To}) {
		same := d.Rule.String() + " " + d.Message // a dual card states an endpoint twice
		if reported[d.Rule.String()] || reported[same] || d.Severity != diag.Error && !slices.Contains(endpoints(), d.Rule) {
			continue
		}
		reported[same] = true
		d.Severity, d.Related = min(d.Severity, diag.Warning), nil
		if d.Rule == diag.InterfacePlaceholder {
			d.Hint = "set the real one with --set url=…"
		}
		found = append(found, d)
	}
	return found
}

// endpoints are the rules about where an agent listens.
func endpoints() []diag.RuleID {
	return []diag.RuleID{
		diag.InterfaceCredentials, diag.InterfaceInsecure, diag.InterfaceIsCard, diag.InterfaceNotA2A,
		diag.InterfacePlaceholder, diag.InterfacePrivateHost, diag.InterfaceURLGRPC, diag.InterfaceURLInvalid,
	}
}
