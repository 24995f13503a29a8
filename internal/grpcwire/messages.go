package grpcwire

// The messages that are read: the numbers of their fields, as in a2a.proto of
// 1.0 (package lf.a2a.v1) and of 0.3 (package a2a.v1). Metadata, timestamps and
// params of extensions are left out, nothing depends on them.
var messages = map[string]map[int]field{
	"SendMessageResponse": {1: {"task", "Task", once}, 2: {"message", "Message", once}},
	"StreamResponse": {
		1: {"task", "Task", once}, 2: {"message", "Message", once},
		3: {"statusUpdate", "TaskStatusUpdateEvent", once}, 4: {"artifactUpdate", "TaskArtifactUpdateEvent", once},
	},
	"Task": {
		1: {"id", "text", once}, 2: {"contextId", "text", once}, 3: {"status", "TaskStatus", once},
		4: {"artifacts", "Artifact", list}, 5: {"history", "Message", list},
	},
	"TaskStatus": {1: {"state", "TaskState", once}, 2: {"message", "Message", once}},
	"Message": {
		1: {"messageId", "text", once}, 2: {"contextId", "text", once}, 3: {"taskId", "text", once},
		4: {"role", "Role", once}, 5: {"parts", "Part", list},
	},
	"Artifact": {1: {"artifactId", "text", once}, 2: {"name", "text", once}, 4: {"parts", "Part", list}},
	"Part": {
		1: {"text", "text", once}, 2: {"raw", "Opaque", once}, 3: {"url", "text", once}, 4: {"data", "Opaque", once},
		6: {"filename", "text", once}, 7: {"mediaType", "text", once},
	},
	"TaskStatusUpdateEvent": {1: {"taskId", "text", once}, 2: {"contextId", "text", once}, 3: {
		"status", "TaskStatus",
		once,
	}},
	"TaskArtifactUpdateEvent": {1: {"taskId", "text", once}, 2: {"contextId", "text", once}, 3: {
		"artifact", "Artifact",
		once,
	}},

	"ListTaskPushNotificationConfigsResponse": {1: {"configs", "Opaque", list}},

	"AgentCard": {
		1: {"name", "text", once}, 2: {"description", "text", once}, 3: {"supportedInterfaces", "AgentInterface", list},
		4: {"provider", "AgentProvider", once}, 5: {"version", "text", once}, 6: {"documentationUrl", "text", once},
		7: {"capabilities", "AgentCapabilities", once}, 8: {"securitySchemes", "SecurityScheme", dict},
		9: {"securityRequirements", "SecurityRequirement", list}, 10: {"defaultInputModes", "text", list},
		11: {"defaultOutputModes", "text", list}, 12: {"skills", "AgentSkill", list}, 14: {"iconUrl", "text", once},
	},
	"AgentInterface": {
		1: {"url", "text", once}, 2: {"protocolBinding", "text", once}, 3: {"tenant", "text", once},
		4: {"protocolVersion", "text", once},
	},
	"AgentProvider": {1: {"url", "text", once}, 2: {"organization", "text", once}},
	"AgentCapabilities": {
		1: {"streaming", "flag", once}, 2: {"pushNotifications", "flag", once}, 3: {"extensions", "AgentExtension", list},
		4: {"extendedAgentCard", "flag", once},
	},
	"AgentExtension": {1: {"uri", "text", once}, 2: {"description", "text", once}, 3: {"required", "flag", once}},
	"AgentSkill": {
		1: {"id", "text", once}, 2: {"name", "text", once}, 3: {"description", "text", once}, 4: {"tags", "text", list},
		5: {"examples", "text", list}, 6: {"inputModes", "text", list}, 7: {"outputModes", "text", list},
		8: {"securityRequirements", "SecurityRequirement", list},
	},
	"SecurityRequirement": {1: {"schemes", "StringList", dict}},
	"StringList":          {1: {"list", "text", list}},
	"SecurityScheme": {
		1: {"apiKeySecurityScheme", "APIKey", once}, 2: {"httpAuthSecurityScheme", "HTTPAuth", once},
		3: {"oauth2SecurityScheme", "OAuth2", once}, 4: {"openIdConnectSecurityScheme", "OpenIDConnect", once},
		5: {"mtlsSecurityScheme", "MutualTLS", once},
	},
	"APIKey":   {1: {"description", "text", once}, 2: {"location", "text", once}, 3: {"name", "text", once}},
	"HTTPAuth": {1: {"description", "text", once}, 2: {"scheme", "text", once}, 3: {"bearerFormat", "text", once}},
	"OAuth2": {1: {"description", "text", once}, 2: {"flows", "Flows", once}, 3: {
		"oauth2MetadataUrl", "text",
		once,
	}},
	"OpenIDConnect": {1: {"description", "text", once}, 2: {"openIdConnectUrl", "text", once}},
	"MutualTLS":     {1: {"description", "text", once}},
	"Flows": {
		1: {"authorizationCode", "CodeFlow", once}, 2: {"clientCredentials", "TokenFlow", once},
		3: {"implicit", "ImplicitFlow", once}, 4: {"password", "TokenFlow", once}, 5: {"deviceCode", "DeviceFlow", once},
	},
	"CodeFlow": {
		1: {"authorizationUrl", "text", once}, 2: {"tokenUrl", "text", once}, 3: {"refreshUrl", "text", once},
		4: {"scopes", "text", dict}, 5: {"pkceRequired", "flag", once},
	},
	"TokenFlow":    {1: {"tokenUrl", "text", once}, 2: {"refreshUrl", "text", once}, 3: {"scopes", "text", dict}},
	"ImplicitFlow": {1: {"authorizationUrl", "text", once}, 2: {"refreshUrl", "text", once}, 3: {"scopes", "text", dict}},
	"DeviceFlow": {
		1: {"deviceAuthorizationUrl", "text", once}, 2: {"tokenUrl", "text", once}, 3: {"refreshUrl", "text", once},
		4: {"scopes", "text", dict},
	},
}

// older are the messages that have other fields in 0.3.
var older = map[string]map[int]field{
	"Artifact": {1: {"artifactId", "text", once}, 3: {"name", "text", once}, 5: {"parts", "Part", list}},
	"Part":     {1: {"text", "text", once}, 2: {"file", "FilePart", once}, 3: {"data", "Opaque", once}},
	"FilePart": {1: {"uri", "text", once}, 2: {"bytes", "Opaque", once}, 3: {"mimeType", "text", once}},
	"AgentCard": {
		1: {"name", "text", once}, 2: {"description", "text", once}, 3: {"url", "text", once},
		4: {"provider", "AgentProvider", once}, 5: {"version", "text", once}, 6: {"documentationUrl", "text", once},
		7: {"capabilities", "AgentCapabilities", once}, 8: {"securitySchemes", "SecurityScheme", dict},
		9: {"security", "SecurityRequirement", list}, 10: {"defaultInputModes", "text", list},
		11: {"defaultOutputModes", "text", list}, 12: {"skills", "AgentSkill", list},
		13: {"supportsAuthenticatedExtendedCard", "flag", once}, 14: {"preferredTransport", "text", once},
		15: {"additionalInterfaces", "AgentInterface", list}, 16: {"protocolVersion", "text", once},
		18: {"iconUrl", "text", once},
	},
	"AgentInterface": {1: {"url", "text", once}, 2: {"transport", "text", once}},
	"AgentCapabilities": {
		1: {"streaming", "flag", once}, 2: {"pushNotifications", "flag", once}, 3: {"extensions", "AgentExtension", list},
		4: {"stateTransitionHistory", "flag", once},
	},
	"ListTaskPushNotificationConfigResponse": {1: {"configs", "Opaque", list}},
}

// enums are the names of enum values by their numbers.
var enums = map[string][]string{
	"Role": {"ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT"},
	"TaskState": {
		"TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED",
		"TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED",
		"TASK_STATE_AUTH_REQUIRED",
	},
}

// fieldsOf are the fields of a message in a version of A2A. One that is not
// known, such as Opaque, has none that are read.
func fieldsOf(version, name string) map[int]field {
	if fields, ok := older[name]; ok && version == "0.3" {
		return fields
	}
	return messages[name]
}
