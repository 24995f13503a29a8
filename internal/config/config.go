package config

import (
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// Config is a configuration with everything resolved.
type Config struct {
	Out       string        `key:"out" default:"dist"` // output directory as written, relative to the file
	Layout    Layout        `key:"layout" default:"auto"`
	BaseURL   string        `key:"baseUrl"` // absolute, without a trailing slash, or ""
	Limits    source.Limits `key:"limits"`
	Rules     map[string]diag.Severity
	Agents    []Agent
	Hosting   Hosting      `key:"."`
	Catalog   bool         `key:"catalog"`     // write an AI Catalog
	Publisher string       `key:"publisher"`   // domain name in lower case, "" when none is given
	Skills    []Text       `key:"agentSkills"` // patterns of ids of skills that are published with their files
	Policies  []Text       `key:"policies"`    // paths of JSON Schemas that the cards must follow
	HTML      bool         `key:"html"`        // also write a page about the agents
	Node      *source.Node `key:"."`           // the configuration with its places, agents as they are written
	Files     []string     // of the configuration, as findings spell them, itself first
	Auto      bool         // the number of agents has decided about Layout
}

// IDs are those of the agents, in their order.
func (c *Config) IDs() []string {
	ids := make([]string, len(c.Agents))
	for i := range c.Agents {
		ids[i] = c.Agents[i].ID
	}
	return ids
}

// Agent returns the agent with an id, nil where none has it.
func (c *Config) Agent(id string) *Agent {
	for i := range c.Agents {
		if c.Agents[i].ID == id {
			return &c.Agents[i]
		}
	}
	return nil
}

// NoLegacy reports whether no agent is to have an agent.json.
func (c *Config) NoLegacy() bool {
	return len(c.Agents) > 0 && !slices.ContainsFunc(c.Agents,
		func(a Agent) bool { return a.LegacyPath != LegacyNone })
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

// Agent is one agent: its card as far as the configuration tells it, and
// where its skills come from.
type Agent struct {
	ID         string                   `key:"id"`
	Host       string                   `key:"host"`
	Card       schema.Card              // without skills
	Skills     Skills                   `key:"skills"`
	Path       string                   `key:"path"`                      // directory in the layout path, "" for the id
	LegacyPath Legacy                   `key:"legacyPath" default:"true"` // what agent.json is
	Compat     []string                 `key:"compat"`                    // faults of others to work around
	Rules      map[string]diag.Severity // with those of the configuration
	Signing    []Signing                `key:"signing"`
	// Node is the merged agent with its places; InterfaceIndex tells for each
	// interface of Card which entry of interfaces in Node it came from.
	Node           *source.Node `key:"."`
	InterfaceIndex []int
}

// Legacy says what the file for clients before A2A 0.3 is.
type Legacy string

// What agent.json can be.
const (
	LegacyCopy  Legacy = "true"  // a copy of the card
	LegacySplit Legacy = "split" // the card for 0.3, beside one for 1.0
	LegacyNone  Legacy = "false" // not there
)

// Skills says which skills an agent has.
type Skills struct {
	From           []mapping.Source `key:"from"`
	Include        []Text           `key:"include"`
	Exclude        []Text           `key:"exclude"`
	Extended       []Text           `key:"extended"`
	DefaultTags    []string         `key:"defaultTags"`
	Overlay        []mapping.Skill  // only the members to replace
	Add            []mapping.Skill
	PublishSchemas bool     `key:"publishSchemas"`
	Readable       []string `key:"readable"`     // what to make of skills that lack it
	TagsFromPath   bool     `key:"tagsFromPath"` // the directories between source and skill are tags
}

// Signing names a key and how to sign with it. It never holds key material.
type Signing struct {
	Key     string    `key:"key"`     // env:NAME or file:PATH
	Alg     string    `key:"alg"`     // what the key must be for, "" for any
	Kid     string    `key:"kid"`     // name of the key, "" for its own
	JKU     string    `key:"jku"`     // URL of the key set, "" for none
	Publish []string  `key:"publish"` // further public keys, file:PATH or env:NAME
	Span    diag.Span `key:"."`
}

// Text is a text with the place it stands at.
type Text struct {
	Value string
	Span  diag.Span
}

// Split returns the directory of a pattern of paths, and the pattern below it.
func (t Text) Split() (dir, pattern string) {
	dir = t.Value
	if at := strings.IndexAny(dir, "*?["); at >= 0 {
		dir = dir[:at]
	}
	dir = dir[:strings.LastIndexByte(dir, '/')+1]
	return path.Clean(dir), t.Value[len(dir):]
}

// Hosting is what servers send with the files of the tree.
type Hosting struct {
	Servers      []string `key:"servers"`      // that configuration is written for
	CacheControl string   `key:"cacheControl"` // "" for the default
	NoCORS       bool     // keep scripts of other origins out
	Deprecation  string   `key:"deprecation"` // date (YYYY-MM-DD) since which agent.json is deprecated, "" for the default
	Sunset       string   `key:"sunset"`      // date (YYYY-MM-DD) after which agent.json may go, "" for none
}
