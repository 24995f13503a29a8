package trials

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/cli"
	"cardwright/schema"
)

// TestTableHasEveryValue fails when no value of a feature has a text that a key of the
// configuration allows, or a flag of generate. TestEveryKeyIsRead looks for the keys.
func TestTableHasEveryValue(t *testing.T) {
	text, flags := new(strings.Builder), []string{"--audit", "--check", "--report"} // which the invariants give
	for f, v := range values(features()) {
		r := make(row, len(features()))
		r[f] = v
		p := build(features(), r)
		flags = append(flags, p.flags...)
		for _, content := range p.tree(t) {
			text.WriteString(content)
		}
	}
	document, _ := schema.Document("config")
	algorithms := []string{"ES384", "ES512", "RS256"} // which the tests of sign try
	for _, allowed := range regexp.MustCompile(`"enum": \[([^]]*)\]`).FindAllStringSubmatch(string(document), -1) {
		for _, word := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(allowed[1], -1) {
			if !slices.Contains(algorithms, word[1]) &&
				!regexp.MustCompile(`\b`+regexp.QuoteMeta(word[1])+`\b`).MatchString(text.String()) {
				t.Errorf("no value of a feature has %s: give it a row in pairstable_test.go", word[1])
			}
		}
	}
	without := []string{"--watch", "--force", "--format", "--strict", "--help"} // which make no other tree
	for _, f := range flagsOfGenerate(t) {
		if !slices.Contains(slices.Concat(flags, without), f) {
			t.Errorf("no project and no invariant has %s: give it a row in pairstable_test.go", f)
		}
	}
}

func flagsOfGenerate(t *testing.T) (flags []string) {
	t.Helper()
	var out bytes.Buffer
	if code := cli.Run([]string{"generate", "--help"}, cli.Streams{Out: &out, Err: &out}, "test"); code != 0 {
		t.Fatalf("%d: %s", code, &out)
	}
	for _, m := range regexp.MustCompile(`(?m)^   (?:-\w, )?(--[a-z-]+)`).FindAllStringSubmatch(out.String(), -1) {
		flags = append(flags, m[1])
	}
	return flags
}
