package convert

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readCapabilities reads what the agent can do beyond request and response, and
// returns what describes skills instead.
func readCapabilities(r *reader, card *members) (c schema.Capabilities, skills []place) {
	p := card.exact("capabilities")
	r.places["/capabilities"] = p
	free := card.place.At("skills").Node.Empty() // what describes a skill may be one
	switch {
	case p.Node.Is(source.Object):
		skills = readFlags(r, &c, p, free)
	case p.Node.Is(source.Array):
		skills = readNames(r, &c, card, p, free)
	case p.There():
		r.report(diag.CapabilityType, p, "", "capabilities is %s with nothing that A2A defines; no capabilities are assumed",
			shown(p.Node))
	default:
		r.assume(p, "the card has no capabilities; none are assumed")
	}
	readExtended(r, card, &c)
	readExtensions(r, &c, card)
	return c, skills
}

// capability returns the flag of a name, nil if there is none.
func capability(name string) *schema.Member {
	name = strings.TrimPrefix(word(name), "supports")
	if name == "authenticatedextendedcard" {
		name = "extendedagentcard"
	}
	rows := schema.Members(schema.CapabilitiesMessage)
	for i := range rows {
		if rows[i].Kind == source.Bool && word(rows[i].Name) == name {
			return &rows[i]
		}
	}
	return nil
}

// readFlags reads capabilities that are an object. What A2A does not know is kept,
// but a list of skills where the card has none.
func readFlags(r *reader, c *schema.Capabilities, p place, free bool) (skills []place) {
	for m, v := range p.Entries() {
		name, target := m.Key, capability(m.Key)
		switch {
		case name == "extensions":
		case v.Node.Empty():
			r.silent = append(r.silent, v)
		case free && name == "skills" && v.Node.Is(source.Array):
			skills = slices.AppendSeq(skills, v.List())
		case target == nil:
			if kept := r.keep("capabilities", name, v); !r.DropUnknown {
				c.Extra = c.Extra.With(name, kept)
			}
		case name != target.Name && p.At(target.Name).There(): // which counts, wherever it stands
			r.repair(v, "the capability %s is left out, because the card has %q", diag.Quote(name), target.Name)
		default:
			if name != target.Name {
				r.repair(v, "the capability %s is read as a flag of A2A", diag.Quote(name))
			}
			target.Put(c, r.flag(v))
		}
	}
	return skills
}

// readNames reads capabilities that are a list of names. Where the card lists no
// skills, objects with a description describe them. Others are kept in x-capabilities:
// the capabilities of A2A are no list.
func readNames(r *reader, c *schema.Capabilities, card *members, p place, free bool) (skills []place) {
	if len(p.Node.Items) > 0 {
		r.repair(p, "capabilities is a list; the names that A2A defines are read as true")
	}
	unknown := &source.Node{Kind: source.Array}
	var names []string
	for item := range p.List() {
		target := capability(wordOf(item, "type", "id", "name"))
		description := item.Node.Get("description")
		yes, isFlag := truth(description)
		switch {
		case target != nil: // Agent Shaker writes {"type": "streaming", "description": "no"}
			target.Put(c, new(yes || !isFlag))
		case free && description != nil && !isFlag:
			skills = append(skills, item)
		case item.There():
			r.empties(item)
			unknown.Items = append(unknown.Items, item.Node)
			names = append(names, diag.Quote(cmp.Or(wordOf(item, "type", "id", "name"), item.Pointer())))
		}
	}
	if names != nil {
		card.setAside("capabilities", unknown)
		r.report(diag.CardMemberUnknown, p, "", "capabilities that A2A does not define: %s, %s",
			strings.Join(firstFew(names), ", "), r.kept("capabilities", unknown))
	}
	return skills
}

// readExtended reads the flag of the extended card, which 0.3 and drafts of 1.0
// have at the top level of the card.
func readExtended(r *reader, card *members, c *schema.Capabilities) {
	p := card.member("supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard")
	v := r.flag(p)
	if v != nil && c.ExtendedAgentCard != nil && *c.ExtendedAgentCard != *v {
		r.drop(p, "the card and its capabilities differ about the extended card; the capabilities are used")
	} else if v != nil {
		c.ExtendedAgentCard = v
	}
}

// readExtensions reads the protocol extensions, which some cards list at the top
// level.
func readExtensions(r *reader, c *schema.Capabilities, card *members) {
	list := card.place.At("capabilities").At("extensions")
	if top := card.place.At("extensions"); list.Node == nil && top.Node.Is(source.Array) && len(top.Node.Items) > 0 &&
		top.Node.Items[0].Get("uri") != nil {
		list = card.exact("extensions")
		r.repair(list, "extensions belongs in capabilities and is moved there")
	}
	for p := range list.List() {
		m := r.members(p)
		var e schema.Extension
		readPlain(r, m, schema.ExtensionMessage, &e)
		if e.URI == "" {
			r.report(diag.ExtensionURI, p, "", "an extension has no uri and is left out")
			continue
		}
		if params := m.member("params"); params.Node.Is(source.Object) {
			e.Params = params.Node
		} else if params.There() {
			r.drop(params, "the params of an extension are %s and left out", params.Node.Kind.Article())
		}
		e.Extra = m.rest("extensions")
		c.Extensions = append(c.Extensions, e)
	}
	if list.There() && !list.Node.Is(source.Array) {
		r.drop(list, "extensions is %s and is left out", list.Node.Kind.Article())
	}
}
