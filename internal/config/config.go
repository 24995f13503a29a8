package config

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// Config is a configuration with everything resolved.
type Config struct {
	Out     string // output directory as written, relative to the file
	Layout  Layout
	BaseURL string // absolute, without a trailing slash, or ""
	Limits  source.Limits
	Rules   map[string]diag.Severity
	Agents  []Agent
	Hosting hosting.Settings // as far as the configuration alone says it
	Catalog Catalog
	Skills  AgentSkills         // that are published with their files
	MCP     []MCP               // servers that the catalogs list
	Nested  []Nested            // catalogs that they list
	Targets []string            // registries that the cards have to fit
	HTML    bool                // also write a page about the agents
	Title   string              // of the page, "" for the default
	Accent  string              // color of the page, #rgb or #rrggbb, "" for the default
	Node    *source.Node        // the configuration with its places, agents as they are written
	Files   []string            // of the configuration, as findings spell them, itself first
	Reach   map[string][]string // directories in [Files] that the paths in a file of include lead to
	Teams   []Team              // the files of include that were read
	Doubts  []*Doubt            // what those of them with errors may keep private
	Shared  []string            // those of them that concern every agent: itself, and what it extends
	Partial bool                // it has further agents, which the run does not need
	Skipped bool                // it asks for lists that [Options.SkipLists] left out
	Outside bool                // an environment variable has a say in what all agents share
	Auto    bool                // the number of agents has decided about Layout
}

// Policy is a house rule: a JSON Schema about cards as they are published.
type Policy struct {
	ID       string
	Schema   Text   // path of the JSON Schema
	Message  string // what a finding says, "" for what the schema says
	Severity diag.Severity
}

// Team is a file of include.
type Team struct {
	File   string // as findings spell it
	Owner  string // of its agents, "" when it does not say
	Broken bool   // it has errors, and the configuration lacks its agents
}

// has tells whether there are agents with all these ids.
func (c *Config) has(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		return !slices.ContainsFunc(c.Agents, func(a Agent) bool { return a.ID == id })
	})
}

// Layout says where in the output tree an agent's files go.
type Layout string

// The layouts. Auto has become one of the others when a Config is loaded.
const (
	Auto   Layout = "auto"
	Single Layout = "single" // at the root
	Path   Layout = "path"   // below the agent's id
	Host   Layout = "host"   // below the agent's host
)

// Catalog says whether and how the agents are listed for machines.
type Catalog struct {
	Write     bool   // an AI Catalog
	ARD       bool   // an ard.json
	Publisher string // domain name in lower case, "" when none is given
	Namespace string // "" for the default
}

// Agent is one agent: its card as far as the configuration tells it, and
// where its skills come from.
type Agent struct {
	ID         string
	Host       string
	Owner      string // who answers for it, "" when nobody is named
	Team       string // the file of include that it stands in, "" for the configuration
	Policies   []Policy
	Card       schema.Card // without skills
	Skills     Skills
	Path       string                   // directory in the layout path, "" for the id
	LegacyPath Legacy                   // what agent.json is
	Queries    []string                 // that searches find the agent by
	Compat     []string                 // faults of others to work around
	Rules      map[string]diag.Severity // with those of the configuration
	Signing    []Signing
	Outside    bool // an environment variable has a say in it
	// Node is the merged agent with its places; InterfaceIndex tells for each
	// interface of Card which entry of interfaces in Node it came from.
	Node           *source.Node
	InterfaceIndex []int
}

// Legacy says what the file for clients before A2A 0.3 is.
type Legacy string

// What agent.json can be.
const (
	LegacyCopy  Legacy = ""      // a copy of the card
	LegacySplit Legacy = "split" // the card for 0.3, beside one for 1.0
	LegacyNone  Legacy = "none"  // not there
)

// Skills says which skills an agent has.
type Skills struct {
	From           []mapping.Source
	Include        []Text
	Exclude        []Text
	Extended       []Text
	DefaultTags    []string
	Overlay        []mapping.Skill // only the members to replace
	Add            []mapping.Skill
	PublishSchemas bool
	SkipErrors     bool     // leave out a skill in whose texts a rule finds an error
	Readable       []string // what to make of skills that lack it
	TagsFromPath   bool     // the directories between source and skill are tags
}

// Signing names a key and how to sign with it. It never holds key material.
type Signing struct {
	Key     string   // env:NAME or file:PATH
	Alg     string   // what the key must be for, "" for any
	Kid     string   // name of the key, "" for its own
	JKU     string   // URL of the key set, "" for none
	Compat  string   // sdk for a second signature that the SDKs verify, "" for none
	Publish []string // files of further public keys
	Span    diag.Span
}

// Text is a text with the place it stands at.
type Text struct {
	Value string
	Span  diag.Span
}
