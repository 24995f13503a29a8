package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/schema"
)

func TestFastAgent(t *testing.T) {
	for _, tt := range []struct {
		name, in, stem     string
		want               schema.Skill // none when it has no id
		placeholder, found string
	}{
		{
			"described", "type: agent\nname: researcher\ndescription: Finds sources.\ninstruction: You are …", "x",
			schema.Skill{
				ID: "researcher", Name: "researcher", Description: "Finds sources.",
				Tags: []string{"fast-agent", "basic"},
			},
			"Send a message to the researcher fast-agent agent.", "",
		},
		{
			"named by its file", "default: true", "travel desk",
			schema.Skill{ID: "travel_desk", Name: "travel_desk", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the travel_desk fast-agent agent.", "",
		},
		{
			"blanks in the name", "name: 'travel desk '", "x",
			schema.Skill{ID: "travel_desk", Name: "travel_desk", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the travel_desk fast-agent agent.", "",
		},
		{
			"router", "type: router\nagents: [a]", "x",
			schema.Skill{ID: "x", Name: "x", Tags: []string{"fast-agent", "router"}},
			"Send a message to the x fast-agent agent.", "",
		},
		{
			"maker", "type: MAKER", "x",
			schema.Skill{ID: "x", Name: "x", Tags: []string{"fast-agent", "maker"}},
			"Send a message to the x fast-agent agent.", "",
		},
		{
			"only a model", "model: fast", "x",
			schema.Skill{ID: "x", Name: "x", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the x fast-agent agent.", "",
		},
		{
			"only servers", "servers: [a]", "x",
			schema.Skill{ID: "x", Name: "x", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the x fast-agent agent.", "",
		},
		{
			"smart", "type: smart", "x",
			schema.Skill{ID: "x", Name: "x", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the x fast-agent agent.", "",
		},
		{
			"remote", "type: a2a\nurl: https://x.example", "x",
			schema.Skill{},
			"", "1:7 info source-excluded: the agent is left out of the card: it is remote and has its own card\n",
		},
		{
			"unknown type", "type: planner", "x",
			schema.Skill{},
			"", "1:7 warning source-invalid: unknown type of agent \"planner\", so this agent is left out of the card\n",
		},
		{
			"variable in the description", "name: a\ndescription: Books rooms in ${OFFICE:Rome}.", "x",
			schema.Skill{},
			"", "2:14 warning source-incomplete: the text has the placeholder \"${OFFICE:Rome}\", " +
				"so this agent is left out of the card\n",
		},
		{
			"variable in the name", "name: desk ${OFFICE}", "x",
			schema.Skill{},
			"", "1:7 warning source-incomplete: the text has the placeholder \"${OFFICE}\", " +
				"so this agent is left out of the card\n",
		},
		{
			"variable that is not published", "name: a\nmodel: ${MODEL}\ninstruction: In $OFFICE.", "x",
			schema.Skill{ID: "a", Name: "a", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the a fast-agent agent.", "",
		},
		{
			"no agent", "mcp: {servers: {}}", "x",
			schema.Skill{},
			"",
			"1:1 info source-excluded: the file is ignored: it describes no agent\n",
		},
		{
			"tool", "name: a\ntool_only: true", "x",
			schema.Skill{ID: "a", Name: "a", Tags: []string{"fast-agent", "basic"}},
			"Send a message to the a fast-agent agent.",
			"2:12 info source-invocation: the agent is a tool of other agents, the skill is published anyway\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, found := fastAgent(yaml(t, tt.in), tt.stem)
			if s == nil {
				s = &Skill{}
			}
			if d := cmp.Diff(tt.want, s.Skill); d != "" || s.Placeholder != tt.placeholder {
				t.Errorf("placeholder %q (-want +got):\n%s", s.Placeholder, d)
			}
			if got := told(found); got != tt.found {
				t.Errorf("got %swant %s", got, tt.found)
			}
		})
	}
}

func TestFastAgentCard(t *testing.T) {
	want := []schema.Interface{
		{URL: "https://agents.example/x/a2a/jsonrpc", Binding: "JSONRPC", Version: "1.0"},
		{URL: "https://agents.example/x/a2a/rest", Binding: "HTTP+JSON", Version: "1.0"},
	}
	if d := cmp.Diff(want, fastAgentCard("https://agents.example/x", false).Card.Interfaces); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := fastAgentCard("", false).Card.Interfaces; got != nil {
		t.Errorf("got %v", got)
	}
}
