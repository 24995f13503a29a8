package diag

import (
	"strconv"
	"strings"
)

// Count says how many there are of what noun names: 1 card, 2 cards.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Enumerate joins words as in a sentence, the last one by and or or.
func Enumerate(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
