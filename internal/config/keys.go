package config

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// The structs in this file, with the structs of cards in schema/model.go and of sources in
// mapping/formats.go, are the only source of the keys. Decoding, hints, the JSON Schema
// and docs/config.md follow from them (go generate). A comment of a field is the
// documentation of its key, and the code in the comment of a type is its example. Tags:
//
//	key       name of the key; "-" after it where fill leaves the decoding to other code
//	required  the object must have it
//	default   what its value is where it is absent; means: what it amounts to later on
//	enum      allowed values; *name for a list that lives in code
//	format    of texts, see jsonschema; pattern: a regular expression
//	type      JSON types of the value or the entries, where the Go type does not say them
//	min       least number of entries; list: a list although the field is one value
//	for       the values of type with which an object can have the key
//	example   what a hint shows for a value of another type; <text> is replaced by what is there

// File is the configuration as written.
//
//	version: 1
//	include: ["teams/*/agents.yaml"]
type File struct {
	// Version of this format.
	Version int `key:"version" required:"true" enum:"1"`
	// Files with `agents` and `defaults` only: paths, or patterns, and each matches a file. They cannot lower
	// the rules `secret-*`, `text-*`, `interface-insecure` and `signature-*`, nor set `signing`.
	Include []string `key:"include" format:"slash-path" min:"1"`
	// What `--env NAME` overrides: the keys below. Maps merge, agents merge by id, other lists are replaced.
	// Each environment needs its own `out`.
	Environments map[string]Environment `key:"environments" example:"{<staging>: {baseUrl: https://staging.acme.example}}"`

	Environment
}

// Environment is what an environment can override.
type Environment struct {
	// Values for `${NAME}` in other keys. Only here, `${ENV}` and `${ENV:-default}` read environment variables,
	// but none with TOKEN, SECRET, PASSW, CREDENTIAL, PRIVATE_KEY or API_KEY in its name. `$${` is a literal `${`.
	Vars map[string]string `key:"vars" type:"string number boolean" names:"^[A-Za-z_][A-Za-z0-9_]*$" example:"{<release>: 1.0.0}"`
	// Keys for all agents, which override them: maps merge, lists are replaced.
	Defaults *Agent `key:"defaults"`
	// The agents, each with a card of its own.
	Agents []Agent `key:"agents" needs:"id" min:"1" example:"[{id: <review>, name: Review, description: Reviews pull requests., interfaces: [{url: /a2a}]}]"`

	Config
}

// Config is a configuration with everything resolved.
//
//	catalog: true
//	publisher: acme.example
//	servers: [nginx]
//	cacheControl: public, max-age=300
//	rules: {skill-examples-few: off}
type Config struct {
	// Directory that the files are written to, inside the project.
	Out string `key:"out" format:"slash-path" default:"dist"`
	// Place of an agent in `out`: `single` is the root, `path` a directory per agent, `host` one per host. `auto`
	// is `single` for one agent and `path` for several, and an error where that would move a card.
	Layout Layout `key:"layout" enum:"auto single path host" default:"auto"`
	// URL at which `out` is served. Relative URLs of interfaces are appended to it.
	BaseURL string `key:"baseUrl" format:"base-url"` // without a trailing slash
	// Severity of findings by rule; `cardwright rules` lists them. `off` hides them.
	Rules map[diag.RuleID]diag.Severity `key:"rules" enum:"off info warning error" example:"{<skill-examples-few>: off}"`
	// Files with JSON Schemas that every published card must follow. Findings show the place in the source.
	Policies []Text `key:"policies" format:"slash-path"`
	// Write .well-known/ai-catalog.json, which lists the agents of each host. It needs `publisher`.
	Catalog bool `key:"catalog"`
	// Domain name of the publisher, which the identifiers in the catalog begin with.
	Publisher string `key:"publisher"` // in lower case
	// Write index.html, a page about the agents for people.
	HTML bool `key:"html"`
	// Ids or patterns of skills to publish with their files in .well-known/agent-skills/, never extended or
	// hidden ones.
	Skills []Text `key:"agentSkills"`

	Hosting
	Agents []Agent
	Node   *source.Node `key:"."` // the configuration with its places, agents as they are written
	Files  []string     // of the configuration, as findings spell them, itself first
	Auto   bool         // the number of agents has decided about Layout
}

// Hosting is what servers send with the files of the tree.
type Hosting struct {
	// Servers to write configuration for, as `--server` does.
	Servers []string `key:"servers" enum:"*servers"`
	// Cache-Control header of the cards.
	CacheControl string `key:"cacheControl" format:"cache-control" means:"public, max-age=3600, stale-while-revalidate=86400"`
	// Scripts of other origins may read the cards.
	NoCORS bool `key:"cors" not:"true" default:"true"`
	// Date since which agent.json is deprecated.
	Deprecation string `key:"deprecation" format:"date" means:"2025-07-30"`
	// Date after which agent.json may go, sent as the Sunset header.
	Sunset string `key:"sunset" format:"date"`
}

// Agent is one agent: its card as far as the configuration has it, and where its skills
// come from.
//
//	id: code-review
//	name: Code Review
//	description: Reviews pull requests for defects and vulnerabilities.
//	version: ${release}
//	interfaces: [{url: /a2a/review, versions: ["1.0", "0.3"]}]
//	auth: {providers: [{type: oidc, settings: {issuer: https://id.acme.example}}]}
//	skills: {from: [{type: skills, path: skills}]}
type Agent struct {
	// Short name, unique and safe in file names: letters, digits, dots, hyphens and underscores.
	ID string `key:"id" format:"agent-id"`

	Card schema.Card `key:".-"` // without skills

	// Authentication by the type of provider.
	Auth *Auth `key:"auth-" example:"{providers: [{type: <oidc>, settings: {issuer: https://id.acme.example}}]}"`
	// The skills of the agent.
	Skills Skills `key:"skills" example:"{from: [{type: skills, path: <skills>}]}"`
	// Host that serves the agent. Layout `host` needs it.
	Host string `key:"host" format:"hostname"` // in lower case
	// Directory of the agent in layout `path`.
	Path string `key:"path" format:"agent-path" means:"the id"` // "" for the id
	// Content of agent.json: `true` is a copy of the card, `split` the card for 0.3 beside one for 1.0, `false`
	// no file.
	LegacyPath Legacy `key:"legacyPath" enum:"true false split" default:"true"`
	// Faults of clients to work around. a2a-go up to 2.4.0 refuses dual cards with securityRequirements, so
	// `a2a-go-430` leaves them out.
	Compat []string `key:"compat" enum:"a2a-go-430"`
	// Severity of findings about this agent, before `rules` of the whole configuration.
	Rules map[diag.RuleID]diag.Severity `key:"rules" enum:"off info warning error" example:"{<skill-examples-few>: off}"`
	// Key that signs the card, or a list of keys. `false` leaves the card unsigned in spite of `defaults`.
	Signing []Signing `key:"signing" example:"{key: \"env:CARD_KEY\", kid: cards-2026}"`

	// Node is the merged agent with its places; InterfaceIndex says for each
	// interface of Card which entry of interfaces in Node it came from.
	Node           *source.Node `key:"."`
	InterfaceIndex []int
}

// Auth is authentication by the type of provider, which makes security schemes and requirements.
//
//	auth: {providers: [{type: oidc, settings: {issuer: https://id.acme.example}}]}
type Auth struct {
	// Alternatives: a client satisfies any one of them.
	Providers []AuthProvider `key:"providers" example:"[{type: <oidc>, settings: {issuer: https://id.acme.example}}]"`
}

// AuthProvider is one way to authenticate.
//
//	providers: [{type: azure_ad, settings: {tenant_id: 0b1c7d3e-5f2a-4c8b-9d6e-1a2b3c4d5e6f}}]
type AuthProvider struct {
	// static_token, http_verifier, oidc, azure_ad, gcp_iap or aws_sigv4.
	Type string `key:"type" required:"true"`
	// Name of the scheme on the card.
	Name string `key:"name" means:"the type"`
	// `issuer` for oidc, `tenant_id` for azure_ad. Other keys are ignored and never published.
	Settings AuthSettings `key:"settings" open:"true"`
}

// AuthSettings are the settings that reach the card.
type AuthSettings struct {
	// URL of the issuer, for oidc.
	Issuer string `key:"issuer"`
	// Id of the tenant, for azure_ad.
	Tenant string `key:"tenant_id"`
}

// Skills are what the agent offers. `include`, `exclude` and `extended` match the id, the name
// in the source and the directory of a skill, without regard to case, and `*` matches anything. The
// strictest of them wins, and `metadata.a2a-visibility` in a SKILL.md binds every agent.
//
//	from: [{type: skills, path: skills}, {type: mcp, path: mcp/tools.json}]
//	exclude: ["internal-*"]
//	overlay: {pdf: {name: PDF, tags: [pdf], examples: ["Merge these two files"]}}
//	add: [{id: chat, name: Chat, description: Answers questions about the code., tags: [chat]}]
type Skills struct {
	// Sources. Of two skills with one id, the first source wins.
	From []mapping.Source `key:"from" example:"[{type: skills, path: <skills>}]"`
	// Skills to publish.
	Include []Text `key:"include" means:"all"`
	// Skills to leave out.
	Exclude []Text `key:"exclude"`
	// Skills for the extended card only.
	Extended []Text `key:"extended"`
	// Tags for skills without tags.
	DefaultTags []string `key:"defaultTags" type:"string number"`
	// Members that replace a skill's own, by its id.
	Overlay []mapping.Skill `key:"overlay-" keyed:"id" example:"{<pdf>: {tags: [pdf]}}"`
	// Skills that no source has.
	Add []mapping.Skill `key:"add-" needs:"id name description" example:"[{id: <chat>, name: Chat, description: Answers questions., tags: [chat]}]"`
	// Publish the input and output schemas of skills as a capability extension.
	PublishSchemas bool `key:"publishSchemas"`
}

// Signing is the name of a key and how to sign with it, never key material.
//
//	signing: {key: "env:CARD_KEY", kid: cards-2026}
type Signing struct {
	// The private key: env:NAME, or file:PATH inside the project. Never the key itself.
	Key string `key:"key" required:"true" pattern:"*key"`
	// Algorithm, which must fit the key.
	Alg string `key:"alg" enum:"ES256 ES384 ES512 EdDSA RS256" means:"that of the key"`
	// Key id.
	Kid string `key:"kid" means:"kid of a JWK, else its thumbprint"`
	// URL of the key set with the public key.
	JKU string `key:"jku" format:"https-url"`
	// More public keys for jwks.json, such as the previous and the next one, as file:PATH or env:NAME.
	Publish []string `key:"publish" pattern:"*key"`

	Span diag.Span `key:"."`
}
