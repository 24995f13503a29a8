package report

import (
	"strconv"
	"strings"
	"unicode"
)

// around is how many words are shown before and behind those that changed.
const around = 4

// reworded quotes two texts as far as they differ: the words between those that
// both begin and end with, and some around them. A word is never cut, so that a
// URL is there as a whole.
func reworded(was, is string) (older, newer string) {
	a, b := words(was), words(is)
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	shown := func(list []string) string {
		from, to := max(first-around, 0), min(len(list)-last+around, len(list))
		text := strings.Join(list[from:to], "")
		if from > 0 {
			text = "…" + text
		}
		if to < len(list) {
			text = strings.TrimRightFunc(text, unicode.IsSpace) + "…"
		}
		return strconv.Quote(text)
	}
	return shown(a), shown(b)
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
