package conformance

import (
	"encoding/json"
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
// whatever way its lines end.
func TestFrontmatterAsJSYAML(t *testing.T) {
	names, texts := skillHeaders(t)
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
				left[name] = true
			case wanted:
				same++
			default:
				t.Errorf("%s with %s:\n got %q\nwant %q", name, form, got, wanted)
			}
		}
	}
	t.Logf("%d files, %d descriptions are the same in LF and CRLF", len(names), same/2)
	if d := cmp.Diff(leftOut, slices.Sorted(maps.Keys(left))); d != "" || same == 0 {
		t.Errorf("%d descriptions are the same; left out (-want +got):\n%s", same, d)
	}
}

// skillHeaders returns the headers in testdata, with LF at the ends of lines.
func skillHeaders(t *testing.T) (names, headers []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/headers/*.md")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
		header, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		names, headers = append(names, filepath.Base(name)), append(headers, header+"\n")
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
	c.write("skills/one/SKILL.md", file)
	const config = "version: 1\nagents: [{id: desk, name: Desk, description: Explains invoices., version: 1.0.0, " +
		"interfaces: [{url: https://desk.acme.example/a2a}], skills: {from: [{type: skills, path: skills}]}}]\n"
	c.write("cardwright.yaml", config)
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
