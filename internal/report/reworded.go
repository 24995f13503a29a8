package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/diff"
	"cardwright/internal/lint"
)

const (
	// around is how many words are shown before and behind those that changed.
	around = 4
	// mostPairs bounds the words that are compared one by one. What is longer
	// counts as changed from the first word that differs to the last.
	mostPairs = 1 << 18
)

// reworded quotes two texts as far as they differ: the words that changed, and
// some around them. A word is never cut, so that a URL is there as a whole.
func reworded(was, is string) (older, newer string) {
	older, newer = rewording(was, is)
	return strconv.Quote(older), strconv.Quote(newer)
}

// rewording is [reworded] without the quotes.
func rewording(was, is string) (older, newer string) {
	steps := compareWords(words(was), words(is))
	shown := make([]bool, len(steps))
	for i, s := range steps {
		if s.old != "" && s.new != "" {
			continue
		}
		for j := max(i-around, 0); j <= min(i+around, len(steps)-1); j++ {
			shown[j] = true
		}
	}
	return excerptWords(steps, shown, func(s wordStep) string { return s.old }),
		excerptWords(steps, shown, func(s wordStep) string { return s.new })
}

// wordStep is a word that both texts have, or only one of them.
type wordStep struct{ old, new string }

// compareWords aligns the words of two texts by what they have in common.
func compareWords(a, b []string) []wordStep {
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	var steps []wordStep
	for i := range first {
		steps = append(steps, wordStep{a[i], b[i]})
	}
	steps = append(steps, alignWords(a[first:len(a)-last], b[first:len(b)-last])...)
	for i := range last {
		steps = append(steps, wordStep{a[len(a)-last+i], b[len(b)-last+i]})
	}
	return steps
}

// alignWords keeps the longest row of words that both lists have.
func alignWords(a, b []string) []wordStep {
	var steps []wordStep
	i, j := 0, 0
	if len(a)*len(b) <= mostPairs {
		length := commonWords(a, b)
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				steps = append(steps, wordStep{a[i], b[j]})
				i, j = i+1, j+1
			case length[i+1][j] >= length[i][j+1]:
				steps = append(steps, wordStep{old: a[i]})
				i++
			default:
				steps = append(steps, wordStep{new: b[j]})
				j++
			}
		}
	}
	for ; i < len(a); i++ {
		steps = append(steps, wordStep{old: a[i]})
	}
	for ; j < len(b); j++ {
		steps = append(steps, wordStep{new: b[j]})
	}
	return steps
}

// commonWords returns how many words the ends of two lists have in common in one
// order, from each pair of places on.
func commonWords(a, b []string) [][]int {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i, word := range slices.Backward(a) {
		for j := len(b) - 1; j >= 0; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); word == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	return length
}

// excerptWords joins the words of one text that are shown, with an ellipsis for
// the others.
func excerptWords(steps []wordStep, shown []bool, word func(wordStep) string) string {
	var b strings.Builder
	left := false // whether words were left out since the last one
	text := ""    // the word to write next, whose blanks may have to go
	for i, s := range steps {
		w := word(s)
		if w == "" {
			continue
		}
		if !shown[i] {
			left = true
			continue
		}
		switch {
		case left && text != "":
			b.WriteString(strings.TrimRightFunc(text, unicode.IsSpace) + " … ")
		case left:
			b.WriteString("…")
		default:
			b.WriteString(text)
		}
		text, left = w, false
	}
	if left {
		return b.String() + strings.TrimRightFunc(text, unicode.IsSpace) + "…"
	}
	return b.String() + text
}

// words divides a text into words, each with the blanks behind it.
func words(text string) []string {
	var list []string
	for text != "" {
		blank := strings.IndexFunc(text, unicode.IsSpace)
		end := len(text)
		if blank >= 0 {
			end = blank + len(text[blank:]) - len(strings.TrimLeftFunc(text[blank:], unicode.IsSpace))
		}
		list, text = append(list, text[:end]), text[end:]
	}
	return list
}

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
	alike := strings.ContainsFunc(string(a)+string(b), invisible) ||
		len(a) > 0 && norm.NFKC.String(string(a)) == norm.NFKC.String(string(b)) // such as a ligature
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

// names are texts that others may look like, and those among them that are not all in
// usual letters: between usual ones nothing is mistaken.
type names struct{ all, odd []string }

func (n *names) add(text string) {
	if len(n.all) < mostAlike {
		n.all = append(n.all, text)
		if !plain(text) {
			n.odd = append(n.odd, text)
		}
	}
}

func plain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !usual(r) })
}

// alikeIn returns the code points in which a text differs from the one of some names
// that looks most like it, "" where none does.
func alikeIn(gone names, text string) string {
	others := gone.all
	if plain(text) {
		others = gone.odd
	}
	shown := func(s string) int {
		return utf8.RuneCountInString(strings.Map(func(r rune) rune {
			if invisible(r) {
				return -1
			}
			return r
		}, norm.NFKC.String(s)))
	}
	found, most := "", shown(text)/2-2 // of which half looks the same at least
	for _, was := range others {
		if shown(was) != shown(text) {
			continue
		}
		if points := codePoints(was, text); points != "" && likeness(was, text) > most {
			found, most = points, likeness(was, text)
		}
	}
	return found
}

// pointsIn returns the code points in which words of a text differ from those which they
// replace, where they look like them.
func pointsIn(was, is string) string {
	var gone names
	var added []string
	for _, s := range compareWords(words(was), words(is)) {
		switch {
		case s.new == "":
			gone.add(strings.TrimRight(s.old, " \n"))
		case s.old == "" && len(added) < mostAlike:
			added = append(added, strings.TrimRight(s.new, " \n"))
		}
	}
	var found []string
	for _, word := range added {
		if points := alikeIn(gone, word); points != "" && !slices.Contains(found, points) && len(found) < mostPoints {
			found = append(found, points)
		}
	}
	return strings.Join(found, "")
}

// likeness counts the places at which two texts have letters that look the same.
func likeness(a, b string) (same int) {
	other := []rune(norm.NFKC.String(b))
	for i, r := range []rune(norm.NFKC.String(a)) {
		if i < len(other) && lint.Latin(r) == lint.Latin(other[i]) {
			same++
		}
	}
	return same
}

// showAlike adds to the messages about what is new in which characters its name differs
// from that of what is gone, where both look the same.
func showAlike(changes []diff.Change) {
	split := func(c diff.Change) (at, name string) {
		i := strings.LastIndexByte(c.Key, '/') + 1
		return c.Agent + c.Key[:i], c.Key[i:]
	}
	gone := map[string]names{}
	for _, c := range changes {
		if at, name := split(c); c.New == nil {
			n := gone[at]
			n.add(name)
			gone[at] = n
		}
	}
	for i, c := range changes {
		if at, name := split(c); c.Old == nil {
			changes[i].Message += alikeIn(gone[at], name)
		}
		var texts names
		for _, text := range c.Old.Words() {
			texts.add(text)
		}
		for _, text := range c.New.Words() {
			if !slices.Contains(texts.all, text) {
				changes[i].Message += alikeIn(texts, text)
			}
		}
	}
}
