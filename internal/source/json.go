package source

import (
	"strings"

	"cardwright/internal/diag"
)

// bytesPerValue is how many bytes of the limit a value takes up at least: a
// tree costs far more memory than a text made of nothing but "0,0,0,".
const bytesPerValue = 8

// ParseJSON reads exactly one JSON value of any kind (RFC 8259) and returns it
// with the place of every value and member name. What is not JSON, or exceeds
// [MaxCard] or [MaxNesting], gives one finding and no tree; members that
// are defined twice and text that is not UTF-8 give findings beside the tree.
func ParseJSON(file string, data []byte) (*Node, diag.List) {
	return parseJSON(file, data, MaxCard, false)
}

// ParseJSONUpTo is [ParseJSON] for text of at most so many bytes.
func ParseJSONUpTo(file string, data []byte, most int) (*Node, diag.List) {
	return parseJSON(file, data, most, false)
}

// ParseJSONLenient is [ParseJSON] for cards that others have written: it reads
// over a byte order mark, trailing commas and Markdown code fences, and warns of
// each.
func ParseJSONLenient(file string, data []byte) (*Node, diag.List) {
	return parseJSON(file, data, MaxCard, true)
}

func parseJSON(file string, data []byte, most int, lenient bool) (*Node, diag.List) {
	refuse := func(hint, format string, args ...any) (*Node, diag.List) {
		return nil, diag.List{diag.New(diag.CardJSON, diag.Span{File: file}, format, args...).WithHint(hint)}
	}
	if len(data) > most {
		return refuse("split it into smaller ones", "the file is larger than %d bytes, the limit for a card", most)
	}
	text := string(data)
	if message, hint := notText(text); message != "" {
		return refuse(hint, "%s", message)
	}
	if strings.Trim(text, jsonSpace) == "" {
		return refuse("", "the file is empty, expected a JSON document")
	}
	p := jsonParser{cursor: newCursor(file, text), most: most, lenient: lenient}
	return p.document(), p.found.list
}
