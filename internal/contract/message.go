package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// sendAll sends the message of the user, as a stream too if the card declares that.
func (x *exam) sendAll(v verdict) {
	x.send(v, sendMessage)
	if isTrue(x.Card.Capabilities.Streaming) {
		x.send(v, sendStream)
	}
}

func (x *exam) send(v verdict, op operation) {
	a, name := x.ask(call{op: op}), x.name(op)
	plain := op == sendStream && x.Binding != "GRPC" && a.plain
	if op == sendStream && a.shows() == missing {
		v = v.because("capabilities.streaming is missing")
	}
	fault, final := x.messageFault(op, a.sent)
	switch odd := x.oddModes(a.sent); {
	case v.undecided(a, name):
	case a.kind != result:
		v.c.cause = cmp.Or(v.c.cause, x.text("{fault}", op, a))
		v.fail(diag.Error, "check the log of the agent", "%s returns %s", name, a.said())
	case plain:
		v.fail(diag.Error, "answer with text/event-stream (specification, sections 9.4.2 and 11.7)",
			"%s returns plain JSON instead of a stream", name)
	case fault != "":
		v.fail(diag.Error, "answer with a Task or a Message of A2A "+x.Version+" (specification, section 3.1.1)",
			"%s returns %s", name, fault)
	case op == sendStream && !final && a.cut != "":
		v.fail(diag.Info, "tasks that take longer can have more time with --timeout",
			"%s streams, but its end was not seen: %s", name, a.cut)
	case op == sendStream && !final:
		v.fail(diag.Error, "end the stream with a message, or with a task that is done or waits for the client",
			"%s returns a stream that ends before the task does", name)
	case len(odd) > 0:
		v.fail(diag.Warning, "add the media types to defaultOutputModes or to outputModes of the skill",
			"%s returns media types that the card does not declare: %s", name, few(odd))
	default:
		v.pass("%s returns a %s", name, documentOf(a.sent[0]).name)
	}
}

// messageFault is the first fault of the answers to a message, and whether the last one is final.
func (x *exam) messageFault(op operation, sent []*source.Node) (fault string, final bool) {
	for _, n := range sent {
		d := documentOf(n)
		wrong := d.fault()
		of10 := d.prefix != "" && strings.HasPrefix(d.said, d.prefix)
		switch {
		case d.name == "" || strings.HasSuffix(d.name, "Update") && op != sendStream:
			wrong = "neither a task nor a message"
		case wrong != "" || x.Binding == "GRPC":
		case x.Version != "0.3" && (d.flat || d.prefix != "" && !of10):
			wrong = "a " + d.name + " in the form of A2A 0.3"
		case x.Version == "0.3" && x.Binding == "JSONRPC" && (!d.flat || of10):
			wrong = "a " + d.name + " in the form of A2A 1.0"
		}
		fault = cmp.Or(fault, wrong)
		if d.prefix != "" { // an artifact says nothing of the end
			final = d.final
		}
	}
	return fault, final
}

// shape is one kind of document that answers a message.
type shape struct {
	name   string   // of the member that holds it
	kind   string   // what 0.3 calls it
	needs  string   // a member that it must have
	word   string   // where the word stands that each version spells in its own way
	prefix string   // of that word in 1.0
	known  []string // the words, as 0.3 spells them
}

var (
	finalStates = []string{
		"completed", "failed", "canceled", "cancelled", "rejected", "input-required", "auth-required",
	}
	allStates = append([]string{"submitted", "working"}, finalStates...)
	shapes    = []shape{
		{"task", "task", "id", "/status/state", "TASK_STATE_", allStates},
		{"message", "message", "messageId", "/role", "ROLE_", []string{"agent"}},
		{"statusUpdate", "status-update", "taskId", "/status/state", "TASK_STATE_", allStates},
		{"artifactUpdate", "artifact-update", "taskId", "", "", []string{""}},
	}
)

// document is an answer to a message, whatever its version. Without a name it is none that we know.
type document struct {
	shape
	node  *source.Node // the task, message or update itself
	said  string       // its word
	flat  bool         // it has the member kind of 0.3, or is not in a member of its name
	final bool         // no more is to come
}

func documentOf(n *source.Node) document {
	d := document{}
	for _, s := range shapes {
		held := n.Get(s.name)
		if s.name == "message" && held == nil {
			held = n.Get("msg") // of 0.3
		}
		switch {
		case n.Get("kind").Word() == s.kind:
			d = document{shape: s, node: n, flat: true}
		case d.node == nil && held.Is(source.Object):
			d = document{shape: s, node: held, flat: held.Get("kind") != nil}
		}
	}
	if d.node == nil {
		return d
	}
	for _, part := range d.parts() {
		d.flat = d.flat || part.Get("kind") != nil
	}
	if word, ok := d.node.Find(d.word); ok {
		d.said = word.Word()
	}
	d.final = d.name == "message" || d.says(finalStates) || d.node.Get("final").ScalarText() == "true"
	return d
}

// says reports whether the word is one of these, in either spelling.
func (d document) says(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return d.said == word || d.said == d.prefix+strings.ToUpper(strings.ReplaceAll(word, "-", "_"))
	})
}

// parts are those of a message or of an artifact. REST of 0.3 calls them content.
func (d document) parts() []*source.Node {
	holder := d.node
	if d.name == "artifactUpdate" {
		holder = d.node.Get("artifact")
	}
	return append(slices.Clone(holder.Get("content").Elements()), holder.Get("parts").Elements()...)
}

// fault is what a document lacks.
func (d document) fault() string {
	switch {
	case d.name == "":
		return ""
	case d.node.Get(d.needs).Word() == "":
		return "a " + d.name + " without " + d.needs
	case !d.says(d.known):
		return fmt.Sprintf("a %s in the %s %s", d.name, d.word[strings.LastIndex(d.word, "/")+1:], diag.Quote(d.said))
	case d.name == "artifactUpdate" && !d.node.Get("artifact").Is(source.Object):
		return "an artifactUpdate without artifact"
	case d.name == "message" && len(d.parts()) == 0:
		return "a message without parts"
	}
	for i, part := range d.parts() {
		if !part.HasAny("text", "raw", "url", "data", "file") {
			return fmt.Sprintf("a %s whose part %d is empty", d.name, i+1)
		}
	}
	return ""
}

// oddModes returns the media types of answers that the card does not declare.
func (r *run) oddModes(sent []*source.Node) (odd []string) {
	declared := slices.Clone(r.Card.OutputModes)
	for _, s := range r.Card.Skills {
		declared = append(declared, s.OutputModes...)
	}
	for len(sent) > 0 && len(declared) > 0 {
		n := sent[0]
		sent = append(sent[1:], n.Elements()...)
		for _, m := range n.Fields() {
			if m.Key == "history" { // holds what the client said
				continue
			}
			sent = append(sent, m.Value)
			mode, _, _ := strings.Cut(m.Value.Word(), ";")
			mode = strings.TrimSpace(mode)
			if (m.Key == "mediaType" || m.Key == "mimeType") && mode != "" && !slices.Contains(declared, mode) {
				declared, odd = append(declared, mode), append(odd, diag.Quote(mode))
			}
		}
	}
	return odd
}
