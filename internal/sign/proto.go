package sign

import (
	"slices"

	"cardwright/internal/source"
)

// message is a message of a2a.proto, version 1.0, as its JSON form shows it.
type message struct {
	fields []field
	oneof  bool // at most one of the fields, the first that is set
}

// field is a member of a message: a string, a bool, or an array or object of
// what of and elem say.
type field struct {
	name string
	kind source.Kind
	// elem is the kind of the entries of an array or a map, Invalid for a
	// message and for a google.protobuf.Struct, which holds anything.
	elem     source.Kind
	of       *message // the message that the member or its entries are, nil for scalars and a Struct
	required bool     // field_behavior REQUIRED
	presence bool     // absent and default are told apart: optional, and all messages
}

// field returns the field named key, nil when there is none.
func (m *message) field(key string) *field {
	if i := slices.IndexFunc(m.fields, func(f field) bool { return f.name == key }); i >= 0 {
		return &m.fields[i]
	}
	return nil
}

func text(name string) field { return field{name: name, kind: source.String} }
func flag(name string) field { return field{name: name, kind: source.Bool} }

func texts(name string) field {
	return field{name: name, kind: source.Array, elem: source.String}
}

// scopes is the one map of texts that the protocol has.
func scopes() field {
	return field{name: "scopes", kind: source.Object, elem: source.String}
}

func list(name string, of *message) field {
	return field{name: name, kind: source.Array, elem: source.Object, of: of}
}

func mapOf(name string, of *message) field {
	return field{name: name, kind: source.Object, elem: source.Object, of: of}
}

// one is a member that is itself a message; a nil message is a Struct.
func one(name string, of *message) field {
	return field{name: name, kind: source.Object, of: of, presence: true}
}

func required(f field) field {
	f.required = true
	return f
}

func optional(f field) field {
	f.presence = true
	return f
}

func msg(fields ...field) *message { return &message{fields: fields} }

// cardMessage returns the AgentCard of A2A 1.0 (a2a.proto at v1.0.1), but for
// its signatures, which no signature covers.
func cardMessage() *message {
	requirement := msg(mapOf("schemes", msg(texts("list"))))
	return msg(
		required(text("name")),
		required(text("description")),
		required(list("supportedInterfaces", msg(
			required(text("url")),
			required(text("protocolBinding")),
			text("tenant"),
			required(text("protocolVersion")),
		))),
		one("provider", msg(required(text("url")), required(text("organization")))),
		required(text("version")),
		optional(text("documentationUrl")),
		required(one("capabilities", msg(
			optional(flag("streaming")),
			optional(flag("pushNotifications")),
			list("extensions", msg(text("uri"), text("description"), flag("required"), one("params", nil))),
			optional(flag("extendedAgentCard")),
		))),
		mapOf("securitySchemes", schemeMessage()),
		list("securityRequirements", requirement),
		required(texts("defaultInputModes")),
		required(texts("defaultOutputModes")),
		required(list("skills", msg(
			required(text("id")),
			required(text("name")),
			required(text("description")),
			required(texts("tags")),
			texts("examples"),
			texts("inputModes"),
			texts("outputModes"),
			list("securityRequirements", requirement),
		))),
		optional(text("iconUrl")),
	)
}

func schemeMessage() *message {
	flows := msg(
		one("authorizationCode", msg(required(text("authorizationUrl")), required(text("tokenUrl")), text("refreshUrl"), required(scopes()), flag("pkceRequired"))),
		one("clientCredentials", msg(required(text("tokenUrl")), text("refreshUrl"), required(scopes()))),
		one("implicit", msg(text("authorizationUrl"), text("refreshUrl"), scopes())),
		one("password", msg(text("tokenUrl"), text("refreshUrl"), scopes())),
		one("deviceCode", msg(required(text("deviceAuthorizationUrl")), required(text("tokenUrl")), text("refreshUrl"), required(scopes()))),
	)
	flows.oneof = true
	scheme := msg(
		one("apiKeySecurityScheme", msg(text("description"), required(text("location")), required(text("name")))),
		one("httpAuthSecurityScheme", msg(text("description"), required(text("scheme")), text("bearerFormat"))),
		one("oauth2SecurityScheme", msg(text("description"), required(one("flows", flows)), text("oauth2MetadataUrl"))),
		one("openIdConnectSecurityScheme", msg(text("description"), required(text("openIdConnectUrl")))),
		one("mtlsSecurityScheme", msg(text("description"))),
	)
	scheme.oneof = true
	return scheme
}
