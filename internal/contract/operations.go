package contract

import (
	"cmp"
	"slices"
	"strings"
)

// operation is one operation of A2A, under the name of 1.0.
type operation string

const (
	getTask      operation = "GetTask"
	listTasks    operation = "ListTasks"
	cancelTask   operation = "CancelTask"
	subscribe    operation = "SubscribeToTask"
	subscribeToo operation = "SubscribeToTask with POST" // sections 11.3.2 and a2a.proto of 1.0 differ
	listPush     operation = "ListTaskPushNotificationConfigs"
	getPush      operation = "GetTaskPushNotificationConfig"
	extendedCard operation = "GetExtendedAgentCard"
	sendMessage  operation = "SendMessage"
	sendStream   operation = "SendStreamingMessage"
)

// wording is how a version requests an operation, with ids that nothing has, and the MESSAGE of the user.
type wording struct {
	rpc    string // method of JSON-RPC
	params string // of JSON-RPC, and of gRPC in 1.0
	rest   string // of HTTP, below the URL of the interface
	grpc   string // method of the gRPC service, that of JSON-RPC when empty
	gets   string // message that gRPC answers with
}

const (
	pushOf   = "/tasks/TASK/pushNotificationConfigs"
	pushList = "ListTaskPushNotificationConfig" // of 0.3
	pushes   = "ListTaskPushNotificationConfigsResponse"
	message  = "message=MESSAGE"
)

var wordings = map[string]map[operation]wording{
	"1.0": {
		getTask:      {"GetTask", "id=TASK", "GET /tasks/TASK", "", "Task"},
		listTasks:    {"ListTasks", "", "GET /tasks", "", "ListTasksResponse"},
		cancelTask:   {"CancelTask", "id=TASK", "POST /tasks/TASK:cancel", "", "Task"},
		subscribe:    {"SubscribeToTask", "id=TASK", "GET /tasks/TASK:subscribe", "", "StreamResponse"},
		subscribeToo: {rest: "POST /tasks/TASK:subscribe"},
		listPush:     {string(listPush), "taskId=TASK", "GET " + pushOf, "", pushes},
		getPush:      {string(getPush), "taskId=TASK id=CONFIG", "GET " + pushOf + "/CONFIG", "", "Opaque"},
		extendedCard: {"GetExtendedAgentCard", "", "GET /extendedAgentCard", "", "card"},
		sendMessage:  {"SendMessage", message, "POST /message:send", "", "SendMessageResponse"},
		sendStream:   {"SendStreamingMessage", message, "POST /message:stream", "", "StreamResponse"},
	},
	"0.3": {
		getTask:      {"tasks/get", "id=TASK", "GET /v1/tasks/TASK", "GetTask", "Task"},
		cancelTask:   {"tasks/cancel", "id=TASK", "POST /v1/tasks/TASK:cancel", "CancelTask", "Task"},
		subscribe:    {"tasks/resubscribe", "id=TASK", "GET /v1/tasks/TASK:subscribe", "TaskSubscription", "StreamResponse"},
		subscribeToo: {rest: "POST /v1/tasks/TASK:subscribe"},
		listPush:     {"tasks/pushNotificationConfig/list", "id=TASK", "GET /v1" + pushOf, pushList, pushes},
		getPush: {
			"tasks/pushNotificationConfig/get", "id=TASK pushNotificationConfigId=CONFIG", "GET /v1" + pushOf + "/CONFIG",
			"GetTaskPushNotificationConfig", "Opaque",
		},
		extendedCard: {"agent/getAuthenticatedExtendedCard", "", "GET /v1/card", "GetAgentCard", "card"},
		sendMessage:  {"message/send", message, "POST /v1/message:send", "SendMessage", "SendMessageResponse"},
		sendStream: {
			"message/stream", message, "POST /v1/message:stream", "SendStreamingMessage", "StreamResponse",
		},
	},
}

func (w wording) method() string { return cmp.Or(w.grpc, w.rpc) }

// asks is the message that gRPC sends. In 0.3 those about a task have its name.
func (w wording) asks() string {
	switch {
	case strings.HasPrefix(w.params, message):
		return "SendMessageRequest"
	case strings.Contains(w.rest, "/v1/tasks/"):
		return "NameRequest"
	}
	return w.method() + "Request"
}

// services are the gRPC services of A2A.
var services = map[string]string{"1.0": "lf.a2a.v1.A2AService", "0.3": "a2a.v1.A2AService"}

// bindings are those that are spoken.
var bindings = []string{"JSONRPC", "HTTP+JSON", "GRPC"}

// streams reports whether the answer to an operation comes as events.
func (op operation) streams() bool {
	return slices.Contains([]operation{subscribe, subscribeToo, sendStream}, op)
}

// name is an operation in the words of the interface.
func (p *peer) name(op operation) string {
	w := wordings[p.Version][op]
	switch p.Binding {
	case "HTTP+JSON":
		return strings.NewReplacer("TASK", "{id}", "CONFIG", "{id}").Replace(w.rest)
	case "GRPC":
		return w.method()
	}
	return w.rpc
}

// fault is an error of A2A by its name in the specification, section 5.4.
type fault string

// The errors that a check looks for.
const (
	taskNotFound      fault = "TaskNotFoundError"
	notCancelable     fault = "TaskNotCancelableError"
	pushNotSupported  fault = "PushNotificationNotSupportedError"
	unsupported       fault = "UnsupportedOperationError"
	extendedMissing   fault = "ExtendedAgentCardNotConfiguredError"
	extensionRequired fault = "ExtensionSupportRequiredError"
	versionRefused    fault = "VersionNotSupportedError"
	methodNotFound    fault = "MethodNotFoundError"
	unauthenticated   fault = "UnauthenticatedError"
	forbidden         fault = "ForbiddenError"
)

// spelling is how the bindings say a fault.
type spelling struct {
	fault  fault
	reason string // of google.rpc.ErrorInfo
	code   int    // of JSON-RPC
	http   int
	grpc   string
}

var spellings = []spelling{
	{taskNotFound, "TASK_NOT_FOUND", -32001, 404, "NOT_FOUND"},
	{notCancelable, "TASK_NOT_CANCELABLE", -32002, 409, "FAILED_PRECONDITION"},
	{pushNotSupported, "PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400, "FAILED_PRECONDITION"},
	{unsupported, "UNSUPPORTED_OPERATION", -32004, 400, "FAILED_PRECONDITION"},
	{"ContentTypeNotSupportedError", "CONTENT_TYPE_NOT_SUPPORTED", -32005, 415, "INVALID_ARGUMENT"},
	{"InvalidAgentResponseError", "INVALID_AGENT_RESPONSE", -32006, 502, "INTERNAL"},
	{extendedMissing, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, 400, "FAILED_PRECONDITION"},
	{extensionRequired, "EXTENSION_SUPPORT_REQUIRED", -32008, 400, "FAILED_PRECONDITION"},
	{versionRefused, "VERSION_NOT_SUPPORTED", -32009, 400, "FAILED_PRECONDITION"},
	{methodNotFound, "METHOD_NOT_FOUND", -32601, 501, "UNIMPLEMENTED"},
	{"InvalidRequestError", "INVALID_REQUEST", -32600, 400, "INVALID_ARGUMENT"},
	{"InvalidParamsError", "INVALID_PARAMS", -32602, 400, "INVALID_ARGUMENT"},
	{"InternalError", "INTERNAL_ERROR", -32603, 500, "INTERNAL"},
	{"JSONParseError", "PARSE_ERROR", -32700, 400, "INVALID_ARGUMENT"},
	// a2a-go has codes of its own for what the specification leaves to HTTP.
	{unauthenticated, "UNAUTHENTICATED", -31401, 401, "UNAUTHENTICATED"},
	{forbidden, "UNAUTHORIZED", -31403, 403, "PERMISSION_DENIED"},
	{forbidden, "PERMISSION_DENIED", -31403, 403, "PERMISSION_DENIED"},
}

// spelled returns the first spelling that matches; it has no fault where none does.
func spelled(matches func(spelling) bool) spelling {
	for _, s := range spellings {
		if matches(s) {
			return s
		}
	}
	return spelling{}
}

// ofReason reads the reason of an ErrorInfo, or the last part of a type URI of RFC 9457.
func ofReason(reason string) fault {
	reason = strings.ToUpper(strings.ReplaceAll(reason[strings.LastIndex(reason, "/")+1:], "-", "_"))
	return spelled(func(s spelling) bool { return reason != "" && s.reason == reason }).fault
}

func ofCode(code int) fault { return spelled(func(s spelling) bool { return s.code == code }).fault }

// ofStatus names a fault by the status of gRPC alone, where that means one thing only.
func ofStatus(code string) fault {
	if !slices.Contains([]string{"NOT_FOUND", "UNIMPLEMENTED", "UNAUTHENTICATED", "PERMISSION_DENIED"}, code) {
		return ""
	}
	return spelled(func(s spelling) bool { return s.grpc == code }).fault
}

// absent are the faults that say that a server does not have something.
var absent = []fault{unsupported, pushNotSupported, extendedMissing, methodNotFound}
