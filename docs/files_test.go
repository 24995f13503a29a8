package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shownFile is a code block below a comment that names the file it repeats.
var shownFile = regexp.MustCompile("(?ms)^<!-- file: (\\S+) -->\n```(\\w*)\n(.*?)^```$")

// TestShownFiles compares the files that pages show with those that tests run.
func TestShownFiles(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "recipes/frameworks.md") {
		text := read(t, page)
		want := shownFile.ReplaceAllStringFunc(text, func(block string) string {
			m := shownFile.FindStringSubmatch(block)
			return "<!-- file: " + m[1] + " -->\n```" + m[2] + "\n" +
				read(t, filepath.Join("..", filepath.FromSlash(m[1]))) + "```"
		})
		if *update && want != text {
			if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(want, text); diff != "" {
			t.Errorf("docs/%s is not current, run go test ./docs -update (-want +got):\n%s", page, diff)
		}
	}
}
