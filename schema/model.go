package schema

import (
	"cardwright/internal/source"
)

// Card is an Agent Card, whatever protocol version it came from or goes to.
// Members are named as in A2A 1.0 (specification section 4.4.1); what only 0.3
// knows is kept beside them. Empty means absent everywhere.
type Card struct {
	Open

	// Name for people.
	Name string `key:"name"`
	// What the agent does, for people and for other agents.
	Description string `key:"description"`
	// Version of the agent itself, in any format.
	Version string `key:"version" type:"string number" means:"0.0.0"`
	// URL of the documentation of the agent.
	DocumentationURL string `key:"documentationUrl" format:"http-url"`
	// URL of an icon of the agent.
	IconURL string `key:"iconUrl" format:"http-url"`
	// The organization behind the agent.
	Provider *Provider `key:"provider" example:"{organization: <Acme Inc.>, url: https://acme.example}"`
	// Abilities of the agent beyond request and response.
	Capabilities Capabilities `key:"capabilities" example:"{<streaming>: true}"`
	// Endpoints of the agent, the preferred one first.
	Interfaces []Interface `key:"interfaces" min:"1" example:"[{url: <https://acme.example/a2a>}]"`
	// Security schemes by name, as in OpenAPI 3.
	SecuritySchemes map[string]SecurityScheme `key:"securitySchemes" example:"{<token>: {type: http, scheme: bearer}}"`
	// Alternatives, each a map of the schemes that are needed together to their scopes.
	Security []Requirement `key:"security" example:"[{<token>: []}]"`
	// Media types that skills accept by default.
	InputModes []string `key:"defaultInputModes" format:"media-type" min:"1"`
	// Media types that skills produce by default.
	OutputModes []string `key:"defaultOutputModes" format:"media-type" min:"1"`

	Skills     []Skill // sorted by ID, bytewise
	Signatures []Signature
}

// NoBase stands for the base URL of the output while it is unknown, so that the
// cards can be looked at before.
const NoBase = "https://agents.example.com"

// Open is what a message may hold beside the members that A2A defines.
type Open struct {
	Extra *source.Node // members that no version of A2A knows, an object or nil
}

func (o *Open) extra() *source.Node { return o.Extra }

// Extra returns the members of a message that no version of A2A knows, nil for none.
func Extra(of any) *source.Node {
	if o, ok := of.(interface{ extra() *source.Node }); ok {
		return o.extra()
	}
	return nil
}

// Interface is one way to reach the agent.
//
//	interfaces:
//	  - {url: /a2a/review, versions: ["1.0", "0.3"]}
//	  - {url: grpc.acme.example:443, binding: GRPC, tenant: review}
//
// On a card, each has one protocol version: it is an AgentInterface of 1.0 (4.4.6), or
// a URL and transport of 0.3 (5.5.5).
type Interface struct {
	Open

	// Absolute URL, or one relative to baseUrl. For GRPC also host:port.
	URL string `key:"url" required:"true"`
	// Protocol binding: JSONRPC, GRPC, HTTP+JSON, or a URI of your own.
	Binding string `key:"binding" means:"JSONRPC"`
	// Versions of A2A that the endpoint speaks. Both make a dual card. A forge source means 0.3 by default.
	Version string `key:"versions" list:"true" enum:"*versions" min:"1" means:"[1.0]" example:"[\"<1.0>\"]"`
	// Tenant to send with each request. A2A 1.0 only.
	Tenant string `key:"tenant"`
}

// Provider is the organization behind the agent (4.4.2). A card has both members or none.
//
//	provider: {organization: Acme Inc., url: https://acme.example}
type Provider struct {
	Open

	// Its name.
	Organization string `key:"organization"`
	// Its web site.
	URL string `key:"url" format:"http-url"`
}

// Capabilities is what the agent can do beyond request and response (4.4.3).
//
//	capabilities: {streaming: true, extensions: [{uri: https://acme.example/ext/cite/v1, required: true}]}
//
// A nil flag is absent; an explicit false stays.
type Capabilities struct {
	Open

	// The agent streams partial results.
	Streaming *bool `key:"streaming"`
	// The agent can send notifications to a webhook of the client.
	PushNotifications *bool `key:"pushNotifications"`
	// Authenticated clients get an extended card (0.3: supportsAuthenticatedExtendedCard). Skills under
	// `extended` set it.
	ExtendedAgentCard *bool `key:"extendedAgentCard"`
	// The agent reports how the state of a task changed. A2A 0.3 only.
	StateTransitionHistory *bool `key:"stateTransitionHistory"`
	// Protocol extensions that the agent supports.
	Extensions []Extension `key:"extensions" example:"[{uri: <https://acme.example/ext/cite/v1>}]"`
}

// Extension is a protocol extension that the agent supports (4.4.4).
type Extension struct {
	Open

	// Absolute URI that identifies the extension and its version.
	URI string `key:"uri" format:"uri" required:"true"`
	// How the agent uses it.
	Description string `key:"description"`
	// Clients must understand it.
	Required bool `key:"required"`
	// Settings that the extension defines.
	Params *source.Node `key:"params"` // an object, nil when there are none
}

// Skill is one thing the agent can do (4.4.5).
type Skill struct {
	Open

	// Id of the skill, unique within the agent.
	ID string `key:"id"`
	// Name for people.
	Name string `key:"name"`
	// What the skill does and when to use it.
	Description string `key:"description"`
	// Words for finding the skill.
	Tags []string `key:"tags" type:"string number"`
	// Example requests.
	Examples []string `key:"examples"`
	// Media types that the skill accepts, where they differ from the agent's.
	InputModes []string `key:"inputModes" format:"media-type" min:"1"`
	// Media types that the skill produces, where they differ from the agent's.
	OutputModes []string `key:"outputModes" format:"media-type" min:"1"`
	// What this skill needs in addition to `security` of the agent.
	Security []Requirement `key:"security" example:"[{<token>: []}]"`
}

// Requirement names the schemes that are needed together, each with the scopes
// it needs (1.0 SecurityRequirement, 0.3 security entry).
type Requirement map[string][]string

// SchemeType is the kind of a security scheme, spelled as the type member of 0.3.
type SchemeType string

// The kinds of security scheme that both protocol versions know.
const (
	APIKey        SchemeType = "apiKey"
	HTTPAuth      SchemeType = "http"
	OAuth2        SchemeType = "oauth2"
	OpenIDConnect SchemeType = "openIdConnect"
	MutualTLS     SchemeType = "mutualTLS"
)

// SchemeTypes lists the kinds of security scheme.
func SchemeTypes() []SchemeType {
	return []SchemeType{APIKey, HTTPAuth, OAuth2, OpenIDConnect, MutualTLS}
}

// SecurityScheme is how a client authenticates (4.5). Its type decides which members it has.
//
//	securitySchemes: {key: {type: apiKey, in: header, name: X-API-Key}}
type SecurityScheme struct {
	Open

	// Kind of scheme, which decides about the other keys.
	Type SchemeType `key:"type" required:"true" enum:"*schemes"`
	// Description for people.
	Description string `key:"description"`
	// Part of the request that holds the key.
	In string `key:"in" for:"apiKey" required:"true" enum:"header query cookie"`
	// Name of the header, query parameter or cookie.
	Name string `key:"name" for:"apiKey" required:"true"`
	// Authentication scheme of HTTP, such as bearer or basic.
	Scheme string `key:"scheme" for:"http" required:"true"`
	// Format of the bearer token, such as JWT.
	BearerFormat string `key:"bearerFormat" for:"http"`
	// Flows that the authorization server supports, each kind at most once. Several become several schemes.
	Flows []Flow `key:"flows" for:"oauth2" required:"true" enum:"*flows" example:"{<clientCredentials>: {tokenUrl: https://id.acme.example/token, scopes: {}}}"`
	// URL of the metadata of the authorization server (RFC 8414).
	OAuth2MetadataURL string `key:"oauth2MetadataUrl" for:"oauth2" format:"http-url"`
	// URL of the discovery document.
	OpenIDConnectURL string `key:"openIdConnectUrl" for:"openIdConnect" required:"true" format:"http-url"`
}

// FlowType is the kind of an OAuth 2.0 flow, spelled as the member of both versions.
type FlowType string

// The OAuth flows. DeviceCode exists in 1.0 only.
const (
	AuthorizationCode FlowType = "authorizationCode"
	ClientCredentials FlowType = "clientCredentials"
	DeviceCode        FlowType = "deviceCode"
	Implicit          FlowType = "implicit"
	Password          FlowType = "password"
)

// FlowTypes lists the flows in the order in which they are written.
func FlowTypes() []FlowType {
	return []FlowType{AuthorizationCode, ClientCredentials, DeviceCode, Implicit, Password}
}

// Flow is one flow of OAuth 2.0. Its type decides which URLs it has.
//
//	flows: {clientCredentials: {tokenUrl: https://id.acme.example/token, scopes: {orders.read: Read orders}}}
type Flow struct {
	Open

	Type FlowType // the key of the flow
	// URL that authorizes the user.
	AuthorizationURL string `key:"authorizationUrl" for:"authorizationCode implicit" required:"true" format:"http-url"`
	// URL that issues device codes.
	DeviceAuthorizationURL string `key:"deviceAuthorizationUrl" for:"deviceCode" required:"true" format:"http-url"`
	// URL that issues tokens.
	TokenURL string `key:"tokenUrl" for:"authorizationCode clientCredentials deviceCode password" required:"true" format:"http-url"`
	// URL that refreshes tokens.
	RefreshURL string `key:"refreshUrl" format:"http-url"`
	// Scopes, each with a description of what it allows.
	Scopes map[string]string `key:"scopes" required:"true" example:"{<orders.read>: what it allows}"`
	// Clients must use PKCE. A2A 1.0 only.
	PKCERequired bool `key:"pkceRequired" for:"authorizationCode"`
}

// Signature is a JWS over the card (4.4.7, 8.4), in the JSON serialization of
// RFC 7515 section 7.2. Members are base64url as they stand on the card.
type Signature struct {
	Protected string
	Signature string
	Header    *source.Node // unprotected header, an object or nil
}
