package generate

import (
	"strconv"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// origin turns a pointer into a card of the draft into the place that its
// value came from: a SKILL.md, the configuration or a flag. What has no place
// of its own has that of its parent.
func (d *draft) origin(agent *config.Agent, pointer string) diag.Span {
	if span, ok := nearestPlace(d.brought, sourcePointer(pointer)); ok {
		return span
	}
	head, rest := cutToken(pointer)
	switch head {
	case "skills":
		index, rest := cutToken(rest)
		if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(d.skills) {
			return skillPlace(d.skills[i], rest)
		}
		return nodePlace(agent.Node, "/skills")
	case "supportedInterfaces", "additionalInterfaces":
		index, rest := cutToken(rest)
		return d.interfacePlace(agent, head, index, rest)
	case "url":
		return d.interfacePlace(agent, "additionalInterfaces", "0", "/url")
	case "preferredTransport":
		return d.interfacePlace(agent, "additionalInterfaces", "0", "/binding")
	case "protocolVersion":
		return d.interfacePlace(agent, "additionalInterfaces", "0", "/versions")
	case "securityRequirements", "security":
		return firstPlace(agent.Node, "/security", "/auth/providers")
	case "securitySchemes":
		return schemePlace(agent.Node, rest)
	case "supportsAuthenticatedExtendedCard":
		return d.extendedPlace(agent)
	case "capabilities":
		if rest == "/extendedAgentCard" {
			return d.extendedPlace(agent)
		}
		if span, ok := d.schemaPlace(rest); ok {
			return span
		}
	}
	return nodePlace(agent.Node, pointer)
}

// extendedPlace is what makes the agent have an extended card.
func (d *draft) extendedPlace(agent *config.Agent) diag.Span {
	for _, pointer := range []string{"/capabilities/extendedAgentCard", "/skills/extended"} {
		if found, ok := agent.Node.Find(pointer); ok {
			return found.Span
		}
	}
	if d.extends != nil {
		return skillPlace(d.extends, "/visibility")
	}
	return agent.Node.Span
}

// interfacePlace finds the endpoint that an entry of an interface list is
// from. The list of a 1.0 card holds all entries, 1.0 before 0.3; that of a
// 0.3 card only those of its version.
func (d *draft) interfacePlace(agent *config.Agent, list, index, rest string) diag.Span {
	i, err := strconv.Atoi(index)
	if err != nil {
		return nodePlace(agent.Node, "/interfaces")
	}
	var order []int
	for _, version := range []string{"1.0", "0.3"} {
		if list == "additionalInterfaces" && version == "1.0" {
			continue
		}
		for j, e := range d.card.Interfaces {
			if e.Version == version {
				order = append(order, agent.InterfaceIndex[j])
			}
		}
	}
	if i < 0 || i >= len(order) {
		return nodePlace(agent.Node, "/interfaces")
	}
	rest = map[string]string{"/protocolBinding": "/binding", "/transport": "/binding", "/protocolVersion": "/versions"}[rest]
	if rest == "" {
		rest = "/url"
	}
	return nodePlace(agent.Node, "/interfaces/"+strconv.Itoa(order[i])+rest)
}

// schemePlace finds a scheme by name. One that was split by flow is named
// NAME-FLOW on the card; one that a provider stands for is under auth.
func schemePlace(agent *source.Node, rest string) diag.Span {
	name, below := cutToken(rest)
	schemes := agent.Get("securitySchemes")
	for _, flow := range schema.FlowTypes() {
		if base, ok := strings.CutSuffix(name, "-"+string(flow)); ok && schemes.Get(name) == nil && schemes.Get(base) != nil {
			name = base
		}
	}
	if scheme := schemes.Get(name); scheme != nil {
		return nodePlace(scheme, below)
	}
	if providers := agent.Get("auth").Get("providers"); providers.Is(source.Array) {
		for _, p := range providers.Items {
			if called := p.Get("name"); called != nil && called.Text == name || called == nil && p.Get("type") != nil && p.Get("type").Text == name {
				return p.Span
			}
		}
	}
	return firstPlace(agent, "/securitySchemes", "/auth")
}

// nodePlace is the place of what the pointer names, or of its nearest parent.
func nodePlace(n *source.Node, pointer string) diag.Span {
	found, _ := n.Find(pointer)
	return found.Span
}

// firstPlace is the place of the first pointer that names something.
func firstPlace(n *source.Node, pointers ...string) diag.Span {
	for _, p := range pointers {
		if found, ok := n.Find(p); ok {
			return found.Span
		}
	}
	return n.Span
}

// cutToken splits the first reference token, unescaped, off a pointer.
func cutToken(pointer string) (token, rest string) {
	for token = range source.Tokens(pointer) {
		break
	}
	if i := strings.IndexByte(strings.TrimPrefix(pointer, "/"), '/'); i >= 0 {
		rest = pointer[i+1:]
	}
	return token, rest
}

// skillPlace is the place of a member of a skill: the nearest that its source
// knows, the skill as a whole where it knows none.
func skillPlace(s *mapping.Skill, pointer string) diag.Span {
	if span, ok := nearestPlace(s.Places, strings.Replace(pointer, "/securityRequirements", "/security", 1)); ok {
		return span
	}
	return s.Origin
}

// nearestPlace finds the place of a pointer, or of the nearest parent that has one.
func nearestPlace(places []mapping.Place, pointer string) (diag.Span, bool) {
	for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		for _, p := range places {
			if p.Pointer == at {
				return p.Span, true
			}
		}
	}
	return diag.Span{}, false
}

// sourcePointer spells a pointer into a card as sources do.
func sourcePointer(pointer string) string {
	head, _ := cutToken(pointer)
	switch head {
	case "url", "preferredTransport", "protocolVersion", "additionalInterfaces":
		return "/supportedInterfaces"
	case "securityRequirements":
		return strings.Replace(pointer, head, "security", 1)
	}
	return pointer
}
