package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

func TestSwitches(t *testing.T) {
	found := diag.List{
		{Rule: diag.SkillIDDuplicate, Severity: diag.Error},
		{Rule: diag.SkillTagsMissing, Severity: diag.Warning},
		{Rule: diag.SkillExamplesFew, Severity: diag.Info},
		{Rule: diag.CardMemberUnknown, Severity: diag.Info},
	}
	for name, c := range map[string]struct {
		switches lint.Switches
		want     string
	}{
		"none":   {lint.Switches{}, "error warning info info "},
		"strict": {lint.Switches{Strict: true}, "error error info warning "},
		"off":    {lint.Switches{Rules: map[diag.RuleID]diag.Severity{diag.SkillIDDuplicate: 0}}, "warning info info "},
		"lifted": {
			lint.Switches{Rules: map[diag.RuleID]diag.Severity{diag.SkillExamplesFew: diag.Error}},
			"error warning error info ",
		},
		"set and strict": {
			lint.Switches{Strict: true, Rules: map[diag.RuleID]diag.Severity{diag.SkillExamplesFew: diag.Warning}},
			"error error error warning ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			for _, d := range c.switches.Apply(found) {
				got += d.Severity.String() + " "
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
