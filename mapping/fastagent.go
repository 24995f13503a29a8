package mapping

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readFastAgent reads the agent files that lie directly in a directory, or one.
func readFastAgent(_ context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	g := Gathered{CardPart: fastAgentCard(r.BaseURL, src.Bearer)}
	g.CardPart.Origin = src.Span
	w := newWalker(tree, src)
	files := w.all(isAgentFile, true)
	g.Found = w.found
	for _, f := range files {
		skill, found := r.agentFile(tree, f)
		g.Found = append(g.Found, found...)
		if skill != nil {
			if src.Bearer && !r.Secured { // as the server writes it
				skill.Security = []schema.Requirement{{fastAgentBearer: {}}}
			}
			g.Skills = append(g.Skills, *skill)
		}
	}
	return g, nil
}

func isAgentFile(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".yaml", ".yml"}, strings.ToLower(path.Ext(name)))
}

// agentFile reads one agent of fast-agent.
func (r *Reader) agentFile(tree Tree, f Match) (*Skill, diag.List) {
	if IsSkillName(path.Base(f.Name)) {
		return nil, diag.List{noSkill(f, "it is a skill, not an agent")}
	}
	var root *source.Node
	var found diag.List
	if strings.HasPrefix(strings.ToLower(path.Ext(f.Name)), ".y") {
		root, found = r.part(tree, f.Name)
	} else {
		var raw bytes.Buffer
		root, found = r.readHeader(tree, f, &raw)
		found = slices.DeleteFunc(found, isNoSkill)
		if bytes.HasPrefix(bytes.TrimSpace(raw.Bytes()), []byte("+++")) {
			found = diag.List{diag.New(diag.SourceFrontmatterMissing, diag.Top(f.Path),
				"the header is TOML, which is not supported, so this agent is left out of the card").
				WithHint("write it as YAML between two --- lines").CostsSkill()}
		}
	}
	if root == nil {
		return nil, found
	}
	if root.Kind != source.Object {
		return nil, append(found, noSkill(f, "it is not a map of keys"))
	}
	stem := strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
	skill, more := fastAgent(root, stem)
	return skill, append(found, more...)
}

// fastAgentKeys are keys of agent files; one is enough for an agent.
var fastAgentKeys = []string{
	"type", "name", "description", "instruction", "default", "model", "servers", "skills", "tools", "agents", "prompts",
	"resources",
	"use_history", "human_input", "api_key", "request_params", "tool_only", "function_tools", "child_agents", "sequence",
	"fan_out", "fan_in",
}

// fastAgent makes a skill of one agent of fast-agent: of the header of a
// Markdown file, or of a whole YAML file. stem is the name of the file without
// its extension. The skill is nil when the file is none of an agent of this
// server, and the findings say why.
func fastAgent(n *source.Node, stem string) (*Skill, diag.List) {
	m := maker{whole: n.Span, keys: noKeys}
	if !slices.ContainsFunc(fastAgentKeys, func(key string) bool { return n.Get(key) != nil }) {
		m.report(diag.SourceExcluded, n, "the file is ignored: it describes no agent", "")
		return nil, m.found
	}
	kind := n.Get("type")
	tag, known := fastAgentType(text(kind))
	switch {
	case !known:
		m.leaveOut(diag.SourceInvalid, diag.Warning, kind, fmt.Sprintf(
			"unknown type of agent %s, so this agent is left out of the card", diag.Quote(text(kind))),
			"known: "+strings.Join(fastAgentTypes(), ", "))
		return nil, m.found
	case tag == "a2a":
		m.leaveOut(diag.SourceExcluded, diag.Info, kind,
			"the agent is left out of the card: it is remote and has its own card", "")
		return nil, m.found
	}
	if toolOnly := n.Get("tool_only"); strings.EqualFold(text(toolOnly), "true") {
		m.reportRestricted(toolOnly, "the agent is a tool of other agents")
	}
	s := &m.skill
	name := present(n.Get("name"))
	for _, member := range []*source.Node{name, n.Get("description")} {
		if variable := environmentVariable.FindString(text(member)); variable != "" {
			m.leaveOut(diag.SourceIncomplete, diag.Warning, member, fmt.Sprintf(
				"the text has the placeholder %s, so this agent is left out of the card", diag.Quote(variable)),
				"write the value of the environment variable in its place")
			return nil, m.found
		}
	}
	s.Origin = n.Span
	if name != nil {
		s.Origin = name.Span
	}
	s.ID = strings.ReplaceAll(m.read("/id", name), " ", "_")
	if s.ID == "" {
		s.ID = strings.ReplaceAll(tidy(stem), " ", "_")
	}
	s.Name = s.ID
	m.place("/name", s.Origin)
	s.Description = m.read("/description", n.Get("description"))
	s.Placeholder = fmt.Sprintf("Send a message to the %s fast-agent agent.", s.ID)
	m.reportCut(n.Get("description"))
	s.Tags = []string{"fast-agent", tag}
	s.Visibility = m.visibility(n)
	return s, m.found
}

// environmentVariable is how configurations of fast-agent spell an environment variable:
// ${NAME} or ${NAME:default}. None is read here.
var environmentVariable = regexp.MustCompile(`\$\{[^}]*\}`)

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
	return []string{
		"agent", "a2a", "chain", "evaluator_optimizer", "iterative_planner", "maker", "orchestrator",
		"parallel", "router",
	}
}

// fastAgentBearer names the scheme of fast-agent servers that ask for tokens.
const fastAgentBearer = "hf_bearer"

// fastAgentCard is what the server of fast-agent says on its card whatever
// agents it has. Its interfaces are below baseURL, none when that is "". A secured
// one asks for tokens of Hugging Face.
func fastAgentCard(baseURL string, secured bool) CardPart {
	modes := []string{"text/plain", jsonType, "application/octet-stream", "image/*"}
	b := CardPart{Card: schema.Card{
		InputModes:   modes,
		OutputModes:  modes,
		Capabilities: schema.Capabilities{Streaming: new(true), PushNotifications: new(false)},
	}}
	if secured {
		b.Card.SecuritySchemes = map[string]schema.SecurityScheme{
			fastAgentBearer: {
				Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: "HF_TOKEN",
				Description: "Hugging Face token, as a bearer token in the Authorization header.",
			},
		}
		b.Card.Security = []schema.Requirement{{fastAgentBearer: {}}}
	}
	if baseURL != "" {
		b.Card.Interfaces = []schema.Interface{
			{URL: baseURL + "/a2a/jsonrpc", Binding: "JSONRPC", Version: schema.V10.String()},
			{URL: baseURL + "/a2a/rest", Binding: "HTTP+JSON", Version: schema.V10.String()},
		}
	}
	return b
}
