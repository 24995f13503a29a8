package docs_test

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"testing"

	"cardwright/internal/cli"
)

// docs/usage.md lists every command as --help does, with the links that it has. What
// flags mean is in --help.
func TestHelpIsDocumented(t *testing.T) {
	var help bytes.Buffer
	cli.Run([]string{"--help"}, cli.Streams{In: strings.NewReader(""), Out: &help, Err: &help}, "")
	page := read(t, "usage.md")
	const begin, end = "<!-- Listed by \"go test ./docs -update\". -->\n\n", "\n\nFlags work"
	before, rest, found := strings.Cut(page, begin)
	list, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("docs/usage.md has no list behind %q", begin)
	}
	var lines []string
	for _, group := range regexp.MustCompile(`(?m)^(\w[\w ]+):\n((?:  [a-z]+ {2,}\S.*\n)+)`).
		FindAllStringSubmatch(help.String(), -1) {
		var names []string
		for line := range strings.Lines(group[2]) {
			name := "`" + strings.Fields(line)[0] + "`"
			link := regexp.MustCompile(`\[` + name + `\]\([^)]+\)`).FindString(list)
			names = append(names, cmp.Or(link, name))
		}
		lines = append(lines, "- "+group[1]+": "+strings.Join(names, ", "))
	}
	if len(lines) == 0 {
		t.Error("--help lists no commands")
	}
	compare(t, "usage.md", before+begin+strings.Join(lines, "\n")+end+after)
}
