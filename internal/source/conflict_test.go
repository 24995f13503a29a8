package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// YAML takes lines without indentation into a text in quotes, and into a map in braces.
func TestConflictsInYAML(t *testing.T) {
	for name, text := range map[string]string{
		"quotes": "a: \"One\n<<<<<<< HEAD\n  two.\n=======\n  three.\n>>>>>>> other\n  Four.\"\n",
		"braces": "{a: One\n<<<<<<< HEAD\n, b: 2\n=======\n, b: 3\n>>>>>>> other\n}\n",
	} {
		tree, found := source.ParseYAML("f.yaml", []byte(text), diag.SourceInvalid)
		if tree != nil || len(found) != 1 || found[0].Span.Line != 2 || !strings.Contains(found[0].Message, "conflict") {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestSides(t *testing.T) {
	for name, test := range map[string]struct{ in, ours, theirs string }{
		"none":      {in: "a\nb\n"},
		"two":       {"a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\nd\n", "a\nb\nd\n", "a\nc\nd\n"},
		"of three":  {"<<<<<<< x\r\nb\r\n||||||| o\r\nz\r\n=======\r\n>>>>>>> y\r\nd", "b\r\nd", "d"},
		"not whole": {in: "<<<<<<< x\nb\n"},
	} {
		ours, theirs := source.Sides([]byte(test.in))
		if diff := cmp.Diff([]string{test.ours, test.theirs}, []string{string(ours), string(theirs)}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
