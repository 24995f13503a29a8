package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// mostInFile is how many findings one file gives.
const mostInFile = 100

// File checks the content of a file that is published as it is, by the rules of
// which [IsText] is true, line by line. Files that are not text in UTF-8 or UTF-16
// are searched for secrets only.
func File(name string, data []byte) diag.List {
	f := judgedFile{name: name}
	if secret.InBinary(data) {
		f.add(diag.List{diag.New("secret-value", diag.Span{File: name}, "the file holds a private key").
			WithHint(fileHints["secret-value"])})
	}
	if texts, whole := secret.Texts(data); whole {
		f.add(source.Conflict(name, []byte(texts[0])))
		f.prose(texts[0])
	} else {
		f.add(secrets(name, texts))
	}
	if f.more > 0 {
		f.found = append(f.found, diag.New(f.found[0].Rule, diag.Span{File: name},
			"%d more findings in this file are not shown", f.more).WithSeverity(f.worst))
	}
	return f.found
}

// Path checks the path of a file that is published, as [File] its content.
func Path(name, published string) diag.List {
	if s, ok := secret.Find(published); ok {
		return diag.List{diag.New("secret-value", diag.Span{File: name}, "the name of the file holds %s", s.Told(published)).
			WithHint("rename it and revoke what its name holds: the name is published with the file")}
	}
	return nil
}

// judgedFile is a file with what is found in it.
type judgedFile struct {
	name  string
	found diag.List // the first ones
	more  int       // than are found
	worst diag.Severity
}

func (f *judgedFile) add(found diag.List) {
	found = slices.DeleteFunc(found.Sorted(), func(d diag.Diagnostic) bool { // of an earlier part of the line
		return slices.ContainsFunc(f.found, func(e diag.Diagnostic) bool { return d.Rule == e.Rule && d.Span == e.Span })
	})
	f.worst = max(f.worst, found.Worst())
	kept := min(len(found), mostInFile-len(f.found))
	f.found, f.more = append(f.found, found[:kept]...), f.more+len(found)-kept
}

// A file may be a million lines or a line of a million words: so much of it is
// judged at a time, and what stands where it is divided in two parts.
const (
	linesAtOnce = 1000
	pieceOfLine = 64 << 10 // bytes
	pieceShared = 1 << 10  // with the one before it
)

// prose judges the lines of a text, as descriptions are judged.
func (f *judgedFile) prose(text string) {
	lines := &source.Node{Kind: source.Object}
	judge := func() {
		found := slices.DeleteFunc(Texts(lines), func(d diag.Diagnostic) bool { return d.Rule == "secret-value" })
		found = append(found, secretsIn(lines)...)
		for i := range found {
			found[i].Pointer = ""
			if hint, ok := fileHints[found[i].Rule]; ok {
				found[i].Hint = hint
			}
		}
		f.add(found)
		lines.Members = lines.Members[:0]
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		at := diag.Span{File: f.name, Line: number, Column: 1, EndLine: number, EndColumn: utf8.RuneCountInString(line) + 1}
		for line != "" {
			piece := line
			if len(line) > pieceOfLine {
				piece = line[:startOfRune(line, pieceOfLine)]
			}
			node := &source.Node{Kind: source.String, Text: piece, Span: at}
			lines.Members = append(lines.Members, source.Member{Key: "description", KeySpan: at, Value: node})
			if len(line) <= pieceOfLine {
				break
			}
			line = line[startOfRune(line, pieceOfLine-pieceShared):]
			judge()
		}
		if len(lines.Members) >= linesAtOnce {
			judge()
		}
	}
	judge()
}

// secretsIn finds the credentials in lines, also those of several lines.
func secretsIn(lines *source.Node) (found diag.List) {
	var text strings.Builder
	ends := make([]int, len(lines.Members))
	for i, m := range lines.Members {
		text.WriteString(m.Value.Text + "\n")
		ends[i] = text.Len()
	}
	for _, s := range secret.All(text.String()) {
		i, _ := slices.BinarySearch(ends, s.Start+1)
		found = append(found, diag.New("secret-value", lines.Members[i].Value.Span, "the text holds %s",
			s.Told(text.String())))
	}
	return found
}

// startOfRune returns where the character begins of which a byte is part.
func startOfRune(text string, at int) int {
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// fileHints are the hints that are other ones than for a card.
var fileHints = map[string]string{
	"secret-value":     "take it out and revoke it: what is published is public, and so is the history of its file",
	"text-download":    "ship what it needs with the skill, or say where to get it without running it",
	"text-instruction": "say what to do without setting aside what the reader was told",
}

// secrets finds the first credential in the readable parts of a binary file.
func secrets(name string, parts []string) diag.List {
	for _, part := range parts {
		if s, ok := secret.Find(part); ok {
			return diag.List{diag.New("secret-value", diag.Span{File: name}, "the file holds %s", s.Told(part)).
				WithHint(fileHints["secret-value"])}
		}
	}
	return nil
}
