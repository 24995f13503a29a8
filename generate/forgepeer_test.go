package generate

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
)

// Every skill that Forge publishes is on the card, with its id, name, tags and
// description, whatever files win over others; and what is there beside is noted
// as what Forge leaves out. FORGE_SKILLS names a directory of skill files to try
// as well.
func TestForgePublishesNoMore(t *testing.T) {
	headers := slices.Concat(forgeHeaders(), corpus(t))
	crlf := make([]string, 0, len(headers))
	for _, h := range headers {
		crlf = append(crlf, strings.ReplaceAll(strings.ReplaceAll(h, "\r\n", "\n"), "\n", "\r\n"))
	}
	const each = 25 // files of a project, among which equal names meet
	published, beside := 0, 0
	for files := range slices.Chunk(slices.Concat(headers, crlf), each) {
		p := project{"f/forge.yaml": "agent_id: desk\ntools: [{name: tool-one}]\n"}
		for i, text := range files {
			switch name := fmt.Sprintf("%02d", (i*7)%each); i % 3 { // in another order than they are listed
			case 0:
				p["f/skills/"+name+".md"] = text
			case 1:
				p["f/skills/"+name+"/SKILL.md"] = text
			default:
				p["f/skills/"+name+"/SKILL.md"] = text
				p["f/skills/"+name+"/skill.md"] = text // which Forge does not find
			}
		}
		p["f/SKILL.md"] = files[0]
		n, m := compareWithForge(t, p)
		published, beside = published+n, beside+m
	}
	t.Logf("%d files: Forge publishes %d skills, and %d more are on the cards", len(headers)+len(crlf), published, beside)
	if published == 0 || beside == 0 {
		t.Error("nothing was compared")
	}
}

// compareWithForge compares the card of a project with the one that Forge makes,
// and returns how many skills are on both and on ours alone.
func compareWithForge(t *testing.T, p project) (published, beside int) {
	t.Helper()
	card, found := p.run(t, "interfaces: [{url: https://desk.example/}]\n"+
		"rules: {secret-value: off, text-invisible: off, source-description-missing: off}\n"+
		"skills: {from: [{type: forge, path: f}], overlay: {tool-one: {description: Does one thing.}}}\n")
	if card == nil {
		t.Fatalf("no card: %s", strings.Join(shown(found), "\n"))
	}
	noted := map[string]string{} // what is said about Forge, by file
	for _, d := range found {
		if d.Rule == diag.SourceForgeDrops {
			noted[d.Span.File] = d.Message
		}
	}
	ours := map[string]forgeSkill{}
	for _, n := range card.Get("skills").Items {
		s := forgeSkill{ID: n.Get("id").Text, Name: n.Get("name").Text, Description: n.Get("description").Text}
		for _, tag := range n.Get("tags").Items {
			s.Tags = append(s.Tags, tag.Text)
		}
		ours[s.ID] = s
	}
	delete(ours, "tool-one")
	for id, theirs := range asForge(p, "tool-one") {
		s, ok := ours[id]
		delete(ours, id)
		if strings.Contains(noted[theirs.file], "only part of the header") {
			continue // it may have lost the end of any member, its id too
		}
		published++
		if theirs.Description == "" {
			theirs.Description = "The " + id + " skill."
		}
		if !ok || s.Name != theirs.Name || !slices.Equal(s.Tags, theirs.Tags) ||
			tidyText(s.Description) != tidyText(theirs.Description) {
			t.Errorf("%s:\n%.300q\nForge has %q\nwe have   %q", theirs.file, p[theirs.file], theirs, s)
		}
		if noted[theirs.file] != "" {
			t.Errorf("%s: Forge has %q, and we say: %s", theirs.file, theirs, noted[theirs.file])
		}
	}
	for id, s := range ours {
		said := false
		for file, header := range p {
			said = said || noted[file] != "" && (strings.Contains(header, s.Name) || strings.Contains(file, id))
		}
		if !said {
			t.Errorf("%q is here and not in Forge, and nothing says so", s)
		}
		beside++
	}
	return published, beside
}

// tidyText leaves out the white space that we leave out.
func tidyText(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRightFunc(lines[i], func(r rune) bool {
			return r != '\n' &&
				strings.ContainsRune(" \t\r\u00a0", r)
		})
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

type forgeSkill struct {
	ID, Name, Description string
	Tags                  []string
	file                  string
}

// asForge is what Forge publishes of a project beside its tools. It was written
// from what Forge does, and shares nothing with ours but the library for YAML.
func asForge(p project, tools ...string) map[string]forgeSkill {
	var order []string
	for _, pattern := range []string{"f/skills/*.md", "f/skills/*/SKILL.md", "f/SKILL.md"} {
		for _, name := range slices.Sorted(maps.Keys(p)) {
			if ok, err := path.Match(pattern, name); ok && err == nil {
				order = append(order, name)
			}
		}
	}
	all := map[string]forgeSkill{}
	for _, name := range order {
		s, ok := forgeReads([]byte(p[name]))
		if _, taken := all[s.ID]; ok && !taken && !slices.Contains(tools, s.ID) {
			s.file = name
			all[s.ID] = s
		}
	}
	return all
}

var lowerKebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func forgeReads(text []byte) (forgeSkill, bool) {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	lines := bufio.NewScanner(bytes.NewReader(rest))
	length, closed := 0, false
	for lines.Scan() && !closed {
		if closed = strings.TrimSpace(lines.Text()) == "---"; !closed {
			length += len(lines.Text()) + 1
		}
	}
	if !bytes.HasPrefix(first, []byte("---")) || !closed {
		return forgeSkill{}, false
	}
	var header struct {
		Name        string
		Description string
		Category    string
		Tags        []string
		Icon        string
		Metadata    map[string]map[string]any
	}
	if yaml.Unmarshal(rest[:length], &header) != nil {
		return forgeSkill{}, false
	}
	body := bufio.NewScanner(bytes.NewReader(rest[length:]))
	for body.Scan() { // only the length of a line matters
	}
	if body.Err() != nil {
		return forgeSkill{}, false
	}
	var tags []string
	for i, tag := range append([]string{header.Category}, header.Tags...) {
		if tag = strings.ToLower(tag); i == 0 && tag == "" {
			continue
		}
		if !lowerKebab.MatchString(tag) {
			return forgeSkill{}, false
		}
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		tags = []string{"skill"}
	}
	requires, _ := header.Metadata["forge"]["requires"].(map[string]any)
	capabilities, _ := requires["capabilities"].([]any)
	if slices.ContainsFunc(capabilities, func(c any) bool { return c != nil && c != "browser" }) {
		return forgeSkill{}, false
	}
	name := strings.TrimSpace(header.Name)
	return forgeSkill{ID: name, Name: name, Description: strings.TrimSpace(header.Description), Tags: tags}, name != ""
}

// forgeHeaders are skill files that Forge reads in one way or another. What stays
// different, as docs/sources/forge.md lists it, is not among them.
func forgeHeaders() []string {
	var all []string
	for _, header := range []string{
		"name: a\ndescription: Reads a plan.",
		"name: a\ndescription: The second of its name.\nmetadata: {author: x}",
		"name: same\ndescription: The second of its name.\nmetadata: {author: x}",
		"name: same\ndescription: The first that Forge keeps.",
		"name: same\ndescription: The second that Forge keeps.",
		"name: tool-one\ndescription: It has the name of a tool.",
		"name: ' blanks '\ndescription: '  Around.  '\n",
		"name: 1.10\ndescription: 2026-11-22",
		"name: yes\ndescription: no",
		"name: Über Plan\ndescription: Ein Plan.\ncategory: Travel\ntags: [Trips, trips, DE-1]",
		"name: b\ndescription: x\ntags: []\ncategory: ''",
		"name: c\ndescription: x\ntags: [a, null]",
		"name: d\ndescription: x\ntags: [1, true, 2.50]",
		"name: e\ndescription: x\ntags: a, b",
		"name: f\ndescription: x\ncategory: A B",
		"name: g\ndescription: x\nmetadata: {a: {b: c}, d: null}",
		"name: h\ndescription: x\nmetadata: {a: []}",
		"name: i\ndescription: x\nmetadata: []",
		"name: i2\ndescription: x\nmetadata: ''",
		"name: j\ndescription: x\nmetadata: {forge: {requires: {capabilities: [browser, x]}}}",
		"name: k\ndescription: x\nmetadata: {forge: {requires: {capabilities: [browser]}}}",
		"name: l\ndescription: [x]",
		"name: m\ndescription: {x: y}",
		"name: n\ndescription: x\nicon: [y]",
		"name: [o]\ndescription: x",
		"name: p\ndescription: Say: this.",
		"name: q\ndescription: \"A \\u00e9 letter.\"",
		"name: t\ndescription: |\n  One line.\n\n  Another line.  \n",
		"name: u\ndescription: >-\n  Folded\n  text.",
		"name: v\ndescription: x # cut",
		"name: w\nname: x\ndescription: twice",
		"name: y\ndescription:",
		"name:\ndescription: x",
		"description: no name",
		"name: z\n\tdescription: a tab",
		"",
		"- a list",
		"just text",
		"name: aa\ndescription: 'It''s quoted'\nversion: 1.2\nlicense: MIT\nallowed-tools: [a, b]",
		"name: cc\ndescription: x\ntags:\n- one\n- two-2\n- Three",
		"name: dd\ndescription: x\n? odd\n: key",
		"name: ~\ndescription: x",
		"name: ff\ndescription: ~",
		"name: gg\ndescription: x\ntags: ~",
		"name: hh\ndescription: x\nmetadata: ~\ncategory: ~",
		"name: a\nNAME: b\ndescription: x",
		"name: 'ii\\n'\ndescription: x",
		"name: \"jj\\u200b\"\ndescription: x",
	} {
		all = append(all, "---\n"+header+"\n---\n\n# Text\n")
	}
	const plain = "name: %s\ndescription: x\n"
	return append(all,
		"\ufeff---\n"+fmt.Sprintf(plain, "mark")+"---\n",
		"\n\n---\n"+fmt.Sprintf(plain, "blank")+"---\n",
		"--- \n"+fmt.Sprintf(plain, "blanks-behind")+"---  \n",
		"---\n"+fmt.Sprintf(plain, "four-below")+"----\n",
		"---\n"+fmt.Sprintf(plain, "dots")+"...\n",
		"---\n"+fmt.Sprintf(plain, "open"),
		"---\n"+fmt.Sprintf(plain, "end")+"---",
		"---\n"+fmt.Sprintf(plain, "long")+"---\n"+strings.Repeat("x", 70000)+"\n",
		"---\n"+fmt.Sprintf(plain, "nearly-long")+"---\n"+strings.Repeat("x", 60000)+"\n",
		"Text\n---\n"+fmt.Sprintf(plain, "behind-text")+"---\n",
		"---\n\n---\n",
		"no header\n",
	)
}

// corpus returns the skill files below FORGE_SKILLS.
func corpus(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("FORGE_SKILLS")
	if root == "" {
		return nil
	}
	var all []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(d.Name(), "SKILL.md") {
			return err
		}
		data, err := os.ReadFile(name)
		all = append(all, string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
