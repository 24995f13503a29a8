package docs_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// No one reads more than this.
const (
	mostWords     = 20_250 // in README, CONTRIBUTING and docs, without the rules
	mostRuleWords = 10_200 // in docs/rules.md
	sameWords     = 12     // in a row, in two pages, are a fact that is stored twice
)

// pages are the texts of the pages in Markdown by their path in the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch base := entry.Name(); {
		case !entry.IsDir():
			if strings.HasSuffix(base, ".md") {
				texts[strings.TrimPrefix(name, "../")] = read(t, name)
			}
		case name == ".." || name == "../.github" || name == "../testdata/vectors":
		case name == "../testdata":
		case base == "testdata", base == "golden", base == "node_modules", strings.HasPrefix(base, "."),
			strings.HasPrefix(name, "../testdata/"), name == "../internal":
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestWords(t *testing.T) {
	words := 0
	for name, text := range pages(t) {
		if name == "docs/rules.md" {
			if n := len(strings.Fields(text)); n > mostRuleWords {
				t.Errorf("%s has %d words, which is more than %d", name, n, mostRuleWords)
			}
		} else if name == "README.md" || name == "CONTRIBUTING.md" || strings.HasPrefix(name, "docs/") {
			words += len(strings.Fields(text))
		}
	}
	if words > mostWords {
		t.Errorf("README.md, CONTRIBUTING.md and docs have %d words, which is more than %d", words, mostWords)
	}
	t.Logf("%d words", words)
}

var (
	fence   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	target  = regexp.MustCompile(`\]\([^)\n]*\)`)
	word    = regexp.MustCompile(`[\pL\pN_./-]*[\pL\pN][\pL\pN_./-]*|§`)
)

// TestNoFactTwice finds prose that stands in two pages. Pages that are made from
// other files are left out, and so is code.
func TestNoFactTwice(t *testing.T) {
	first := map[string]string{} // the page that has these words
	texts := pages(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		switch name {
		case "docs/config.md", "docs/rules.md", ".github/CODE_OF_CONDUCT.md":
			continue
		}
		prose := fence.ReplaceAllString(texts[name], " § ")
		prose = target.ReplaceAllString(comment.ReplaceAllString(prose, ""), "]")
		words := word.FindAllString(strings.ToLower(prose), -1)
		for i := 0; i+sameWords <= len(words); i++ {
			run := strings.Join(words[i:i+sameWords], " ")
			before, known := first[run]
			switch {
			case strings.Contains(run, "§"):
			case known && before != name:
				t.Errorf("%s and %s both have %q: keep one, and link to it", before, name, run)
				i += sameWords
			default:
				first[run] = name
			}
		}
	}
}

var (
	link    = regexp.MustCompile(`(?:\]\(|(?:src|srcset|href)=")([^)"\s]+)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	mention = regexp.MustCompile(`\bdocs/[a-z/-]+\.md(?:#[a-z0-9-]+)?`)
)

// root is the repository.
var root = os.DirFS("..")

// TestLinks follows each link to a file of the repository and to a heading of it, and
// what the program, the Action and the schemas say of a page.
func TestLinks(t *testing.T) {
	texts := pages(t)
	anchors := map[string]map[string]bool{}
	for name, text := range texts {
		anchors[name] = headings(text)
	}
	exists := func(from, to string) bool {
		file, anchor, _ := strings.Cut(to, "#")
		if file == "" {
			file = from
		} else {
			file = path.Join(path.Dir(from), file)
		}
		_, err := fs.Stat(root, file)
		return err == nil && (anchor == "" || anchors[file][anchor])
	}
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			if !strings.Contains(m[1], ":") && !exists(name, m[1]) {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			}
		}
	}
	for _, pattern := range []string{
		"action.yml", ".github/*/*.yml", "schema/*.json", "internal/cli/help/*.txt", "internal/*/*.go",
		"internal/lint/doc/*.md",
	} {
		files, err := fs.Glob(root, pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, page := range mention.FindAllString(read(t, "../"+name), -1) {
				if !exists("README.md", page) {
					t.Errorf("%s names %s, which does not exist", name, page)
				}
			}
		}
	}
}

// headings returns the anchors of the headings of a page, as GitHub makes them.
func headings(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127:
				return r
			}
			return -1
		}, strings.ToLower(target.ReplaceAllString(m[1], "]")))
		found[slug] = true
	}
	return found
}
