package conformance

import (
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/google/go-cmp/cmp"
)

// The parsers of a2a-go: the one its resolver uses, and the one that it offers
// for peers of 0.3.
func parseDefault(data []byte) (*a2a.AgentCard, error) { return agentcard.DefaultCardParser(data) }
func parseCompat(data []byte) (*a2a.AgentCard, error)  { return a2av0.NewAgentCardParser()(data) }

func TestA2AGo(t *testing.T) {
	for _, c := range cards(t) {
		if c.is10() {
			t.Run("default/"+c.path, func(t *testing.T) { checkA2AGo(t, c, parseDefault) })
		}
		if c.is03() {
			t.Run("compat/"+c.path, func(t *testing.T) { checkA2AGo(t, c, parseCompat) })
		}
	}
}

// checkA2AGo demands that the parser understands the card, or refuses it for a
// reason that we know. When a2a-go mends one of those, this fails, and the
// exception goes.
func checkA2AGo(t *testing.T, c card, parse agentcard.Parser) {
	t.Helper()
	got, err := parse(c.data)
	if reason := c.refusedByA2AGo(); reason != "" {
		if err == nil {
			t.Errorf("a2a-go reads the card in spite of %s: drop the exception", reason)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.want(), readA2AGo(got)); diff != "" {
		t.Errorf("reading (-want +got):\n%s", diff)
	}
}

// refusedByA2AGo returns what in a correct card makes a2a-go refuse all of it,
// "" when nothing does.
func (w wire) refusedByA2AGo() string {
	requirements := len(w.SecurityRequirements)
	for _, s := range w.Skills {
		requirements += len(s.SecurityRequirements)
	}
	if requirements > 0 {
		return "securityRequirements (its issue 430)"
	}
	return ""
}

func readA2AGo(c *a2a.AgentCard) reading {
	r := reading{Name: c.Name, Version: c.Version}
	for _, i := range c.SupportedInterfaces {
		r.Endpoints = append(r.Endpoints, string(i.ProtocolBinding)+" "+i.URL)
	}
	for name := range c.SecuritySchemes {
		r.Schemes = append(r.Schemes, string(name))
	}
	for _, s := range c.Skills {
		r.Skills = append(r.Skills, s.ID)
	}
	return r.normal()
}
