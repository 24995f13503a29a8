package mapping

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"cardwright/schema"
)

// maxID is the length that the Agent Skills specification allows for a name,
// in characters.
const maxID = 64

// validID tells whether s is a name as the Agent Skills specification wants
// it: at most 64 lower-case letters, digits and single hyphens between them.
func validID(s string) bool {
	return s != "" && s == schema.Slug(s) && utf8.RuneCountInString(s) <= maxID
}

// Fold returns what s has in common with every text that differs from it only
// in letter case or in how its characters are composed.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
