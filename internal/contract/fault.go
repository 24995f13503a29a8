package contract

import (
	"net/http"
	"strconv"
	"strings"

	"cardwright/internal/grpcwire"
)

// fault is an error of A2A by its name in the specification, section 5.4.
type fault string

// The errors that a check looks for.
const (
	taskNotFound      fault = "TaskNotFoundError"
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
	grpc   grpcwire.Code
}

var spellings = []spelling{
	{taskNotFound, "TASK_NOT_FOUND", -32001, http.StatusNotFound, grpcwire.NotFound},
	{"TaskNotCancelableError", "TASK_NOT_CANCELABLE", -32002, http.StatusConflict, grpcwire.FailedPrecondition},
	{pushNotSupported, "PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, http.StatusBadRequest, grpcwire.FailedPrecondition},
	{unsupported, "UNSUPPORTED_OPERATION", -32004, http.StatusBadRequest, grpcwire.FailedPrecondition},
	{
		"ContentTypeNotSupportedError", "CONTENT_TYPE_NOT_SUPPORTED", -32005, http.StatusUnsupportedMediaType,
		grpcwire.InvalidArgument,
	},
	{"InvalidAgentResponseError", "INVALID_AGENT_RESPONSE", -32006, http.StatusBadGateway, grpcwire.Internal},
	{extendedMissing, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, http.StatusBadRequest, grpcwire.FailedPrecondition},
	{extensionRequired, "EXTENSION_SUPPORT_REQUIRED", -32008, http.StatusBadRequest, grpcwire.FailedPrecondition},
	{versionRefused, "VERSION_NOT_SUPPORTED", -32009, http.StatusBadRequest, grpcwire.FailedPrecondition},
	{methodNotFound, "METHOD_NOT_FOUND", -32601, http.StatusNotImplemented, grpcwire.Unimplemented},
	{"InvalidRequestError", "INVALID_REQUEST", -32600, http.StatusBadRequest, grpcwire.InvalidArgument},
	{"InvalidParamsError", "INVALID_PARAMS", -32602, http.StatusBadRequest, grpcwire.InvalidArgument},
	{"InternalError", "INTERNAL_ERROR", -32603, http.StatusInternalServerError, grpcwire.Internal},
	{"JSONParseError", "PARSE_ERROR", -32700, http.StatusBadRequest, grpcwire.InvalidArgument},
	// a2a-go has codes of its own for what the specification leaves to HTTP.
	{unauthenticated, "UNAUTHENTICATED", -31401, http.StatusUnauthorized, grpcwire.Unauthenticated},
	{forbidden, "UNAUTHORIZED", -31403, http.StatusForbidden, grpcwire.PermissionDenied},
	{forbidden, "PERMISSION_DENIED", -31403, http.StatusForbidden, grpcwire.PermissionDenied},
}

// faultOf returns the first fault whose spelling matches, "" for none.
func faultOf(matches func(spelling) bool) fault {
	for _, s := range spellings {
		if matches(s) {
			return s.fault
		}
	}
	return ""
}

func faultOfCode(code int) fault { return faultOf(func(s spelling) bool { return s.code == code }) }

// faultOfReason reads the reason of an ErrorInfo, or the last part of a type URI
// of RFC 9457, which some servers send instead.
func faultOfReason(reason string) fault {
	reason = strings.ToUpper(strings.ReplaceAll(reason[strings.LastIndex(reason, "/")+1:], "-", "_"))
	return faultOf(func(s spelling) bool { return reason != "" && s.reason == reason })
}

// faultOfStatus names a fault by the status of a binding alone, where that means
// one thing only.
func faultOfStatus(code grpcwire.Code) fault {
	switch code {
	case grpcwire.NotFound, grpcwire.Unimplemented, grpcwire.Unauthenticated, grpcwire.PermissionDenied:
		return faultOf(func(s spelling) bool { return s.grpc == code })
	}
	return ""
}

// named is a code with the name of its fault, where it has one.
func named(code string, f fault) string { return strings.TrimSpace(code + " " + string(f)) }

func httpStatus(status int) string { return "HTTP " + strconv.Itoa(status) }
