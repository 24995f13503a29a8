package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// desk returns a card with so many skills, and nothing to find in them.
func desk(skills int) []byte {
	var b strings.Builder
	b.WriteString(`{"name": "Invoice Desk", "description": "Explains invoices line by line and corrects wrong ones.",
"version": "1.4.0",
"supportedInterfaces": [
 {"url": "https://agents.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
"provider": {"organization": "Acme Inc.", "url": "https://acme.example"}, "capabilities": {"streaming": true},
"securitySchemes": {"login": {"httpAuthSecurityScheme": {"scheme": "bearer"}}},
"securityRequirements": [{"schemes": {"login": {"list": []}}}],
"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain", "application/json"], "skills": [`)
	for i := range skills {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `
{"id": "explain-%06d", "name": "Explain form %d",
 "description": "Explains each field of form %d, where its value comes from and who may change it.",
 "tags": ["forms", "form-%d"], "examples": ["What does field 7 of form %d mean?", "Who can change form %d?"]}`,
			i, i, i, i, i, i)
	}
	b.WriteString("]}\n")
	return []byte(b.String())
}

func BenchmarkCard(b *testing.B) {
	for _, skills := range []int{10, 14000} {
		data := desk(skills)
		b.Run(fmt.Sprintf("%d-skills", skills), func(b *testing.B) {
			root, _ := source.ParseJSON("card.json", data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				lint.Card(root, lint.Options{})
			}
		})
	}
}
