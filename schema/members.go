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

// members is the table of everything that a card consists of, in the order in
// which it is written: 1.0 section 4.4, 0.3 section 5.5. See [Member].
var members = []Member{
	{Name: "protocolVersion", In: Flat, Kind: source.String, Required: true, write: writeClaim},
	{
		Name: "name", In: All, Required: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.Name }),
		Change: Change{ID: "name-changed", Class: Cosmetic, What: "the name of the agent"},
	},
	{
		Name: "description", In: All, Required: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.Description }),
		Change: Change{ID: "description-changed", Class: Cosmetic, What: "the description of the agent"},
	},
	{Name: "url", In: Flat, Kind: source.String, Required: true, Settable: true, write: writeURL},
	{Name: "preferredTransport", In: Flat, Kind: source.String, write: writeTransport},
	{
		Name: "additionalInterfaces", In: Flat, Kind: source.Array, Of: InterfaceMessage, write: writeAdditional,
	},
	{
		Name: "supportedInterfaces", In: Listed, Kind: source.Array, Of: InterfaceMessage, Required: true,
		Config: "interfaces", write: writeSupported,
	},
	{
		Name: "provider", In: All, Kind: source.Object, Of: ProviderMessage, Optional: true, write: writeProvider,
	},
	{
		Name: "version", In: All, Required: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.Version }),
		Change: Change{ID: "version-changed", Class: None, What: "the version of the agent"},
	},
	{
		Name: "iconUrl", In: All, Optional: true, Settable: true, Unshown: true,
		plain:  text(func(c *Card) *string { return &c.IconURL }),
		Change: Change{ID: "icon-changed", Class: Cosmetic, What: "the URL of the icon"},
	},
	{
		Name: "documentationUrl", In: All, Optional: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.DocumentationURL }),
		Change: Change{ID: "documentation-changed", Class: Cosmetic, What: "the URL of the documentation"},
	},
	{
		Name: "capabilities", In: All, Kind: source.Object, Of: CapabilitiesMessage, Required: true,
		Optional: true,
		write:    writeCapabilities,
	},
	{
		Name: "securitySchemes", In: All, Kind: source.Object, Elem: source.Object, Of: SchemeMessage,
		write: writeSchemes,
	},
	{
		Name: "securityRequirements", In: Listed, Kind: source.Array, Of: RequirementMessage, Config: "security",
		write: writeRequirements10,
	},
	{Name: "security", In: Flat, Kind: source.Array, Of: RequirementMessage, write: writeRequirements03},
	{
		Name: "defaultInputModes", In: All, Required: true,
		plain:  texts(func(c *Card) *[]string { return &c.InputModes }),
		Change: inputModes,
	},
	{
		Name: "defaultOutputModes", In: All, Required: true,
		plain:  texts(func(c *Card) *[]string { return &c.OutputModes }),
		Change: outputModes,
	},
	{Name: "skills", In: All, Kind: source.Array, Of: SkillMessage, Required: true, write: writeSkills},
	{Name: "supportsAuthenticatedExtendedCard", In: Flat, Kind: source.Bool, write: writeExtended},
	{
		Name: "signatures", In: All, Kind: source.Array, Of: SignatureMessage, Config: "-",
		Unshown: true,
		write:   writeSignatures,
	},

	{
		Message: InterfaceMessage, Name: "url", In: All, Required: true,
		plain: text(func(i *Interface) *string { return &i.URL }),
	},
	{
		Message: InterfaceMessage, Name: "protocolBinding", In: Listed, Moved: true, Required: true,
		Config: "binding",
		plain:  text(func(i *Interface) *string { return &i.Binding }),
	},
	{
		Message: InterfaceMessage, Name: "transport", In: Flat, Moved: true, Required: true,
		plain: text(func(i *Interface) *string { return &i.Binding }),
	},
	{
		Message: InterfaceMessage, Name: "protocolVersion", In: Listed, Moved: true, Required: true,
		Config: "versions",
		plain:  text(func(i *Interface) *string { return &i.Version }),
	},
	{
		Message: InterfaceMessage, Name: "tenant", In: Listed,
		plain: text(func(i *Interface) *string { return &i.Tenant }),
	},

	{
		Message: ProviderMessage, Name: "organization", In: All, Required: true, Settable: true,
		plain:  text(func(p *Provider) *string { return &p.Organization }),
		Change: Change{ID: "provider-changed", What: "the organization of the provider"},
	},
	{
		Message: ProviderMessage, Name: "url", In: All, Required: true, Settable: true,
		plain:  text(func(p *Provider) *string { return &p.URL }),
		Change: Change{ID: "provider-changed", What: "the URL of the provider"},
	},

	{
		Message: CapabilitiesMessage, Name: "streaming", In: All, Optional: true,
		plain: flag(func(c *Capabilities) **bool { return &c.Streaming }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "pushNotifications", In: All, Optional: true,
		plain: flag(func(c *Capabilities) **bool { return &c.PushNotifications }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "extendedAgentCard", In: Listed, Moved: true, Optional: true,
		plain: flag(func(c *Capabilities) **bool { return &c.ExtendedAgentCard }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "stateTransitionHistory", In: Flat,
		plain: flag(func(c *Capabilities) **bool { return &c.StateTransitionHistory }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "extensions", In: All, Kind: source.Array, Of: ExtensionMessage,
		write: writeExtensions,
	},

	{
		Message: ExtensionMessage, Name: "uri", In: All, Required: true, Lax: true,
		plain: text(func(e *Extension) *string { return &e.URI }),
	},
	{
		Message: ExtensionMessage, Name: "description", In: All,
		plain:  text(func(e *Extension) *string { return &e.Description }),
		Change: Change{ID: "extension-changed", What: "the description"},
	},
	{
		Message: ExtensionMessage, Name: "required", In: All,
		plain: yes(func(e *Extension) *bool { return &e.Required }),
	},
	{
		Message: ExtensionMessage, Name: "params", In: All, Kind: source.Object, Optional: true, Unshown: true,
		write: writeParams,
	},

	{
		Message: SkillMessage, Name: "id", In: All, Required: true,
		plain: text(func(s *Skill) *string { return &s.ID }),
	},
	{
		Message: SkillMessage, Name: "name", In: All, Required: true,
		plain:  text(func(s *Skill) *string { return &s.Name }),
		Change: Change{ID: "skill-name-changed", Class: Cosmetic, What: "the name"},
	},
	{
		Message: SkillMessage, Name: "description", In: All, Required: true,
		plain:  text(func(s *Skill) *string { return &s.Description }),
		Change: Change{ID: "skill-description-changed", Class: Cosmetic, What: "the description"},
	},
	{
		Message: SkillMessage, Name: "tags", In: All, Required: true,
		plain:  texts(func(s *Skill) *[]string { return &s.Tags }),
		Change: Change{ID: "skill-tags-changed", Class: Cosmetic, What: "the tags"},
	},
	{
		Message: SkillMessage, Name: "examples", In: All,
		plain:  texts(func(s *Skill) *[]string { return &s.Examples }),
		Change: Change{ID: "skill-examples-changed", Class: Cosmetic, What: "the examples"},
	},
	{
		Message: SkillMessage, Name: "inputModes", In: All,
		plain:  texts(func(s *Skill) *[]string { return &s.InputModes }),
		Change: inputModes,
	},
	{
		Message: SkillMessage, Name: "outputModes", In: All,
		plain:  texts(func(s *Skill) *[]string { return &s.OutputModes }),
		Change: outputModes,
	},
	{
		Message: SkillMessage, Name: "securityRequirements", In: Listed, Kind: source.Array,
		Of:     RequirementMessage,
		Config: "security", write: writeRequirements10,
	},
	{
		Message: SkillMessage, Name: "security", In: Flat, Kind: source.Array, Of: RequirementMessage,
		write: writeRequirements03,
	},

	{Message: SchemeMessage, Name: "type", In: Flat, Kind: source.String, Required: true},
	wrapperRow(APIKey, "apiKeySecurityScheme"),
	wrapperRow(HTTPAuth, "httpAuthSecurityScheme"),
	wrapperRow(OAuth2, "oauth2SecurityScheme"),
	wrapperRow(OpenIDConnect, "openIdConnectSecurityScheme"),
	wrapperRow(MutualTLS, "mtlsSecurityScheme"),

	{
		Message: APIKey.Message(), Name: "location", In: Listed, Moved: true, Required: true, Config: "in",
		plain: text(func(s *SecurityScheme) *string { return &s.In }),
	},
	{
		Message: APIKey.Message(), Name: "in", In: Flat, Moved: true, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.In }), Change: scheme,
	},
	{
		Message: APIKey.Message(), Name: "name", In: All, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.Name }), Change: scheme,
	},
	schemeDescription(APIKey),
	{
		Message: HTTPAuth.Message(), Name: "scheme", In: All, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.Scheme }), Change: scheme,
	},
	{
		Message: HTTPAuth.Message(), Name: "bearerFormat", In: All, Unshown: true,
		plain: text(func(s *SecurityScheme) *string { return &s.BearerFormat }), Change: scheme,
	},
	schemeDescription(HTTPAuth),
	{
		Message: OAuth2.Message(), Name: "flows", In: All, Kind: source.Object, Of: FlowsMessage, Required: true,
		Optional: true, write: writeFlows,
	},
	{
		Message: OAuth2.Message(), Name: "oauth2MetadataUrl", In: All, Unshown: true,
		plain: text(func(s *SecurityScheme) *string { return &s.OAuth2MetadataURL }), Change: scheme,
	},
	schemeDescription(OAuth2),
	{
		Message: OpenIDConnect.Message(), Name: "openIdConnectUrl", In: All, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.OpenIDConnectURL }), Change: scheme,
	},
	schemeDescription(OpenIDConnect),
	schemeDescription(MutualTLS),

	flowRow(AuthorizationCode, All),
	flowRow(ClientCredentials, All),
	flowRow(Implicit, All),
	flowRow(Password, All),
	flowRow(DeviceCode, Listed),

	authorizationURL(AuthorizationCode),
	tokenURL(AuthorizationCode),
	refreshURL(AuthorizationCode),
	scopes(AuthorizationCode),
	{
		Message: AuthorizationCode.Message(), Name: "pkceRequired", In: Listed, Unshown: true,
		plain:  yes(func(f *Flow) *bool { return &f.PKCERequired }),
		Change: Change{ID: "scheme-changed", Mirror: "scheme-extended"}, // RFC 7636, 4.4: a client may always use PKCE
	},
	tokenURL(ClientCredentials),
	refreshURL(ClientCredentials),
	scopes(ClientCredentials),
	{
		Message: DeviceCode.Message(), Name: "deviceAuthorizationUrl", In: Listed, Required: true, Unshown: true,
		plain: text(func(f *Flow) *string { return &f.DeviceAuthorizationURL }), Change: scheme,
	},
	tokenURL(DeviceCode),
	refreshURL(DeviceCode),
	scopes(DeviceCode),
	authorizationURL(Implicit),
	refreshURL(Implicit),
	scopes(Implicit),
	tokenURL(Password),
	refreshURL(Password),
	scopes(Password),

	{
		Message: RequirementMessage, Name: "schemes", In: Listed, Kind: source.Object, Elem: source.Object,
		Of: "scopes",
	},
	{Message: "scopes", Name: "list", In: Listed, Kind: source.Array, Elem: source.String},

	{
		Message: SignatureMessage, Name: "protected", In: All, Required: true, Unshown: true,
		plain: text(func(s *Signature) *string { return &s.Protected }),
	},
	{
		Message: SignatureMessage, Name: "signature", In: All, Required: true, Unshown: true,
		plain: text(func(s *Signature) *string { return &s.Signature }),
	},
	{
		Message: SignatureMessage, Name: "header", In: All, Kind: source.Object, Optional: true, Unshown: true,
		write: writeHeader,
	},
}

// Changes of several members that are one kind.
var (
	inputModes  = Change{ID: "input-mode-added", Mirror: "input-mode-removed"}
	outputModes = Change{ID: "output-mode-added", Mirror: "output-mode-removed"}
	capability  = Change{ID: "capability-gained", Mirror: "capability-lost"}
	scheme      = Change{ID: "scheme-changed"}
)

// Members that several types of schemes and flows have.

func wrapperRow(t SchemeType, name string) Member {
	return Member{
		Message: SchemeMessage, Name: name, In: Listed, Kind: source.Object, Of: t.Message(), Optional: true,
	}
}

func flowRow(t FlowType, in Protocol) Member {
	return Member{
		Message: FlowsMessage, Name: string(t), In: in, Kind: source.Object, Of: t.Message(), Optional: true,
	}
}

func schemeDescription(t SchemeType) Member {
	return Member{
		Message: t.Message(), Name: "description", In: All,
		plain:  text(func(s *SecurityScheme) *string { return &s.Description }),
		Change: Change{ID: "scheme-description-changed", What: "the description"},
	}
}

func authorizationURL(t FlowType) Member {
	return Member{
		Message: t.Message(), Name: "authorizationUrl", In: All, Required: true, Lax: t == Implicit,
		Unshown: true,
		plain:   text(func(f *Flow) *string { return &f.AuthorizationURL }), Change: scheme,
	}
}

func tokenURL(t FlowType) Member {
	return Member{
		Message: t.Message(), Name: "tokenUrl", In: All, Required: true, Lax: t == Password, Unshown: true,
		plain: text(func(f *Flow) *string { return &f.TokenURL }), Change: scheme,
	}
}

func refreshURL(t FlowType) Member {
	return Member{
		Message: t.Message(), Name: "refreshUrl", In: All, Unshown: true,
		plain: text(func(f *Flow) *string { return &f.RefreshURL }), Change: scheme,
	}
}

func scopes(t FlowType) Member {
	return Member{
		Message: t.Message(), Name: "scopes", In: All, Kind: source.Object, Elem: source.String,
		Required: true, Lax: t == Implicit || t == Password, Unshown: true, write: writeScopes,
	}
}
