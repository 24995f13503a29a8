package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

const messageHint = "answer with a Task or a Message of A2A {version} (specification, section 3.1.1)"

// sendAll sends the message of the user, as a stream too if the card declares that.
func (x *exam) sendAll(v verdict) {
	x.sendOne(v, sendMessage)
	if isTrue(x.Card.Capabilities.Streaming) {
		x.sendOne(v, sendStream)
	}
}

func (x *exam) sendOne(v verdict, op operation) {
	a, name := x.ask(call{op: op}), x.name(op)
	if op == sendStream {
		if x.streamed = a.shows(); a.kind == result && a.plain {
			x.streamed = unclear
		}
		if x.streamed == missing {
			v = v.because("capabilities.streaming is missing")
		}
	}
	if v.undecided(a, name) {
		return
	}
	hint := x.text(messageHint, op, a)
	switch fault := x.messageFault(op, a); {
	case a.kind != result:
		v.c.cause = cmp.Or(v.c.cause, x.text("{fault}", op, a))
		v.fail(diag.Error, "check the log of the agent", "%s returns %s", name, a.said())
	case op == sendStream && x.Binding != "GRPC" && a.plain:
		v.fail(diag.Error, "answer with text/event-stream (specification, sections 9.4.2 and 11.7)",
			"%s returns plain JSON instead of a stream", name)
	case fault != "":
		v.fail(diag.Error, hint, "%s returns %s", name, fault)
	case op == sendStream && a.cut != "" && !ended(a.sent):
		v.fail(diag.Info, "tasks that take longer can have more time with --timeout",
			"%s streams, but its end was not seen: %s", name, a.cut)
	case op == sendStream && !ended(a.sent):
		v.fail(diag.Error, "end the stream with a message, or with a task that is done or waits for the client",
			"%s returns a stream that ends before the task does", name)
	default:
		what := shapeOf(a.sent[0]).name
		if odd := x.oddModes(a.sent); len(odd) > 0 {
			v.fail(diag.Warning, "add the media types to defaultOutputModes or to outputModes of the skill",
				"%s returns media types that the card does not declare: %s", name, few(odd))
			return
		}
		v.pass("%s returns a %s", name, what)
	}
}

// ended tells whether the last state of a stream is final.
func ended(sent []*source.Node) bool {
	final := false
	for _, n := range sent {
		if s := shapeOf(n); s.name == "message" || s.state != "" {
			final = s.final
		}
	}
	return final
}

// messageFault is the first fault of the documents that answer a message.
func (x *exam) messageFault(op operation, a answer) string {
	for _, n := range a.sent {
		s := shapeOf(n)
		update := s.name == "statusUpdate" || s.name == "artifactUpdate"
		switch fault := s.fault(); {
		case s.node == nil || update && op != sendStream:
			return "neither a task nor a message"
		case fault != "":
			return fault
		case x.Binding != "GRPC" && x.Version != "0.3" && (s.kind || !strings.HasPrefix(s.word(), s.prefix())):
			return "a " + s.name + " in the form of A2A 0.3"
		case x.Binding == "JSONRPC" && x.Version == "0.3" &&
			(!s.kind || s.prefix() != "" && strings.HasPrefix(s.word(), s.prefix())):
			return "a " + s.name + " in the form of A2A 1.0"
		}
	}
	return ""
}

// shape is a document that answers a message, whatever its version.
type shape struct {
	node  *source.Node // the task, message or update itself
	name  string       // task, message, statusUpdate or artifactUpdate
	kind  bool         // it has the member kind of 0.3, or is not in a member of its name
	state string       // of the task, "" where it says none
	final bool         // no more is to come
}

var shapes = map[string]string{
	"task": "task", "message": "message", "msg": "message", "statusUpdate": "statusUpdate",
	"artifactUpdate": "artifactUpdate", "status-update": "statusUpdate", "artifact-update": "artifactUpdate",
}

func shapeOf(n *source.Node) shape {
	s := shape{name: shapes[n.Get("kind").Word()], kind: true}
	if s.name != "" {
		s.node = n
	}
	for _, wrapper := range sortedKeys(shapes) {
		if m := n.Get(wrapper); s.node == nil && m.Is(source.Object) {
			s.node, s.name, s.kind = m, shapes[wrapper], m.Get("kind") != nil
		}
	}
	for _, part := range s.parts() {
		s.kind = s.kind || part.Get("kind") != nil
	}
	s.state = s.node.Get("status").Get("state").Word()
	final := s.node.Get("final")
	s.final = s.name == "message" || slices.Contains(finalStates, folded(s.state)) ||
		final.Is(source.Bool) && final.Text == "true"
	return s
}

// parts are those of a message or of an artifact. REST of 0.3 calls them content.
func (s shape) parts() []*source.Node {
	holder := s.node
	if s.name == "artifactUpdate" {
		holder = s.node.Get("artifact")
	}
	if parts := holder.Get("content"); parts != nil {
		return parts.Elements()
	}
	return holder.Get("parts").Elements()
}

// word is the word of a shape that each version spells in its own way: role or state.
func (s shape) word() string {
	if s.name == "message" {
		return s.node.Get("role").Word()
	}
	return s.state
}

// prefix is what the word begins with in 1.0.
func (s shape) prefix() string {
	switch {
	case s.name == "message":
		return "ROLE_"
	case s.state == "":
		return ""
	}
	return "TASK_STATE_"
}

var (
	finalStates = []string{
		"completed", "failed", "canceled", "cancelled", "rejected", "input-required", "auth-required",
	}
	allStates = append([]string{"submitted", "working"}, finalStates...)
)

// folded is a state as 0.3 spells it.
func folded(state string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(state, "TASK_STATE_"), "_", "-"))
}

// fault is what a task, message or update lacks.
func (s shape) fault() string {
	stateful := s.name == "task" || s.name == "statusUpdate"
	switch {
	case s.name == "task" && s.node.Get("id").Word() == "":
		return "a task without id"
	case strings.HasSuffix(s.name, "Update") && s.node.Get("taskId").Word() == "":
		return "an event without taskId"
	case stateful && !slices.Contains(allStates, folded(s.state)):
		return "a task in the state " + diag.Quote(s.state)
	case s.name == "artifactUpdate" && !s.node.Get("artifact").Is(source.Object):
		return "an event without artifact"
	case s.name != "message":
		return ""
	case s.node.Get("messageId").Word() == "":
		return "a message without messageId"
	case !slices.Contains([]string{"ROLE_AGENT", "agent"}, s.node.Get("role").Word()):
		return "a message in the role " + diag.Quote(s.node.Get("role").Word())
	case len(s.parts()) == 0:
		return "a message without parts"
	}
	for i, part := range s.parts() {
		if !part.HasAny("text", "raw", "url", "data", "file") {
			return fmt.Sprintf("a message whose part %d is empty", i+1)
		}
	}
	return ""
}

// oddModes returns the media types of answers that the card does not declare.
// Parts without a type are ignored.
func (r *run) oddModes(sent []*source.Node) []string {
	declared := slices.Clone(r.Card.OutputModes)
	for _, s := range r.Card.Skills {
		declared = append(declared, s.OutputModes...)
	}
	var odd []string
	for _, n := range sent {
		for _, mode := range modes(n, nil) {
			if len(declared) > 0 && !slices.Contains(declared, mode) && !slices.Contains(odd, diag.Quote(mode)) {
				odd = append(odd, diag.Quote(mode))
			}
		}
	}
	return odd
}

// modes adds the media types of all parts below a node but those of the history,
// which holds what the client said.
func modes(n *source.Node, list []string) []string {
	if n == nil {
		return list
	}
	for _, item := range n.Items {
		list = modes(item, list)
	}
	for _, m := range n.Members {
		switch {
		case m.Key == "history":
		case (m.Key == "mediaType" || m.Key == "mimeType") && m.Value.Is(source.String) && m.Value.Text != "":
			mode, _, _ := strings.Cut(m.Value.Text, ";")
			list = append(list, strings.TrimSpace(mode))
		default:
			list = modes(m.Value, list)
		}
	}
	return list
}
