package source

import "cardwright/internal/diag"

// most is how often one rule is reported about one file: hostile input repeats a
// fault without end.
const most = 50

// findings collects what is wrong with one file.
type findings struct{ list diag.List }

// add adds a finding and returns its index, -1 where it is not shown.
func (f *findings) add(d diag.Diagnostic) int {
	same := 0
	for i := range f.list {
		if f.list[i].Rule == d.Rule {
			same++
		}
	}
	if same > most {
		return -1
	}
	f.list = append(f.list, d)
	last := len(f.list) - 1
	if same == most {
		f.list[last].Message, f.list[last].Hint, f.list[last].Related = "more of the same kind follows and is not shown", "",
			nil
		return -1
	}
	return last
}
