package contract

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"

	"cardwright/internal/source"
)

// operation is one operation of A2A, under the name of 1.0.
type operation string

const (
	getTask      operation = "GetTask"
	subscribe    operation = "SubscribeToTask"
	listPush     operation = "ListTaskPushNotificationConfigs"
	extendedCard operation = "GetExtendedAgentCard"
	sendMessage  operation = "SendMessage"
	sendStream   operation = "SendStreamingMessage"
)

// wording is how an operation is requested in one version.
type wording struct {
	rpc    string // method of JSON-RPC
	verb   string // of HTTP
	path   string // below the URL of the interface; ID stands for that of the task
	grpc   string // method of the gRPC service
	answer string // message that gRPC answers with
}

var wordings = map[string]map[operation]wording{
	"1.0": {
		getTask:   {"GetTask", "GET", "/tasks/ID", "GetTask", "Task"},
		subscribe: {"SubscribeToTask", "GET", "/tasks/ID:subscribe", "SubscribeToTask", "StreamResponse"},
		listPush: {
			"ListTaskPushNotificationConfigs", "GET", "/tasks/ID/pushNotificationConfigs",
			"ListTaskPushNotificationConfigs", "ListTaskPushNotificationConfigsResponse",
		},
		extendedCard: {"GetExtendedAgentCard", "GET", "/extendedAgentCard", "GetExtendedAgentCard", "AgentCard"},
		sendMessage:  {"SendMessage", "POST", "/message:send", "SendMessage", "SendMessageResponse"},
		sendStream:   {"SendStreamingMessage", "POST", "/message:stream", "SendStreamingMessage", "StreamResponse"},
	},
	"0.3": {
		getTask:   {"tasks/get", "GET", "/v1/tasks/ID", "GetTask", "Task"},
		subscribe: {"tasks/resubscribe", "GET", "/v1/tasks/ID:subscribe", "TaskSubscription", "StreamResponse"},
		listPush: {
			"tasks/pushNotificationConfig/list", "GET", "/v1/tasks/ID/pushNotificationConfigs",
			"ListTaskPushNotificationConfig", "ListTaskPushNotificationConfigResponse",
		},
		extendedCard: {"agent/getAuthenticatedExtendedCard", "GET", "/v1/card", "GetAgentCard", "AgentCard"},
		sendMessage:  {"message/send", "POST", "/v1/message:send", "SendMessage", "SendMessageResponse"},
		sendStream:   {"message/stream", "POST", "/v1/message:stream", "SendStreamingMessage", "StreamResponse"},
	},
}

// services are the gRPC services of A2A.
var services = map[string]string{"1.0": "lf.a2a.v1.A2AService", "0.3": "a2a.v1.A2AService"}

// call is one request to an interface.
type call struct {
	op        operation
	version   string // of the request, that of the interface when empty
	claim     string // A2A-Version that is sent, the version when empty
	anonymous bool   // without credentials
	plain     bool   // without A2A-Extensions
}

// ask sends a request to an interface, in the form of its binding.
func (r *run) ask(ctx context.Context, p *peer, c call) answer {
	switch {
	case r.calls >= maxCalls:
		return answer{kind: unasked, said: "the limit of 64 calls is reached"}
	case ctx.Err() != nil:
		return answer{kind: unasked, said: "the time limit for all calls is reached"}
	}
	r.calls++
	if c.version == "" {
		c.version = p.Version
	}
	if c.claim == "" {
		c.claim = c.version
	}
	id := r.NewID()
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx,
		&httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	var a answer
	switch p.Binding {
	case "HTTP+JSON":
		a = r.askREST(traced, p, c, id)
	case "GRPC":
		a = r.askGRPC(traced, p, c, id)
	default:
		a = r.askRPC(traced, p, c, id)
	}
	a.connected = connected.Load()
	if a.kind == broken && ctx.Err() != nil {
		return answer{kind: unasked, said: "the time limit for all calls is reached"}
	}
	a.said = r.scrub(a.said)
	return a
}

// headers returns the headers of a call: the version, the extensions that the
// card requires, and credentials.
func (r *run) headers(p *peer, c call) http.Header {
	h := http.Header{}
	extensions := "A2a-Extensions"
	if c.version == "0.3" {
		extensions = "X-A2a-Extensions"
	} else {
		h.Set("A2A-Version", c.claim)
	}
	if required := r.required(); len(required) > 0 && !c.plain {
		h.Set(extensions, strings.Join(required, ", "))
	}
	if !c.anonymous && p.trusted {
		maps.Copy(h, r.Credentials)
	}
	return h
}

// required are the URIs of the extensions that clients have to know.
func (r *run) required() []string {
	var uris []string
	for _, e := range r.Card.Capabilities.Extensions {
		if e.Required {
			uris = append(uris, e.URI)
		}
	}
	return uris
}

// streams tells whether the answer to an operation comes as events.
func (op operation) streams() bool { return op == subscribe || op == sendStream }

// message is the message of --send as JSON has it.
func (r *run) message(version, binding, id string) *source.Node {
	part, m := &source.Node{Kind: source.Object}, &source.Node{Kind: source.Object}
	part.SetText("text", r.Send)
	m.SetText("messageId", id)
	m.SetText("role", "ROLE_USER")
	if version == "0.3" && binding == "JSONRPC" {
		part.SetText("kind", "text")
		m.SetText("kind", "message")
		replaceText(m, "role", "user")
	}
	parts := "parts"
	if version == "0.3" && binding == "HTTP+JSON" {
		parts = "content" // as a2a.proto of 0.3 spells it, which servers over REST read
	}
	m.Set(parts, &source.Node{Kind: source.Array, Items: []*source.Node{part}})
	return m
}

func replaceText(n *source.Node, name, value string) { n.Member(name).Value = source.NewText(value) }
