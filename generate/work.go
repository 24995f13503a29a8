package generate

import (
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// work is one agent on its way through the stages.
type work struct {
	*Request
	agent    *config.Agent
	budget   *mapping.Budget  // of all agents
	policies []policy         // of all agents
	markets  *mapping.Markets // of all agents
	skills   []mapping.Skill  // after read: all that were found, first of each id
	// parts is what the sources say of the card, in their order.
	parts []mapping.CardPart
	// forPublic and forExtended are the skills that select has chosen for the public card,
	// and for the extended card alone.
	forPublic, forExtended []*mapping.Skill
	cards                  []agentCard    // after assemble: the public card, then the extended one
	found                  diag.List      // of all stages, as they count
	faults                 map[fault]bool // in the cards that are reported
	signers                []signer       // the keys of the agent
	retired                []sign.Key     // keys that are only published
	unread                 bool           // a source could not be read
	// incomplete means that the card lacks a member which only the configuration
	// or a source can supply, and that this has been reported.
	incomplete bool
	public     site.File                   // the public card, once it is written
	skillDirs  map[string]mapping.SkillDir // of the skills that may be published, by the file that findings name
	bundles    []site.Skill                // that are published with their files
	matched    []bool                      // by pattern of agentSkills.publish: whether it matches a skill
	named      lint.Named                  // the public card, as far as other cards matter to it
}

// agentCard is a card that is being made.
type agentCard struct {
	card     *schema.Card     // without skills
	merged   []mapping.Place  // of the members that come from sources
	origins  *origins         // from encode on
	skills   []*mapping.Skill // of the card, in its order, with their places
	extended bool
	legacy   bool  // for agent.json, where that is not a copy
	index    []int // for each interface of the card, which entry of interfaces in the configuration it came from
	wire     *source.Node
	borrowed bool // the signatures come from the published card
	file     site.File
	made     Card // after printCards
}
