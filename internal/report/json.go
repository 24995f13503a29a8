package report

import (
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// json prints findings as one object, described by the JSON Schema "diagnostics".
// Members of the command stand between the findings and the summary.
func (r *Report) json() string {
	root := source.ObjectOf("version", 1, "diagnostics", source.ListOf(r.Found, finding))
	root.Members = append(root.Members, r.Members...)
	root.Set("summary", source.ObjectOf(
		"errors", r.Found.Count(diag.Error),
		"warnings", r.Found.Count(diag.Warning),
		"infos", r.Found.Count(diag.Info),
	))
	return printJSON(MaskedNode(root))
}

func finding(d diag.Diagnostic) *source.Node {
	var related *source.Node
	if len(d.Related) > 0 {
		related = source.ListOf(d.Related, func(r diag.Related) *source.Node {
			return source.ObjectOf(
				"file", r.Span.File,
				"line", known(r.Span.Line),
				"column", known(r.Span.Column),
				"message", r.Message,
			)
		})
	}
	return source.ObjectOf(
		"rule", d.Rule.String(),
		"severity", d.Severity.String(),
		"message", d.Message,
		"file", d.Span.File,
		"line", known(d.Span.Line),
		"column", known(d.Span.Column),
		"endLine", known(d.Span.EndLine),
		"endColumn", known(d.Span.EndColumn),
		"pointer", d.Pointer,
		"hint", d.Hint,
		"related", related,
	)
}

// known is a line or column, nil where it is unknown.
func known(number int) *source.Node {
	if number == 0 {
		return nil
	}
	return source.NewInt(number)
}

// printJSON prints a value. What [Escape] makes visible is spelled as JSON
// escapes: the same to a parser, and inert in a terminal or a log. Such
// characters stand in strings only, JSON itself has none.
func printJSON(root *source.Node) string { return string(legible(schema.Write(root))) }

// legible spells what no one sees as JSON escapes.
func legible(data []byte) []byte {
	out := make([]byte, 0, len(data))
	done := 0
	for i := 0; i < len(data); {
		if c := data[i]; c == '\n' || ' ' <= c && c <= '~' && c != '[' { // nearly all
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if hidden(r) || r == '[' && i >= 2 && data[i-1] == '#' && data[i-2] == '#' {
			out = append(append(out, data[done:i]...), diag.EscapeJSON(r)...)
			done = i + size
		}
		i += size
	}
	return append(out, data[done:]...)
}
