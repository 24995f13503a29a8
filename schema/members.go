package schema

import "cardwright/internal/source"

// Names of the messages of a card, as their definitions in the JSON
// Schemas. A scheme and a flow are a message for each of their types.
const (
	CardMessage         = "card"
	InterfaceMessage    = "interface"
	ProviderMessage     = "provider"
	CapabilitiesMessage = "capabilities"
	ExtensionMessage    = "extension"
	SkillMessage        = "skill"
	SchemeMessage       = "scheme"
	FlowsMessage        = "flows"
	RequirementMessage  = "requirement"
	SignatureMessage    = "signature"
)

// message is a message with its members, in the order in which they are written.
type message struct {
	name    string
	members []Member
}

// messages is the table of everything that a card consists of: 1.0 section 4.4, 0.3
// section 5.5. A member is in all versions where the row names none. See [Member].
var messages = []message{
	{CardMessage, []Member{
		{Name: "protocolVersion", In: Flat, Kind: source.String, Required: true, write: writeClaim},
		{
			Name: "name", Required: true, Settable: true, plain: at(func(c *Card) *string { return &c.Name }),
			Change: Change{ID: "name-changed", Class: Cosmetic, What: "the name of the agent"},
		},
		{
			Name: "description", Required: true, Settable: true, plain: at(func(c *Card) *string { return &c.Description }),
			Change: Change{ID: "description-changed", Class: Cosmetic, What: "the description of the agent"},
		},
		{Name: "url", In: Flat, Kind: source.String, Required: true, Settable: true, write: writeURL},
		{Name: "preferredTransport", In: Flat, Kind: source.String, write: writeTransport},
		{Name: "additionalInterfaces", In: Flat, Kind: source.Array, Of: InterfaceMessage, write: writeAdditional},
		{
			Name: "supportedInterfaces", In: Listed, Kind: source.Array, Of: InterfaceMessage, Required: true,
			Config: "interfaces", write: writeSupported,
		},
		{Name: "provider", Kind: source.Object, Of: ProviderMessage, Optional: true, write: writeProvider},
		{
			Name: "version", Required: true, Settable: true, plain: at(func(c *Card) *string { return &c.Version }),
			Change: Change{ID: "version-changed", Class: None, What: "the version of the agent"},
		},
		{
			Name: "iconUrl", Optional: true, Settable: true, plain: at(func(c *Card) *string { return &c.IconURL }),
			Change: Change{ID: "icon-changed", Class: Cosmetic, What: "the URL of the icon"},
		},
		{
			Name: "documentationUrl", Optional: true, Settable: true,
			plain:  at(func(c *Card) *string { return &c.DocumentationURL }),
			Change: Change{ID: "documentation-changed", Class: Cosmetic, What: "the URL of the documentation"},
		},
		{
			Name: "capabilities", Kind: source.Object, Of: CapabilitiesMessage, Required: true, Optional: true,
			write: writeCapabilities,
		},
		{Name: "securitySchemes", Kind: source.Object, Elem: source.Object, Of: SchemeMessage, write: writeSchemes},
		requirements10,
		requirements03,
		{
			Name: "defaultInputModes", Required: true, Change: inputModes,
			plain: at(func(c *Card) *[]string { return &c.InputModes }),
		},
		{
			Name: "defaultOutputModes", Required: true, Change: outputModes,
			plain: at(func(c *Card) *[]string { return &c.OutputModes }),
		},
		{Name: "skills", Kind: source.Array, Of: SkillMessage, Required: true, write: writeSkills},
		{Name: "supportsAuthenticatedExtendedCard", In: Flat, Kind: source.Bool, write: writeExtended},
		{Name: "signatures", Kind: source.Array, Of: SignatureMessage, Config: "-", write: writeSignatures},
	}},
	{InterfaceMessage, []Member{
		{Name: "url", Required: true, plain: at(func(i *Interface) *string { return &i.URL })},
		{
			Name: "protocolBinding", In: Listed, Moved: true, Required: true, Config: "binding",
			plain: at(func(i *Interface) *string { return &i.Binding }),
		},
		{
			Name: "transport", In: Flat, Moved: true, Required: true,
			plain: at(func(i *Interface) *string { return &i.Binding }),
		},
		{
			Name: "protocolVersion", In: Listed, Moved: true, Required: true, Config: "versions",
			plain: at(func(i *Interface) *string { return &i.Version }),
		},
		{Name: "tenant", In: Listed, plain: at(func(i *Interface) *string { return &i.Tenant })},
	}},
	{ProviderMessage, []Member{
		{
			Name: "organization", Required: true, Settable: true,
			plain:  at(func(p *Provider) *string { return &p.Organization }),
			Change: Change{ID: "provider-changed", What: "the organization of the provider"},
		},
		{
			Name: "url", Required: true, Settable: true, plain: at(func(p *Provider) *string { return &p.URL }),
			Change: Change{ID: "provider-changed", What: "the URL of the provider"},
		},
	}},
	{CapabilitiesMessage, []Member{
		{
			Name: "streaming", Optional: true, Change: capability,
			plain: at(func(c *Capabilities) **bool { return &c.Streaming }),
		},
		{
			Name: "pushNotifications", Optional: true, Change: capability,
			plain: at(func(c *Capabilities) **bool { return &c.PushNotifications }),
		},
		{
			Name: "extendedAgentCard", In: Listed, Moved: true, Optional: true, Change: capability,
			plain: at(func(c *Capabilities) **bool { return &c.ExtendedAgentCard }),
		},
		{
			Name: "stateTransitionHistory", In: Flat, Change: capability,
			plain: at(func(c *Capabilities) **bool { return &c.StateTransitionHistory }),
		},
		{Name: "extensions", Kind: source.Array, Of: ExtensionMessage, write: writeExtensions},
	}},
	{ExtensionMessage, []Member{
		{Name: "uri", Required: true, Lax: true, plain: at(func(e *Extension) *string { return &e.URI })},
		{
			Name: "description", plain: at(func(e *Extension) *string { return &e.Description }),
			Change: Change{ID: "extension-changed", What: "the description"},
		},
		{Name: "required", plain: at(func(e *Extension) *bool { return &e.Required })},
		{Name: "params", Kind: source.Object, Optional: true, write: writeParams},
	}},
	{SkillMessage, []Member{
		{Name: "id", Required: true, plain: at(func(s *Skill) *string { return &s.ID })},
		{
			Name: "name", Required: true, plain: at(func(s *Skill) *string { return &s.Name }),
			Change: Change{ID: "skill-name-changed", Class: Cosmetic, What: "the name"},
		},
		{
			Name: "description", Required: true, plain: at(func(s *Skill) *string { return &s.Description }),
			Change: Change{ID: "skill-description-changed", Class: Cosmetic, What: "the description"},
		},
		{
			Name: "tags", Required: true, plain: at(func(s *Skill) *[]string { return &s.Tags }),
			Change: Change{ID: "skill-tags-changed", Class: Cosmetic, What: "the tags"},
		},
		{
			Name: "examples", plain: at(func(s *Skill) *[]string { return &s.Examples }),
			Change: Change{ID: "skill-examples-changed", Class: Cosmetic, What: "the examples"},
		},
		{Name: "inputModes", Change: inputModes, plain: at(func(s *Skill) *[]string { return &s.InputModes })},
		{Name: "outputModes", Change: outputModes, plain: at(func(s *Skill) *[]string { return &s.OutputModes })},
		requirements10,
		requirements03,
	}},
	{SchemeMessage, []Member{
		{Name: "type", In: Flat, Kind: source.String, Required: true},
		wrapper(APIKey),
		wrapper(HTTPAuth),
		wrapper(OAuth2),
		wrapper(OpenIDConnect),
		wrapper(MutualTLS),
	}},
	{APIKey.Message(), []Member{
		{
			Name: "location", In: Listed, Moved: true, Required: true, Config: "in",
			plain: at(func(s *SecurityScheme) *string { return &s.In }),
		},
		{
			Name: "in", In: Flat, Moved: true, Required: true, Change: scheme,
			plain: at(func(s *SecurityScheme) *string { return &s.In }),
		},
		{Name: "name", Required: true, Change: scheme, plain: at(func(s *SecurityScheme) *string { return &s.Name })},
		schemeDescription,
	}},
	{HTTPAuth.Message(), []Member{
		{Name: "scheme", Required: true, Change: scheme, plain: at(func(s *SecurityScheme) *string { return &s.Scheme })},
		{Name: "bearerFormat", Change: scheme, plain: at(func(s *SecurityScheme) *string { return &s.BearerFormat })},
		schemeDescription,
	}},
	{OAuth2.Message(), []Member{
		{Name: "flows", Kind: source.Object, Of: FlowsMessage, Required: true, Optional: true, write: writeFlows},
		{
			Name: "oauth2MetadataUrl", Change: scheme,
			plain: at(func(s *SecurityScheme) *string { return &s.OAuth2MetadataURL }),
		},
		schemeDescription,
	}},
	{OpenIDConnect.Message(), []Member{
		{
			Name: "openIdConnectUrl", Required: true, Change: scheme,
			plain: at(func(s *SecurityScheme) *string { return &s.OpenIDConnectURL }),
		},
		schemeDescription,
	}},
	{MutualTLS.Message(), []Member{schemeDescription}},
	{FlowsMessage, []Member{
		flow(AuthorizationCode, All),
		flow(ClientCredentials, All),
		flow(Implicit, All),
		flow(Password, All),
		flow(DeviceCode, Listed),
	}},
	{AuthorizationCode.Message(), []Member{
		authorizationURL, tokenURL, refreshURL, scopes,
		{
			Name: "pkceRequired", In: Listed, plain: at(func(f *Flow) *bool { return &f.PKCERequired }),
			Change: Change{ID: "scheme-changed", Mirror: "scheme-extended"}, // RFC 7636, 4.4: a client may always use PKCE
		},
	}},
	{ClientCredentials.Message(), []Member{tokenURL, refreshURL, scopes}},
	{DeviceCode.Message(), []Member{
		{
			Name: "deviceAuthorizationUrl", In: Listed, Required: true, Change: scheme,
			plain: at(func(f *Flow) *string { return &f.DeviceAuthorizationURL }),
		},
		tokenURL, refreshURL, scopes,
	}},
	{Implicit.Message(), []Member{lax(authorizationURL), refreshURL, lax(scopes)}},
	{Password.Message(), []Member{lax(tokenURL), refreshURL, lax(scopes)}},
	{RequirementMessage, []Member{
		{Name: "schemes", In: Listed, Kind: source.Object, Elem: source.Object, Of: "scopes"},
	}},
	{"scopes", []Member{{Name: "list", In: Listed, Kind: source.Array, Elem: source.String}}},
	{SignatureMessage, []Member{
		{Name: "protected", Required: true, plain: at(func(s *Signature) *string { return &s.Protected })},
		{Name: "signature", Required: true, plain: at(func(s *Signature) *string { return &s.Signature })},
		{Name: "header", Kind: source.Object, Optional: true, write: writeHeader},
	}},
}

// Changes of several members that are one kind.
var (
	inputModes  = Change{ID: "input-mode-added", Mirror: "input-mode-removed"}
	outputModes = Change{ID: "output-mode-added", Mirror: "output-mode-removed"}
	capability  = Change{ID: "capability-gained", Mirror: "capability-lost"}
	scheme      = Change{ID: "scheme-changed"}
)

// Members of several messages.
var (
	requirements10 = Member{
		Name: "securityRequirements", In: Listed, Kind: source.Array, Of: RequirementMessage, Config: "security",
		write: writeRequirements10,
	}
	requirements03 = Member{
		Name: "security", In: Flat, Kind: source.Array, Of: RequirementMessage, write: writeRequirements03,
	}
	schemeDescription = Member{
		Name: "description", plain: at(func(s *SecurityScheme) *string { return &s.Description }),
		Change: Change{ID: "scheme-description-changed", What: "the description"},
	}
	authorizationURL = Member{
		Name: "authorizationUrl", Required: true, Change: scheme,
		plain: at(func(f *Flow) *string { return &f.AuthorizationURL }),
	}
	tokenURL = Member{
		Name: "tokenUrl", Required: true, Change: scheme, plain: at(func(f *Flow) *string { return &f.TokenURL }),
	}
	refreshURL = Member{
		Name: "refreshUrl", Change: scheme, plain: at(func(f *Flow) *string { return &f.RefreshURL }),
	}
	scopes = Member{
		Name: "scopes", Kind: source.Object, Elem: source.String, Required: true, write: writeScopes,
	}
)

func wrapper(t SchemeType) Member {
	return Member{Name: t.Wrapper(), In: Listed, Kind: source.Object, Of: t.Message(), Optional: true}
}

func flow(t FlowType, in Protocol) Member {
	return Member{Name: string(t), In: in, Kind: source.Object, Of: t.Message(), Optional: true}
}

// lax is a member that the protocol's own definition of a message does not require.
func lax(m Member) Member {
	m.Lax = true
	return m
}
