package probe

import (
	"cardwright/internal/diag"
	"cardwright/internal/report"
)

// Reported are the checks as reports show them.
func Reported(checks []Check) []report.Check {
	list := make([]report.Check, len(checks))
	for i, c := range checks {
		list[i] = report.Check{Rule: "probe-" + c.Name, Name: c.Name, Required: c.Required, Detail: c.Detail, Hint: c.Hint}
		switch {
		case c.OK:
		case c.Required:
			list[i].Severity = diag.Error
		default:
			list[i].Severity = diag.Warning
		}
	}
	return list
}
