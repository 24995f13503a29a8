package conformance

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leftOut are the headers that js-yaml reads and cardwright does not: anchors and tags are
// refused, and yaml.v3 lacks two escapes of JSON.
var leftOut = []string{"anchors.md", "emoji-escape.md", "json.md", "tagged.md"}

// The description on the card is the one that js-yaml reads in a header, in
// whatever way its lines end. CARDWRIGHT_HEADERS names another directory of
// skill files to try. None may be left out.
func TestFrontmatterAsJSYAML(t *testing.T) {
	root, want := os.Getenv("CARDWRIGHT_HEADERS"), []string(nil)
	if root == "" {
		root, want = filepath.Join("testdata", "headers"), leftOut
	}
	names, texts := skillHeaders(t, root)
	answers := ask[yamlAnswer](t, &jsYAML, texts...)
	c := newCardwright(t)
	same, left := 0, map[string]bool{}
	for i, name := range names {
		if answers[i].Error != "" {
			continue // what a header says that is not YAML is unknown
		}
		wanted := tidied(answers[i].Description)
		for form, lineBreak := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
			file := strings.ReplaceAll("---\n"+texts[i]+"---\n\nText\n", "\n", lineBreak)
			switch got := c.description(file); got {
			case "": // left out, with a finding
				left[filepath.Base(name)] = true
			case wanted:
				same++
			default:
				t.Errorf("%s with %s:\n got %q\nwant %q", name, form, got, wanted)
			}
		}
	}
	t.Logf("%d files, %d descriptions are the same in LF and CRLF", len(names), same/2)
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(left))); d != "" || same == 0 {
		t.Errorf("%d descriptions are the same; left out (-want +got):\n%s", same, d)
	}
}

// skillHeaders returns the headers of the Markdown files below a directory, with
// LF at the ends of lines.
func skillHeaders(t *testing.T, root string) (names, headers []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(name), ".md") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
		rest, ok := strings.CutPrefix(text, "---\n")
		if header, _, closed := strings.Cut(rest, "\n---\n"); ok && closed {
			names, headers = append(names, name), append(headers, header+"\n")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, headers
}

// tidied returns a description without blanks at the ends of lines and white
// space around it, which the card leaves out.
func tidied(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\u00a0")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// description returns the description of the skill which a file makes, "" for none.
func (c *cardwright) description(file string) string {
	c.t.Helper()
	dir := filepath.Join(c.dir, "skills", "one")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(file), 0o600); err != nil {
		c.t.Fatal(err)
	}
	const config = "version: 1\nagents: [{id: desk, name: Desk, description: Explains invoices., version: 1.0.0, " +
		"interfaces: [{url: https://desk.acme.example/a2a}], skills: {from: [{type: skills, path: skills}]}}]\n"
	if err := os.WriteFile(filepath.Join(c.dir, "cardwright.yaml"), []byte(config), 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.run(nil, "generate")
	data, err := os.ReadFile(filepath.Join(c.dir, "dist", ".well-known", "agent-card.json"))
	if err != nil {
		return ""
	}
	if err := os.RemoveAll(filepath.Join(c.dir, "dist")); err != nil {
		c.t.Fatal(err)
	}
	var card struct {
		Skills []struct{ Description string }
	}
	if err := json.Unmarshal(data, &card); err != nil || len(card.Skills) != 1 {
		c.t.Fatalf("the card is %s, %v", data, err)
	}
	return card.Skills[0].Description
}

type yamlAnswer struct{ Description, Error string }
