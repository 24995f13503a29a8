// Package schematest makes cards for tests. No part of the product imports it.
package schematest

import (
	_ "embed" // for the configuration
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Config is a configuration of one agent, with every member of a card that has a key.
//
//go:embed cardwright.yaml
var Config []byte

// FullCard holds everything that a card can hold: what [Config] says, and a signature.
func FullCard() *schema.Card {
	root, _ := source.ParseYAML("cardwright.yaml", Config, diag.ConfigValue)
	c := Configured(root.Get("agents").Elements()[0])
	header := source.NewObject(1)
	header.SetText("typ", "JOSE")
	c.Signatures = []schema.Signature{{Protected: "eyJhbGciOiJFUzI1NiJ9", Signature: "c2ln", Header: header}}
	return c
}

// Configured returns the card of an agent of a configuration.
func Configured(agent *source.Node) *schema.Card {
	c := schema.Configured(agent)
	for _, n := range agent.Get("interfaces").Elements() {
		var e schema.Interface
		schema.Fill(schema.InterfaceMessage, &e, n)
		e.Version = n.Get("versions").Words()[0]
		c.Interfaces = append(c.Interfaces, e)
	}
	for _, n := range agent.Get("skills").Get("add").Elements() {
		c.Skills = append(c.Skills, schema.ConfiguredSkill(n))
	}
	return c
}

// LargeCard has skills of the usual size: a description of some 300
// characters, a few tags and now and then an example.
func LargeCard(skills int) *schema.Card {
	c := FullCard()
	c.Skills = nil
	for i := range skills {
		s := schema.Skill{
			ID: fmt.Sprintf("skill-%05d", i), Name: fmt.Sprintf("Skill %d", i), Tags: []string{"documents", "forms"},
			Description: strings.Repeat("Reads documents of many kinds – “as is”. ", 8),
		}
		if i%4 == 0 {
			s.Examples = []string{"Merge these two files", "Fill in this form"}
		}
		c.Skills = append(c.Skills, s)
	}
	return c
}

// Maker makes random cards, the same ones in every run.
type Maker struct {
	*rand.Rand
	// Holes lets members be empty where the specification wants one.
	Holes bool
}

// Chance is true in so many of a hundred cases.
func (m Maker) Chance(percent int) bool { return m.IntN(100) < percent }

// text is some text, seldom an odd or an empty one.
func (m Maker) text(word string) string {
	switch {
	case m.Holes && m.Chance(10):
		return ""
	case m.Chance(10):
		return word + "<&>\u2028é\x00\"😀"
	}
	return word + strconv.Itoa(m.IntN(10))
}

// fill sets the plain members of a message, those that are not required in half of the
// cases.
func (m Maker) fill(message string, of any) {
	for _, row := range schema.Members(message) {
		switch {
		case !row.Plain() || !row.Required && m.Chance(50) || m.Holes && m.Chance(5):
		case row.Kind == source.Bool:
			row.Put(of, new(m.Chance(50)))
		case row.Kind == source.Array:
			list := []string{m.text(row.Name)}
			for m.Chance(40) {
				list = append(list, m.text(row.Name))
			}
			row.Put(of, list)
		default:
			row.Put(of, m.text(row.Name))
		}
	}
}

func (m Maker) value(depth int) *source.Node {
	switch n := m.IntN(8); {
	case n == 0:
		return &source.Node{Kind: source.Null, Text: "null"}
	case n == 1:
		return source.NewBool(m.Chance(50))
	case n == 2:
		return &source.Node{Kind: source.Number, Text: []string{"0", "-1.50", "1e3", "0x1F"}[m.IntN(4)]}
	case n == 3 || depth == 0:
		return source.NewText([]string{"", "x", "\n"}[m.IntN(3)])
	case n < 6:
		list := &source.Node{Kind: source.Array}
		for range m.IntN(3) {
			list.Items = append(list.Items, m.value(depth-1))
		}
		return list
	default:
		return m.Object(depth - 1)
	}
}

// Object returns any JSON object, so many levels deep at most.
func (m Maker) Object(depth int) *source.Node {
	o := &source.Node{Kind: source.Object}
	for i := range m.IntN(4) {
		o.Set(fmt.Sprintf("k%d-%d", m.IntN(10), i), m.value(depth))
	}
	return o
}

func (m Maker) scheme() schema.SecurityScheme {
	s := schema.SecurityScheme{Type: schema.SchemeTypes()[m.IntN(5)]}
	m.fill(s.Type.Message(), &s)
	if s.Type == schema.APIKey {
		s.In = []string{"header", "query", "cookie"}[m.IntN(3)]
	}
	for _, t := range schema.FlowTypes() {
		if s.Type != schema.OAuth2 || len(s.Flows) > 0 && m.Chance(50) {
			continue
		}
		f := schema.Flow{Type: t, Scopes: map[string]string{"s" + strconv.Itoa(m.IntN(3)): m.text("S"), "s1": ""}}
		m.fill(t.Message(), &f)
		s.Flows = append(s.Flows, f)
	}
	if s.Type == schema.OAuth2 {
		s.Flows = s.Flows[m.IntN(len(s.Flows)):]
	}
	return s
}

func (m Maker) requirements(names []string) []schema.Requirement {
	var list []schema.Requirement
	for m.Chance(50) {
		r := schema.Requirement{}
		for m.Chance(70) && len(names) > 0 {
			var scopes []string
			for m.Chance(30) {
				scopes = append(scopes, "s"+strconv.Itoa(m.IntN(3)))
			}
			r[names[m.IntN(len(names))]] = scopes
		}
		list = append(list, r)
	}
	return list
}

// Card returns a card with anything that one can have.
func (m Maker) Card() *schema.Card {
	c := &schema.Card{SecuritySchemes: map[string]schema.SecurityScheme{}}
	m.fill(schema.CardMessage, c)
	m.fill(schema.CapabilitiesMessage, &c.Capabilities)
	for range 1 + m.IntN(4) {
		var e schema.Interface
		m.fill(schema.InterfaceMessage, &e)
		e.Binding, e.Version = "JSONRPC", []string{"1.0", "0.3"}[m.IntN(2)]
		c.Interfaces = append(c.Interfaces, e)
	}
	if m.Chance(50) {
		c.Provider = &schema.Provider{}
		m.fill(schema.ProviderMessage, c.Provider)
	}
	for m.Chance(40) {
		e := schema.Extension{Params: m.Object(4)}
		m.fill(schema.ExtensionMessage, &e)
		c.Capabilities.Extensions = append(c.Capabilities.Extensions, e)
	}
	var names []string
	for i := range m.IntN(5) {
		name := m.text("scheme") + strconv.Itoa(i)
		names = append(names, name)
		c.SecuritySchemes[name] = m.scheme()
	}
	c.Security = m.requirements(names)
	for i := range 1 + m.IntN(4) {
		s := schema.Skill{Security: m.requirements(names)}
		m.fill(schema.SkillMessage, &s)
		s.ID = strconv.Itoa(i) + s.ID
		c.Skills = append(c.Skills, s)
	}
	if m.Chance(20) {
		s := schema.Signature{Header: m.Object(2)}
		m.fill(schema.SignatureMessage, &s)
		c.Signatures = []schema.Signature{s}
	}
	return c
}

// Reachable are the members, as message/name, that cards of a version can have.
func Reachable(v schema.Protocol) map[string]bool {
	all := map[string]bool{}
	var visit func(message string)
	visit = func(message string) {
		for _, m := range schema.Members(message) {
			if name := message + "/" + m.Name; m.In.Has(v) && !all[name] {
				all[name] = true
				visit(m.Of)
			}
		}
		if message == schema.SchemeMessage && v.Has(schema.Flat) {
			for _, t := range schema.SchemeTypes() {
				visit(t.Message())
			}
		}
	}
	visit(schema.CardMessage)
	return all
}
