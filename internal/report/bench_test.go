package report

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"cardwright/internal/diag"
)

// many returns findings in a card of 1 MiB, and the card: in lines, or in one.
func many(n int, newline string) (diag.List, []byte) {
	const member = `{"description": "Prüft Änderungen auf Fehler, Lücken und Widersprüche.", "tags": []},`
	var card strings.Builder
	found := make(diag.List, n)
	line, column := 1, 1
	for i := range found {
		card.WriteString(member + newline)
		found[i] = diag.Diagnostic{
			Rule: fmt.Sprintf("rule-%d", i%50), Severity: diag.Severity(i%3 + 1), Message: `skill "pruefen" has no tags`,
			Hint: "add tags",
			Span: diag.Span{File: "dist/agent-card.json", Line: line, Column: column + 5, EndLine: line, EndColumn: column + 16},
		}
		if newline == "" {
			column += len([]rune(member))
		} else {
			line++
		}
	}
	return found, []byte(card.String())
}

func BenchmarkFormats(b *testing.B) {
	for _, input := range []struct{ name, newline string }{{"lines", "\n"}, {"one-line", ""}} {
		found, card := many(10_000, input.newline)
		read := func(string) []byte { return card }
		for _, format := range []struct {
			name  string
			print func() error
		}{
			{"text", func() error { return Text(io.Discard, found, TextOptions{Source: read}) }},
			{"json", func() error { return JSON(io.Discard, found) }},
			{"sarif", func() error { return writeSARIF(io.Discard, found, Sheet{Source: read}) }},
			{"github", func() error { return GitHub(io.Discard, found, Repository{}) }},
			{"markdown", func() error { return Markdown(io.Discard, "cardwright lint", found) }},
		} {
			b.Run(input.name+"/"+format.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := format.print(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
