package schema

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// capabilities reads what the agent can do beyond request and response, and
// returns what describes skills instead.
func (r *reader) capabilities(card *members) (c Capabilities, skills []place) {
	p := card.plain("capabilities")
	r.places["/capabilities"] = p.span
	switch {
	case p.Is(source.Object):
		skills = r.flags(&c, p)
	case p.Is(source.Array):
		skills = r.named(&c, p)
	case p.Is(source.String) && capability(&c, p.Text) != nil:
		*capability(&c, p.Text) = new(true)
		r.repair(p, "capabilities is a text, it is read as %s: true", diag.Quote(p.Text))
	case p.there():
		r.report("capability-type", diag.Warning, p, "", "capabilities is %s and says nothing that A2A knows, none is assumed", shown(p.Node))
	default:
		r.assume(p, "the card has no capabilities, none is assumed")
	}
	r.extended(card, &c)
	r.extensions(&c, card)
	return c, skills
}

// capability returns the flag that a name stands for, nil if none does.
func capability(c *Capabilities, name string) **bool {
	name = strings.TrimPrefix(word(name), "supports")
	switch name {
	case "streaming":
		return &c.Streaming
	case "pushnotifications":
		return &c.PushNotifications
	case "statetransitionhistory":
		return &c.StateTransitionHistory
	case "extendedagentcard", "authenticatedextendedcard":
		return &c.ExtendedAgentCard
	}
	return nil
}

// flagNames are the flags as A2A spells them.
func flagNames() []string {
	return []string{"streaming", "pushNotifications", "stateTransitionHistory", "extendedAgentCard"}
}

// flags reads capabilities that are an object. Names that A2A does not know are
// left out, but for texts: those describe skills.
func (r *reader) flags(c *Capabilities, p place) (skills []place) {
	var unknown []place
	for name, v := range p.entries() {
		target := capability(c, name)
		switch {
		case name == "extensions":
		case v.Empty():
			r.silent = append(r.silent, v)
		case name == "skills" && v.Is(source.Array):
			for _, item := range v.items() {
				skills = append(skills, item)
			}
		case target == nil && v.Is(source.String) && strings.Contains(v.Text, " "):
			skills = append(skills, describedBy(name, v))
		case target == nil:
			unknown = append(unknown, v)
		default:
			if !slices.Contains(flagNames(), name) {
				r.repair(v, "the capability %s is read as a flag of A2A", diag.Quote(name))
			}
			*target = r.claimed(v)
		}
	}
	r.reportCapabilities(unknown)
	return skills
}

// claimed reads a flag. A text that describes the capability claims it.
func (r *reader) claimed(v place) *bool {
	if v.Is(source.String) && strings.Contains(v.Text, " ") {
		r.assume(v, "%s describes a capability, which is assumed to be there", diag.Quote(v.Text))
		return new(true)
	}
	for _, key := range []string{"enabled", "supported"} {
		if inner := v.get(key); inner.Is(source.Bool) {
			r.repair(v, "an object stands for a flag, its %s counts", diag.Quote(key))
			return r.flag(inner)
		}
	}
	return r.flag(v)
}

// describedBy returns the skill that a name with a description stands for.
func describedBy(name string, description place) place {
	at := description.span
	skill := &source.Node{Kind: source.Object, Span: at, Members: []source.Member{
		textMember("name", name, at),
		{Key: "description", KeySpan: at, Value: description.Node},
	}}
	return description.with(skill)
}

// textMember returns a member that stands for something at another place.
func textMember(key, text string, at diag.Span) source.Member {
	return source.Member{Key: key, KeySpan: at, Value: &source.Node{Kind: source.String, Text: text, Span: at}}
}

// named reads capabilities that are a list: of names, or of objects with a type,
// id or name, and a description. Objects of other names describe skills.
func (r *reader) named(c *Capabilities, p place) (skills []place) {
	if len(p.Items) > 0 {
		r.repair(p, "capabilities is a list, the names that A2A knows are read as true")
	}
	var unknown []place
	for _, item := range p.items() {
		name := item
		for _, key := range []string{"type", "id", "name"} {
			if !name.Is(source.String) {
				name = item.get(key)
			}
		}
		target := capability(c, name.word())
		switch {
		case target != nil:
			*target = new(true)
		case item.Is(source.Object) && item.Get("description") != nil:
			skills = append(skills, item)
		case item.there():
			unknown = append(unknown, item)
		}
	}
	r.reportCapabilities(unknown)
	return skills
}

func (r *reader) reportCapabilities(unknown []place) {
	if len(unknown) == 0 {
		return
	}
	var names []string
	for _, p := range unknown {
		name := p.token
		if isIndex(name) {
			name = p.word()
		}
		names = append(names, diag.Quote(name))
	}
	r.report("capability-unknown", diag.Info, unknown[0], "", "capabilities that A2A does not know are left out: %s", strings.Join(firstFew(names), ", "))
}

// extended reads the flag of the extended card, which 0.3 and drafts of 1.0
// have at the top level of the card.
func (r *reader) extended(card *members, c *Capabilities) {
	p := card.take("supportsAuthenticatedExtendedCard")
	if draft := card.take("supportsExtendedAgentCard"); draft.there() && !p.there() {
		p = draft
		r.repair(p, "supportsExtendedAgentCard, as in drafts of A2A 1.0, is read as the capability extendedAgentCard")
	}
	if v := r.flag(p); v != nil {
		if c.ExtendedAgentCard != nil && *c.ExtendedAgentCard != *v {
			r.drop(p, "the card says something else than its capabilities about the extended card, the capabilities count")
			return
		}
		c.ExtendedAgentCard = v
	}
}

// extensions reads the protocol extensions, which some cards list at the top
// level.
func (r *reader) extensions(c *Capabilities, card *members) {
	list := card.get("capabilities").get("extensions")
	if top := card.get("extensions"); list.Node == nil && top.Is(source.Array) && len(top.Items) > 0 && top.Items[0].Get("uri") != nil {
		list = card.take("extensions")
		r.repair(list, "extensions belongs into capabilities and is read there")
	}
	for _, p := range list.items() {
		m := r.take(p)
		e := Extension{URI: r.spelled(m.take("uri", "url")), Description: r.spelled(m.take("description"))}
		if e.URI == "" {
			r.report("extension-uri", diag.Warning, p, "", "an extension has no uri and is left out")
			continue
		}
		if required := r.flag(m.take("required")); required != nil {
			e.Required = *required
		}
		switch params := m.take("params"); {
		case params.Is(source.Object):
			e.Params = params.Node
		case params.there():
			r.drop(params, "the params of an extension are %s and left out", article(params.Kind.String()))
		}
		m.ignore("an extension")
		c.Extensions = append(c.Extensions, e)
	}
	if list.there() && !list.Is(source.Array) {
		r.drop(list, "extensions is %s and is left out", article(list.Kind.String()))
	}
}
