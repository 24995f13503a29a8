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
)

func treeAt(fsys fs.FS, root string) Tree {
	return Tree{FS: fsys, Root: root, Show: func(name string) string { return name }}
}

// A file that says what a source is, or its main skill, is not read through a link out of
// its directory.
func TestLinksOutOfSource(t *testing.T) {
	const skill = "---\nname: private\ndescription: Does private work.\n---\n"
	for _, tt := range []struct {
		kind         SourceType
		link, target string
		want         string
	}{
		{TypePlugin, "plugin.json", `{"name": "private"}`, "s/plugin.json error source-unreadable"},
		{TypePackage, "package.json", `{"name": "private"}`, "s/package.json error source-unreadable"},
		{TypeForge, "forge.yaml", "agent_id: private\n", " error source-unreadable"},
		{TypeForge, "SKILL.md", skill, "s/SKILL.md warning source-link"},
	} {
		fsys := fstest.MapFS{
			"private": {Data: []byte(tt.target)}, "s/" + tt.link: {Mode: fs.ModeSymlink, Data: []byte("../private")},
			"s/skills/a/SKILL.md": {Data: []byte("---\nname: a\ndescription: Does work.\n---\n")},
		}
		if tt.link == "SKILL.md" {
			fsys["s/forge.yaml"] = &fstest.MapFile{Data: []byte("agent_id: desk\n")}
		}
		g, err := new(Reader).Read(t.Context(), treeAt(fsys, "s"), Source{Type: tt.kind, Path: "s"})
		if err != nil {
			t.Fatal(err)
		}
		read := fmt.Sprint(g.CardPart.Card, bare(g.Skills))
		if !slices.Contains(placed(g.Found), tt.want) || strings.Contains(read, "rivate") {
			t.Errorf("%s %s: got %+v and %s", tt.kind, tt.link, g, shown(g.Found))
		}
	}
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
