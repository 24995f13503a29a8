package mapping

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files of one id in the order in which they win, whatever they are sorted
// by otherwise.
func TestPrecedence(t *testing.T) {
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
	for copies, names := range map[bool]string{
		true:  "docs Docs doc examples _template tests ja-JP pt_br zh fr it-IT",
		false: "skills it hr ai-ml ci-cd de-luxe documents en en-US testing go es-lint",
	} {
		for name := range strings.FieldsSeq(names) {
			if isCopies(name) != copies {
				t.Errorf("%s: copies is %t", name, !copies)
			}
		}
	}
}
