package diag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamed(t *testing.T) {
	at := func(line int, agent, message string) Diagnostic {
		return Diagnostic{Rule: CardNull, Message: message, Span: Span{Line: line}, Agent: agent, Pointer: "/" + agent}
	}
	tests := []struct {
		name string
		in   List
		want []string
	}{
		{"no agent", List{at(1, "", "m")}, []string{"m"}},
		{"one", List{at(1, "a", "m")}, []string{`agent "a": m`}},
		{"named already", List{at(1, "a", `the agent "a" has no skill`)}, []string{`the agent "a" has no skill`}},
		{"the name of another", List{at(1, "a", `agent "ab": m`)}, []string{`agent "a": agent "ab": m`}},
		{
			"in common",
			List{at(1, "a", "m"), at(2, "a", "m"), at(1, "b", "m")},
			[]string{`agents "a", "b": m`, `agent "a": m`},
		},
		{
			"many",
			List{at(1, "a", "m"), at(1, "b", "m"), at(1, "c", "m"), at(1, "d", "m"), at(1, "d", "m"), at(1, "e", "m")},
			[]string{`agents "a", "b", "c" and 2 more: m`},
		},
		{"of a file that is not theirs alone", List{at(1, "a", "m"), at(1, "", "m")}, []string{"m"}},
		{"nowhere", List{at(0, "a", "m"), at(0, "b", "m")}, []string{`agent "a": m`, `agent "b": m`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, d := range tt.in.Named() {
				got = append(got, d.Message)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Findings come by place, then rule, pointer and message; one that follows from others
// comes behind them, and each counts once.
func TestSorted(t *testing.T) {
	at := func(file string, line int) Span { return Span{File: file, Line: line} }
	sorted := List{
		{Rule: CardNull, Span: at("a", 1)},
		{Rule: CardNull, Span: at("a", 2)},
		{Rule: CardURLInvalid, Span: at("a", 2)},
		{Rule: CardURLInvalid, Span: at("a", 2), Pointer: "/x"},
		{Rule: CardURLInvalid, Span: at("a", 2), Pointer: "/x", Message: "m"},
		{Rule: CardNull, Span: at("b", 1), Severity: Error},
		{Rule: CardNull, Span: at("b", 1)},
		{Rule: CardNull, Span: at("a", 1), Effect: NoSkillLeft},
	}
	shuffled := List{sorted[7], sorted[3], sorted[0], sorted[6], sorted[2], sorted[5], sorted[4], sorted[1], sorted[3]}
	if got := shuffled.Sorted(); !got.Equal(sorted) {
		t.Errorf("got %v", got)
	}
}

func TestSplit(t *testing.T) {
	all := List{{Severity: Info}, {Severity: Error}, {Severity: Warning}}
	worse, others := all.Split(Warning)
	if !worse.Equal(List{all[1], all[2]}) || !others.Equal(all[:1]) {
		t.Errorf("%v, %v", worse, others)
	}
}
