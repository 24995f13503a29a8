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

A SKILL.md switches rules off for itself with ` + "`metadata: {a2a-lint-ignore: \"skill-examples-few, skill-id-format\"}`" + `.
The rules ` + "`secret-*`, `text-*` and `internal-*`" + ` protect others from its author, so only the config switches them off. The
summary counts the ignored findings, ` + "`--all`" + ` lists them, and an entry without effect is reported.
` + "`--only ID` and `--skip ID`" + ` choose rules for one run. ` + "`--strict`" + ` makes every warning an error.
The severity below is the highest that a rule gives; its section says which findings weigh less.
Rules that judge no card as such are about sources, the configuration, keys or the output.

An example shows the members that matter, laid over a card that is right otherwise. ` + "`whole`" + ` marks
a whole document, a version the kind of card. This page is made from the pages in internal/lint/doc,
and the tests run its examples.

`
