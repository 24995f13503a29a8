package lint

import "cardwright/internal/diag"

// alike are places with the same fault. Those of one cause are reported once for
// each file that they stand in: a skill can switch off what its own file says.
type alike struct {
	causes []cause
	places map[cause][]place
}

type cause struct{ what, file string }

func (a *alike) add(what string, at place) {
	c := cause{what, at.Where().File}
	if a.places == nil {
		a.places = map[cause][]place{}
	}
	if a.places[c] == nil {
		a.causes = append(a.causes, c)
	}
	a.places[c] = append(a.places[c], at)
}

// each iterates over the causes in the order in which they were found.
func (a *alike) each(report func(what string, at []place)) {
	for _, c := range a.causes {
		report(c.what, a.places[c])
	}
}

// alsoAt points at the places beside the first.
func alsoAt(at []place, message string) []diag.Related {
	var list []diag.Related
	for _, p := range at[1:min(len(at), 1+relatedLimit)] {
		list = append(list, also(p, message))
	}
	return list
}
