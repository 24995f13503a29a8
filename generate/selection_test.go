package generate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/mapping"
)

func TestUnique(t *testing.T) {
	skill := func(id, file, description string, v mapping.Visibility) mapping.Skill {
		s := mapping.Skill{Origin: diag.Span{File: file}, Visibility: v}
		s.ID, s.Description = id, description
		return s
	}
	keeps := func(id, file, description string) mapping.Skill {
		s := skill(id, file, description, mapping.Public)
		s.Keeps = true
		return s
	}
	hides := func(s mapping.Skill) mapping.Skill {
		s.Visibility = mapping.Hidden
		return s
	}
	flat := func(s mapping.Skill) mapping.Skill {
		s.Flat = true
		return s
	}
	home, other := &mapping.Source{Path: "skills"}, &mapping.Source{Path: "more"}
	in := func(source *mapping.Source, s mapping.Skill) mapping.Skill {
		s.Source = source
		return s
	}
	const hidden = `the id "a" is that of "a/SKILL.md", which is hidden, so this skill cannot have it`
	const notYours = `the id "a" is that of "a/SKILL.md", whose directory has this name, so this skill cannot have it`
	const rival = `the id "a" is that of "0/a/SKILL.md", which has this name as well, so this skill cannot have it`
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
			name:   "the place is kept",
			in:     []mapping.Skill{skill("a", "0/SKILL.md", "x", mapping.Public), keeps("a", "a/SKILL.md", "y")},
			want:   []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found:  []string{`0/SKILL.md error source-id-collision: ` + notYours},
			marked: "a/SKILL.md",
		},
		{
			name:   "the place is kept against those that come later",
			in:     []mapping.Skill{keeps("a", "a/SKILL.md", "y"), skill("a", "z/SKILL.md", "x", mapping.Public)},
			want:   []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found:  []string{`z/SKILL.md error source-id-collision: ` + notYours},
			marked: "a/SKILL.md",
		},
		{
			name:   "the place is kept against a list",
			in:     []mapping.Skill{skill("a", "0.json", "x", mapping.Public), keeps("a", "a/SKILL.md", "y")},
			want:   []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found:  []string{`0.json error source-id-collision: ` + notYours},
			marked: "a/SKILL.md",
		},
		{
			name: "a list that comes later",
			in:   []mapping.Skill{keeps("a", "a/SKILL.md", "y"), skill("a", "z.json", "x", mapping.Public)},
			want: []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found: []string{`z.json warning source-id-collision: the id "a" belongs to "a/SKILL.md", ` +
				`so this skill is left out of the card`},
			marked: "a/SKILL.md",
		},
		{
			name: "the same skill elsewhere",
			in:   []mapping.Skill{skill("a", "0/SKILL.md", "y", mapping.Public), keeps("a", "a/SKILL.md", "y")},
			want: []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found: []string{`0/SKILL.md info source-id-collision: the skill "a" is the same as in "a/SKILL.md" ` +
				`and published once`},
			marked: "a/SKILL.md",
		},
		{
			name:   "hidden keeps its place",
			in:     []mapping.Skill{hides(keeps("a", "a/SKILL.md", "Runs daily.")), keeps("a", "z/a/SKILL.md", "Other.")},
			want:   []mapping.Skill{hides(keeps("a", "a/SKILL.md", "Runs daily."))},
			found:  []string{`z/a/SKILL.md error source-id-collision: ` + hidden},
			marked: "a/SKILL.md",
		},
		{
			name:   "hidden keeps its place against what comes first",
			in:     []mapping.Skill{keeps("a", "0/a/SKILL.md", "Other."), hides(keeps("a", "a/SKILL.md", "Runs daily."))},
			want:   []mapping.Skill{hides(keeps("a", "a/SKILL.md", "Runs daily."))},
			found:  []string{`0/a/SKILL.md error source-id-collision: ` + hidden},
			marked: "a/SKILL.md",
		},
		{
			name:   "two directories of one name below a source",
			in:     []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x")), in(home, keeps("a", "b/a/SKILL.md", "y"))},
			want:   []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x"))},
			found:  []string{`b/a/SKILL.md error source-id-collision: ` + rival},
			marked: "0/a/SKILL.md",
		},
		{
			name: "two directories of one name and text",
			in:   []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x")), in(home, keeps("a", "b/a/SKILL.md", "x"))},
			want: []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x"))},
			found: []string{`b/a/SKILL.md info source-id-collision: the skill "a" is the same as in "0/a/SKILL.md" ` +
				`and published once`},
			marked: "0/a/SKILL.md",
		},
		{
			name: "two directories of one name below two sources",
			in:   []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x")), in(other, keeps("a", "b/a/SKILL.md", "y"))},
			want: []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x"))},
			found: []string{`b/a/SKILL.md warning source-id-collision: the id "a" belongs to "0/a/SKILL.md", ` +
				`so this skill is left out of the card`},
			marked: "0/a/SKILL.md",
		},
		{
			name: "a copy in an archive of the source",
			in:   []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x")), in(home, keeps("a", "old/a/SKILL.md", "y"))},
			want: []mapping.Skill{in(home, keeps("a", "0/a/SKILL.md", "x"))},
			found: []string{`old/a/SKILL.md warning source-id-collision: the id "a" belongs to "0/a/SKILL.md", ` +
				`so this skill is left out of the card`},
			marked: "0/a/SKILL.md",
		},
		{
			name: "a copy that is hidden",
			in:   []mapping.Skill{keeps("a", "a/SKILL.md", "y"), hides(keeps("a", "drafts/a/SKILL.md", "x"))},
			want: []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found: []string{`drafts/a/SKILL.md warning source-id-collision: the id "a" belongs to "a/SKILL.md", ` +
				`so this skill is left out of the card`},
			marked: "a/SKILL.md",
		},
		{
			name:   "the name of a directory counts more than that of a file",
			in:     []mapping.Skill{flat(keeps("a", "a.md", "x")), keeps("a", "a/SKILL.md", "y")},
			want:   []mapping.Skill{keeps("a", "a/SKILL.md", "y")},
			found:  []string{`a.md error source-id-collision: ` + notYours},
			marked: "a/SKILL.md",
		},
		{
			name:   "hidden makes room",
			in:     []mapping.Skill{skill("a", "1", "x", mapping.Hidden), skill("a", "2", "y", mapping.Public)},
			want:   []mapping.Skill{skill("a", "2", "y", mapping.Public)},
			found:  []string{`1 warning source-id-collision: the id "a" belongs to "2", so this skill is left out of the card`},
			marked: "2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, found := unique(tt.in, nil)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("skills (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.found, toldOf(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
			if tt.marked != "" && found[0].Related[0].Span.File != tt.marked {
				t.Errorf("related: %v", found[0].Related)
			}
		})
	}
}

func TestDivide(t *testing.T) {
	texts := func(values ...string) []config.Text {
		var out []config.Text
		for i, v := range values {
			out = append(out, config.Text{Value: v, Span: diag.Span{File: "config", Line: i + 1}})
		}
		return out
	}
	asks := map[string]mapping.Visibility{
		"pdf": mapping.Public, "deploy-prod": mapping.Public, "admin": mapping.Extended,
		"secret": mapping.Hidden,
	}
	tests := []struct {
		name             string
		config           config.Skills
		public, extended []string
		found            []string
	}{
		{
			name:   "what the skills ask for",
			public: []string{"deploy-prod", "pdf"}, extended: []string{"admin"},
			found: []string{
				`skills/secret info source-excluded: the skill "secret" is left out of the card: its visibility is hidden`,
			},
		},
		{
			name:   "the most private wins",
			config: config.Skills{Include: texts("*"), Extended: texts("deploy-*", "secret"), Exclude: texts("ad*")},
			public: []string{"pdf"}, extended: []string{"deploy-prod"},
			found: []string{
				`skills/admin info source-excluded: the skill "admin" is left out of the card: skills.exclude matches its id`,
				`skills/secret info source-excluded: the skill "secret" is left out of the card: its visibility is hidden`,
			},
		},
		{
			name:     "include",
			config:   config.Skills{Include: texts("pdf", "admin")},
			public:   []string{"pdf"},
			extended: []string{"admin"},
			found: []string{
				`skills/deploy-prod info source-excluded: the skill "deploy-prod" is left out of the card: ` +
					`skills.include does not match its id`,
				`skills/secret info source-excluded: the skill "secret" is left out of the card: its visibility is hidden`,
			},
		},
		{
			name:   "patterns that say nothing",
			config: config.Skills{Exclude: texts("[", "secret*"), Extended: texts("deploi-*")},
			public: []string{"deploy-prod", "pdf"}, extended: []string{"admin"},
			found: []string{
				`config:1 info config-unmatched: the pattern "deploi-*" matches the id of no skill`,
				`config:1 error config-value: the pattern "[" has a [ without a ] in the same segment, ` +
					"an empty [], or a \\ at the end",
				`skills/secret info source-excluded: the skill "secret" is left out of the card: its visibility is hidden`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var skills []mapping.Skill
			for _, id := range []string{"admin", "deploy-prod", "pdf", "secret"} {
				s := mapping.Skill{Visibility: asks[id], Origin: diag.Span{File: "skills/" + id}}
				s.ID = id
				skills = append(skills, s)
			}
			w := work{agent: &config.Agent{Skills: tt.config}, skills: skills}
			public, extended, _ := w.choose(nil)
			found := w.found.of(ofSource)
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
			if d := cmp.Diff(tt.found, toldOf(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

// toldOf returns findings, one a line, in their order, as place, severity, rule
// and message.
func toldOf(found diag.List) []string {
	var out []string
	for _, d := range found.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s: %s", d.Span, d.Severity, d.Rule, d.Message))
	}
	return out
}
