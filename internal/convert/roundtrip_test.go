package convert_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// written reads a card back from the text that it is written as.
func written(t *testing.T, node *source.Node) *convert.Reading {
	t.Helper()
	root, found := source.ParseJSON("card.json", schema.Write(node))
	if found != nil {
		t.Fatalf("what was written cannot be read: %v", found)
	}
	return convert.Read(root, convert.ReadOptions{})
}

// converted is one step of a round trip: a reading in another form, read again.
func converted(t *testing.T, r *convert.Reading, p schema.Protocol) *convert.Reading {
	t.Helper()
	node, found := convert.Convert(r, p)
	if found.Worst() == diag.Error {
		t.Fatalf("to %s: %v", p, found)
	}
	return written(t, node)
}

// text is a reading as the text of a card.
func text(t *testing.T, r *convert.Reading, p schema.Protocol) string {
	t.Helper()
	node, _ := convert.Convert(r, p)
	return string(schema.Write(node))
}

// wholeCard makes a card that every form can hold, but for what the tests below
// say it loses.
func wholeCard(seed uint64) *schema.Card {
	m := schematest.Maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	c := m.Card()
	c.Signatures = nil
	c.Extra = m.Object(3)
	c.InputModes, c.OutputModes = unique(c.InputModes), unique(c.OutputModes)
	for i := range c.Skills {
		s := &c.Skills[i]
		s.InputModes, s.OutputModes = unique(s.InputModes), unique(s.OutputModes)
		s.Extra = m.Object(1)
	}
	for i := range c.Interfaces {
		c.Interfaces[i].Extra = m.Object(1)
	}
	c.Interfaces = firstOfEach(c.Interfaces)
	return c
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// A card that cardwright wrote is clean: reading it finds nothing, and
// converting it changes nothing.
func TestWrittenCardsAreClean(t *testing.T) {
	for seed := range uint64(fixture.Rounds(40, 500)) {
		for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
			c := wholeCard(seed)
			c.Interfaces = append(c.Interfaces, schema.Interface{URL: "new", Binding: "GRPC", Version: "1.0"},
				schema.Interface{URL: "old", Binding: "GRPC", Version: "0.3"})
			node, losses := schema.Wire(c, p, schema.WireOptions{})
			if slices.ContainsFunc(losses, func(l diag.Diagnostic) bool { return l.Severity == diag.Error }) {
				continue
			}
			r := written(t, node)
			for _, d := range slices.Concat(r.Found, r.Missing) {
				if d.Rule != diag.CardMemberUnknown && d.Rule != diag.ModeNotMIME {
					t.Errorf("card %d, %s: %s: %s", seed, p, d.Pointer, d.Message)
				}
			}
			if diff := cmp.Diff(string(schema.Write(node)), text(t, r, p)); diff != "" {
				t.Errorf("card %d, %s (-before +after):\n%s", seed, p, diff)
			}
		}
	}
}

// 1.0 to 0.3 and back loses what docs/convert.md lists, and nothing else.
func TestRoundTripBy03(t *testing.T) {
	for seed := range uint64(fixture.Rounds(40, 500)) {
		c := wholeCard(seed)
		c.Capabilities.StateTransitionHistory = nil // no member of 1.0
		node, _ := schema.Wire(c, schema.V10, schema.WireOptions{})
		start := written(t, node)
		if _, found := convert.Convert(start, schema.V03); found.Worst() == diag.Error {
			continue // no requirement is left, which stops the conversion
		}
		back := converted(t, converted(t, start, schema.V03), schema.V10)
		without03(start.Card)
		if diff := cmp.Diff(text(t, start, schema.V10), text(t, back, schema.V10)); diff != "" {
			t.Errorf("card %d (-want +got):\n%s", seed, diff)
		}
	}
}

// without03 takes from a 1.0 card what 0.3 cannot hold.
func without03(c *schema.Card) {
	claimNothing(&c.Capabilities)
	old := slices.DeleteFunc(slices.Clone(c.Interfaces),
		func(i schema.Interface) bool { return i.Version != schema.V03.String() })
	if len(old) > 0 {
		c.Interfaces = old // endpoints of another version
	}
	for i := range c.Interfaces {
		c.Interfaces[i].Tenant, c.Interfaces[i].Version = "", "1.0"
	}
	c.Interfaces = firstOfEach(c.Interfaces)
	gone := map[string]bool{}
	for name, s := range c.SecuritySchemes {
		for i := range s.Flows {
			s.Flows[i].PKCERequired = false
		}
		if s.Type == schema.OAuth2 && s.Flows[0].Type == schema.DeviceCode {
			gone[name] = true
			delete(c.SecuritySchemes, name)
		}
	}
	c.Security = withoutSchemes(c.Security, gone)
	for i := range c.Skills {
		c.Skills[i].Security = withoutSchemes(c.Skills[i].Security, gone)
	}
}

// claimNothing says what capabilities say in a form that holds nothing else of
// them.
func claimNothing(c *schema.Capabilities) {
	if c.Streaming == nil && c.PushNotifications == nil && len(c.Extensions) == 0 {
		c.Streaming = new(false)
	}
}

func firstOfEach(list []schema.Interface) []schema.Interface {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(i schema.Interface) bool {
		known := seen[i.Said()]
		seen[i.Said()] = true
		return known
	})
}

func withoutSchemes(list []schema.Requirement, gone map[string]bool) []schema.Requirement {
	return slices.DeleteFunc(list, func(r schema.Requirement) bool {
		for name := range r {
			if gone[name] {
				return true
			}
		}
		return false
	})
}

// 0.3 to 1.0 and back loses stateTransitionHistory, and divides OAuth schemes
// by flow.
func TestRoundTripBy10(t *testing.T) {
	for seed := range uint64(fixture.Rounds(40, 500)) {
		c := wholeCard(seed)
		for i := range c.Interfaces {
			c.Interfaces[i].Version = "0.3"
		}
		node, losses := schema.Wire(c, schema.V03, schema.WireOptions{})
		if slices.ContainsFunc(losses, func(l diag.Diagnostic) bool { return l.Severity == diag.Error }) {
			continue
		}
		start := written(t, node)
		back := converted(t, converted(t, start, schema.V10), schema.V03)
		start.Card.Capabilities.StateTransitionHistory = nil
		if start.Card.Capabilities.ExtendedAgentCard == nil {
			claimNothing(&start.Card.Capabilities)
		}
		several := map[string]bool{}
		for name := range schema.DividedSchemes(start.Card, schema.V10) {
			several[name] = true
		}
		start.Card = start.Card.SplitFlows(several)
		if diff := cmp.Diff(text(t, start, schema.V03), text(t, back, schema.V03)); diff != "" {
			t.Errorf("card %d (-want +got):\n%s", seed, diff)
		}
	}
}
