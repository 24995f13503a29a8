package lint

import (
	"fmt"
	"strings"

	"cardwright/schema"
)

// Markdown returns the whole catalog as one document: docs/rules.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(intro)
	for _, r := range table {
		standing := strings.Replace(capitalized(r.Summary()), " of "+schema.All.Text(), "", 1)
		standing = strings.Replace(standing, "cannot be switched off", "fixed", 1)
		page, _, _ := strings.Cut(r.Page(), "\nSource: ")
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s.\n\n%s", r.ID, standing, r.Title, page)
	}
	return b.String()
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

const intro = `# Rules

Every finding names its rule. ` + "`cardwright rules`" + ` lists them, ` +
	"`cardwright rules ID`" + ` prints one with its source.

Change severities in the configuration, for all agents or for one:

` + "```yaml" + `
rules: {skill-examples-few: off, skill-tags-missing: error}
` + "```" + `

` + "`--strict`" + ` makes every warning an error.

Each section begins with the highest severity of its rule. "Cards" are those of all versions, other rules are about
sources, the configuration, keys or the output, and a "fixed" rule cannot be switched off. An example shows only
the members that matter, in parentheses the kind of card (` + "`whole`" + `: all of it). In the configuration, members
of the card have the same name, except [these](convert.md#from-a2a-03-to-10).
`
