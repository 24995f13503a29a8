package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
)

// A conflict in a code block is an example, and a line of equals signs is a heading.
func TestConflictsThatAreNone(t *testing.T) {
	const conflict = "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n"
	for name, body := range map[string]string{
		"code block":       "```\n" + conflict + "```\n",
		"other code block": "~~~ text\n```\n" + conflict + "~~~\n",
		"heading":          "Title\n=======\n",
		"quoted":           "> " + strings.ReplaceAll(conflict, "\n", "\n> "),
	} {
		tree, found := source.ReadFrontmatter(strings.NewReader("---\nname: x\n---\n"+body), "S",
			source.FrontmatterOptions{})
		if tree == nil || found != nil {
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
