package mapping

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

// lineBreaks are the ways to end a line of YAML.
var lineBreaks = map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"}

// read makes a skill of a whole file, nil when it has none.
func read(text string) *Skill {
	header, _ := source.ReadFrontmatter(strings.NewReader(text), file.Path, source.FrontmatterOptions{})
	if header == nil {
		return nil
	}
	skill, _ := SkillMD(header, file, skillOptions{})
	return skill
}

// A header that has to be repaired means the same with every line break, hides
// what a line of it hides, and no text of it takes in another key.
func TestRepairsKeepPrivate(t *testing.T) {
	const hidden, mail = "  a2a-visibility: hidden", "jane@acme.example"
	for name, header := range map[string]string{
		"colon": "name: x\ndescription: Runs plans. Trigger: execute plan.\nmetadata:\n  author: " +
			mail + "\n" + hidden,
		"colon, no value below":    "name: x\ndescription: Use when: now\nmetadata:\n" + hidden,
		"key with its value below": "name: x\ndescription: Use when:\nauthor:\n  " + mail + "\nmetadata:\n" + hidden,
		"keys below a value": "name: x\ndescription: Use when: now\n  metadata:\n    author: " + mail +
			"\n  " + hidden,
		"keys of a list": "name: x\ndescription: Use when: now\n  - author: " + mail +
			"\n  - a2a-visibility: hidden",
		"metadata that is left out": "name: x\ndescription: Reads files.\nmetadata:\n  author: " + mail +
			"\n  note: a: b\n" + hidden,
		"one line, never closed": "name: x\ndescription: Reads files.\nmetadata: {author: " + mail +
			", a2a-visibility: hidden",
		"JSON, never closed":       "name: x\ndescription: Reads files.\nmetadata: {\"a2a-visibility\": \"hidden\"",
		"JSON text with a fault":   "name: x\ndescription: Reads files.\nmetadata: '{\"a2a-visibility\": \"hidden\",}'",
		"second metadata":          "name: x\ndescription: Reads files.\nmetadata:\n  a: b\nmetadata:\n" + hidden,
		"metadata as a list":       "name: x\ndescription: Reads files.\nmetadata:\n- a2a-visibility: hidden",
		"map called a2a":           "name: x\ndescription: Reads: files.\nmetadata:\n  a2a:\n    visibility: hidden",
		"map called a2a, left out": "name: x\ndescription: Reads files.\nmetadata:\n  a: b: c\n  a2a: {visibility: hidden}",
		"two statements": "name: x\ndescription: Reads files.\nmetadata:\n  a2a-visibility: public\n  a2a:\n" +
			"    visibility: hidden",
		"below another key": "name: x\ndescription: Reads files.\nmetadata:\n  acme:\n    a2a-visibility: hidden",
		"quote over lines": "name: x: y\ndescription: \"Reads\nmetadata:\n  author: " + mail + "\n" + hidden +
			"\nnote: \"b\"",
		"control character in a key": "name: x\ndescription: Reads files.\nmetadata:\n  a2a-visi\x01bility: hidden\n" +
			"  note: a: b",
		"on the next line": "name: x\ndescription: Reads files.\nmetadata:\n  note: a: b\n  a2a-visibility:\n" +
			"    hidden",
		"spelled otherwise": "name: x\ndescription: Reads files.\nmetadata:\n  note: a: b\n" +
			"  \"a2a_visibility\" : 'Hidden'",
		"misspelled":               "name: x\ndescription: Reads files.\nmetadata:\n  note: a: b\n  a2a-visibility: hiden",
		"comment before a heading": "name: x\ndescription: Reads: files.\n\n# For us only\nmetadata:\n" + hidden,
	} {
		for form, lineBreak := range lineBreaks {
			t.Run(name+"/"+form, func(t *testing.T) {
				got := read(strings.ReplaceAll("---\n"+header+"\n---\n# Title\n", "\n", lineBreak))
				if got == nil {
					t.Fatal("no skill")
				}
				if got.Visibility != Hidden {
					t.Errorf("the skill is %s", got.Visibility)
				}
				if strings.Contains(got.Description, mail) {
					t.Errorf("the description is %q", got.Description)
				}
			})
		}
	}
}

// Whatever a key that means visibility holds, however it is spelled and wherever it
// stands: what is not plainly public or extended hides the skill, and a finding says
// so at its place.
func TestVisibilityInDoubt(t *testing.T) {
	for name, tt := range map[string]struct {
		header string
		want   Visibility
		place  string // of the finding, "" for none
	}{
		"hidden":                    {"metadata: {a2a-visibility: hidden}", Hidden, ""},
		"in capitals":               {"metadata: {a2a-visibility: HIDDEN}", Hidden, ""},
		"public":                    {"metadata: {a2a-visibility: Public}", Public, ""},
		"extended":                  {"metadata: {a2a-visibility: ' extended '}", Extended, ""},
		"a list":                    {"metadata: {a2a-visibility: [hidden]}", Hidden, "4:28"},
		"a list of what is public":  {"metadata: {a2a-visibility: [public]}", Hidden, "4:28"},
		"a list over lines":         {"metadata:\n  a2a-visibility:\n    - hidden", Hidden, "6:5"},
		"a map":                     {"metadata: {a2a-visibility: {hidden: true}}", Hidden, "4:28"},
		"null":                      {"metadata: {a2a-visibility: null}", Hidden, "4:28"},
		"nothing":                   {"metadata: {a2a-visibility: }", Hidden, "4:28"},
		"an empty text":             {"metadata: {a2a-visibility: ''}", Hidden, "4:28"},
		"a flag":                    {"metadata: {a2a-visibility: true}", Hidden, "4:28"},
		"another word":              {"metadata: {a2a-visibility: private}", Hidden, "4:28"},
		"a word and more":           {"metadata: {a2a-visibility: public?}", Hidden, "4:1"},
		"other case":                {"metadata: {A2A-Visibility: hidden}", Hidden, "4:12"},
		"camel case":                {"metadata: {a2aVisibility: hidden}", Hidden, "4:12"},
		"camel case, public":        {"metadata: {a2aVisibility: public}", Public, "4:12"},
		"underscore":                {"metadata: {a2a_visibility: hidden}", Hidden, ""},
		"blank":                     {"metadata: {a2a visibility: hidden}", Hidden, "4:12"},
		"one edit":                  {"metadata: {a2a-visibilty: hidden}", Hidden, "4:12"},
		"two edits":                 {"metadata: {a2a-visiblty: [x]}", Hidden, "4:12"},
		"edit of the prefix":        {"metadata: {a2-visibility: hidden}", Hidden, "4:12"},
		"no prefix":                 {"metadata: {visibility: hidden}", Hidden, ""},
		"no prefix, misspelled":     {"metadata: {visiblity: hidden}", Hidden, "4:12"},
		"another name":              {"metadata: {a2a-hidden: true}", Hidden, "4:12"},
		"full width":                {"metadata: {ａ２ａ-ｖisibility: hidden}", Hidden, "4:12"},
		"Cyrillic letters":          {"metadata: {а2а-visibility: hidden}", Hidden, "4:12"},
		"top level":                 {"a2a-visibility: hidden", Hidden, ""},
		"top level, no prefix":      {"visibility: internal", Hidden, "4:13"},
		"top level, one word":       {"internal: true", Hidden, "4:1"},
		"top level, denied":         {"hidden: false", Public, ""},
		"metadata itself":           {"metadata: hidden", Hidden, "4:1"},
		"metadata, another word":    {"metadata: private", Hidden, "4:1"},
		"three letters":             {"metadata: {vis: hidden}", Hidden, "4:12"},
		"access":                    {"metadata: {a2a-access: private}", Hidden, "4:12"},
		"for an audience":           {"metadata: {a2a-audience: staff}", Hidden, "4:12"},
		"for whom it is visible":    {"metadata: {a2a-visible-to: [staff]}", Hidden, "4:12"},
		"a2a, an audience":          {"metadata: {a2a: {audience: staff}}", Hidden, "4:18"},
		"for all":                   {"metadata: {a2a-audience: public}", Public, "4:12"},
		"access, extended":          {"metadata: {a2a-access: extended}", Extended, "4:12"},
		"an audience of others":     {"metadata: {audience: staff}", Public, ""},
		"another key for A2A":       {"metadata: {a2a-team: staff}", Public, ""},
		"a2a, a tag":                {"metadata: {a2a: {tags: internal}}", Public, ""},
		"access at the top":         {"access: internal", Hidden, "4:1"},
		"a2a, access":               {"metadata: {a2a: {who: private}}", Hidden, "4:18"},
		"not listed":                {"metadata: {listed: false}", Hidden, "4:12"},
		"not public":                {"public: no", Hidden, "4:1"},
		"unlisted":                  {"metadata: {unlisted: true}", Hidden, "4:12"},
		"a2a":                       {"metadata: {a2a: hidden}", Hidden, "4:12"},
		"a2a, extended":             {"metadata: {a2a: extended}", Extended, "4:12"},
		"a2a, a list":               {"metadata: {a2a: [hidden]}", Hidden, "4:18"},
		"a2a, a map":                {"metadata: {a2a: {visibility: hidden}}", Hidden, ""},
		"a2a, a misspelled map":     {"metadata: {a2a: {visiblity: hidden}}", Hidden, "4:18"},
		"a2a, another word":         {"metadata: {A2A: {hidden: yes}}", Hidden, "4:18"},
		"a2a, a list of maps":       {"metadata: {a2a: [{visibility: hidden}]}", Hidden, ""},
		"a2a, JSON text":            {`metadata: {a2a: '{"visibility": ["hidden"]}'}`, Hidden, "4:17"},
		"a2a at the top":            {"a2a: {visibility: hidden}", Hidden, ""},
		"JSON text":                 {`metadata: '{"a2a-visibility": null}'`, Hidden, "4:11"},
		"full-width colon":          {"metadata:\n  a2a-visibility：hidden", Hidden, "5:1"},
		"full-width colon, broken":  {"metadata:\n  author: x\n  a2a-visibility： hidden", Hidden, "6:1"},
		"full-width colon, top":     {"a2a-visibility：hidden", Hidden, "4:1"},
		"equals sign":               {"metadata:\n  a2a-visibility=hidden", Hidden, "5:1"},
		"no colon":                  {"metadata:\n  a2a-visibility hidden", Hidden, "5:1"},
		"anchor":                    {"x: &v hidden\nmetadata: {a2a-visibility: *v}", Hidden, ""},
		"anchor of a map":           {"x: &v {a2a-visibility: [hidden]}\nmetadata: *v", Hidden, "4:24"},
		"unknown anchor":            {"metadata: {a2a-visibility: *v}", Hidden, "4:1"},
		"merge key":                 {"x: &v {visibility: hidden}\nmetadata:\n  <<: *v", Hidden, "4:1"},
		"tag":                       {"metadata: {a2a-visibility: !secret hidden}", Hidden, "4:1"},
		"twice":                     {"metadata: {a2a-visibility: public, a2a-visibility: hidden}", Hidden, "4:1"},
		"twice, the other order":    {"metadata: {a2a-visibility: hidden, a2a-visibility: public}", Hidden, ""},
		"two spellings":             {"metadata: {a2a-visibility: public, a2aVisibility: hidden}", Hidden, "4:36"},
		"metadata, a list":          {`metadata: ["a2a-visibility: hidden"]`, Hidden, "4:12"},
		"metadata, an extended one": {`metadata: ["a2a-visibility: extended"]`, Extended, "4:12"},
		"metadata, key and value":   {"metadata: [a2a-visibility, hidden]", Hidden, "4:12"},
		"metadata, lists":           {"metadata: [[a2a-visibility, hidden]]", Hidden, "4:13"},
		"metadata, a word":          {"metadata: [hidden]", Hidden, "4:12"},
		"metadata, no colon":        {"metadata:\n- a2a-visibility hidden", Hidden, "5:3"},
		"metadata, no prefix":       {"metadata: ['visibility=hidden']", Hidden, "4:12"},
		"list of another key":       {`metadata: {notes: ["a2a-visibility: hidden"]}`, Hidden, "4:20"},
		"value in the key":          {`metadata: {"a2a-visibility: hidden"}`, Hidden, "4:12"},
		"cut short":                 {"metadata: {a2a-vis: hidden}", Hidden, "4:12"},
		"key in a list":             {"metadata: {? [a2a-visibility] : hidden}", Hidden, "4:1"},
		"key in a list, top":        {"[a2a-visibility]: hidden", Hidden, "4:1"},
		"key in a list, two lines":  {"? [a2a-visibility]\n: hidden", Hidden, "4:1"},
		"key in a map":              {"metadata: {? {a2a-visibility: hidden} : x}", Hidden, "4:1"},
		"broken, no prefix":         {"note: a: b\nmetadata:\n  visibility: internal", Hidden, "6:15"},
		"broken, map":               {"note: a: b\na2a: hidden", Hidden, "5:1"},
		"no longer public":          {"note: a: b\nmetadata:\n  a2a-visibility: [public]", Hidden, "6:19"},
	} {
		for form, lineBreak := range lineBreaks {
			t.Run(name+"/"+form, func(t *testing.T) {
				text := "---\nname: pdf\ndescription: Reads files.\n" + tt.header + "\n---\n"
				header, _ := source.ReadFrontmatter(strings.NewReader(strings.ReplaceAll(text, "\n", lineBreak)), file.Path,
					source.FrontmatterOptions{})
				skill, found := SkillMD(header, file, skillOptions{})
				if skill == nil || skill.Visibility != tt.want {
					t.Fatalf("the skill is %+v, want %s", skill, tt.want)
				}
				place := ""
				for _, d := range found {
					if d.Rule == "source-visibility" && place == "" {
						place = strings.TrimPrefix(d.Span.String(), file.Path+":")
					}
				}
				if place != tt.place {
					t.Errorf("found at %q, want %q: %v", place, tt.place, found)
				}
			})
		}
	}
}

// What only looks like a statement does not hide a skill.
func TestVisibilityOfOthers(t *testing.T) {
	for name, header := range map[string]string{
		"in a description":          "description: 'Explains a2a-visibility: hidden'",
		"in a text over lines":      "description: |\n  Explains\n    a2a-visibility: hidden",
		"in a comment":              "description: Reads: files.\n# a2a-visibility: hidden",
		"of something else":         "description: Reads: files.\nmap-visibility: good",
		"in an example":             "description: Reads files.\nexamples: ['say a2a-visibility: hidden']",
		"a tag":                     "description: Reads files.\ntags: [a2a-visibility, hidden]",
		"a list of others":          "description: Reads files.\nmetadata: ['tags: pdf', internal tools, a2a]",
		"a list that says public":   "description: Reads files.\nmetadata: ['a2a-visibility: public']",
		"notes about it":            "description: Reads files.\nmetadata: {visibility notes: good}",
		"access for all":            "description: Reads files.\nmetadata: {access: public, listed: true, scope: repository}",
		"a word of another key":     "description: Reads files.\nmetadata: {a2a-tags: internal, category: private}",
		"for users only":            "description: Reads files.\nuser-invocable: false\ndisable-model-invocation: true",
		"said to be public":         "description: Reads: files.\nmetadata: {a2a-visibility: public}",
		"of something else, nested": "description: Reads: files.\nmetadata:\n  map: {visibility: good}",
	} {
		t.Run(name, func(t *testing.T) {
			if got := read("---\nname: x\n" + header + "\n---\n"); got == nil || got.Visibility != Public {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Headers put together at random, most of them with faults.
func TestRepairsKeepPrivateAtRandom(t *testing.T) {
	parts := []string{
		"description: Runs plans. Trigger: execute plan.", "summary: >", "  and more", "description: 'It's late'",
		"license: MIT", "title: \"open",
		"argument-hint: [a] [b]", "author: jane@acme.example", "  author: jane@acme.example", "metadata:", "  note: a: b",
		"tags: - a - b", "<<<<<<< HEAD", "",
		"# comment", "\tname: y", "  - item", "version: 1.0\x01", "x: {a: [b}", "description: , y", "plain text",
		"metadata: {", "}", "key: |", "  text: more",
		"when: \"a\" and \"b\"", "description:", "  a: b # c", "'quoted key': @v",
	}
	random := rand.New(rand.NewPCG(13, 13))
	made := 0
	tries := fixture.Rounds(500, 4000)
	for try := range tries {
		lines := []string{"---", "name: x"}
		for range 2 + random.IntN(8) {
			lines = append(lines, parts[random.IntN(len(parts))])
		}
		hide := random.IntN(2) == 0
		if hide {
			at := 2 + random.IntN(len(lines)-1)
			lines = append(lines[:at:at], append([]string{"metadata:", "  a2a-visibility: hidden"}, lines[at:]...)...)
		}
		text := strings.Join(append(lines, "---", "# Title", ""), "\n")
		skill := read(text)
		for i, form := range []string{"CRLF", "CR"} {
			if i != try%2 && !fixture.Long() { // else in turn
				continue
			}
			if diff := cmp.Diff(skill, read(strings.ReplaceAll(text, "\n", lineBreaks[form]))); diff != "" {
				t.Fatalf("%q with %s (-LF +%[2]s):\n%s", text, form, diff)
			}
		}
		switch {
		case skill == nil:
			continue
		case hide && skill.Visibility != Hidden && !inText(text):
			t.Fatalf("%q: the skill is %s", text, skill.Visibility)
		case strings.Contains(skill.Description, "jane@") && !inText(text):
			t.Fatalf("%q: the description is %q", text, skill.Description)
		}
		made++
	}
	if made < tries/4 {
		t.Errorf("only %d headers gave a skill", made)
	}
}

// inText reports whether a header is YAML as it stands, in which a line that
// looks like a key can be a part of a text.
func inText(text string) bool {
	_, found := source.ReadFrontmatter(strings.NewReader(text), file.Path, source.FrontmatterOptions{NoRepair: true})
	return found == nil
}
