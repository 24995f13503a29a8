package lint

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// mostInFile is how many findings one file gives.
const mostInFile = 100

// File judges the content of a file that is published as it is, by the rules of
// which [IsText] is true, line by line. Of what is no text, only secrets are
// looked for.
func File(name string, data []byte) diag.List {
	var found diag.List
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		found = secrets(name, data)
	} else {
		found = prose(name, strings.TrimPrefix(string(data), "\ufeff"))
	}
	slices.SortStableFunc(found, diag.Diagnostic.Compare)
	if more := len(found) - mostInFile; more > 0 {
		found = append(found[:mostInFile:mostInFile], diag.New(found[0].Rule, diag.Span{File: name}, "%d more findings in this file are not shown", more).WithSeverity(found.Worst()))
	}
	return found
}

// prose judges the lines of a text, as descriptions are judged.
func prose(name, text string) diag.List {
	lines := &source.Node{Kind: source.Object}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line == "" {
			continue
		}
		at := diag.Span{File: name, Line: number, Column: 1, EndLine: number, EndColumn: utf8.RuneCountInString(line) + 1}
		node := &source.Node{Kind: source.String, Text: line, Span: at}
		lines.Members = append(lines.Members, source.Member{Key: "description", KeySpan: at, Value: node})
	}
	found := Texts(lines)
	for i := range found {
		found[i].Pointer = ""
		if hint, ok := fileHints[found[i].Rule]; ok {
			found[i].Hint = hint
		}
	}
	return found
}

// fileHints are the hints that are other ones than for a card.
var fileHints = map[string]string{
	"secret-value":     "take it out and revoke it: what is published is public, and so is the history of its file",
	"text-download":    "ship what it needs with the skill, or say where to get it without running it",
	"text-instruction": "say what to do without setting aside what the reader was told",
}

// shortestSecret is the length from which the readable parts of a file that is no
// text are looked at.
const shortestSecret = 12

// secrets finds credentials among the readable parts of a file that is no text.
func secrets(name string, data []byte) diag.List {
	printable := func(b byte) bool { return b >= ' ' && b <= '~' || b == '\n' }
	for start := 0; start < len(data); {
		end := start
		for end < len(data) && printable(data[end]) {
			end++
		}
		if part := string(data[start:end]); len(part) >= shortestSecret {
			if s, ok := secret.Find(part); ok {
				return diag.List{diag.New("secret-value", diag.Span{File: name}, "the file holds %s", s.Told(part)).
					WithHint(fileHints["secret-value"])}
			}
		}
		start = end + 1
	}
	return nil
}
