package mapping

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// FastAgent makes a skill of one agent of fast-agent: of the header of a
// Markdown file, or of a whole YAML file. stem is the name of the file without
// its extension. The skill is nil when the file is none of an agent of this
// server, and the findings say why.
func FastAgent(root *source.Node, stem string, o SkillOptions) (*Skill, diag.List) {
	m := maker{whole: root.Span}
	s := m.fastAgent(root, stem, o)
	return s, m.found
}

func (m *maker) fastAgent(n *source.Node, stem string, o SkillOptions) *Skill {
	if !slices.ContainsFunc([]string{"type", "name", "description", "instruction", "default"}, func(key string) bool { return n.Get(key) != nil }) {
		m.report(diag.Info, "source-flat", n, "the file is left out: it describes no agent", "")
		return nil
	}
	kind := n.Get("type")
	tag, known := fastAgentType(text(kind))
	switch {
	case !known:
		m.report(diag.Warning, "source-invalid", kind, fmt.Sprintf("unknown type of agent %s, the agent is left out", diag.Quote(text(kind))), "known: "+strings.Join(fastAgentTypes(), ", "))
		return nil
	case tag == "a2a":
		m.report(diag.Info, "source-excluded", kind, "the agent is left out: it is a remote one with a card of its own", "")
		return nil
	}
	if toolOnly := n.Get("tool_only"); strings.EqualFold(text(toolOnly), "true") {
		m.skill.NoUser = true
		m.reportRestricted(toolOnly, "the agent is a tool of other agents", o.RespectInvocation)
		if o.RespectInvocation {
			return nil
		}
	}
	s := &m.skill
	name := present(n.Get("name"))
	s.Origin = n.Span
	if name != nil {
		s.Origin = name.Span
	}
	s.ID = strings.ReplaceAll(m.take("/id", name), " ", "_")
	if s.ID == "" {
		s.ID = strings.ReplaceAll(tidy(stem), " ", "_")
	}
	s.Name = s.ID
	m.place("/name", s.Origin)
	s.Description = m.take("/description", n.Get("description"))
	s.Stopgap = fmt.Sprintf("Send a message to the %s fast-agent agent.", s.ID)
	if d := n.Get("description"); d != nil && d.Cut {
		m.reportCut(d)
	}
	s.Tags = []string{"fast-agent", tag}
	s.Visibility = Public
	return s
}

// fastAgentType returns what the server of fast-agent calls a type of agent:
// it is spelled otherwise in files.
func fastAgentType(spelled string) (tag string, known bool) {
	switch kind := strings.ToLower(spelled); kind {
	case "", "agent", "smart":
		return "basic", true
	default:
		return kind, slices.Contains(fastAgentTypes(), kind)
	}
}

func fastAgentTypes() []string {
	return []string{"agent", "a2a", "chain", "evaluator_optimizer", "iterative_planner", "maker", "orchestrator", "parallel", "router"}
}

// FastAgentCard is what the server of fast-agent says on its card whatever
// agents it has. Its interfaces are below baseURL, none when that is "".
func FastAgentCard(baseURL string) Brought {
	modes := []string{"text/plain", jsonType, "application/octet-stream", "image/*"}
	yes := true
	b := Brought{Card: schema.Card{
		InputModes:   modes,
		OutputModes:  modes,
		Capabilities: schema.Capabilities{Streaming: &yes},
		SecuritySchemes: map[string]schema.SecurityScheme{
			"hf_bearer": {Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: "HF_TOKEN", Description: "Hugging Face token, as a bearer token in the Authorization header."},
		},
		Security: []schema.Requirement{{"hf_bearer": {}}},
	}}
	if baseURL != "" {
		b.Card.Interfaces = []schema.Interface{
			{URL: baseURL + "/a2a/jsonrpc", Binding: "JSONRPC", Version: string(schema.V10)},
			{URL: baseURL + "/a2a/rest", Binding: "HTTP+JSON", Version: string(schema.V10)},
		}
	}
	return b
}
