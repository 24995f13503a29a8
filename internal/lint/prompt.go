package lint

import (
	"regexp"
	"sync"

	"cardwright/internal/diag"
)

var promptChecks = []check{
	{diag.TextPrompt, both, textPrompt},
}

// Texts that are a prompt or a docstring instead of a description.
var (
	// toModel speaks to the model, or as the model, in a sentence of its own.
	toModel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[.!?:]\s+|\n\s*)(?i:you are (?:an? |the |my )?[a-z]|you['’]re (?:an? |the )|` +
			`act as (?:an? |the )|(?:i|you) (?:will|must|should) (?:never|always|not)\b|i am an? |i['’]m an? |` +
			`your (?:task|job|role|goal) is\b|(?:ignore|disregard|forget) (?:all |any )?(?:previous|prior|earlier|your) ` +
			`(?:instructions|messages|prompts)|never (?:reveal|disclose|mention) (?:this|these|your|the system)\b|` +
			`as an? (?:ai|expert|assistant)\b[^.]*,? (?:i|you)\b)`)
	})
	// docstring is the section of one that lists arguments or results.
	docstring = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:Args|Arguments|Params|Parameters|Returns|Raises|Yields):\s*$|` +
			`\bArgs:\s[\s\S]*\bReturns?:\s|^\s*(?::param |@param |@returns? )`)
	})
)

// textPrompt finds descriptions of skills, and of the agent, that are written for the
// model that runs them.
func textPrompt(c *card) {
	judge := func(p place) {
		switch text := p.Word(); {
		case toModel().MatchString(text):
			c.find(p, "describe what it does for its callers", "the description speaks to the model that runs it")
		case docstring().MatchString(text):
			c.find(p, "describe what it does, and leave arguments to the schema", "the description is a docstring")
		}
	}
	judge(c.root.At("description"))
	for _, s := range c.skills {
		judge(s.At("description"))
	}
}
