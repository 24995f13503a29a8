package lint

import (
	"fmt"
	"strings"
)

// Markdown returns the whole catalog as one document: docs/rules.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("| rule | severity | cards | finds |\n| --- | --- | --- | --- |\n")
	for _, r := range table {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", r.ID, r.ID, r.Severity, r.holds.Text(), r.Title)
	}
	for _, r := range table {
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s.\n\n%s", r.ID, capitalized(r.Standing()), r.Title, r.Page())
	}
	return b.String()
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

const intro = `# Rules

Every finding names its rule. ` + "`cardwright rules`" + ` lists them, ` + "`cardwright rules ID`" + ` prints one.

Severities can be changed in the configuration, for all agents or for one:

` + "```yaml" + `
rules: {skill-examples-few: off, skill-tags-missing: error}
` + "```" + `

A SKILL.md can switch off rules for itself with ` +
	"`metadata: {a2a-lint-ignore: \"skill-examples-few, skill-id-format\"}`" + `.
The rules ` + "`secret-*`, `text-*` and `internal-*`" + ` protect others from its author, ` +
	`so only the configuration can switch them off. The
summary counts the ignored findings, ` + "`--all`" + ` lists them, and an entry without effect is reported.
` + "`--only ID` and `--skip ID`" + ` select rules for one run. ` + "`--strict`" + ` makes every warning an error.
The table has the highest severity of each rule. Its section lists findings with a lower one.
Rules without a card version are about sources, the configuration, keys or the output.

An example shows only the relevant members. The test adds them to a correct card. ` + "`whole`" + ` marks
a whole document, a version the kind of card. This page is made from the pages in internal/lint/doc,
and the tests run its examples.

`
