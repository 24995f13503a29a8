package lint

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// hidden returns the characters of a text that a reader cannot see or that
// change what is seen: zero-width characters, bidirectional controls, tags,
// variation selectors without a base, and controls other than tab and newline.
//
// What writing needs stays: joiners in emoji sequences and in the scripts whose
// letters take them, a variation selector behind its base, the tags of the
// three flags that are emoji, and CR in front of LF.
func hidden(text string) []rune {
	if isPlain(text) {
		return nil
	}
	var found []rune
	for r, hidden := range characters(text) {
		if hidden {
			found = append(found, r)
		}
	}
	return found
}

// Reveal returns text with each character that its readers cannot see, as rule
// text-invisible has it, replaced by what show makes of it. Bytes that are not
// UTF-8 become U+FFFD.
func Reveal(text string, show func(rune) string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for r, hidden := range characters(text) {
		if hidden {
			b.WriteString(show(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// characters yields the characters of text, each with whether it is hidden.
func characters(text string) iter.Seq2[rune, bool] {
	return func(yield func(rune, bool) bool) {
		runes := []rune(text)
		flag := 0 // characters left of a flag
		for i, r := range runes {
			if flag == 0 {
				flag = flagTags(runes[i:])
			}
			hidden := flag == 0 && isHidden(runes, i)
			if !yield(r, hidden) {
				return
			}
			flag = max(flag-1, 0)
		}
	}
}

// isPlain reports whether text is printable ASCII, tabs and newlines.
func isPlain(text string) bool {
	for i := range len(text) {
		if b := text[i]; b >= 0x7F || b < ' ' && b != '\t' && b != '\n' {
			return false
		}
	}
	return true
}

func isHidden(runes []rune, i int) bool {
	r := runes[i]
	var before, after rune
	if i > 0 {
		before = runes[i-1]
	}
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	switch {
	case r == '\t', r == '\n', r == '\r' && after == '\n':
		return false
	case r == zwnj:
		return !takesJoiner(before)
	case r == zwj:
		return !takesJoiner(before) && (!endsEmoji(before) || !isEmoji(after))
	case unicode.Is(unicode.Variation_Selector, r):
		return !takesSelector(before, r)
	}
	return diag.Invisible(r)
}

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
)

// takesJoiner reports whether r is of a script in which joiners change how
// letters look, behind a letter or mark (RFC 5892 appendix A is narrower: it
// allows them in names).
func takesJoiner(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// isEmoji reports whether r can be part of an emoji sequence. It is wider than
// the property Extended_Pictographic, by symbols that are never joined.
func isEmoji(r rune) bool { return unicode.In(r, unicode.So, unicode.Sm) }

// endsEmoji reports whether r ends a part of an emoji sequence: a symbol, its
// skin tone or its variation selector.
func endsEmoji(r rune) bool {
	const firstTone, lastTone, emojiStyle = '\U0001F3FB', '\U0001F3FF', '\uFE0F'
	return isEmoji(r) || r >= firstTone && r <= lastTone || r == emojiStyle
}

// takesSelector reports whether a variation selector can follow r: emoji, digits
// and signs for the emoji styles, ideographs and the like for the others.
// Runs of selectors carry hidden bytes.
func takesSelector(r, selector rune) bool {
	switch {
	case selector == '\uFE0E' || selector == '\uFE0F':
		return unicode.In(r, unicode.So, unicode.Sm, unicode.Sk, unicode.Po, unicode.Pd, unicode.Nd) && r != ' ' ||
			r == '\u00A9' || r == '\u00AE'
	case unicode.In(r, unicode.Mongolian, unicode.Myanmar, unicode.Phags_Pa, unicode.Manichaean):
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Sm)
}

// flagTags returns the length of the flag of England, Scotland or Wales at the
// beginning of runes, 0 when there is none.
func flagTags(runes []rune) int {
	const black, tag, cancel = '\U0001F3F4', '\U000E0000', '\U000E007F'
	if len(runes) < 7 || runes[0] != black || runes[6] != cancel {
		return 0
	}
	region := make([]rune, 5)
	for i := range region {
		region[i] = runes[1+i] - tag
	}
	switch string(region) {
	case "gbeng", "gbsct", "gbwls":
		return 7
	}
	return 0
}

// hiddenShown is how many characters a message names.
const hiddenShown = 3

// nameHidden names characters for a message.
func nameHidden(runes []rune) string {
	var b strings.Builder
	for i, r := range runes {
		if i == hiddenShown {
			fmt.Fprintf(&b, " and %d more", len(runes)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "U+%04X (%s)", r, kindOfHidden(r))
	}
	return b.String()
}

func kindOfHidden(r rune) string {
	switch {
	case r == utf8.RuneError:
		return "not a character"
	case unicode.Is(unicode.Bidi_Control, r):
		return "bidirectional control"
	case r >= '\U000E0000' && r <= '\U000E007F':
		return "tag"
	case unicode.Is(unicode.Variation_Selector, r):
		return "variation selector"
	case unicode.IsControl(r):
		return "control"
	case unicode.In(r, unicode.Zl, unicode.Zp):
		return "line break"
	}
	return "zero width"
}

// Pinpoint moves the findings about invisible characters from the text that holds
// one to the character itself. Read returns the content of a file that a finding
// names, nil when it cannot be read. A character that the file spells as an
// escape stays where its text begins.
func Pinpoint(found diag.List, read func(file string) []byte) diag.List {
	invisible := func(d diag.Diagnostic) bool { return d.Rule == diag.TextInvisible && d.Span.Line > 0 }
	if !slices.ContainsFunc(found, invisible) {
		return found
	}
	found = slices.Clone(found)
	for i, d := range found {
		if invisible(d) {
			found[i].Span, _ = source.Narrow(string(read(d.Span.File)), d.Span, firstHidden)
		}
	}
	return found.Sorted()
}

// firstHidden returns the offset and the length of the first character of a text that
// its readers cannot see, -1 when there is none. A CR is a line break of the file.
func firstHidden(text string) (at, length int) {
	for r, hidden := range characters(text) {
		if hidden && r != '\r' {
			return at, utf8.RuneLen(r)
		}
		at += utf8.RuneLen(r)
	}
	return -1, 0
}
