package trials

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/cli"
	"cardwright/schema"
)

// TestTableHasEveryKey fails when no value of a feature has a key of the configuration, a
// text that a key allows, or a flag of generate.
func TestTableHasEveryKey(t *testing.T) {
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
	var config any
	if err := json.Unmarshal(document, &config); err != nil {
		t.Fatal(err)
	}
	algorithms := []string{"ES384", "ES512", "RS256"} // which the tests of sign try
	for _, word := range wordsOf(config) {
		if !slices.Contains(algorithms, word) &&
			!regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`\b`).MatchString(text.String()) {
			t.Errorf("no value of a feature has %s: give it a row in pairstable_test.go", word)
		}
	}
	without := []string{"--watch", "--force", "--format", "--strict", "--help"} // which make no other tree
	for _, f := range flagsOfGenerate(t) {
		if !slices.Contains(slices.Concat(flags, without), f) {
			t.Errorf("no project and no invariant has %s: give it a row in pairstable_test.go", f)
		}
	}
}

// wordsOf are the names of properties and the texts of enumerations in a JSON Schema.
func wordsOf(s any) (words []string) {
	switch s := s.(type) {
	case object:
		properties, _ := s["properties"].(object)
		for name := range properties {
			words = append(words, name)
		}
		allowed, _ := s["enum"].([]any)
		for _, v := range allowed {
			if text, is := v.(string); is {
				words = append(words, text)
			}
		}
		for _, v := range s {
			words = append(words, wordsOf(v)...)
		}
	case []any:
		for _, v := range s {
			words = append(words, wordsOf(v)...)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
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
