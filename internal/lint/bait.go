package lint

import (
	"regexp"
	"strings"
	"sync"

	"cardwright/internal/parallel"
)

var baitChecks = []check{
	{"skill-placeholder", both, skillPlaceholder},
	{"text-download", both, textDownload},
}

// textDownload finds text that wants its reader to run a program from somewhere.
func textDownload(c *card) {
	c.eachText(func(t textAt) {
		if !isProse(t.name) && t.name != "tags" || !mayLure(t.text) {
			return
		}
		if bait := lures().FindString(t.text); bait != "" {
			c.findText(t, "delete it: a card describes what the agent does; clients install nothing",
				"the text asks its reader to download and run a program: %s", quote(strings.TrimSpace(bait)))
		}
	})
}

// lures finds programs to download, archives whose password stands beside them,
// and commands that run what they fetch.
var lures = sync.OnceValue(func() *regexp.Regexp {
	const file, archive = `[\w.+-]*\w\.(exe|msi|bat|cmd|ps1|scr|vbs|dmg|pkg|apk|jar)\b`,
		`[\w.+-]*\w\.(zip|rar|7z|exe|msi|dmg)\b`
	const password = `\b(password|passwd|pass|pwd)\b\s*(is|[:=])\s*["'` + "`" + `]?\w{3,}`
	return regexp.MustCompile(`(?i)` + strings.Join([]string{
		`\bdownload\b[^!?\n]{0,80}?\b` + file,
		`\b` + archive + `[^!?\n]{0,60}?` + password,
		password + `[^!?\n]{0,60}?\b` + archive,
		`\b(extract|unzip|unpack)\b[^.!?\n]{0,60}\b(with|using)\s+(the\s+)?(pass\s+|(pass|password|pwd)\s*(is|[:=])\s*)["'` +
			"`" + `]?\w{3,}`,
		`\b(curl|wget)\s[^|\n]{0,80}?https?://[^|\n]{1,200}\|\s*(sudo\s+)?(ba|z|da)?sh\b`,
		`\b(iwr|irm|invoke-webrequest|invoke-restmethod)\s[^|\n]{0,200}\|\s*(iex|invoke-expression)\b`,
		`\bbase64\s+(-d|-D|--decode)\b[^|\n]{0,80}\|\s*(sudo\s+)?(ba|z|da)?sh\b`,
		`\bdownload\b[^.!?\n]{0,60}\bhttps?://[^\s]{1,200}[^.!?\n]{0,20}\b(and|then)\s+(run|execute|launch)\b`,
	}, "|"))
})

// mayLure reports whether a text has one of the signs that every lure has.
func mayLure(text string) bool { return strings.Contains(text, "|") || lureSigns.in(text) }

var lureSigns = newSigns("download", "pass", "pwd")

// starterMark begins what init writes for somebody to replace.
const starterMark = "TODO(init): "

// skillPlaceholder finds text of a template that was not replaced.
func skillPlaceholder(c *card) {
	judge := func(isID bool, p place) bool {
		text := strings.TrimSpace(p.Word())
		found := text != "" && isTemplate(text, isID)
		switch {
		case strings.HasPrefix(text, starterMark):
			c.find(p, "replace it with your own text", "placeholder text from init: %s", quote(text))
			return true
		case found:
			c.find(p, "describe what the skill does and when to use it, or exclude the skill", "%s is text from a template",
				quote(text))
		}
		return found
	}
	anyOf := func(isID bool, list place) bool {
		for item := range texts(list) {
			if judge(isID, item) {
				return true
			}
		}
		return false
	}
	_ = judge(false, c.root.At("name")) || judge(false, c.root.At("description"))
	for _, s := range c.skills {
		_ = judge(true, s.At("id")) || judge(true, s.At("name")) || judge(false, s.At("description")) ||
			anyOf(true, s.At("tags")) || anyOf(false, s.At("examples"))
	}
}

// unfilled is a variable of a template, such as {{OWNER_NAME}}.
var unfilled = parallel.Regexp(`\{\{ ?[A-Z][A-Z0-9]*_[A-Z0-9_]+ ?\}\}`)

// isTemplate reports whether a text was never filled in. Words such as TODO count
// only at its beginning: many skills are about finding them.
func isTemplate(text string, isID bool) bool {
	const longestID = len("your-skill-name") // of those below
	if isID && len(text) <= longestID {
		switch strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(text), " ", "-"), "_", "-") {
		case "template-skill", "skill-template", "my-skill", "my-skill-name", "your-skill", "your-skill-name", "skill-name",
			"new-skill", "example-skill", "unnamed-skill":
			return true
		}
	}
	if templateBegins.begin(text) {
		return true
	}
	if open := strings.IndexByte("[<{", text[0]); open >= 0 {
		closing := "]>}"[open]
		rest := strings.TrimLeft(text[1:], "{")
		inner := strings.IndexByte(rest, closing)
		return inner >= 0 && strings.Trim(rest[inner:], "]>}. ") == "" && asksToBeFilled(strings.ToLower(rest[:inner]))
	}
	if strings.Contains(text, "{{") && unfilled().MatchString(text) {
		return true
	}
	return !isID && // a skill may be about lists of things to do
		(strings.EqualFold(text, "todo") || strings.EqualFold(text, "tbd") || strings.EqualFold(text, "fixme") ||
			strings.EqualFold(text, "xxx") || templateSigns.in(text))
}

// templateSigns are what no text holds that was filled in.
var templateSigns = newSigns("[todo:", "lorem ipsum dolor")

// templateBegins are the beginnings of texts that templates hold.
var templateBegins = newSigns(
	"replace with ", "replace this ", "replace me", "todo:", "fixme:", "tbd:", "[todo", "<todo", "{{todo", "[replace",
	"<replace",
	"your description here", "your skill description", "insert description", "description goes here", "description here",
	"add description", "add a description",
	"a brief description of what this skill", "brief description of what this skill",
	"a clear description of what this skill", "brief description of the skill",
	"describe what this skill does", "describe what the skill does",
	"complete and informative explanation of what the skill does", "skill description here",
)

// asksToBeFilled reports whether the text between brackets, in lower case, says
// what is to be written in their place.
func asksToBeFilled(inner string) bool {
	inner = strings.Trim(inner, " _-")
	for _, begin := range []string{
		"your ", "your-", "your_", "insert ", "add ", "enter ", "describe ",
		"brief ", "description", "skill name", "skill-name", "skill_name", "skill description", "placeholder", "fill in",
		"name",
	} {
		if strings.HasPrefix(inner, begin) {
			return true
		}
	}
	return false
}
