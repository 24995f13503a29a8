package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
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
