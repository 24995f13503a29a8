package mapping

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
)

func treeAt(fsys fs.FS, root string) Tree {
	return Tree{FS: fsys, Root: root, Show: func(name string) string { return name }}
}

// skillsIn returns what is found in a source, in bytewise order of paths.
func skillsIn(tree Tree, o FindOptions) []Match {
	var files []Match
	FindSkills(tree, o, func(f Match) bool {
		files = append(files, f)
		return true
	})
	slices.SortFunc(files, func(a, b Match) int { return strings.Compare(a.Name, b.Name) })
	return files
}

func TestReadSkills(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"s/b/SKILL.md":     "---\nname: b\ndescription: Reads.\n---\n# B\n",
		"s/a/SKILL.md":     "---\r\nname: a\r\ndescription: Writes.\r\n---\r\n" + strings.Repeat("body\r\n", source.MaxSource/6),
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
	files := skillsIn(tree, FindOptions{Path: "s", Flat: true})
	gone := Match{Path: "s/gone/SKILL.md", Name: "s/gone/SKILL.md"}
	dir := Match{Path: "s/dir/SKILL.md", Name: "s/dir/SKILL.md"}
	reader := Reader{}
	for _, processors := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			skills, found, err := reader.readSkills(context.Background(), tree, Source{},
				slices.Values(append(files, gone, dir)))
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
				rules = append(rules, d.Span.File+" "+d.Rule.String())
			}
			want := []string{
				"s/a/SKILL.md source-too-large",
				"s/bare/SKILL.md source-description-missing",
				"s/dir/SKILL.md source-unreadable",
				"s/empty/SKILL.md source-frontmatter-missing",
				"s/gone/SKILL.md source-unreadable",
				"s/half.md source-excluded",
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
	tree := treeAt(fstest.MapFS{"s/a/SKILL.md": {}}, "s")
	found := skillsIn(tree, FindOptions{Path: "s"})
	if _, _, err := new(Reader).readSkills(ctx, tree, Source{}, slices.Values(found)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
