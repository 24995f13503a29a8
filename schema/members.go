package schema

import "cardwright/internal/source"

// Names of the messages of a card, those of their definitions in the JSON
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
	{Name: "protocolVersion", Number: 16, In: Flat, Kind: source.String, Required: true, write: writeClaim},
	{
		Name: "name", Number: 1, In: All, Required: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.Name }),
		Change: Change{ID: "name-changed", Class: Cosmetic, What: "the name of the agent"},
	},
	{
		Name: "description", Number: 2, In: All, Required: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.Description }),
		Change: Change{ID: "description-changed", Class: Cosmetic, What: "the description of the agent"},
	},
	{Name: "url", Number: 3, In: Flat, Kind: source.String, Required: true, Settable: true, write: writeURL},
	{Name: "preferredTransport", Number: 14, In: Flat, Kind: source.String, write: writeTransport},
	{
		Name: "additionalInterfaces", Number: 15, In: Flat, Kind: source.Array, Of: InterfaceMessage, write: writeAdditional,
	},
	{
		Name: "supportedInterfaces", Number: 3, In: Listed, Kind: source.Array, Of: InterfaceMessage, Required: true,
		Config: "interfaces", write: writeSupported,
	},
	{
		Name: "provider", Number: 4, In: All, Kind: source.Object, Of: ProviderMessage, Optional: true, write: writeProvider,
	},
	{
		Name: "version", Number: 5, In: All, Required: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.Version }),
		Change: Change{ID: "version-changed", Class: None, What: "the version of the agent"},
	},
	{
		Name: "iconUrl", Number: 14, Number03: 18, In: All, Optional: true, Settable: true, Unshown: true,
		plain:  text(func(c *Card) *string { return &c.IconURL }),
		Change: Change{ID: "icon-changed", Class: Cosmetic, What: "the URL of the icon"},
	},
	{
		Name: "documentationUrl", Number: 6, In: All, Optional: true, Settable: true,
		plain:  text(func(c *Card) *string { return &c.DocumentationURL }),
		Change: Change{ID: "documentation-changed", Class: Cosmetic, What: "the URL of the documentation"},
	},
	{
		Name: "capabilities", Number: 7, In: All, Kind: source.Object, Of: CapabilitiesMessage, Required: true,
		Optional: true,
		write:    writeCapabilities,
	},
	{
		Name: "securitySchemes", Number: 8, In: All, Kind: source.Object, Elem: source.Object, Of: SchemeMessage,
		write: writeSchemes,
	},
	{
		Name: "securityRequirements", Number: 9, In: Listed, Kind: source.Array, Of: RequirementMessage, Config: "security",
		write: writeRequirements10,
	},
	{Name: "security", Number: 9, In: Flat, Kind: source.Array, Of: RequirementMessage, write: writeRequirements03},
	{
		Name: "defaultInputModes", Number: 10, In: All, Required: true,
		plain:  texts(func(c *Card) *[]string { return &c.InputModes }),
		Change: inputModes,
	},
	{
		Name: "defaultOutputModes", Number: 11, In: All, Required: true,
		plain:  texts(func(c *Card) *[]string { return &c.OutputModes }),
		Change: outputModes,
	},
	{Name: "skills", Number: 12, In: All, Kind: source.Array, Of: SkillMessage, Required: true, write: writeSkills},
	{Name: "supportsAuthenticatedExtendedCard", Number: 13, In: Flat, Kind: source.Bool, write: writeExtended},
	{
		Name: "signatures", Number: 13, Number03: 17, In: All, Kind: source.Array, Of: SignatureMessage, Config: "-",
		Unshown: true,
		write:   writeSignatures,
	},

	{
		Message: InterfaceMessage, Name: "url", Number: 1, In: All, Required: true,
		plain: text(func(i *Interface) *string { return &i.URL }),
	},
	{
		Message: InterfaceMessage, Name: "protocolBinding", Number: 2, In: Listed, Moved: true, Required: true,
		Config: "binding",
		plain:  text(func(i *Interface) *string { return &i.Binding }),
	},
	{
		Message: InterfaceMessage, Name: "transport", Number: 2, In: Flat, Moved: true, Required: true,
		plain: text(func(i *Interface) *string { return &i.Binding }),
	},
	{
		Message: InterfaceMessage, Name: "protocolVersion", Number: 4, In: Listed, Moved: true, Required: true,
		Config: "versions",
		plain:  text(func(i *Interface) *string { return &i.Version }),
	},
	{
		Message: InterfaceMessage, Name: "tenant", Number: 3, In: Listed,
		plain: text(func(i *Interface) *string { return &i.Tenant }),
	},

	{
		Message: ProviderMessage, Name: "organization", Number: 2, In: All, Required: true, Settable: true,
		plain:  text(func(p *Provider) *string { return &p.Organization }),
		Change: Change{ID: "provider-changed", What: "the organization of the provider"},
	},
	{
		Message: ProviderMessage, Name: "url", Number: 1, In: All, Required: true, Settable: true,
		plain:  text(func(p *Provider) *string { return &p.URL }),
		Change: Change{ID: "provider-changed", What: "the URL of the provider"},
	},

	{
		Message: CapabilitiesMessage, Name: "streaming", Number: 1, In: All, Optional: true,
		plain: flag(func(c *Capabilities) **bool { return &c.Streaming }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "pushNotifications", Number: 2, In: All, Optional: true,
		plain: flag(func(c *Capabilities) **bool { return &c.PushNotifications }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "extendedAgentCard", Number: 4, In: Listed, Moved: true, Optional: true,
		plain: flag(func(c *Capabilities) **bool { return &c.ExtendedAgentCard }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "stateTransitionHistory", Number: 4, In: Flat,
		plain: flag(func(c *Capabilities) **bool { return &c.StateTransitionHistory }), Change: capability,
	},
	{
		Message: CapabilitiesMessage, Name: "extensions", Number: 3, In: All, Kind: source.Array, Of: ExtensionMessage,
		write: writeExtensions,
	},

	{
		Message: ExtensionMessage, Name: "uri", Number: 1, In: All, Required: true, Lax: true,
		plain: text(func(e *Extension) *string { return &e.URI }),
	},
	{
		Message: ExtensionMessage, Name: "description", Number: 2, In: All,
		plain:  text(func(e *Extension) *string { return &e.Description }),
		Change: Change{ID: "extension-changed", What: "the description"},
	},
	{
		Message: ExtensionMessage, Name: "required", Number: 3, In: All,
		plain: yes(func(e *Extension) *bool { return &e.Required }),
	},
	{
		Message: ExtensionMessage, Name: "params", Number: 4, In: All, Kind: source.Object, Optional: true, Unshown: true,
		write: writeParams,
	},

	{
		Message: SkillMessage, Name: "id", Number: 1, In: All, Required: true,
		plain: text(func(s *Skill) *string { return &s.ID }),
	},
	{
		Message: SkillMessage, Name: "name", Number: 2, In: All, Required: true,
		plain:  text(func(s *Skill) *string { return &s.Name }),
		Change: Change{ID: "skill-name-changed", Class: Cosmetic, What: "the name"},
	},
	{
		Message: SkillMessage, Name: "description", Number: 3, In: All, Required: true,
		plain:  text(func(s *Skill) *string { return &s.Description }),
		Change: Change{ID: "skill-description-changed", Class: Cosmetic, What: "the description"},
	},
	{
		Message: SkillMessage, Name: "tags", Number: 4, In: All, Required: true,
		plain:  texts(func(s *Skill) *[]string { return &s.Tags }),
		Change: Change{ID: "skill-tags-changed", Class: Cosmetic, What: "the tags"},
	},
	{
		Message: SkillMessage, Name: "examples", Number: 5, In: All,
		plain:  texts(func(s *Skill) *[]string { return &s.Examples }),
		Change: Change{ID: "skill-examples-changed", Class: Cosmetic, What: "the examples"},
	},
	{
		Message: SkillMessage, Name: "inputModes", Number: 6, In: All,
		plain:  texts(func(s *Skill) *[]string { return &s.InputModes }),
		Change: inputModes,
	},
	{
		Message: SkillMessage, Name: "outputModes", Number: 7, In: All,
		plain:  texts(func(s *Skill) *[]string { return &s.OutputModes }),
		Change: outputModes,
	},
	{
		Message: SkillMessage, Name: "securityRequirements", Number: 8, In: Listed, Kind: source.Array,
		Of:     RequirementMessage,
		Config: "security", write: writeRequirements10,
	},
	{
		Message: SkillMessage, Name: "security", Number: 8, In: Flat, Kind: source.Array, Of: RequirementMessage,
		write: writeRequirements03,
	},

	{Message: SchemeMessage, Name: "type", In: Flat, Kind: source.String, Required: true},
	wrapperRow(APIKey, "apiKeySecurityScheme", 1),
	wrapperRow(HTTPAuth, "httpAuthSecurityScheme", 2),
	wrapperRow(OAuth2, "oauth2SecurityScheme", 3),
	wrapperRow(OpenIDConnect, "openIdConnectSecurityScheme", 4),
	wrapperRow(MutualTLS, "mtlsSecurityScheme", 5),

	{
		Message: APIKey.Message(), Name: "location", Number: 2, In: Listed, Moved: true, Required: true, Config: "in",
		plain: text(func(s *SecurityScheme) *string { return &s.In }),
	},
	{
		Message: APIKey.Message(), Name: "in", In: Flat, Moved: true, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.In }), Change: scheme,
	},
	{
		Message: APIKey.Message(), Name: "name", Number: 3, In: All, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.Name }), Change: scheme,
	},
	schemeDescription(APIKey),
	{
		Message: HTTPAuth.Message(), Name: "scheme", Number: 2, In: All, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.Scheme }), Change: scheme,
	},
	{
		Message: HTTPAuth.Message(), Name: "bearerFormat", Number: 3, In: All, Unshown: true,
		plain: text(func(s *SecurityScheme) *string { return &s.BearerFormat }), Change: scheme,
	},
	schemeDescription(HTTPAuth),
	{
		Message: OAuth2.Message(), Name: "flows", Number: 2, In: All, Kind: source.Object, Of: FlowsMessage, Required: true,
		Optional: true, write: writeFlows,
	},
	{
		Message: OAuth2.Message(), Name: "oauth2MetadataUrl", Number: 3, In: All, Unshown: true,
		plain: text(func(s *SecurityScheme) *string { return &s.OAuth2MetadataURL }), Change: scheme,
	},
	schemeDescription(OAuth2),
	{
		Message: OpenIDConnect.Message(), Name: "openIdConnectUrl", Number: 2, In: All, Required: true,
		plain: text(func(s *SecurityScheme) *string { return &s.OpenIDConnectURL }), Change: scheme,
	},
	schemeDescription(OpenIDConnect),
	schemeDescription(MutualTLS),

	flowRow(AuthorizationCode, 1, All),
	flowRow(ClientCredentials, 2, All),
	flowRow(Implicit, 3, All),
	flowRow(Password, 4, All),
	flowRow(DeviceCode, 5, Listed),

	authorizationURL(AuthorizationCode, 1),
	tokenURL(AuthorizationCode, 2),
	refreshURL(AuthorizationCode, 3),
	scopes(AuthorizationCode, 4),
	{
		Message: AuthorizationCode.Message(), Name: "pkceRequired", Number: 5, In: Listed, Unshown: true,
		plain:  yes(func(f *Flow) *bool { return &f.PKCERequired }),
		Change: Change{ID: "scheme-changed", Mirror: "scheme-extended"}, // RFC 7636, 4.4: a client may always use PKCE
	},
	tokenURL(ClientCredentials, 1),
	refreshURL(ClientCredentials, 2),
	scopes(ClientCredentials, 3),
	{
		Message: DeviceCode.Message(), Name: "deviceAuthorizationUrl", Number: 1, In: Listed, Required: true, Unshown: true,
		plain: text(func(f *Flow) *string { return &f.DeviceAuthorizationURL }), Change: scheme,
	},
	tokenURL(DeviceCode, 2),
	refreshURL(DeviceCode, 3),
	scopes(DeviceCode, 4),
	authorizationURL(Implicit, 1),
	refreshURL(Implicit, 2),
	scopes(Implicit, 3),
	tokenURL(Password, 1),
	refreshURL(Password, 2),
	scopes(Password, 3),

	{
		Message: RequirementMessage, Name: "schemes", Number: 1, In: Listed, Kind: source.Object, Elem: source.Object,
		Of: "scopes",
	},
	{Message: "scopes", Name: "list", Number: 1, In: Listed, Kind: source.Array, Elem: source.String},

	{
		Message: SignatureMessage, Name: "protected", Number: 1, In: All, Required: true, Unshown: true,
		plain: text(func(s *Signature) *string { return &s.Protected }),
	},
	{
		Message: SignatureMessage, Name: "signature", Number: 2, In: All, Required: true, Unshown: true,
		plain: text(func(s *Signature) *string { return &s.Signature }),
	},
	{
		Message: SignatureMessage, Name: "header", Number: 3, In: All, Kind: source.Object, Optional: true, Unshown: true,
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

func wrapperRow(t SchemeType, name string, number int) Member {
	return Member{
		Message: SchemeMessage, Name: name, Number: number, In: Listed, Kind: source.Object, Of: t.Message(), Optional: true,
	}
}

func flowRow(t FlowType, number int, in Protocol) Member {
	return Member{
		Message: FlowsMessage, Name: string(t), Number: number, In: in, Kind: source.Object, Of: t.Message(), Optional: true,
	}
}

func schemeDescription(t SchemeType) Member {
	return Member{
		Message: t.Message(), Name: "description", Number: 1, In: All,
		plain:  text(func(s *SecurityScheme) *string { return &s.Description }),
		Change: Change{ID: "scheme-description-changed", What: "the description"},
	}
}

func authorizationURL(t FlowType, number int) Member {
	return Member{
		Message: t.Message(), Name: "authorizationUrl", Number: number, In: All, Required: true, Lax: t == Implicit,
		Unshown: true,
		plain:   text(func(f *Flow) *string { return &f.AuthorizationURL }), Change: scheme,
	}
}

func tokenURL(t FlowType, number int) Member {
	return Member{
		Message: t.Message(), Name: "tokenUrl", Number: number, In: All, Required: true, Lax: t == Password, Unshown: true,
		plain: text(func(f *Flow) *string { return &f.TokenURL }), Change: scheme,
	}
}

func refreshURL(t FlowType, number int) Member {
	return Member{
		Message: t.Message(), Name: "refreshUrl", Number: number, In: All, Unshown: true,
		plain: text(func(f *Flow) *string { return &f.RefreshURL }), Change: scheme,
	}
}

func scopes(t FlowType, number int) Member {
	return Member{
		Message: t.Message(), Name: "scopes", Number: number, In: All, Kind: source.Object, Elem: source.String,
		Required: true, Lax: t == Implicit || t == Password, Unshown: true, write: writeScopes,
	}
}
