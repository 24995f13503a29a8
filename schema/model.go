package schema

import (
	"strings"

	"cardwright/internal/source"
)

// Card is an Agent Card, whatever protocol version it came from or goes to.
// Members are named as in A2A 1.0 (specification section 4.4.1); what only 0.3
// knows is kept beside them. Empty means absent everywhere.
type Card struct {
	Open

	Name             string
	Description      string
	Interfaces       []Interface // preferred first
	Provider         *Provider
	Version          string // the agent's own version
	IconURL          string
	DocumentationURL string
	Capabilities     Capabilities
	SecuritySchemes  map[string]SecurityScheme
	Security         []Requirement // alternatives: any one of them suffices
	InputModes       []string      // defaultInputModes
	OutputModes      []string      // defaultOutputModes
	Skills           []Skill       // sorted by ID, bytewise
	Signatures       []Signature
	Ignored          *source.Node // such members of requirements, by their index: these are not written
}

// HostVariable stands in a card that is a source for the host that publishes it:
// the configuration says which host that is.
const HostVariable = "${baseUrl}"

// NoBase stands for the base URL of the output while nobody has said it, so that the
// cards can be looked at before.
const NoBase = "https://agents.example.com"

// CutHost returns what follows a host at the beginning of a URL, such as
// [HostVariable]. It returns false where the URL goes on with the name of another host.
func CutHost(text, host string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, host)
	return rest, ok && (rest == "" || strings.ContainsAny(rest[:1], "/?#"))
}

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

// Interface is one way to reach the agent, under one protocol version: an
// AgentInterface of 1.0 (4.4.6), or a URL and transport of 0.3 (5.5.5).
type Interface struct {
	Open

	URL     string
	Binding string // JSONRPC, GRPC, HTTP+JSON or a URI
	Version string // major.minor: "1.0", "0.3"
	Tenant  string // 1.0 only
}

// Provider is the organization behind the agent (4.4.2). Both members are
// required wherever a provider is given.
type Provider struct {
	Open

	Organization string
	URL          string
}

// Capabilities is what the agent can do beyond request and response (4.4.3).
// A nil flag is absent; an explicit false stays.
type Capabilities struct {
	Open

	Streaming              *bool
	PushNotifications      *bool
	ExtendedAgentCard      *bool // 0.3: supportsAuthenticatedExtendedCard on the card
	StateTransitionHistory *bool // 0.3 only
	Extensions             []Extension
}

// Extension is a protocol extension that the agent supports (4.4.4).
type Extension struct {
	Open

	URI         string
	Description string
	Required    bool
	Params      *source.Node // an object, nil when there are none
}

// Skill is one thing the agent can do (4.4.5).
type Skill struct {
	Open

	ID          string
	Name        string
	Description string
	Tags        []string
	Examples    []string
	InputModes  []string
	OutputModes []string
	Security    []Requirement
	Ignored     *source.Node // as of the card
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

// SecurityScheme is how a client authenticates (4.5). Which members matter
// follows from Type.
type SecurityScheme struct {
	Open

	Type        SchemeType
	Description string

	In   string // APIKey: header, query or cookie
	Name string // APIKey: of the header, query parameter or cookie

	Scheme       string // HTTPAuth: an HTTP authentication scheme, such as bearer
	BearerFormat string // HTTPAuth

	Flows             []Flow // OAuth2: at least one, each kind at most once
	OAuth2MetadataURL string // OAuth2

	OpenIDConnectURL string // OpenIDConnect
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

// Flow is one OAuth 2.0 flow. Which URLs matter follows from Type.
type Flow struct {
	Open

	Type                   FlowType
	AuthorizationURL       string
	DeviceAuthorizationURL string
	TokenURL               string
	RefreshURL             string
	Scopes                 map[string]string // scope to what it allows
	PKCERequired           bool              // AuthorizationCode, 1.0 only
}

// Signature is a JWS over the card (4.4.7, 8.4), in the JSON serialization of
// RFC 7515 section 7.2. Members are base64url as they stand on the card.
type Signature struct {
	Protected string
	Signature string
	Header    *source.Node // unprotected header, an object or nil
}
