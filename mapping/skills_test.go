package mapping

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func treeAt(fsys fs.FS, root string) Tree {
	return Tree{FS: fsys, Root: root, Show: func(name string) string { return name }}
}

func TestReadSkills(t *testing.T) {
	fsys := fstest.MapFS{"s/shut/SKILL.md": {Mode: fs.ModeSymlink, Data: []byte("nowhere")}}
	for name, text := range map[string]string{
		"s/b/SKILL.md":     "---\nname: b\ndescription: Reads.\n---\n# B\n",
		"s/a/SKILL.md":     "---\r\nname: a\r\ndescription: Writes.\r\n---\r\nbody\r\n",
		"s/bare/SKILL.md":  "---\nname: bare\n---\n",
		"s/empty/SKILL.md": "",
		"s/tool.md":        "---\nname: tool\ndescription: Flat.\n---\n",
		"s/half.md":        "---\nname: half\n---\n",
		"s/README.md":      "# Skills\n",
		"s/dir/SKILL.md/x": "",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	src := Source{Path: "s", Flat: true}
	for _, processors := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			g, err := new(Reader).Read(context.Background(), treeAt(fsys, "s"), src)
			if err != nil {
				t.Fatal(err)
			}
			var ids, rules []string
			for _, s := range g.Skills {
				ids = append(ids, s.ID)
			}
			if d := cmp.Diff([]string{"a", "b", "tool"}, ids); d != "" {
				t.Errorf("ids (-want +got):\n%s", d)
			}
			for _, d := range g.Found.Sorted() {
				rules = append(rules, d.Span.File+" "+d.Rule.String())
			}
			want := []string{
				"s/bare/SKILL.md source-description-missing",
				"s/dir/SKILL.md source-unreadable",
				"s/empty/SKILL.md source-frontmatter-missing",
				"s/half.md source-excluded",
				"s/shut/SKILL.md source-link",
			}
			if d := cmp.Diff(want, rules); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := new(Reader).Read(ctx, treeAt(fsys, "s"), src); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
