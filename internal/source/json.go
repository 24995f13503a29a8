package source

import (
	"fmt"
	"strings"

	"cardwright/internal/diag"
)

// Rules of the findings about JSON text.
const (
	ruleJSON      = diag.CardJSON
	ruleDuplicate = diag.CardDuplicateMember
	ruleUTF8      = diag.CardInvalidUTF8
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
	if len(data) > most {
		return nil, diag.List{diag.New(ruleJSON, diag.Span{File: file},
			"the file is larger than %d bytes, the limit for a card", most).
			WithHint("split it into smaller ones")}
	}
	text := string(data)
	if message, hint := notJSON(text); message != "" {
		return nil, diag.List{diag.New(ruleJSON, diag.Span{File: file}, "%s", message).WithHint(hint)}
	}
	p := jsonParser{cursor: newCursor(file, text), most: most, lenient: lenient}
	return p.document(), p.found.list
}

// notJSON says what a file is in which not even the first character of a
// document can be found. For any other file the message is empty.
func notJSON(text string) (message, hint string) {
	if message, hint = notText(text); message != "" {
		return message, hint
	}
	switch path, link := linkTarget(text); {
	case text == "":
		return "the file is empty, expected a JSON document", ""
	case strings.Trim(text, jsonSpace) == "":
		return "the file holds nothing but white space, expected a JSON document", ""
	case link:
		return fmt.Sprintf("the file holds no JSON but the path %q: git writes such a file in the place of a symbolic link",
				diag.Clip(path)),
			"check the repository out with core.symlinks=true, or name the file that is meant"
	}
	return "", ""
}
