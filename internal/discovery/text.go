package discovery

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"cardwright/internal/lint"
)

// shown returns text as a page shows it: what nobody would see stands there by
// its number, and lines end in LF.
func shown(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return lint.Reveal(text, func(r rune) string { return fmt.Sprintf("⟨U+%04X⟩", r) })
}

// line is [shown] for text that has one line.
func line(text string) string {
	return strings.Join(strings.Fields(shown(text)), " ")
}

// labelLength is how many characters of a name or a tag are shown.
const labelLength = 200

// label is [line] for short texts. The card has the full text.
func label(text string) string {
	text = line(text)
	if len(text) <= labelLength {
		return text
	}
	runes := []rune(text)
	if len(runes) <= labelLength {
		return text
	}
	return string(runes[:foldAt(runes, labelLength)]) + " …"
}

// labels is [label] for each of several.
func labels(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, t := range texts {
		all = append(all, label(t))
	}
	return all
}

// prose is [shown] for text of any length, without the line breaks of a source that the
// text was wrapped in.
func prose(text string) string {
	text = strings.TrimSpace(shown(text))
	if strings.Contains(text, "\n") {
		text = wrapped().ReplaceAllString(empty().ReplaceAllString(text, "\n\n"), "$1 $2")
	}
	return text
}

// wrapped matches a line break that a sentence goes on behind: one of the
// source that the text was wrapped in, not one that was meant.
var wrapped = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([^\n])\n[ \t]*(\p{Ll})`)
})

// empty matches more empty lines than divide two paragraphs.
var empty = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\n(?:[ \t]*\n){2,}`)
})

// foldAt returns where to fold a text so that at most n characters stay: behind
// the last word that fits, so that no credential is torn and unknown as one. One
// word is folded where no character is torn.
func foldAt(runes []rune, n int) int {
	const joiner = '\u200D'
	for i := n; i > 0; i-- {
		if unicode.IsSpace(runes[i]) {
			return i
		}
	}
	for i := n; i > n*3/4; i-- {
		if !unicode.IsMark(runes[i]) && runes[i] != joiner && runes[i-1] != joiner {
			return i
		}
	}
	return n
}

// count says how many there are of something.
func count(n int, what string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		what += "s"
	}
	return digits + " " + what
}

// link is an address: where it leads, and how it reads. One that is no link to
// a page has no Href and is only text.
type link struct{ Href, Text string }

// newLink makes a link of an absolute http or https URL, which reads as text.
// Everything else is no link: other schemes run code or start programs, and a
// user name in front of the host, or what nobody sees, is there to mislead.
func newLink(address, text string) link {
	l := link{Text: line(text)}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || line(address) != address {
		return l
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		l.Href = address
	}
	return l
}

// relative makes a link of a path below the page.
func relative(path string) link {
	return link{Href: (&url.URL{Path: path}).String(), Text: line(path)}
}
