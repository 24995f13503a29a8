package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
)

var placeholderChecks = checks{
	diag.SkillPlaceholder: {both, skillPlaceholder},
}

// starterMark begins what init writes for the user to replace.
const starterMark = "TODO(init): "

// templateIDs are names that templates give a skill, with hyphens between words.
var templateIDs = []string{
	"template-skill", "skill-template", "my-skill", "my-skill-name", "your-skill", "your-skill-name", "skill-name",
	"new-skill", "example-skill", "unnamed-skill",
}

// templateTexts are beginnings of texts that were not filled in. A skill may be about TODO
// comments, so they count only there.
var templateTexts = []string{
	"todo:", "todo(", "[todo", "<todo", "{{todo", "fixme:", "tbd:", "replace with ", "replace this ", "replace me",
	"[replace", "<replace", "[your", "<your", "{your", "[insert", "<insert", "[describe", "<describe", "[brief",
	"<brief", "[add ", "<add ", "[enter ", "<description", "[description", "<skill", "[skill name", "[name]",
	"<name>", "your description here", "your skill description", "insert description", "description goes here",
	"description here", "add description", "add a description", "a brief description of what this skill",
	"brief description of what this skill", "a clear description of what this skill",
	"brief description of the skill", "describe what this skill does", "describe what the skill does",
	"complete and informative explanation of what the skill does", "skill description here", "lorem ipsum",
}

// skillPlaceholder finds text of a template that was not replaced, one for each skill.
func skillPlaceholder(c *card) {
	check := func(isName bool, p location) bool {
		text := strings.TrimSpace(p.Node.Word())
		switch {
		case strings.HasPrefix(text, starterMark):
			c.find(p, "replace it with your own text", "placeholder text from init: %s", diag.Quote(text))
		case isTemplate(text, isName):
			c.find(p, "describe what the skill does and when to use it, or exclude the skill", "%s is text from a template",
				diag.Quote(text))
		default:
			return false
		}
		return true
	}
	_ = check(false, c.root.At("name")) || check(false, c.root.At("description"))
	for _, s := range c.skills {
		_ = check(true, s.At("id")) || check(true, s.At("name")) || check(false, s.At("description"))
	}
}

// isTemplate reports whether a text was never filled in.
func isTemplate(text string, isName bool) bool {
	const longest = 64 // of what is compared
	begin := strings.ToLower(text[:min(len(text), longest)])
	if isName && slices.Contains(templateIDs, strings.NewReplacer(" ", "-", "_", "-").Replace(begin)) {
		return true
	}
	bare := !isName && slices.Contains([]string{"todo", "tbd", "fixme", "xxx"}, begin)
	return bare || slices.ContainsFunc(templateTexts, func(t string) bool { return strings.HasPrefix(begin, t) })
}
