package contract

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// send sends the message of the user, and looks at what comes back.
func (r *run) send(ctx context.Context, p *peer) {
	if r.Send == "" || !r.wanted(ruleMessage) {
		return
	}
	operations := []operation{sendMessage}
	if isTrue(r.Card.Capabilities.Streaming) {
		operations = append(operations, sendStream)
	}
	for _, op := range operations {
		v := r.check(p, ruleMessage, p.pointer+"/url")
		a := r.ask(ctx, p, call{op: op})
		name := operationText(p, op)
		if v.undecided(a, name) {
			continue
		}
		if a.kind != result {
			v.fail(diag.Error, "check the log of the agent", "%s returns %s", name, a.said)
			continue
		}
		what, fault := payload(a.result, op == sendStream)
		if fault != "" {
			v.fail(diag.Error, "answer with a Task or a Message (specification, section 3.1.1)",
				"%s returns %s", name, fault)
			continue
		}
		if odd := r.oddModes(a.result); len(odd) > 0 {
			v.fail(diag.Warning, "add the media types to defaultOutputModes or to outputModes of the skill",
				"%s returns media types that the card does not declare: %s", name, few(odd))
			continue
		}
		v.pass("%s returns a %s", name, what)
	}
}

// payload returns the kind of an answer to a message, and its fault.
func payload(n *source.Node, stream bool) (what, fault string) {
	events := map[string]func(*source.Node) string{"task": taskFault, "message": messageFault, "msg": messageFault}
	if stream {
		events["statusUpdate"], events["artifactUpdate"] = updateFault, updateFault
	}
	for _, name := range slices.Sorted(maps.Keys(events)) {
		if m := n.Get(name); m.Is(source.Object) && (name != "message" || n.Get("role") == nil) {
			return strings.Replace(name, "msg", "message", 1), events[name](m)
		}
	}
	kind := map[string]string{
		"task": "task", "message": "message", "status-update": "statusUpdate",
		"artifact-update": "artifactUpdate",
	}[n.Get("kind").Word()]
	if check := events[kind]; check != nil { // 0.3
		return kind, check(n)
	}
	return "", "neither a task nor a message"
}

func taskFault(n *source.Node) string {
	if n.Get("id").Word() == "" {
		return "a task without id"
	}
	return stateFault(n)
}

func stateFault(n *source.Node) string {
	state := n.Get("status").Get("state").Word()
	folded := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(state, "TASK_STATE_"), "_", "-"))
	known := []string{
		"submitted", "working", "completed", "failed", "canceled", "cancelled", "input-required",
		"rejected", "auth-required",
	}
	if !slices.Contains(known, folded) {
		return "a task in the state " + diag.Quote(state)
	}
	return ""
}

func updateFault(n *source.Node) string {
	if n.Get("taskId").Word() == "" {
		return "an event without taskId"
	}
	if n.Get("status") != nil {
		return stateFault(n)
	}
	if !n.Get("artifact").Is(source.Object) {
		return "an event with neither status nor artifact"
	}
	return ""
}

func messageFault(n *source.Node) string {
	parts := n.Get("parts")
	if parts == nil {
		parts = n.Get("content") // REST of 0.3
	}
	switch {
	case n.Get("messageId").Word() == "":
		return "a message without messageId"
	case !slices.Contains([]string{"ROLE_AGENT", "agent"}, n.Get("role").Word()):
		return "a message in the role " + diag.Quote(n.Get("role").Word())
	case !parts.Is(source.Array) || len(parts.Items) == 0:
		return "a message without parts"
	}
	for i, part := range parts.Items {
		if part.Get("text") == nil && part.Get("raw") == nil && part.Get("url") == nil && part.Get("data") == nil &&
			part.Get("file") == nil {
			return fmt.Sprintf("a message whose part %d is empty", i+1)
		}
	}
	return ""
}

// oddModes returns the media types of an answer that the card does not declare.
// Parts without a type are ignored.
func (r *run) oddModes(n *source.Node) []string {
	declared := slices.Clone(r.Card.OutputModes)
	for _, s := range r.Card.Skills {
		declared = append(declared, s.OutputModes...)
	}
	var odd []string
	for _, mode := range modes(n, nil) {
		if len(declared) > 0 && !slices.Contains(declared, mode) && !slices.Contains(odd, diag.Quote(mode)) {
			odd = append(odd, diag.Quote(mode))
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
