package source

import "cardwright/internal/diag"

// most is how often one rule is reported about one file: hostile input repeats a
// fault without end.
const most = 50

// findings collects what is wrong with one file.
type findings struct{ list diag.List }

func (f *findings) add(d diag.Diagnostic) {
	same := 0
	for i := range f.list {
		if f.list[i].Rule == d.Rule {
			same++
		}
	}
	switch {
	case same == most:
		d.Message, d.Hint, d.Related = "more of the same kind follows and is not shown", "", nil
	case same > most:
		return
	}
	f.list = append(f.list, d)
}
