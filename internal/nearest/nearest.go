// Package nearest finds the word that somebody meant: for "did you mean" in
// findings and usage errors. It is pure.
package nearest

import (
	"slices"
	"strings"
)

// longest is the length in characters beyond which no word is compared: a name
// is shorter, and the cost grows with the product of both lengths.
const longest = 64

// Nearest returns the known word that is closest to word: the one that differs
// in letter case only, else the first of those with the fewest edits (insert,
// delete, replace, swap neighbours). At most two edits count as close, and at
// most half of the word.
func Nearest(word string, known []string) (string, bool) {
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, word) })
	if i >= 0 {
		return known[i], true
	}
	w := []rune(strings.ToLower(word))
	if len(w) > longest {
		return "", false
	}
	best, found := min(2, len(w)/2)+1, ""
	for _, k := range known {
		if d := distance(w, []rune(strings.ToLower(k))); d < best {
			best, found = d, k
		}
	}
	return found, found != ""
}

// distance is the Damerau-Levenshtein distance in its optimal-alignment form,
// where no part is edited twice. Lengths more than two apart are simply far.
func distance(a, b []rune) int {
	if gap := len(a) - len(b); gap > 2 || gap < -2 {
		return longest
	}
	before, above := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
