package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/report"
	"cardwright/schema"
)

// lie is one way in which an agent does not do what its card says.
type lie struct {
	name       string
	both, says func(*schema.Card)
	does       func(*fake)
	options    func(*Options)
	in         []string // bindings, all when empty
	version    string   // 1.0 when empty
	send       bool
	rule       string
	want       string // in the message or the hint
}

var http2 = []string{"JSONRPC", "HTTP+JSON"}

// lying changes what an honest agent answers to some operations.
func lying(change func(*replied), ops ...operation) func(*fake) {
	return func(f *fake) {
		f.lie = func(q asked, a replied) replied {
			if len(ops) == 0 || slices.Contains(ops, q.op) {
				change(&a)
			}
			return a
		}
	}
}

// open answers some operations as if the client had the right credentials.
func open(when func(q asked) bool) func(*fake) {
	return func(f *fake) {
		f.lie = func(q asked, a replied) replied {
			if when(q) {
				q.token = "Bearer " + rightToken
				return f.answer(q)
			}
			return a
		}
	}
}

func openFor(ops ...operation) func(*fake) {
	return open(func(q asked) bool { return slices.Contains(ops, q.op) })
}

// key makes the credentials of a card an API key.
func key(in, name string) func(*schema.Card) {
	return func(c *schema.Card) {
		c.SecuritySchemes = map[string]schema.SecurityScheme{"login": {Type: schema.APIKey, In: in, Name: name}}
	}
}

// scheme makes them those of another scheme of HTTP.
func scheme(name string) func(*schema.Card) {
	return func(c *schema.Card) {
		c.SecuritySchemes = map[string]schema.SecurityScheme{"login": {Type: schema.HTTPAuth, Scheme: name}}
	}
}

func denies(name string) func(*schema.Card) {
	return func(c *schema.Card) {
		flags := map[string]**bool{
			"streaming": &c.Capabilities.Streaming, "push": &c.Capabilities.PushNotifications,
			"extended": &c.Capabilities.ExtendedAgentCard,
		}
		*flags[name] = new(bool)
	}
}

// without makes the server lack a capability, which it says in its own way.
func without(ops []operation, f fault, words string) func(*fake) {
	return lying(func(a *replied) {
		if a.fault != unauthenticated && a.fault != versionRefused {
			*a = replied{fault: f, words: words}
		}
	}, ops...)
}

func extendedIs(change func(*schema.Card)) func(*fake) { return func(f *fake) { change(f.extended) } }

func requires(c *schema.Card) {
	c.Capabilities.Extensions = []schema.Extension{{URI: citeURI, Required: true}}
}

func tenant(name string) func(*schema.Card) {
	return func(c *schema.Card) { c.Interfaces[0].Tenant = name }
}

func sends(result string) func(*fake) {
	return lying(func(a *replied) { a.result = result }, sendMessage)
}

func streams(events ...string) func(*fake) {
	return lying(func(a *replied) { a.events = events }, sendStream)
}

func errorsAs(change func(*replied)) func(*fake) {
	return lying(func(a *replied) {
		if a.fault == taskNotFound {
			change(a)
		}
	})
}

func public(c *schema.Card) { c.Security, c.SecuritySchemes = nil, nil }

const (
	working  = `{"task": {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}}`
	update   = `{"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_%s"}}}`
	artifact = `{"artifactUpdate": {"taskId": "t1", "contextId": "c1", ` +
		`"artifact": {"artifactId": "a", "parts": [{"text": "x"}]}}}`
)

//nolint:lll // a lie is a line
var lies = []lie{
	// Security.
	{name: "nobody checks", does: open(func(asked) bool { return true }), rule: "contract-security", want: "check credentials before"},
	{name: "nobody checks GetTask", does: openFor(getTask), rule: "contract-security", want: "without them returns"},
	{name: "any token", does: open(func(q asked) bool { return q.token != "" }), rule: "contract-security", want: "made-up credentials (Bearer)"},
	{name: "any bearer token", does: open(func(q asked) bool { return len(q.token) > 7 }), rule: "contract-security", want: "made-up credentials (Bearer)"},
	{name: "an empty token", does: open(func(q asked) bool { return strings.TrimSpace(q.token) == "Bearer" }), rule: "contract-security", want: "empty credentials"},
	{name: "SubscribeToTask is open", does: openFor(subscribe), rule: "contract-security", want: "without credentials, "},
	{name: "the push list is open", does: openFor(listPush), rule: "contract-security", want: "without credentials, "},
	{name: "a push configuration is open", does: openFor(getPush), rule: "contract-security", want: "without credentials, "},
	{name: "ListTasks is open", does: openFor(listTasks), rule: "contract-security", want: "without credentials, "},
	{name: "CancelTask is open", does: openFor(cancelTask), rule: "contract-security", want: "without credentials, "},
	{name: "three operations are open", does: openFor(listTasks, listPush, cancelTask), rule: "contract-security", want: ", "},
	{name: "Basic for a bearer card", in: http2, does: lying(func(a *replied) { a.challenge = "Basic realm=\"x\"" }), rule: "contract-security", want: "declares Bearer, but the server asks for Basic"},
	{name: "Digest for a bearer card", in: http2, does: lying(func(a *replied) { a.challenge = "Digest realm=\"x\", nonce=\"y\"" }), rule: "contract-security", want: "asks for Digest"},
	{name: "Bearer for a card with an API key", in: http2, says: key("header", "X-API-Key"), does: func(*fake) {}, options: func(o *Options) { o.Credentials = nil }, rule: "contract-security", want: "declares X-API-Key, but the server asks for Bearer"},
	{name: "X-API-Key declared and Authorization taken", says: key("header", "X-API-Key"), does: lying(func(a *replied) { a.challenge = "ApiKey" }), rule: "contract-security", want: "declares X-API-Key, but the server accepts Authorization"},
	{name: "a cookie declared and Authorization taken", says: key("cookie", "session"), does: lying(func(a *replied) { a.challenge = "Cookie" }), rule: "contract-security", want: "accepts Authorization"},
	{name: "a query key declared and Authorization taken", in: http2, says: key("query", "api_key"), does: lying(func(a *replied) { a.challenge = "ApiKey" }), rule: "contract-security", want: "accepts Authorization"},
	{name: "Basic declared and Bearer taken", says: scheme("Basic"), does: lying(func(a *replied) { a.challenge = "Basic" }), rule: "contract-security", want: "declares Basic, but the server accepts Authorization"},
	{name: "no challenge", in: http2, does: lying(func(a *replied) { a.challenge = "" }), rule: "contract-security", want: "without WWW-Authenticate"},
	{name: "refused as an internal error", in: []string{"JSONRPC"}, does: lying(func(a *replied) {
		if a.fault == unauthenticated {
			a.fault, a.challenge = "InternalError", ""
		}
	}), options: func(o *Options) { o.Skip = append(o.Skip, "contract-extended") }, rule: "contract-security", want: "does not say why"},
	{name: "security enforced and not declared", says: public, rule: "contract-security-open", want: "the card requires no credentials"},
	{name: "the credentials are refused", options: func(o *Options) { o.Credentials[0].Value = "Bearer other" }, rule: "contract-task-not-found", want: "with your credentials"},
	{name: "SendMessage is open", send: true, does: openFor(sendMessage), rule: "contract-security", want: "without credentials, "},
	{name: "SendStreamingMessage is open", send: true, does: openFor(sendStream), rule: "contract-security", want: "without credentials, "},
	{name: "a subscription needs credentials", both: public, does: func(f *fake) {
		f.card.Capabilities.ExtendedAgentCard = nil
		f.extended = nil
		without([]operation{subscribe}, unauthenticated, "log in")(f)
	}, says: denies("extended"), rule: "contract-security-open", want: "SubscribeToTask|:subscribe"},
	{name: "a list needs credentials", both: func(c *schema.Card) { public(c); denies("extended")(c) }, does: without([]operation{listPush}, unauthenticated, "log in"), rule: "contract-security-open", want: "ListTaskPush|/pushNotificationConfigs"},
	{name: "one of two keys is not checked", says: func(c *schema.Card) {
		c.SecuritySchemes["key"] = schema.SecurityScheme{Type: schema.APIKey, In: "header", Name: "X-API-Key"}
		c.Security = []schema.Requirement{{"login": {}, "key": {}}}
	}, options: func(o *Options) { o.Credentials = append(o.Credentials, Credential{Name: "X-API-Key", Value: "k"}) }, rule: "contract-security", want: "X-API-Key"},

	// Shapes and streams.
	{name: "a task of 0.3", send: true, in: http2, does: sends(`{"kind": "task", "id": "t1", "status": {"state": "completed"}}`), rule: "contract-message", want: "form of A2A 0.3"},
	{name: "a message of 0.3", send: true, in: http2, does: sends(`{"kind": "message", "messageId": "m", "role": "agent", "parts": [{"kind": "text", "text": "x"}]}`), rule: "contract-message", want: "form of A2A 0.3"},
	{name: "a wrapped task with a state of 0.3", send: true, in: http2, does: sends(`{"task": {"id": "t1", "status": {"state": "completed"}}}`), rule: "contract-message", want: "form of A2A 0.3"},
	{name: "parts of 0.3", send: true, in: http2, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"kind": "text", "text": "x"}]}}`), rule: "contract-message", want: "form of A2A 0.3"},
	{name: "a task of 1.0 over 0.3", send: true, in: []string{"JSONRPC"}, version: "0.3", does: sends(`{"task": {"id": "t1", "status": {"state": "TASK_STATE_COMPLETED"}}}`), rule: "contract-message", want: "form of A2A 1.0"},
	{name: "an unwrapped task", send: true, in: http2, does: sends(`{"id": "t1", "status": {"state": "TASK_STATE_COMPLETED"}}`), rule: "contract-message", want: "neither a task nor a message"},
	{name: "a task without id", send: true, does: sends(`{"task": {"status": {"state": "TASK_STATE_COMPLETED"}}}`), rule: "contract-message", want: "without id"},
	{name: "a state that nobody knows", send: true, in: http2, does: sends(`{"task": {"id": "t1", "status": {"state": "TASK_STATE_HAPPY"}}}`), rule: "contract-message", want: "TASK_STATE_HAPPY"},
	{name: "a message without parts", send: true, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT"}}`), rule: "contract-message", want: "without parts"},
	{name: "a message of the user", send: true, does: sends(`{"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "x"}]}}`), rule: "contract-message", want: "in the role"},
	{name: "a message without id", send: true, does: sends(`{"message": {"role": "ROLE_AGENT", "parts": [{"text": "x"}]}}`), rule: "contract-message", want: "without messageId"},
	{name: "an empty part", send: true, in: http2, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{}]}}`), rule: "contract-message", want: "a part that is not exactly one"},
	{name: "plain JSON for a stream", send: true, in: http2, does: lying(func(a *replied) { a.media = "application/json" }, sendStream), rule: "contract-message", want: "plain JSON instead of a stream"},
	{name: "a stream that ends in WORKING", send: true, does: streams(working), rule: "contract-message", want: "ends before the task does"},
	{name: "a stream that ends in SUBMITTED", send: true, does: streams(working, fmt.Sprintf(update, "SUBMITTED")), rule: "contract-message", want: "ends before the task does"},
	{name: "a stream that ends with an artifact", send: true, does: streams(working, artifact), rule: "contract-message", want: "ends before the task does"},
	{name: "an event without taskId", send: true, does: streams(`{"statusUpdate": {"contextId": "c", "status": {"state": "TASK_STATE_COMPLETED"}}}`), rule: "contract-message", want: "without taskId"},
	{name: "events of 0.3", send: true, in: http2, does: streams(`{"kind": "status-update", "taskId": "t1", "status": {"state": "completed"}, "final": true}`), rule: "contract-message", want: "form of A2A 0.3"},
	{name: "another mode", send: true, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "x", "mediaType": "image/png"}]}}`), rule: "contract-message", want: "image/png"},
	{name: "a message is refused", send: true, does: without([]operation{sendMessage}, "InternalError", "model is down"), rule: "contract-message", want: `"model is down"`},
	{name: "a stream for a plain call", in: http2, send: true, does: lying(func(a *replied) { a.events = []string{a.result} }, sendMessage), rule: "contract-message", want: "stream"},
	{name: "a stream that begins with an update", send: true, does: streams(fmt.Sprintf(update, "COMPLETED")), rule: "contract-message", want: "begin"},
	{name: "an update of another task", send: true, does: streams(working, strings.ReplaceAll(fmt.Sprintf(update, "COMPLETED"), "t1", "t2")), rule: "contract-message", want: "another task"},
	{name: "members in snake_case", send: true, in: http2, does: sends(`{"task": {"id": "t1", "context_id": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}}`), rule: "contract-message", want: "context_id"},
	{name: "an artifact without parts", send: true, does: sends(`{"task": {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [{"artifactId": "a"}]}}`), rule: "contract-message", want: "artifact"},
	{name: "an artifact without id", send: true, does: sends(`{"task": {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [{"parts": [{"text": "x"}]}]}}`), rule: "contract-message", want: "artifactId"},
	{name: "a part with two contents", send: true, in: http2, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "x", "url": "https://x.example"}]}}`), rule: "contract-message", want: "not exactly one"},
	{name: "a text that is a number", send: true, in: http2, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": 5}]}}`), rule: "contract-message", want: "not exactly one"},
	{name: "parts as an object", send: true, in: http2, does: sends(`{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": {"text": "x"}}}`), rule: "contract-message", want: "without parts"},
	{name: "a task without status", send: true, does: sends(`{"task": {"id": "t1", "contextId": "c1"}}`), rule: "contract-message", want: "state"},
	{name: "a stream of nothing", send: true, does: lying(func(a *replied) { a.events, a.result = nil, "" }, sendStream), rule: "contract-message", want: "without a body|not a JSON object|ends before the task does"},

	// Errors and content types.
	{name: "errors with HTTP 200", in: []string{"HTTP+JSON"}, does: errorsAs(func(a *replied) { a.status = 200 }), rule: "contract-task-not-found", want: "HTTP 200 instead of HTTP 404"},
	{name: "errors with HTTP 500", in: []string{"HTTP+JSON"}, does: errorsAs(func(a *replied) { a.status = 500 }), rule: "contract-task-not-found", want: "HTTP 500 instead of HTTP 404"},
	{name: "errors with HTTP 400", in: []string{"HTTP+JSON"}, does: errorsAs(func(a *replied) { a.status = 400 }), rule: "contract-task-not-found", want: "HTTP 400 instead of HTTP 404"},
	{name: "errors with HTTP 200 over 0.3", in: []string{"HTTP+JSON"}, version: "0.3", does: errorsAs(func(a *replied) { a.status = 200 }), rule: "contract-task-not-found", want: "HTTP 200 instead of HTTP 404"},
	{name: "errors with another gRPC status", in: []string{"GRPC"}, does: errorsAs(func(a *replied) { a.code = 13 }), rule: "contract-task-not-found", want: "INTERNAL instead of NOT_FOUND"},
	{name: "text/plain", in: http2, does: lying(func(a *replied) { a.media = "text/plain" }), rule: "contract-binding", want: `JSON as "text/plain"`},
	{name: "text/plain for errors", in: http2, does: errorsAs(func(a *replied) { a.media = "text/plain" }), rule: "contract-binding", want: `JSON as "text/plain"`},
	{name: "no content type", in: http2, does: lying(func(a *replied) { a.media = "-" }), rule: "contract-binding", want: "without Content-Type"},
	{name: "no ErrorInfo", does: errorsAs(func(a *replied) { a.reason = "-" }), rule: "contract-task-not-found", want: "without google.rpc.ErrorInfo"},
	{name: "ErrorInfo of another domain", does: errorsAs(func(a *replied) { a.domain = "acme.example" }), rule: "contract-task-not-found", want: `domain "acme.example"`},
	{name: "ErrorInfo of another error", in: []string{"JSONRPC"}, does: errorsAs(func(a *replied) { a.reason = "UNSUPPORTED_OPERATION" }), rule: "contract-task-not-found", want: "reason"},
	{name: "an internal error for an unknown task", does: errorsAs(func(a *replied) { *a = replied{fault: "InternalError", words: "Task not found: x"} }), rule: "contract-task-not-found", want: `"Task not found: x" instead`},
	{name: "invalid params for an unknown task", does: errorsAs(func(a *replied) { a.fault, a.words = "InvalidParamsError", "bad id" }), rule: "contract-task-not-found", want: "fix the server"},
	{name: "an error of its own", in: []string{"JSONRPC"}, does: errorsAs(func(a *replied) { a.code, a.reason, a.fault = -7, "-", "InternalError" }), rule: "contract-task-not-found", want: "-7"},
	{name: "a result for an unknown task", does: lying(func(a *replied) {
		if a.fault == taskNotFound {
			*a = replied{result: `{"id": "x", "status": {"state": "TASK_STATE_COMPLETED"}}`}
		}
	}, getTask), rule: "contract-task-not-found", want: "returns a result"},
	{name: "nobody checks, and errors are internal", in: []string{"JSONRPC", "HTTP+JSON"}, does: func(f *fake) {
		f.lie = func(q asked, _ replied) replied {
			q.token = "Bearer " + rightToken
			if a := f.answer(q); a.fault != taskNotFound {
				return a
			}
			return replied{fault: "InternalError", words: "Task not found: x"}
		}
	}, options: func(o *Options) { o.Only = []string{"contract-security"} }, rule: "contract-security", want: "check credentials before"},
	{name: "an internal error for a subscription", does: without([]operation{subscribe}, "InternalError", "Task not found: y"), rule: "contract-streaming", want: `"Task not found: y" instead of TaskNotFoundError`},

	// The extended card.
	{name: "no extended card", does: func(f *fake) { f.extended = nil }, rule: "contract-extended", want: "configure an extended card"},
	{name: "not configured", does: without([]operation{extendedCard}, extendedMissing, ""), rule: "contract-extended", want: "ExtendedAgentCardNotConfiguredError"},
	{name: "not implemented", does: without([]operation{extendedCard}, methodNotFound, ""), rule: "contract-extended", want: "extendedAgentCard is true"},
	{name: "open to everybody", does: openFor(extendedCard), rule: "contract-extended", want: "authenticated clients only"},
	{name: "the public card for everybody", in: http2, does: func(f *fake) { f.extended.Skills = f.extended.Skills[:1]; openFor(extendedCard)(f) }, rule: "contract-extended", want: "returns the public card"},
	{name: "served and not declared", says: denies("extended"), rule: "contract-extended", want: "set capabilities.extendedAgentCard to true"},
	{name: "of another agent", does: extendedIs(func(c *schema.Card) { c.Name = "Another" }), rule: "contract-extended", want: "name of the agent"},
	{name: "of another provider", does: extendedIs(func(c *schema.Card) { c.Provider.Organization = "Evil" }), rule: "contract-extended", want: "provider"},
	{name: "on another host", does: extendedIs(func(c *schema.Card) {
		c.Interfaces = append(c.Interfaces, schema.Interface{URL: "https://evil.example", Binding: "JSONRPC", Version: "1.0"})
	}), rule: "contract-extended", want: "https://evil.example"},
	{name: "moved to another host", does: extendedIs(func(c *schema.Card) { c.Interfaces[0].URL = "https://evil.example" }), rule: "contract-extended", want: "evil.example"},
	{name: "lacks a skill", does: extendedIs(func(c *schema.Card) { c.Skills = c.Skills[1:] }), rule: "contract-extended", want: `"echo"`},
	{name: "contrary capabilities", does: extendedIs(denies("streaming")), rule: "contract-extended", want: "streaming"},
	{name: "without push", does: extendedIs(denies("push")), rule: "contract-extended", want: "pushNotifications"},
	{name: "is not a card", does: lying(func(a *replied) {
		if a.result != "" {
			a.result = `{"status": "ok"}`
		}
	}, extendedCard), rule: "contract-extended", want: "does not return a card"},
	{name: "the extended card for any token", does: open(func(q asked) bool { return q.op == extendedCard && strings.Contains(q.token, "made-up") }), rule: "contract-extended", want: "made-up"},
	{name: "has the form of 0.3", in: http2, does: lying(func(a *replied) {
		if a.result != "" {
			a.result = `{"name": "Honest Agent", "description": "Keeps what it promises.", "version": "1.0.0", "url": "http://127.0.0.1/", "protocolVersion": "0.3.0", "preferredTransport": "JSONRPC", "capabilities": {"streaming": true, "pushNotifications": true}, "supportsAuthenticatedExtendedCard": true, "provider": {"organization": "Acme", "url": "https://acme.example"}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [{"id": "echo", "name": "Echo", "description": "Says it again.", "tags": ["echo"]}]}`
		}
	}, extendedCard), rule: "contract-extended", want: "contradicts"},
	{name: "speaks another version", does: extendedIs(func(c *schema.Card) { c.Interfaces[0].Version = "0.3" }), rule: "contract-extended", want: "contradicts"},
	{name: "requires an extension", does: extendedIs(requires), rule: "contract-extended", want: "contradicts"},
	{name: "has fewer modes", does: extendedIs(func(c *schema.Card) { c.OutputModes = []string{"image/png"} }), rule: "contract-extended", want: "contradicts"},
	{name: "lacks an extension", both: func(c *schema.Card) { c.Capabilities.Extensions = []schema.Extension{{URI: citeURI}} }, does: extendedIs(func(c *schema.Card) { c.Capabilities.Extensions = nil }), rule: "contract-extended", want: "contradicts"},

	// Extensions, tenants, versions.
	{name: "an extension that is not declared", does: func(f *fake) { requires(f.card) }, rule: "contract-extension-required", want: "send " + citeURI},
	{name: "a required extension that messages do without", send: true, both: requires, does: func(f *fake) {
		f.lie = func(q asked, a replied) replied {
			if a.fault == extensionRequired {
				q.extensions = citeURI
				return f.answer(q)
			}
			return a
		}
	}, rule: "contract-extension-required", want: "SendMessage|/message:send"},
	{name: "another extension", says: func(c *schema.Card) { requires(c); c.Capabilities.Extensions[0].URI = "https://acme.example/other" }, does: func(f *fake) {
		requires(f.card)
		f.lie = func(_ asked, a replied) replied {
			if a.fault == "" || a.fault == taskNotFound {
				return replied{fault: extensionRequired, words: "send " + citeURI}
			}
			return a
		}
	}, rule: "contract-extension-required", want: citeURI},
	{name: "a wrong tenant", says: tenant("tenant-b"), does: func(f *fake) { tenant("tenant-a")(f.card) }, rule: "contract-binding", want: `nothing answers with the tenant "tenant-b"`},
	{name: "a tenant that the server does not have", says: tenant("tenant-b"), rule: "contract-binding", want: `the tenant "tenant-b"`},
	{name: "a tenant that the card does not have", does: func(f *fake) { tenant("tenant-a")(f.card) }, rule: "contract-binding", want: "the card has no tenant"},
	{name: "a tenant that is not routed", in: []string{"HTTP+JSON"}, says: tenant("b"), rule: "contract-binding", want: `the tenant "b"`},
	{name: "99.0 is taken", does: anyVersion(func(q asked) bool { return q.version == "99.0" }), rule: "contract-version-refused", want: "A2A-Version: 99.0"},
	{name: "an empty version is taken", does: anyVersion(func(q asked) bool { return q.version == "" }), rule: "contract-version-refused", want: "an empty A2A-Version"},
	{name: "no version is compared", does: anyVersion(func(asked) bool { return true }), rule: "contract-version-refused", want: "99.0"},
	{name: "1.0.7 is refused", does: func(f *fake) {
		f.lie = func(q asked, a replied) replied {
			if q.version == "1.0.7" {
				return replied{fault: versionRefused}
			}
			return a
		}
	}, rule: "contract-version", want: "patch versions do not matter"},
	{name: "1.0 for a server of 0.3", in: []string{"JSONRPC", "GRPC"}, does: func(f *fake) { f.card.Interfaces[0].Version = "0.3" }, rule: "contract-version", want: "speaks only 0.3"},
	{name: "0.3 for a server of 1.0", version: "0.3", in: []string{"JSONRPC", "GRPC"}, does: func(f *fake) { f.card.Interfaces[0].Version = "1.0" }, rule: "contract-version", want: "speaks only 1.0"},

	// Bindings, URLs, capabilities, modes.
	{name: "another binding", in: []string{"JSONRPC"}, does: func(f *fake) { f.binding = "HTTP+JSON" }, rule: "contract-binding", want: "the URL speaks HTTP+JSON"},
	{name: "another binding, the other way round", in: []string{"HTTP+JSON"}, does: func(f *fake) { f.binding = "JSONRPC" }, rule: "contract-binding", want: "the URL speaks JSONRPC"},
	{name: "a login page", does: lying(func(a *replied) { a.raw = "<!doctype html><title>Log in</title>" }), in: http2, rule: "contract-binding", want: "an HTML page"},
	{name: "another id", in: []string{"JSONRPC"}, does: lying(func(a *replied) { a.envelopeID = "x" }), rule: "contract-binding", want: "id is not that of the request", options: func(o *Options) { o.Credentials, o.Card.Security = nil, nil }, both: public},
	{name: "no answer", does: lying(func(a *replied) { a.raw = "abort" }), rule: "contract-binding", want: "gets no answer"},
	{name: "nothing listens", says: func(c *schema.Card) { c.Interfaces[0].URL = "http://127.0.0.1:1" }, options: func(o *Options) { o.Dial = nil }, rule: "contract-reachable", want: "refuses the connection"},
	{name: "streaming declared and unsupported", does: func(f *fake) { denies("streaming")(f.card) }, rule: "contract-streaming", want: "set capabilities.streaming to false"},
	{name: "streaming declared and not implemented", does: without([]operation{subscribe}, methodNotFound, ""), rule: "contract-streaming", want: "set capabilities.streaming to false"},
	{name: "streaming declared and switched off in words", does: without([]operation{subscribe}, "InternalError", "streaming is not enabled"), rule: "contract-streaming", want: "set capabilities.streaming to false"},
	{name: "no stream for messages either", send: true, does: without([]operation{subscribe, sendStream}, "InternalError", "not supported"), rule: "contract-streaming", want: "contract-message too"},
	{name: "streaming absent and served", says: denies("streaming"), does: func(*fake) {}, rule: "contract-streaming", want: "set capabilities.streaming to true"},
	{name: "push declared and unsupported", does: without([]operation{listPush, getPush}, pushNotSupported, ""), rule: "contract-push", want: "set capabilities.pushNotifications to false"},
	{name: "push declared and not implemented", does: without([]operation{listPush, getPush}, methodNotFound, ""), rule: "contract-push", want: "set capabilities.pushNotifications to false"},
	{name: "only the push list is missing", does: without([]operation{listPush}, methodNotFound, ""), rule: "contract-push", want: "the card is right: fix the server"},
	{name: "push absent and served", says: denies("push"), rule: "contract-push", want: "set capabilities.pushNotifications to true"},
	{name: "an empty list of push configurations, not declared", says: denies("push"), does: lying(func(a *replied) {
		if a.fault == taskNotFound {
			*a = replied{result: `{"configs": []}`}
		}
	}, listPush), rule: "contract-push", want: "set capabilities.pushNotifications to true"},
	{name: "subscriptions break off", does: lying(func(a *replied) {
		if a.fault == taskNotFound {
			a.raw = "abort"
		}
	}, subscribe), options: func(o *Options) { o.Skip = append(o.Skip, "contract-security") }, rule: "contract-streaming", want: "gets no answer"},
	{name: "one error for everything", does: lying(func(a *replied) {
		if a.fault == taskNotFound {
			*a = replied{fault: "InternalError", words: "database is down"}
		}
	}), rule: "contract-task-not-found", want: "this explains contract-streaming, contract-push"},
	{name: "streaming not declared and an internal error", both: denies("streaming"), does: without([]operation{subscribe}, "InternalError", "no streaming"), rule: "contract-streaming", want: "instead of UnsupportedOperationError"},
	{name: "push not declared and not implemented", both: denies("push"), does: without([]operation{listPush, getPush}, methodNotFound, ""), rule: "contract-push", want: "instead of PushNotificationNotSupportedError"},
	{name: "no way to subscribe", in: []string{"HTTP+JSON"}, does: without([]operation{subscribe, subscribeToo}, methodNotFound, ""), rule: "contract-streaming", want: "set capabilities.streaming to false"},
	{name: "push declared and switched off in words", does: without([]operation{listPush, getPush}, "InternalError", "push notifications are disabled"), rule: "contract-push", want: "set capabilities.pushNotifications to false"},
	{name: "extended card switched off in words", does: without([]operation{extendedCard}, "InternalError", "not supported"), rule: "contract-extended", want: "extendedAgentCard"},
	{name: "streaming not declared, and subscriptions answer", both: denies("streaming"), does: lying(func(a *replied) {
		if a.fault == unsupported {
			a.fault, a.words = taskNotFound, "no task"
		}
	}, subscribe), rule: "contract-streaming", want: "set capabilities.streaming to true"},
	{name: "a message is refused for its version", send: true, does: without([]operation{sendMessage}, versionRefused, "no"), rule: "contract-message", want: "VersionNotSupportedError"},
	{name: "text is refused, which the card takes", send: true, does: without([]operation{sendMessage, sendStream}, "ContentTypeNotSupportedError", "no text"), rule: "contract-message", want: `"no text"`},
	{name: "a private host that nobody named", options: func(o *Options) { o.Named, o.Credentials, o.Dial = nil, nil, nil }, rule: "contract-reachable", want: "add --connect-to 127.0.0.1"},
}

// anyVersion makes an agent take versions that it does not speak.
func anyVersion(when func(asked) bool) func(*fake) {
	return func(f *fake) {
		f.lie = func(q asked, a replied) replied {
			if when(q) {
				q.version = "1.0"
				return f.answer(q)
			}
			return a
		}
	}
}

// troubles runs the checks, and returns what failed with more than an info.
func troubles(t *testing.T, o Options) []report.Check {
	t.Helper()
	checks, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var failed []report.Check
	for _, c := range checks {
		if strings.Contains(c.Detail+c.Hint, rightToken) {
			t.Errorf("%s prints the credentials: %s", c.Rule, c.Detail)
		}
		if c.Severity > diag.Info {
			failed = append(failed, c)
		}
	}
	return failed
}

// Every lie is found in every binding in which it can be told, for the right reason,
// and as one cause.
func TestLies(t *testing.T) {
	t.Parallel()
	if len(lies) < 100 {
		t.Errorf("there are only %d lies", len(lies))
	}
	for i, l := range lies {
		in, version := l.in, l.version
		if in == nil {
			in = bindings
		}
		if !fixture.Long() { // else each in all of its bindings
			in = in[i%len(in):][:1]
		}
		if version == "" {
			version = "1.0"
		}
		for _, binding := range in {
			t.Run(l.name+"/"+binding, func(t *testing.T) {
				t.Parallel()
				o, _ := start(t, binding, version, l, fixture.Long())
				failed := troubles(t, o)
				if len(failed) != 1 || failed[0].Rule != l.rule ||
					!slices.ContainsFunc(strings.Split(l.want, "|"), func(want string) bool {
						return strings.Contains(failed[0].Detail+failed[0].Hint, want)
					}) {
					t.Errorf("want %s: %s\ngot  %+v", l.rule, l.want, failed)
				}
			})
		}
	}
}

// Honest agents draw nothing.
func TestHonest(t *testing.T) {
	t.Parallel()
	shapes := map[string]lie{
		"everything": {send: true}, "nothing": {both: func(c *schema.Card) {
			public(c)
			c.Capabilities = schema.Capabilities{}
		}},
		"a required extension": {both: requires, send: true}, "a tenant": {both: tenant("tenant-a"), send: true},
		"without credentials": {options: func(o *Options) { o.Credentials = nil }},
	}
	for name, l := range shapes {
		for _, version := range []string{"1.0", "0.3"} {
			for _, binding := range bindings {
				if version == "0.3" && name == "a tenant" {
					continue
				}
				t.Run(name+"/"+binding+"/"+version, func(t *testing.T) {
					t.Parallel()
					o, f := start(t, binding, version, l, true)
					if failed := troubles(t, o); len(failed) > 0 {
						t.Errorf("%+v", failed)
					}
					for _, q := range f.seen {
						if !l.send && (q.op == sendMessage || q.op == sendStream) {
							t.Errorf("%s is sent", q.op)
						}
						if binding == "HTTP+JSON" && version == "1.0" && q.op == sendMessage && q.media != "application/a2a+json" {
							t.Errorf("a message is sent as %q", q.media)
						}
					}
				})
			}
		}
	}
}
