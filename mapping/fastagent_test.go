package mapping

import (
	"testing"
)

func TestFastAgent(t *testing.T) {
	for _, tt := range []struct{ in, want, found string }{
		{
			"type: agent\nname: researcher\ndescription: Finds sources.\ninstruction: You are …",
			"researcher|researcher|Finds sources.|fast-agent,basic", "",
		},
		{"default: true", "travel_desk|travel_desk||fast-agent,basic", ""}, // named by its file
		{"name: 'lost luggage '", "lost_luggage|lost_luggage||fast-agent,basic", ""},
		{"name: x\ntype: router\nagents: [a]", "x|x||fast-agent,router", ""},
		{"name: x\ntype: MAKER", "x|x||fast-agent,maker", ""},
		{"name: x\ntype: smart", "x|x||fast-agent,basic", ""},
		{"model: fast", "travel_desk|travel_desk||fast-agent,basic", ""},
		{"servers: [a]", "travel_desk|travel_desk||fast-agent,basic", ""},
		{"type: a2a\nurl: https://x.example", "", "1:7 info source-excluded"},
		{"type: planner", "", "1:7 warning source-invalid"},
		{"name: a\ndescription: Books rooms in ${OFFICE:Rome}.", "", "2:14 warning source-incomplete"},
		{"name: desk ${OFFICE}", "", "1:7 warning source-incomplete"},
		{"name: a\nmodel: ${MODEL}\ninstruction: In $OFFICE.", "a|a||fast-agent,basic", ""},
		{"mcp: {servers: {}}", "", "1:1 info source-excluded"},
		{"name: a\ntool_only: true", "a|a||fast-agent,basic", "2:12 info source-invocation"},
	} {
		s, found := fastAgent(yaml(t, tt.in), "travel desk")
		got := ""
		if s != nil {
			got = brief(s.Skill)
			if want := "Send a message to the " + s.ID + " fast-agent agent."; s.Placeholder != want {
				t.Errorf("the placeholder is %q, want %q", s.Placeholder, want)
			}
		}
		if got != tt.want || ruled(found) != tt.found {
			t.Errorf("%s: got %q, %s, want %q, %s", tt.in, got, ruled(found), tt.want, tt.found)
		}
	}
}
