package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// A Markdown parser makes nothing of what input says: all of it is in code.
func TestMarkdownIsInert(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file names with these characters do not exist on Windows")
	}
	hostile := []string{
		"plain.json",
		"<img src=x onerror=alert(1)>",
		"[a](https:evil.example)",
		"![a](https:evil.example)",
		"@maintainers #1 GH-1",
		"www.evil.example",
		"a`b", "a``b", "`", "``", "` `", "`a`", " a ", "$`x`$",
		"\n\n# heading\n\n- item\n",
		"\n```\n",
		"a|b\n---|---",
		"&lt;b&gt; \\` *em* ~~s~~ <!-- x -->",
		"\\", "a\\", "`\\`",
	}
	words := regexp.MustCompile(`^(\s|\d+ (error|warning|info)s?|cardwright lint:|error|warning|info|hint:|[,()])*$`)
	code := regexp.MustCompile(`(?s)<code>.*?</code>`)
	tags := regexp.MustCompile(`</?(h3|p|strong|ul|li)>`)
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	c := newCardwright(t)
	for _, name := range hostile {
		t.Run(name, func(t *testing.T) {
			c.write(name, `{"name": 1, "url": "http://a`+strings.ReplaceAll(strings.Trim(name, "\n"), `\`, ``)+`"`)
			c.run(nil, "lint", "--report", "markdown=out.md", "--", filepath.Join(".", name))
			text, err := os.ReadFile(filepath.Join(c.dir, "out.md"))
			if err != nil {
				t.Fatal(err)
			}
			var page bytes.Buffer
			if err := gfm.Convert(text, &page); err != nil {
				t.Fatal(err)
			}
			if !code.Match(page.Bytes()) {
				t.Errorf("nothing is in code:\n%s", text)
			}
			rest := tags.ReplaceAll(code.ReplaceAll(page.Bytes(), nil), nil)
			if !words.Match(rest) {
				t.Errorf("outside of code stands %q:\n%s\n%s", rest, text, page.Bytes())
			}
		})
	}
}
