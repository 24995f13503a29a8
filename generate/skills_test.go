package generate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
)

func TestReadSkills(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"s/b/SKILL.md":     "---\nname: b\ndescription: Reads.\n---\n# B\n",
		"s/a/SKILL.md":     "---\r\nname: a\r\ndescription: Writes.\r\n---\r\n" + strings.Repeat("body\r\n", 40),
		"s/bare/SKILL.md":  "---\nname: bare\n---\n",
		"s/empty/SKILL.md": "",
		"s/tool.md":        "---\nname: tool\ndescription: Flat.\n---\n",
		"s/half.md":        "---\nname: half\n---\n",
		"s/README.md":      "# Skills\n",
		"s/dir/SKILL.md/x": "",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	tree := treeAt(fsys, "s")
	files, _ := discovered(tree, config.Source{Path: "s", Flat: true}, source.Limits{})
	gone := skillFile{SkillFile: mapping.SkillFile{Path: "s/gone/SKILL.md"}, name: "s/gone/SKILL.md"}
	dir := skillFile{SkillFile: mapping.SkillFile{Path: "s/dir/SKILL.md"}, name: "s/dir/SKILL.md"}
	for _, processors := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			skills, found, err := readSkills(context.Background(), tree, slices.Values(append(files, gone, dir)), readOptions{Limits: source.Limits{Source: 200}})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, s := range skills {
				ids = append(ids, s.ID)
			}
			if d := cmp.Diff([]string{"a", "b", "tool"}, ids); d != "" {
				t.Errorf("ids (-want +got):\n%s", d)
			}
			var rules []string
			for _, d := range found.Sorted() {
				rules = append(rules, d.Span.File+" "+d.Rule)
			}
			want := []string{
				"s/a/SKILL.md source-large",
				"s/bare/SKILL.md source-description-missing",
				"s/dir/SKILL.md source-unreadable",
				"s/empty/SKILL.md source-frontmatter-missing",
				"s/gone/SKILL.md source-unreadable",
				"s/half.md source-flat",
			}
			if d := cmp.Diff(want, rules); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

func TestReadSkillsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tree := treeAt(files("s/a/SKILL.md"), "s")
	found, _ := discovered(tree, config.Source{Path: "s"}, source.Limits{})
	if _, _, err := readSkills(ctx, tree, slices.Values(found), readOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCollide(t *testing.T) {
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
			name:   "hidden makes room",
			in:     []mapping.Skill{skill("a", "1", "x", mapping.Hidden), skill("a", "2", "y", mapping.Public)},
			want:   []mapping.Skill{skill("a", "2", "y", mapping.Public)},
			found:  []string{`1 warning source-id-collision: the id "a" belongs to "2", so this skill is left out of the card`},
			marked: "2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := collide(tt.in, nil)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("skills (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.found, told(found)); d != "" {
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
	asks := map[string]mapping.Visibility{"pdf": mapping.Public, "deploy-prod": mapping.Public, "admin": mapping.Extended, "secret": mapping.Hidden}
	tests := []struct {
		name             string
		config           config.Skills
		public, extended []string
		found            []string
	}{
		{
			name:   "what the skills ask for",
			public: []string{"deploy-prod", "pdf"}, extended: []string{"admin"},
			found: []string{`skills/secret info source-excluded: the skill "secret" is left out of the card: its visibility is hidden`},
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
				`skills/deploy-prod info source-excluded: the skill "deploy-prod" is left out of the card: skills.include does not match its id`,
				`skills/secret info source-excluded: the skill "secret" is left out of the card: its visibility is hidden`,
			},
		},
		{
			name:   "patterns that say nothing",
			config: config.Skills{Exclude: texts("[", "secret*"), Extended: texts("deploi-*")},
			public: []string{"deploy-prod", "pdf"}, extended: []string{"admin"},
			found: []string{
				`config:1 info config-unmatched: the pattern "deploi-*" matches the id of no skill`,
				`config:1 error config-value: the pattern "[" has a [ without a closing ] in the same segment, or with nothing in between`,
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
			public, extended, found := divide(skills, tt.config)
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
			if d := cmp.Diff(tt.found, told(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}
