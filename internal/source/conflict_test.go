package source_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
)

// In Markdown, a line of = below a title and a conflict in a code block are none.
func TestConflict(t *testing.T) {
	const conflict = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
	for text, line := range map[string]int{
		conflict: 1, "Title\n=======\n" + conflict: 3, "Title\n=======\n": 0, "```\n" + conflict + "```\n": 0,
		"~~~\n```\n~~~\n" + conflict: 4,
	} {
		found, at := source.Conflict("f", []byte(text)), 0
		if len(found) > 0 {
			at = found[0].Span.Line
		}
		if at != line {
			t.Errorf("%q: found on line %d, want %d", text, at, line)
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
