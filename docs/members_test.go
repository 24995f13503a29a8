package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cardwright/schema"
)

// The table of members in docs/mapping.md is that of the program.
func TestMembers(t *testing.T) {
	const begin, end = "<!-- members: made by go test ./docs -update -->\n", "<!-- /members -->\n"
	page, err := os.ReadFile("mapping.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/mapping.md has no place for the table")
	}
	var table strings.Builder
	table.WriteString("| of | member | A2A | key of the configuration |\n| --- | --- | --- | --- |\n")
	for _, message := range []string{
		schema.CardMessage, schema.InterfaceMessage, schema.ProviderMessage, schema.CapabilitiesMessage,
		schema.ExtensionMessage, schema.SkillMessage,
	} {
		for _, m := range schema.Members(message) {
			key := "`" + m.Key() + "`"
			if m.Key() == "" || !m.In.Has(schema.Listed) && (m.Moved || !m.Plain()) {
				key = ""
			}
			if m.In == schema.All && key == "`"+m.Name+"`" {
				continue // as the page says
			}
			fmt.Fprintf(&table, "| %s | `%s` | %s | %s |\n", message, m.Name, m.In.Text(), key)
		}
	}
	compare(t, "mapping.md", before+begin+table.String()+end+after)
}
