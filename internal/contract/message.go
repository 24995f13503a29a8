package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

func (x *exam) sendAll(v verdict) {
	x.send(v, sendMessage)
	if isTrue(x.Card.Capabilities.Streaming) {
		x.send(v, sendStream)
	}
}

func (x *exam) send(v verdict, op operation) {
	a, name := x.ask(call{op: op}), x.name(op)
	if op == sendStream && a.shows() == missing {
		v = v.because("capabilities.streaming is missing")
	}
	switch fault, odd, unseen := x.sentFault(op, a); {
	case v.undecided(a, name):
	case a.kind != result:
		v.c.cause = cmp.Or(v.c.cause, x.text("{fault}", op, a))
		v.fail(diag.Error, "check the log of the agent", "%s returns %s", name, a.said())
	case fault != "":
		v.fail(diag.Error, "answer as A2A "+x.Version+" says (specification, sections 3.1.1, 3.1.2, 4.1, 9.4.2 and 11.7)",
			"%s returns %s", name, fault)
	case unseen:
		v.fail(diag.Info, "tasks that take longer can have more time with --timeout",
			"%s streams, but its end was not seen: %s", name, a.cut)
	case len(odd) > 0:
		v.fail(diag.Warning, "add the media types to defaultOutputModes or to outputModes of the skill",
			"%s returns media types that the card does not declare: %s", name, few(odd))
	default:
		v.pass("%s returns a %s", name, documentOf(a.sent[0]).name)
	}
}

// sentFault is the first fault of the answers to a message, with undeclared media types, and whether it ends unseen.
func (x *exam) sentFault(op operation, a answer) (fault string, odd []string, unseen bool) {
	final := op != sendStream
	var task string // that the answers are about
	var modes []string
	declared := slices.Clone(x.Card.OutputModes)
	for _, s := range x.Card.Skills {
		declared = append(declared, s.OutputModes...)
	}
	for i, n := range a.sent {
		d := documentOf(n)
		update, json, about := strings.HasSuffix(d.name, "Update"), x.Binding != "GRPC", d.node.Get(d.id).Word()
		of10 := d.prefix != "" && strings.HasPrefix(d.said, d.prefix)
		switch {
		case op == sendStream && json && a.plain:
			fault = "plain JSON instead of a stream"
		case d.name == "" || update && op != sendStream:
			fault = "neither a task nor a message"
		case d.fault != "":
			fault = d.fault
		case json && x.Version != "0.3" && (d.flat || d.prefix != "" && !of10):
			fault = "a " + d.name + " in the form of A2A 0.3"
		case json && x.Version == "0.3" && x.Binding == "JSONRPC" && (!d.flat || of10):
			fault = "a " + d.name + " in the form of A2A 1.0"
		case x.Version != "0.3" && i == 0 && update:
			fault = "a stream that begins with a " + d.name + " instead of a task or a message"
		case update && i > 0 && about != task:
			fault = "a " + d.name + " of another task"
		}
		task, modes, final = about, append(modes, d.modes...), final || d.final
		if fault != "" || final {
			break
		}
	}
	for _, mode := range modes {
		if len(declared) > 0 && !slices.Contains(declared, mode) {
			declared, odd = append(declared, mode), append(odd, diag.Quote(mode))
		}
	}
	switch unseen = !final && fault == "" && a.cut != ""; {
	case fault != "" || final || unseen:
	case a.then != "":
		fault = "a stream that ends with " + a.then
	default:
		fault = "a stream that ends before the task does"
	}
	return fault, odd, unseen
}

// shape is one kind of document that answers a message.
type shape struct {
	name   string // of the member that holds it
	kind   string // what 0.3 calls it
	id     string // the member that says what it is about
	word   string // where the word stands that each version spells in its own way
	prefix string // of that word in 1.0
}

var (
	going  = []string{"submitted", "working"}
	shapes = []shape{
		{"task", "task", "id", "/status/state", "TASK_STATE_"},
		{"message", "message", "messageId", "/role", "ROLE_"},
		{"statusUpdate", "status-update", "taskId", "/status/state", "TASK_STATE_"},
		{"artifactUpdate", "artifact-update", "taskId", "", ""},
	}
	ended = []string{
		"completed", "failed", "canceled", "cancelled", "rejected", "input-required", "auth-required", "agent",
	}
	// needed are the members that must be there, by the member that holds their object.
	needed = map[string]string{
		"task": "id", "message": "messageId", "statusUpdate": "taskId", "artifactUpdate": "taskId artifact",
		"artifact": "artifactId", "artifacts": "artifactId parts",
	}
	contents = []string{"text", "raw", "url", "data", "file"} // of a part, which has one of them
)

// document is an answer to a message, whatever its version. Without a name it is none that we know.
type document struct {
	shape
	node  *source.Node // the task, message or update itself
	said  string       // its word
	flat  bool         // it has the member kind of 0.3, or is not in a member of its name
	final bool         // no more is to come
	fault string       // the first, in any version
	modes []string     // media types in it
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
	d.read(d.name, d.node)
	if word, ok := d.node.Find(d.word); ok {
		d.said = word.Word()
	}
	d.final = d.says(ended) || d.node.Get("final").ScalarText() == "true"
	parts := append(slices.Clone(d.node.Get("parts").Elements()), d.node.Get("content").Elements()...)
	switch {
	case d.name == "message" && len(parts) == 0:
		d.fault = cmp.Or(d.fault, "a message without parts")
	case d.prefix != "" && !d.final && !d.says(going):
		what := d.word[strings.LastIndex(d.word, "/")+1:]
		d.fault = cmp.Or(d.fault, fmt.Sprintf("a %s in the %s %s", d.name, what, diag.Quote(d.said)))
	}
	return d
}

// says reports whether the word is one of these, in either spelling.
func (d document) says(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return d.said == word || d.said == d.prefix+strings.ToUpper(strings.ReplaceAll(word, "-", "_"))
	})
}

// read reads what a member of a document holds, but not what the client said and what may have any form.
func (d *document) read(name string, n *source.Node) {
	lacks := func(what string) { d.fault = cmp.Or(d.fault, what) }
	for _, item := range n.Elements() {
		d.read(name, item)
	}
	if n.Is(source.Object) && (name == "parts" || name == "content") {
		held := slices.DeleteFunc(slices.Clone(contents), func(c string) bool { return n.Get(c) == nil })
		if text := n.Get("text"); len(held) != 1 || text != nil && !text.Is(source.String) {
			lacks("a " + d.name + " with a part that is not exactly one of text, raw, url and data")
		}
		d.flat = d.flat || n.Get("kind") != nil
	}
	for need := range strings.FieldsSeq(needed[name]) {
		if n.Is(source.Object) && n.Get(need).Empty() {
			lacks("a " + strings.TrimSuffix(name, "s") + " without " + need)
		}
	}
	for _, m := range n.Fields() {
		switch m.Key {
		case "history", "metadata", "data":
			continue
		case "mediaType", "mimeType":
			mode, _, _ := strings.Cut(m.Value.Word(), ";")
			d.modes = append(d.modes, strings.TrimSpace(mode))
		}
		if strings.Contains(m.Key, "_") {
			lacks("a " + d.name + " with the member " + diag.Quote(m.Key) + ", which is not in camelCase")
		}
		d.read(m.Key, m.Value)
	}
}
