package generate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Several agents may share a skill, and one that publishes it is enough.
func TestCheckPublish(t *testing.T) {
	texts := func(values ...string) (list []config.Text) {
		for i, v := range values {
			list = append(list, config.Text{Value: v, Span: diag.Span{File: "c.yaml", Line: i + 1}})
		}
		return list
	}
	cfg := &config.Config{Node: &source.Node{Kind: source.Object}}
	cfg.Skills = texts("pdf", "deploy", "[", "nobody")
	r := &run{Request: &Request{Config: cfg}, agents: []*work{
		{matched: []bool{true, false, false, false}},
		{matched: []bool{false, false, false, false}},
	}}
	var got []string
	for _, d := range r.checkPublish() {
		got = append(got, fmt.Sprintf("%s %s: %s", d.Rule, d.Severity, d.Message))
	}
	want := []string{
		`config-unmatched warning: the pattern "deploy" matches no skill`,
		`config-value error: the pattern "[" has a [ without a ] in the same segment, an empty [], or a \ at the end`,
		`config-unmatched warning: the pattern "nobody" matches no skill`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
