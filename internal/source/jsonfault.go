package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// repair reports the n bytes at p.pos as something that does not belong into
// JSON, and steps over them if the parser is lenient.
func (p *jsonParser) repair(n int, message, hint string) bool {
	if !p.lenient {
		p.fail(n, message, hint)
		return false
	}
	span := p.begin(p.pos)
	p.pos += n
	p.end(&span, p.pos)
	p.found.add(diag.New(ruleJSON, span, "%s, it is ignored", message).WithSeverity(diag.Warning).WithHint(hint))
	return true
}

// fail reports that the n bytes at p.pos are not JSON.
func (p *jsonParser) fail(n int, message, hint string, related ...diag.Related) {
	span := p.begin(p.pos)
	p.end(&span, p.pos+n)
	p.found.add(diag.New(ruleJSON, span, "%s", message).WithHint(hint).WithRelated(related...))
}

// unexpected reports that what stands at p.pos is not what JSON wants there.
func (p *jsonParser) unexpected(want string) {
	if p.pos < len(p.text) {
		n, what, hint := describe(p.rest())
		if hint == "" && strings.HasPrefix(want, "a comma") {
			hint = "put a comma before it, or check the brackets"
		}
		p.fail(n, fmt.Sprintf("found %s, expected %s", what, want), hint)
		return
	}
	var opened []diag.Related
	if len(p.open) > 0 {
		n := p.open[len(p.open)-1]
		opened = []diag.Related{{Span: n.Span, Message: fmt.Sprintf("the %s begins here", n.Kind)}}
	}
	p.fail(0, "the file ends too early, expected "+want, "the file may have been cut short", opened...)
}

// describe names what stands at the beginning of rest, in words that fit after
// "found", and returns its length in bytes. The hint may be empty.
func describe(rest string) (length int, what, hint string) {
	if line, _, _ := strings.Cut(rest, "\n"); conflictMarker(line) {
		return len(line), "a merge conflict marker", conflictHint
	}
	for _, known := range []struct{ text, what, hint string }{
		{"//", "a comment", "JSON has no comments: delete it"},
		{"/*", "a comment", "JSON has no comments: delete it"},
		{"#", "a comment", "JSON has no comments: delete it"},
		{"'", "a single quote", "put JSON text in double quotes"},
		{"“", "a typographic quote", `JSON uses plain double quotes: "`},
		{"”", "a typographic quote", `JSON uses plain double quotes: "`},
		{codeFence, "a Markdown code fence", "delete the fence"},
		{"<", `"<"`, "this looks like HTML or XML, not JSON"},
		{`"`, "a string", ""},
		{byteOrderMark, "a byte order mark", "delete it"},
	} {
		if strings.HasPrefix(rest, known.text) {
			return len(known.text), known.what, known.hint
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size == 1 {
		return 1, fmt.Sprintf("the byte 0x%02X, which is not UTF-8", rest[0]), "save the file as UTF-8"
	}
	if n := strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) }); n != 0 {
		if n < 0 {
			n = len(rest)
		}
		word := rest[:n]
		if strings.HasPrefix(rest[n:], ": ") || strings.HasPrefix(rest[n:], ":\n") {
			return n, diag.Quote(word),
				"put JSON text in double quotes; a file without any may be YAML, which a card cannot be"
		}
		return n, diag.Quote(word), wordHint(word)
	}
	return size, strconv.QuoteToGraphic(string(r)), ""
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || r == '-' || r == '.' || r == '$' || unicode.IsLetter(r) ||
		unicode.IsDigit(r))
}

// wordHint is what to do about a bare word in a JSON document.
func wordHint(word string) string {
	switch lower := strings.ToLower(word); lower {
	case "true", "false", "null":
		return "JSON spells it " + lower
	case "none", "undefined", "nil":
		return "JSON spells it null"
	}
	return "put JSON text in double quotes"
}
