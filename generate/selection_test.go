package generate

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
)

func TestUnique(t *testing.T) {
	skill := func(id, file, description string, v mapping.Visibility) mapping.Skill {
		s := mapping.Skill{Origin: diag.Span{File: file}, Visibility: v}
		s.ID, s.Description = id, description
		return s
	}
	tests := []struct {
		name   string
		in     []mapping.Skill
		want   []mapping.Skill
		found  []string
		marked string // the other place of the finding
	}{
		{
			name: "different ids",
			in:   []mapping.Skill{skill("a", "1", "x", mapping.Public), skill("A", "2", "x", mapping.Public)},
			want: []mapping.Skill{skill("a", "1", "x", mapping.Public), skill("A", "2", "x", mapping.Public)},
		},
		{
			name:   "different content",
			in:     []mapping.Skill{skill("a", "1", "x", mapping.Public), skill("a", "2", "y", mapping.Public)},
			want:   []mapping.Skill{skill("a", "1", "x", mapping.Public)},
			found:  []string{`2 warning source-id-collision: the id "a" belongs to "1", so this skill is left out of the card`},
			marked: "1",
		},
		{
			name:   "same content",
			in:     []mapping.Skill{skill("a", "1", "x", mapping.Public), skill("a", "2", "x", mapping.Extended)},
			want:   []mapping.Skill{skill("a", "1", "x", mapping.Extended)},
			found:  []string{`2 info source-id-collision: the skill "a" is the same as in "1" and published once`},
			marked: "1",
		},
		{
			name:   "hidden keeps its id",
			in:     []mapping.Skill{skill("a", "1", "x", mapping.Hidden), skill("a", "2", "y", mapping.Public)},
			want:   []mapping.Skill{skill("a", "1", "x", mapping.Hidden)},
			found:  []string{`2 warning source-id-collision: the id "a" belongs to "1", so this skill is left out of the card`},
			marked: "1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := unique(tt.in, "")
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("skills (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.found, shown(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
			if tt.marked != "" && found[0].Related[0].Span.File != tt.marked {
				t.Errorf("related: %v", found[0].Related)
			}
		})
	}
}

// A hint names no key that the reader of a file refuses or ignores.
func TestApart(t *testing.T) {
	const header = "tell them apart with KEY, or exclude one of them in skills.from"
	const name = "give one of them another name in its source"
	for kind, want := range map[mapping.SourceType]string{
		mapping.TypeSkills: header, mapping.TypeFastAgent: name, "mcp": name,
	} {
		s := mapping.Skill{Source: &mapping.Source{Type: kind}}
		if s.Origin.File = "a/skill.md"; kind == "mcp" {
			s.Origin.File = "tools.json"
		}
		if got := apart("KEY", mapping.Skill{}, s); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// texts are values of a list of the configuration, each on its own line.
func texts(values ...string) (list []config.Text) {
	for i, v := range values {
		list = append(list, config.Text{Value: v, Span: diag.Span{File: "config", Line: i + 1}})
	}
	return list
}

// Several agents may share a skill, and one that publishes it is enough.
func TestCheckPublish(t *testing.T) {
	cfg := &config.Config{Node: &source.Node{Kind: source.Object}, Skills: texts("pdf", "deploy", "[", "none")}
	r := &run{Request: &Request{Config: cfg}, agents: []*work{
		{matched: []bool{true, false, false, false}},
		{matched: []bool{false, false, false, false}},
	}}
	want := []string{
		"config:2 warning config-unmatched", "config:3 error config-value", "config:4 warning config-unmatched",
	}
	if d := cmp.Diff(want, places(r.checkPublish(), diag.ConfigUnmatched, diag.ConfigValue)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

func TestDivide(t *testing.T) {
	asks := map[string]mapping.Visibility{
		"pdf": mapping.Public, "deploy-prod": mapping.Public, "admin": mapping.Extended,
		"secret": mapping.Hidden,
	}
	const excluded, secret = " info source-excluded", "skills/secret info source-excluded"
	for name, tt := range map[string]struct {
		config           config.Skills
		public, extended []string
		found            []string
	}{
		"what the skills ask for": {
			public: []string{"deploy-prod", "pdf"}, extended: []string{"admin"}, found: []string{secret},
		},
		"the most private wins": {
			config: config.Skills{Include: texts("*"), Extended: texts("deploy-*", "secret"), Exclude: texts("ad*")},
			public: []string{"pdf"}, extended: []string{"deploy-prod"}, found: []string{"skills/admin" + excluded, secret},
		},
		"include": {
			config: config.Skills{Include: texts("pdf", "admin")}, public: []string{"pdf"}, extended: []string{"admin"},
			found: []string{"skills/deploy-prod" + excluded, secret},
		},
		"patterns that say nothing": {
			config: config.Skills{Exclude: texts("[", "secret*"), Extended: texts("deploi-*")},
			public: []string{"deploy-prod", "pdf"}, extended: []string{"admin"},
			found: []string{"config:1 info config-unmatched", "config:1 error config-value", secret},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var skills []mapping.Skill
			for _, id := range []string{"admin", "deploy-prod", "pdf", "secret"} {
				s := mapping.Skill{Visibility: asks[id], Origin: diag.Span{File: "skills/" + id}}
				s.ID = id
				skills = append(skills, s)
			}
			w := work{Request: &Request{}, agent: &config.Agent{Skills: tt.config}, skills: skills}
			_ = selectSkills(context.Background(), &w)
			public, extended := w.forPublic, w.forExtended
			found := w.found
			ids := func(skills []*mapping.Skill, want mapping.Visibility) (out []string) {
				for _, s := range skills {
					if s.Visibility != want {
						t.Errorf("%s is marked %q", s.ID, s.Visibility)
					}
					out = append(out, s.ID)
				}
				return out
			}
			if d := cmp.Diff(tt.public, ids(public, mapping.Public)); d != "" {
				t.Errorf("public (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.extended, ids(extended, mapping.Extended)); d != "" {
				t.Errorf("extended (-want +got):\n%s", d)
			}
			rules := []diag.RuleID{diag.SourceExcluded, diag.ConfigUnmatched, diag.ConfigValue}
			if d := cmp.Diff(tt.found, places(found, rules...)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

// However a skill is called, the lists of the configuration find it.
func TestSelectionByEveryName(t *testing.T) {
	skill := func(id string, names ...string) mapping.Skill {
		s := mapping.Skill{Visibility: mapping.Public, Names: names}
		s.ID = id
		return s
	}
	for _, tt := range []struct {
		pattern string
		skill   mapping.Skill
		want    bool
	}{
		{"internal-*", skill("rates", "internal-rates", "x"), true},     // its old id
		{"internal-*", skill("rates", "rates", "internal-rates"), true}, // its directory
		{"internal-*", skill("rates", "Internal Rates"), true},          // the id that its name would give
		{"Internal Rates", skill("rates", "internal rates"), true},
		{"*", skill("admin/delete"), true},
		{"admin*", skill("admin/delete"), true},
		{"*delete", skill("admin/tools/delete"), true},
		{"deploy-*", skill("Deploy-a"), true},
		{"deploy-*", skill("deploy_a"), true},
		{"deploy-*", skill("ｄｅｐｌｏｙ－a"), true},
		{"DEPLOY_*", skill("deploy-a"), true},
		{"straße", skill("STRAẞE"), true},
		{"Kelvin", skill("kelvin"), true},
		{"ﬁnd", skill("find"), true},
		{"cafe\u0301", skill("CAFÉ"), true},
		{"deploy-*", skill("redeploy-a"), false},
		{"deploy-?", skill("deploy-ab"), false},
		{"[a-c]-x", skill("B_X"), true},
		{"a*c", skill("a/b/c"), true},
		{"admin/*", skill("admin/delete"), true},
		{"admin/*", skill("admin-delete"), false},
	} {
		for _, key := range []string{"exclude", "extended", "include"} {
			list := []config.Text{{Value: tt.pattern}}
			lists := map[string]config.Skills{
				"exclude": {Exclude: list}, "extended": {Extended: list}, "include": {Include: list},
			}
			w := work{Request: &Request{}, agent: &config.Agent{Skills: lists[key]}, skills: []mapping.Skill{tt.skill}}
			_ = selectSkills(context.Background(), &w)
			public, extended := w.forPublic, w.forExtended
			got := map[string]bool{
				"exclude": len(public) == 0, "extended": len(extended) == 1, "include": len(public) == 1,
			}[key]
			if got != tt.want {
				t.Errorf("%s: %s on %q %q: %v", key, tt.pattern, tt.skill.ID, tt.skill.Names, got)
			}
		}
	}
}
