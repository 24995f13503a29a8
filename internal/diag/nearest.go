package diag

import (
	"fmt"
	"strings"
)

const (
	// longest is the length in characters beyond which no word is compared: a
	// name is shorter, and the cost grows with the length.
	longestWord = 64
	// shortest is the length of the beginning by which a word is known.
	shortest = 3
	// far is a distance at which two words have nothing to do with each other.
	far = 3
	// comparisons bounds what all searches among the same words cost: a
	// stranger's file may hold many wrong words and many right ones.
	comparisons = 20_000
)

// Nearest returns the known word that is closest to word: the one that differs
// in letter case only, else the first of those with the fewest edits (insert,
// delete, replace, swap neighbors). At most two edits count as close, and at
// most half of the word. The only one that begins with word is closer than one with
// two edits.
func Nearest(word string, known []string) (string, bool) { return Among(known).Nearest(word) }

// Words are known words among which several are looked for.
type Words struct {
	known []string
	lower [][]rune
	left  int // comparisons
}

// Among returns words to search.
func Among(known []string) *Words { return &Words{known: known, left: comparisons} }

// Nearest returns the closest word as the function [Nearest] does. When many
// searches have cost twenty thousand comparisons it finds nothing any more.
func (w *Words) Nearest(word string) (string, bool) {
	runes := []rune(strings.ToLower(word))
	if w.left -= len(w.known); w.left < 0 || len(runes) > longestWord {
		return "", false
	}
	if w.lower == nil {
		w.lower = make([][]rune, len(w.known))
		for i, k := range w.known {
			w.lower[i] = []rune(strings.ToLower(k))
		}
	}
	best, found := min(far, len(runes)/2+1), -1
	for i, k := range w.lower {
		if d := distance(runes, k); d < best {
			best, found = d, i
		}
	}
	if found < 0 || best > 1 {
		if begun, only := w.begun(string(runes)); only {
			return begun, true
		}
	}
	if found < 0 {
		return "", false
	}
	return w.known[found], true
}

// begun returns the only word that begins with start, which is in lower case.
func (w *Words) begun(start string) (word string, only bool) {
	for i, k := range w.lower {
		if len(start) >= shortest && strings.HasPrefix(string(k), start) {
			if only {
				return "", false
			}
			word, only = w.known[i], true
		}
	}
	return word, only
}

// Hint suggests the known word that is closest to word: otherwise where none is.
func Hint(word string, known []string, otherwise string) string {
	return Among(known).Hint(word, otherwise)
}

// Hint suggests the closest word as the function [Hint] does.
func (w *Words) Hint(word, otherwise string) string {
	if meant, ok := w.Nearest(word); ok {
		return Meant(meant)
	}
	return otherwise
}

// Meant asks whether a word was meant.
func Meant(word string) string { return fmt.Sprintf("did you mean %q?", word) }

// Repeat is the hint for a flag that got several values at once, with commas.
func Repeat(flag, values string) string {
	return "repeat the flag: " + flag + " " + strings.Join(strings.Split(values, ","), " "+flag+" ")
}

// distance is the Damerau-Levenshtein distance in its optimal-alignment form,
// where no part is edited twice. From three edits on it is far.
func distance(a, b []rune) int {
	if gap := len(a) - len(b); gap >= far || gap <= -far {
		return far
	}
	before, above := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		current := make([]int, len(b)+1)
		current[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			current[j+1] = min(above[j]+cost, above[j+1]+1, current[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				current[j+1] = min(current[j+1], before[j-1]+1)
			}
		}
		before, above = above, current
	}
	return min(above[len(b)], far)
}
