package diag

import (
	"fmt"
	"slices"
	"strings"
)

// agentsNamed is how many agents a message names that have a finding in common.
const agentsNamed = 3

// Named returns the findings with the agents that they are about in front of
// their messages. What several agents have in common is one finding. One that is
// about no agent, or names it already, stays as it is.
func (l List) Named() List {
	type key struct {
		span                        Span
		rule, message, owner, apart string
		severity                    Severity
	}
	var out List
	index := map[key]int{}
	agents := map[int][]string{}
	for _, d := range l {
		k := key{d.Span, d.Rule, d.Message, d.Owner, "", d.Severity}
		if d.Span.Line == 0 {
			k.apart = d.Agent + "\x00" + d.Pointer // nothing says that the place is the same
		}
		i, known := index[k]
		if !known {
			i = len(out)
			index[k], out = i, append(out, d)
			agents[i] = nil
		}
		if !slices.Contains(agents[i], d.Agent) {
			agents[i] = append(agents[i], d.Agent)
		}
	}
	for i := range out {
		d := &out[i]
		if !slices.Contains(agents[i], "") {
			d.Agents = agents[i]
		}
		d.Plain, d.Message = d.Message, naming(agents[i], d.Message)
	}
	return out
}

// naming puts the names of agents in front of a message. "" is no agent, and
// then the finding is not theirs alone.
func naming(agents []string, message string) string {
	if slices.Contains(agents, "") {
		return message
	}
	if len(agents) == 1 {
		if strings.Contains(message, "agent "+Quote(agents[0])) {
			return message
		}
		return "agent " + Quote(agents[0]) + ": " + message
	}
	names := make([]string, 0, len(agents))
	for _, a := range agents {
		names = append(names, Quote(a))
	}
	return "agents " + Few(agentsNamed, names) + ": " + message
}

// Few joins texts with commas, the first of them where there are more than most.
func Few(most int, texts []string) string {
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), len(texts)-most)
}

// OfAgent returns the findings as those of an agent, where they have none yet.
func (l List) OfAgent(id string) List {
	for i := range l {
		if l[i].Agent == "" {
			l[i].Agent = id
		}
	}
	return l
}
