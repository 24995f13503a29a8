// Package schematest makes cards for tests. No part of the product imports it.
package schematest

import (
	_ "embed" // for the configuration

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
