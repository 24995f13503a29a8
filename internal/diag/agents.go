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
// about no agent, or names it already, does not change.
func (l List) Named() List {
	type key struct {
		span           Span
		rule           RuleID
		message, apart string
		severity       Severity
	}
	var out List
	index := map[key]int{}
	var agents [][]string
	for _, d := range l {
		k := key{d.Span, d.Rule, d.Message, "", d.Severity}
		if d.Span.Line == 0 {
			k.apart = d.Agent + "\x00" + d.Pointer // nothing says that the place is the same
		}
		i, known := index[k]
		if !known {
			i = len(out)
			index[k], out, agents = i, append(out, d), append(agents, nil)
		}
		if !slices.Contains(agents[i], d.Agent) {
			agents[i] = append(agents[i], d.Agent)
		}
	}
	for i := range out {
		out[i].Message = naming(agents[i], out[i].Message)
	}
	return out
}

// naming puts the names of agents in front of a message. "" is no agent, and
// then the finding is not theirs alone.
func naming(agents []string, message string) string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = Quote(a)
	}
	switch {
	case slices.Contains(agents, "") || len(agents) == 1 && strings.Contains(message, "agent "+names[0]):
		return message
	case len(agents) == 1:
		return "agent " + names[0] + ": " + message
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

// OfAgent names an agent in the findings that name none.
func (l List) OfAgent(id string) List {
	for i := range l {
		if l[i].Agent == "" {
			l[i].Agent = id
		}
	}
	return l
}
