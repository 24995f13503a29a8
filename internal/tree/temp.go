package tree

import "strings"

// JournalName is the name of the file that tells, while a run writes and after one
// that was interrupted, what may stand in the tree.
const JournalName = "cardwright.journal"

// What a file is called while it is being written.
const (
	TempPrefix   = ".cardwright-"
	TempSuffix   = ".tmp"
	tempAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" // of rand.Text
	tempLength   = 26
)

// IsTemp reports whether name is that of a file that is being written, or was when
// a run was killed: TempPrefix, the text of rand.Text and TempSuffix.
func IsTemp(name string) bool {
	text, prefixed := strings.CutPrefix(name, TempPrefix)
	text, suffixed := strings.CutSuffix(text, TempSuffix)
	return prefixed && suffixed && len(text) == tempLength && strings.Trim(text, tempAlphabet) == ""
}
