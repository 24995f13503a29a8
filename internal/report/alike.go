package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diff"
)

const (
	// mostPoints is how many characters are shown by their code points.
	mostPoints = 8
	// mostAlike is how many names are compared with one that is new.
	mostAlike = 1000
	// unseen are letters and signs that show nothing.
	unseen = "\u115f\u1160\u2800\u3164\uffa0"
)

// usual reports whether a character is one of the usual Latin letters and signs.
func usual(r rune) bool { return r < 0x250 }

// invisible reports whether a character shows nothing, or changes the one before it.
// Others that show nothing are escaped wherever they are printed.
func invisible(r rune) bool { return unicode.Is(unicode.Mn, r) || strings.ContainsRune(unseen, r) }

// codePoints shows where two texts differ that look alike: in letters of different
// scripts, in characters that show nothing, or in how accents are written. It is
// empty for others.
func codePoints(was, is string) string {
	a, b := []rune(was), []rune(is)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	alike := strings.ContainsFunc(string(a)+string(b), invisible)
	for i := 0; i < len(a) && len(a) == len(b); i++ {
		alike = alike || usual(a[i]) != usual(b[i])
	}
	if !alike {
		return ""
	}
	return " (" + points(a) + " → " + points(b) + ")"
}

func points(runes []rune) string {
	var list []string
	for i, r := range runes {
		if i == mostPoints {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("%U", r))
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}

// alikeIn returns the code points in which a text differs from the first of a list
// that looks like it, "" where none does.
func alikeIn(gone []string, text string) string {
	shown := func(s string) int {
		return utf8.RuneCountInString(strings.Map(func(r rune) rune {
			if invisible(r) {
				return -1
			}
			return r
		}, s))
	}
	for _, was := range gone[:min(len(gone), mostAlike)] {
		if points := codePoints(was, text); points != "" && shown(was) == shown(text) {
			return points
		}
	}
	return ""
}

// showAlike adds to the messages about what is new in which characters its name differs
// from that of what is gone, where both look the same.
func showAlike(changes []diff.Change) {
	split := func(c diff.Change) (at, name string) {
		i := strings.LastIndexByte(c.Key, '/') + 1
		return c.Agent + c.Key[:i], c.Key[i:]
	}
	gone := map[string][]string{}
	for _, c := range changes {
		if at, name := split(c); c.New == nil {
			gone[at] = append(gone[at], name)
		}
	}
	for i, c := range changes {
		if at, name := split(c); c.Old == nil {
			changes[i].Message += alikeIn(gone[at], name)
		}
		texts := c.Old.Words()
		for _, text := range c.New.Words() {
			if !slices.Contains(texts[:min(len(texts), mostAlike)], text) {
				changes[i].Message += alikeIn(texts, text)
			}
		}
	}
}
