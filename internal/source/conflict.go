package source

import (
	"bytes"
	"strings"

	"cardwright/internal/diag"
)

const (
	conflictFound = "there is a merge conflict marker here"
	conflictHint  = "resolve the conflict: keep one of the two versions, and remove the lines that git has put around them"
)

// Conflict reports the first conflict of git in a text, if there is one.
func Conflict(file string, text []byte) diag.List {
	line := conflict(text)
	if line == 0 {
		return nil
	}
	return diag.List{diag.New(diag.SourceConflict, diag.Span{File: file, Line: line, Column: 1}, conflictFound).
		WithHint(conflictHint)}
}

// conflict returns the line on which git's first conflict in Markdown or YAML begins, 0 when
// there is none. A conflict in a code block is an example.
func conflict(text []byte) int {
	if !bytes.Contains(text, []byte("<<<<<<<")) {
		return 0
	}
	code, begins, number := "", 0, 0
	for line := range strings.Lines(string(text)) {
		number++
		fence := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
		switch {
		case fence && code == "":
			code = line[:3]
		case fence && line[:3] == code:
			code = ""
		case code != "":
		case marks(line, "<<<<<<<"):
			begins = number
		case begins > 0 && marks(line, "======="):
			return begins
		}
	}
	return 0
}

// marks reports whether git has put a line around a version.
func marks(line, marker string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), marker)
	return ok && (rest == "" || rest[0] == ' ')
}

// Sides returns the two versions that git has merged into a text with conflicts,
// nothing where there is no conflict in it.
func Sides(text []byte) (ours, theirs []byte) {
	if !bytes.Contains(text, []byte("<<<<<<<")) {
		return nil, nil // which is so nearly always, and soon seen
	}
	const both, our, base, their = 0, 1, 2, 3
	in, conflicts := both, 0
	for line := range bytes.Lines(text) {
		switch l := string(line); {
		case in == both && marks(l, "<<<<<<<"):
			in, conflicts = our, conflicts+1
		case in == our && marks(l, "|||||||"):
			in = base
		case (in == our || in == base) && marks(l, "======="):
			in = their
		case in == their && marks(l, ">>>>>>>"):
			in = both
		default:
			if in == both || in == our {
				ours = append(ours, line...)
			}
			if in == both || in == their {
				theirs = append(theirs, line...)
			}
		}
	}
	if conflicts == 0 || in != both {
		return nil, nil
	}
	return append([]byte{}, ours...), append([]byte{}, theirs...)
}
