package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
)

// A change concerns the agents whose sources it lies in or above. One that lies in
// no source asks for a run for all agents.
func TestResume(t *testing.T) {
	root := t.TempDir()
	at := func(names ...string) []string {
		for i, name := range names {
			names[i] = filepath.Join(root, filepath.FromSlash(name))
		}
		return names
	}
	inputs := []input{
		{"billing", at("billing/skills")[0]},
		{"both", at("billing/skills")[0]},
		{"both", at("common")[0]},
		{"nested", at("billing/skills/more/nested")[0]},
	}
	for name, c := range map[string]struct {
		changed, want []string
	}{
		"a skill":               {at("billing/skills/pdf/SKILL.md"), []string{"billing", "both"}},
		"a skill of one":        {at("common/pdf/SKILL.md"), []string{"both"}},
		"a nested source":       {at("billing/skills/more/nested/SKILL.md"), []string{"billing", "both", "nested"}},
		"above a nested source": {at("billing/skills/more"), []string{"billing", "both", "nested"}},
		"above all sources":     {at("billing"), nil},
		"beside all sources":    {at("common/pdf/SKILL.md", "cardwright.yaml"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := Series{good: &Run{Config: &config.Config{}}, inputs: inputs}
			resumed := s.Resume(c.changed)
			if diff := cmp.Diff(c.want, s.again); diff != "" || resumed != (c.want != nil) {
				t.Errorf("resumed: %t (-want +got):\n%s", resumed, diff)
			}
		})
	}
}
