package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"cardwright/internal/diag"
)

var promptChecks = checks{
	diag.TextPrompt: {both, textPrompt},
}

// toModel matches the beginning of a sentence that speaks to the model, or as the model.
var toModel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:you are (?:an? |the |my )?[a-z]|you['’]re (?:an? |the )|` +
		`act as (?:an? |the )|(?:i|you) (?:will|must|should) (?:never|always|not)\b|i am an? |i['’]m an? |` +
		`your (?:task|job|role|goal) is\b|(?:ignore|disregard|forget) (?:all |any )?(?:previous|prior|earlier|your) ` +
		`(?:instructions|messages|prompts)|never (?:reveal|disclose|mention) (?:this|these|your|the system)\b|` +
		`as an? (?:ai|expert|assistant)\b[^.]*,? (?:i|you)\b)`)
})

// speaksToModel reports whether a sentence does so that begins the text, a line, or comes
// after a mark and a space. An expression without an anchor would be tried at each letter.
func speaksToModel(text string) bool {
	begins, last := true, rune(0)
	for i, r := range text {
		switch {
		case r == '\n':
			begins = true
		case unicode.IsSpace(r):
			begins = begins || strings.ContainsRune(".!?:", last)
		default:
			if begins && strings.ContainsRune("yYaAiIdDfFnN", r) && toModel().MatchString(text[i:]) {
				return true
			}
			begins = false
		}
		last = r
	}
	return false
}

// isDocstring reports whether a text has a section of a docstring, which lists arguments
// or results.
func isDocstring(text string) bool {
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case slices.Contains(docstringSections, line):
			return true
		case strings.HasPrefix(line, ":param "), strings.HasPrefix(line, "@param "), strings.HasPrefix(line, "@return"):
			return true
		}
	}
	_, args, found := strings.Cut(text, "Args: ")
	return found && (strings.Contains(args, "Returns: ") || strings.Contains(args, "Return: "))
}

var docstringSections = []string{"Args:", "Arguments:", "Params:", "Parameters:", "Returns:", "Raises:", "Yields:"}

// textPrompt finds descriptions of skills, and of the agent, that are written for the
// model that runs them.
func textPrompt(c *card) {
	check := func(p location) {
		switch text := p.Node.Word(); {
		case speaksToModel(text):
			c.find(p, "describe what it does for its callers", "the description speaks to the model that runs it")
		case isDocstring(text):
			c.find(p, "describe what it does, and leave arguments to the schema", "the description is a docstring")
		}
	}
	check(c.root.At("description"))
	for _, s := range c.skills {
		check(s.At("description"))
	}
}
