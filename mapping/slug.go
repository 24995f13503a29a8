package mapping

import (
	"unicode/utf8"

	"cardwright/schema"
)

// maxID is the length that the Agent Skills specification allows for a name,
// in characters.
const maxID = 64

// validID reports whether s is a name as the Agent Skills specification wants
// it: at most 64 lower-case letters, digits and single hyphens between them.
func validID(s string) bool {
	return s != "" && s == schema.Slug(s) && utf8.RuneCountInString(s) <= maxID
}
