package mapping

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files of one id in the order in which they win, whatever they are sorted
// by otherwise.
func TestStanding(t *testing.T) {
	want := []string{
		"src/z/SKILL.md",
		"src/plugins/hr/skills/a/SKILL.md",
		"src/skills/go/io/a/SKILL.md",
		"src/skills/it/ci-cd/a/SKILL.md",
		"src/skills/my-docs/ai-ml/a/SKILL.md",
		"src/Archive/a/SKILL.md",
		"src/templates/a/SKILL.md",
		"src/.backup/old/a/SKILL.md",
		"src/docs/it-IT/a/SKILL.md",
		"src/docs/ja-JP/a/SKILL.md",
		"src/docs/skills/a/SKILL.md",
		"src/skills/zh-hans/a/SKILL.md",
		"src/skills/zh_CN/a/SKILL.md",
	}
	tree := Tree{Root: "src"}
	got := slices.Sorted(slices.Values(want))
	slices.SortFunc(got, func(a, b string) int {
		return precedenceOf(tree.Relative(a)).compare(precedenceOf(tree.Relative(b)))
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	for name, aside := range map[string]bool{
		"docs": true, "Docs": true, "doc": true, "examples": true, "_template": true, "tests": true, "ja-JP": true,
		"pt_br": true, "zh": true, "fr": true, "it-IT": true,
		"skills": false, "it": false, "hr": false, "ai-ml": false, "ci-cd": false, "de-luxe": false, "documents": false,
		"en": false, "en-US": false, "testing": false, "go": false, "es-lint": false,
	} {
		if got := Aside(name); got != aside {
			t.Errorf("%s: aside is %t", name, got)
		}
	}
}
