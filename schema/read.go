package schema

import (
	"cmp"
	"slices"
	"strconv"

	"cardwright/internal/source"
)

// Read returns the card that an object holds in the form of one version, as it
// stands: nothing is repaired or made up, and what is missing stays so. The
// members are spelled as that version does, each of the type that it defines, and
// others are ignored. Skills stay in their order, and interfaces come with their pointers.
func Read(card *source.Node, p Protocol) (c *Card, interfaces []string) {
	r := reading{form: p}
	c = r.card(card)
	c.Interfaces, interfaces = r.interfaces(card)
	if flag := card.Get("supportsAuthenticatedExtendedCard"); flag != nil && p.Has(Flat) {
		c.Capabilities.ExtendedAgentCard = new(flag.Text == "true")
	}
	c.Security = Asked(c.Security)
	for _, n := range card.Get("skills").Elements() {
		c.Skills = append(c.Skills, r.skill(n))
	}
	for _, n := range card.Get("signatures").Elements() {
		s := Signature{Header: n.Get("header")}
		r.plain(SignatureMessage, &s, n)
		c.Signatures = append(c.Signatures, s)
	}
	return c, interfaces
}

// Configured returns what an agent of the configuration says about its card, but for
// interfaces and skills: in the form of 0.3, with the members of every version.
func Configured(agent *source.Node) *Card { return reading{Flat, true}.card(agent) }

// ConfiguredSkill returns a skill, or the part of one, that the configuration spells out.
func ConfiguredSkill(n *source.Node) Skill { return reading{Flat, true}.skill(n) }

// reading is one run of [Read], or of [Configured].
type reading struct {
	form       Protocol
	configured bool // the members have the keys of the configuration
}

// plain reads the members of a message that are a text, a flag or a list of texts.
func (r reading) plain(message string, of any, n *source.Node) {
	for _, m := range table[message] {
		name, known := m.Name, m.In.Has(r.form)
		if r.configured {
			name, known = m.Key(), true
		}
		if v := n.Get(name); v != nil && known && m.Plain() {
			m.Set(of, v)
		}
	}
}

// Fill sets the plain members of a message from an object that spells
// them as the configuration does.
func Fill(message string, of any, n *source.Node) { reading{configured: true}.plain(message, of, n) }

// card reads all but interfaces, skills and signatures.
func (r reading) card(card *source.Node) *Card {
	c := &Card{Security: r.requirements(card)}
	r.plain(CardMessage, c, card)
	if provider := card.Get("provider"); provider.Is(source.Object) {
		c.Provider = &Provider{}
		r.plain(ProviderMessage, c.Provider, provider)
	}
	capabilities := card.Get("capabilities")
	r.plain(CapabilitiesMessage, &c.Capabilities, capabilities)
	for _, n := range capabilities.Get("extensions").Elements() {
		e := Extension{Params: n.Get("params")}
		r.plain(ExtensionMessage, &e, n)
		c.Capabilities.Extensions = append(c.Capabilities.Extensions, e)
	}
	for _, m := range card.Get("securitySchemes").Fields() {
		if s, ok := r.scheme(m.Value); ok {
			if c.SecuritySchemes == nil {
				c.SecuritySchemes = map[string]SecurityScheme{}
			}
			c.SecuritySchemes[m.Key] = s
		}
	}
	return c
}

func (r reading) skill(n *source.Node) Skill {
	s := Skill{Security: r.requirements(n)}
	r.plain(SkillMessage, &s, n)
	return s
}

// interfaces reads the endpoints, preferred first.
func (r reading) interfaces(card *source.Node) (list []Interface, pointers []string) {
	name, version := "supportedInterfaces", ""
	if r.form.Has(Flat) {
		name, version = "additionalInterfaces", Flat.String()
		if url := card.Get("url").Word(); url != "" {
			binding := cmp.Or(card.Get("preferredTransport").Word(), "JSONRPC") // 5.5 of 0.3
			list, pointers = []Interface{{URL: url, Binding: binding, Version: version}}, []string{"/url"}
		}
	}
	for i, n := range card.Get(name).Elements() {
		e := Interface{Version: version}
		r.plain(InterfaceMessage, &e, n)
		list, pointers = append(list, e), append(pointers, "/"+name+"/"+strconv.Itoa(i))
	}
	return list, pointers
}

// scheme reads a security scheme, and returns false for one without a type.
func (r reading) scheme(n *source.Node) (SecurityScheme, bool) {
	s, body := SecurityScheme{Type: SchemeType(n.Get("type").Word())}, n
	if r.form.Has(Listed) {
		s.Type = ""
		for _, t := range SchemeTypes() {
			if inner := n.Get(t.Wrapper()); inner != nil && s.Type == "" {
				s.Type, body = t, inner
			}
		}
	}
	if s.Type == "" {
		return s, false
	}
	if r.plain(s.Type.Message(), &s, body); s.Type == MutualTLS && s.Description == MutualTLSDescription {
		s.Description = "" // its author gave it none
	}
	for _, t := range FlowTypes() {
		flow := body.Get("flows").Get(string(t))
		if flow == nil {
			continue
		}
		f := Flow{Type: t}
		r.plain(t.Message(), &f, flow)
		for _, scope := range flow.Get("scopes").Fields() {
			if f.Scopes == nil {
				f.Scopes = map[string]string{}
			}
			f.Scopes[scope.Key] = scope.Value.Word()
		}
		s.Flows = append(s.Flows, f)
	}
	return s, true
}

// Asked returns a list of alternatives, nil for one that asks for nothing: on a card it
// is none, on a skill some take it for none and others for one that lets everybody in.
func Asked(list []Requirement) []Requirement {
	if slices.ContainsFunc(list, func(q Requirement) bool { return len(q) > 0 }) {
		return list
	}
	return nil
}

// requirements reads the alternatives of the card or of a skill.
func (r reading) requirements(n *source.Node) []Requirement {
	name := "securityRequirements"
	if r.form.Has(Flat) {
		name = "security"
	}
	var list []Requirement
	for _, item := range n.Get(name).Elements() {
		schemes := item
		if r.form.Has(Listed) {
			schemes = item.Get("schemes")
		}
		requirement := Requirement{}
		for _, m := range schemes.Fields() {
			scopes := m.Value
			if r.form.Has(Listed) {
				scopes = scopes.Get("list")
			}
			requirement[m.Key] = scopes.Words()
		}
		list = append(list, requirement)
	}
	return list
}
