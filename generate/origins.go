package generate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// origins knows where the values of a card came from: a SKILL.md, the
// configuration or a flag. What has no place of its own has the place of what it
// stands in. See [schema.WireOptions].
type origins struct {
	agent   *source.Node // in the configuration
	card    *agentCard
	extends *mapping.Skill       // the first that is only on the extended card, nil for none
	merged  map[string]diag.Span // of the members that come from sources, by pointer
	skill   *mapping.Skill       // that was asked for last
	inSkill map[string]diag.Span // of its members
}

func newOrigins(w *work, d *agentCard) *origins {
	p := &origins{agent: w.agent.Node, card: d, merged: index(d.merged)}
	if len(w.forExtended) > 0 {
		p.extends = w.forExtended[0]
	}
	return p
}

// index returns places by their pointers. The first of a pointer wins.
func index(places []mapping.Place) map[string]diag.Span {
	spans := make(map[string]diag.Span, len(places))
	for _, p := range slices.Backward(places) {
		spans[p.Pointer] = p.Span
	}
	return spans
}

// nearest finds the place of a pointer, or of the nearest parent that has one.
func nearest(places map[string]diag.Span, pointer string) (diag.Span, bool) {
	for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if span, ok := places[at]; ok {
			return span, true
		}
	}
	return diag.Span{}, false
}

// of returns the place of a value of a message, by its pointer below that.
func (p *origins) of(message, below string) diag.Span {
	if rest, ok := strings.CutPrefix(message, "/skills/"); ok {
		index, rest, _ := strings.Cut(rest, "/")
		if i, err := strconv.Atoi(index); err == nil {
			if rest != "" {
				below = "/" + rest + below
			}
			return p.skillSpan(p.card.skills[i], below)
		}
	}
	return p.cardSpan(message + below)
}

// cardSpan finds the place of a value of the card outside of its skills, by its
// pointer into the model.
func (p *origins) cardSpan(pointer string) diag.Span {
	agent := p.agent
	pointer = strings.Replace(pointer, "/securityRequirements", "/security", 1)
	if span, ok := nearest(p.merged, pointer); ok {
		return span
	}
	head, rest := cutToken(pointer)
	token, below := cutToken(rest)
	switch {
	case head == "supportedInterfaces":
		if index, err := strconv.Atoi(token); err == nil {
			return nodeSpan(agent, "/interfaces/"+strconv.Itoa(p.card.index[index])+interfaceKey(below))
		}
		return nodeSpan(agent, "/interfaces")
	case head == "security":
		if index, err := strconv.Atoi(token); err == nil {
			return p.requirementSpan(index, below)
		}
		return firstSpan(agent, "/security", "/auth/providers")
	case head == "securitySchemes":
		return p.schemeSpan(token, below)
	case pointer == "/capabilities/extendedAgentCard":
		return p.extendedSpan()
	}
	return nodeSpan(agent, pointer)
}

// interfaceKey is how the configuration spells a member of an interface. One
// that it does not know, and the interface as a whole, stand at its URL.
func interfaceKey(below string) string {
	for _, m := range schema.Members(schema.InterfaceMessage) {
		if below == "/"+m.Name && m.In.Has(schema.Listed) {
			return "/" + m.Key()
		}
	}
	return "/url"
}

// requirementSpan finds a requirement of the card: those that providers stand
// for come before those that are spelled out.
func (p *origins) requirementSpan(index int, below string) diag.Span {
	agent, security := p.agent, p.card.card.Security
	if provided := len(security) - len(agent.Get("security").Elements()); index >= provided {
		return nodeSpan(agent, "/security/"+strconv.Itoa(index-provided)+below)
	}
	for name := range security[index] {
		return p.schemeSpan(name, "")
	}
	return nodeSpan(agent, "/auth/providers")
}

// schemeSpan finds a scheme by name, or the provider that stands for it.
func (p *origins) schemeSpan(name, below string) diag.Span {
	agent := p.agent
	if scheme := agent.Get("securitySchemes").Get(name); scheme != nil {
		return nodeSpan(scheme, below)
	}
	for _, provider := range agent.Get("auth").Get("providers").Elements() {
		if called := cmp.Or(provider.Get("name"), provider.Get("type")); called != nil && called.Text == name {
			return provider.Span
		}
	}
	return firstSpan(agent, "/securitySchemes", "/auth")
}

// extendedSpan is what makes the agent have an extended card.
func (p *origins) extendedSpan() diag.Span {
	for _, pointer := range []string{"/capabilities/extendedAgentCard", "/skills/extended"} {
		if found, ok := p.agent.Find(pointer); ok {
			return found.Span
		}
	}
	if p.extends != nil {
		return p.skillSpan(p.extends, "/visibility")
	}
	return p.agent.Span
}

// spanOf reads off the wire tree where the value at a pointer came from. A member
// that the card or a skill lacks stands where its author has it, with nothing in
// it that a card could hold.
func (w *work) spanOf(d *agentCard, pointer string) diag.Span {
	n, span, at := d.wire, d.wire.Span, ""
	for token := range source.Tokens(pointer) {
		below := source.Pointer("", token)
		next, ok := n.Find(below)
		if !ok {
			if ofSkill := strings.HasPrefix(at, "/skills/") && strings.Count(at, "/") == 2; at == "" || ofSkill {
				return d.origins.of(at, below)
			}
			break
		}
		n, at = next, at+below
		if n.Span != (diag.Span{}) {
			span = n.Span
		}
	}
	return span
}

// nodeSpan is the place of what the pointer names, or of its nearest parent.
func nodeSpan(n *source.Node, pointer string) diag.Span {
	found, _ := n.Find(pointer)
	return found.Span
}

// firstSpan is the place of the first pointer that names something.
func firstSpan(n *source.Node, pointers ...string) diag.Span {
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

// skillSpan is the place of a member of a skill: the nearest that its source
// knows, the skill as a whole where it knows none. As a rule a skill is asked for many
// times in a row.
func (p *origins) skillSpan(s *mapping.Skill, pointer string) diag.Span {
	if p.skill != s {
		p.skill, p.inSkill = s, index(s.Places)
	}
	if span, ok := nearest(p.inSkill, strings.Replace(pointer, "/securityRequirements", "/security", 1)); ok {
		return span
	}
	return s.Origin
}
