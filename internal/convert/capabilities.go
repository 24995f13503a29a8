package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readCapabilities reads what the agent can do beyond request and response, and
// returns what describes skills instead.
func readCapabilities(r *reader, card *members) (c schema.Capabilities, skills []place) {
	p := card.plain("capabilities")
	free := !lists(card.At("skills"))
	r.places["/capabilities"] = p
	switch {
	case p.Node.Is(source.Object):
		skills = readFlags(r, &c, p, free)
	case p.Node.Is(source.Array):
		skills = namedExtension(r, &c, card, p, free)
	case p.Node.Is(source.String) && capability(p.Node.Text) != nil:
		capability(p.Node.Text).SetFlag(&c, new(true))
		r.repair(p, "capabilities is a text, it is read as %s: true", diag.Quote(p.Node.Text))
	case free && isProse(p):
		skills = append(skills, describedBy(cmp.Or(card.At("name").Node.Word(), p.Node.Text), p))
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

// isProse reports whether a value describes something in words.
func isProse(p place) bool { return strings.Contains(strings.TrimSpace(p.Node.Word()), " ") }

// lists reports whether a member says anything about skills.
func lists(p place) bool {
	return p.Node.Is(source.Array) && len(p.Node.Items) > 0 || p.Node.Is(source.Object) && len(p.Node.Members) > 0 || p.Node.Word() != ""
}

// readFlags reads capabilities that are an object. What A2A does not know is kept,
// but where the card lists no skills, texts and lists of skills describe them.
func readFlags(r *reader, c *schema.Capabilities, p place, free bool) (skills []place) {
	for m, v := range p.Entries() {
		name, target := m.Key, capability(m.Key)
		switch {
		case name == "extensions":
		case v.Node.Empty():
			r.silent = append(r.silent, v)
		case free && name == "skills" && v.Node.Is(source.Array):
			skills = slices.AppendSeq(skills, v.List())
		case free && target == nil && isProse(v):
			skills = append(skills, describedBy(name, v))
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
			target.SetFlag(c, claimed(r, v))
		}
	}
	return skills
}

// claimed reads a flag. A text that describes the capability claims it.
func claimed(r *reader, v place) *bool {
	if isProse(v) {
		r.assume(v, "%s describes a capability, so it is assumed", diag.Quote(v.Node.Text))
		return new(true)
	}
	return r.flag(v)
}

// describedBy returns the skill that a name with a description stands for.
func describedBy(name string, description place) place {
	at := description.Where()
	skill := &source.Node{Kind: source.Object, Span: at, Members: []source.Member{
		textMember("name", name, at),
		{Key: "description", KeySpan: at, Value: description.Node},
	}}
	return description.With(skill)
}

// textMember returns a member that means something at another place.
func textMember(key, text string, at diag.Span) source.Member {
	return source.Member{Key: key, KeySpan: at, Value: &source.Node{Kind: source.String, Text: text, Span: at}}
}

// namedExtension reads capabilities that are a list: of names, or of objects with a type,
// id or name, and a description. Where the card lists no skills, objects of other
// names and sentences describe them.
func namedExtension(r *reader, c *schema.Capabilities, card *members, p place, free bool) (skills []place) {
	if len(p.Node.Items) > 0 {
		r.repair(p, "capabilities is a list; the names that A2A defines are read as true")
	}
	var unknown []place
	for item := range p.List() {
		target := capability(wordOf(item, "type", "id", "name"))
		switch {
		case target != nil:
			target.SetFlag(c, describedExtension(r, item))
		case free && isProse(item):
			skills = append(skills, describedBy(item.Node.Text, item))
		case free && item.Node.Is(source.Object) && item.Node.Get("description") != nil && !isFlag(item.Node.Get("description")):
			skills = append(skills, item)
		case item.There():
			unknown = append(unknown, item)
		}
	}
	capabilitiesAside(r, card, unknown)
	return skills
}

// isFlag reports whether a description says no more than yes or no.
func isFlag(n *source.Node) bool {
	_, ok := truth(n)
	return ok
}

// describedExtension reports whether an entry of a list claims its capability: unless its
// description is a word that denies it, as Agent Shaker writes it.
func describedExtension(r *reader, item place) *bool {
	if p := item.At("description"); p.There() {
		if yes, ok := truth(p.Node); ok && !yes {
			r.repair(p, "%s is read as false", shown(p.Node))
			return new(false)
		}
	}
	return new(true)
}

// capabilitiesAside keeps what a list of capabilities names and A2A does not
// know: its capabilities are no list.
func capabilitiesAside(r *reader, card *members, unknown []place) {
	if len(unknown) == 0 {
		return
	}
	aside := &source.Node{Kind: source.Array}
	var names []string
	for _, p := range unknown {
		r.empties(p)
		aside.Items = append(aside.Items, p.Node)
		names = append(names, diag.Quote(cmp.Or(wordOf(p, "type", "id", "name"), p.Pointer())))
	}
	card.setAside("capabilities", aside)
	outcome := "kept as " + strconv.Quote("x-capabilities")
	if r.DropUnknown {
		outcome = "left out"
	}
	r.report(diag.CardMemberUnknown, unknown[0], "", "capabilities that A2A does not define are %s: %s", outcome,
		strings.Join(firstFew(names), ", "))
}

// readExtended reads the flag of the extended card, which 0.3 and drafts of 1.0
// have at the top level of the card.
func readExtended(r *reader, card *members, c *schema.Capabilities) {
	p := card.take("supportsAuthenticatedExtendedCard")
	if draft := card.take("supportsExtendedAgentCard"); draft.There() && !p.There() {
		p = draft
		r.repair(p, "supportsExtendedAgentCard, as in drafts of A2A 1.0, is read as the capability extendedAgentCard")
	}
	if v := r.flag(p); v != nil {
		if c.ExtendedAgentCard != nil && *c.ExtendedAgentCard != *v {
			r.drop(p, "the card and its capabilities differ about the extended card; the capabilities are used")
			return
		}
		c.ExtendedAgentCard = v
	}
}

// readExtensions reads the protocol extensions, which some cards list at the top
// level.
func readExtensions(r *reader, c *schema.Capabilities, card *members) {
	list := card.At("capabilities").At("extensions")
	if top := card.At("extensions"); list.Node == nil && top.Node.Is(source.Array) && len(top.Node.Items) > 0 &&
		top.Node.Items[0].Get("uri") != nil {
		list = card.take("extensions")
		r.repair(list, "extensions belongs in capabilities and is moved there")
	}
	for p := range list.List() {
		m := r.take(p)
		var e schema.Extension
		readPlain(r, m, schema.ExtensionMessage, &e)
		if e.URI == "" {
			r.report(diag.ExtensionURI, p, "", "an extension has no uri and is left out")
			continue
		}
		switch params := m.take("params"); {
		case params.Node.Is(source.Object):
			e.Params = params.Node
		case params.There():
			r.drop(params, "the params of an extension are %s and left out", params.Node.Kind.Article())
		}
		e.Extra = m.rest("extensions")
		c.Extensions = append(c.Extensions, e)
	}
	if list.There() && !list.Node.Is(source.Array) {
		r.drop(list, "extensions is %s and is left out", list.Node.Kind.Article())
	}
}
