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
		{TypePlugin, "skills/private.md", skill, "s/plugin.json warning source-incomplete"},
	} {
		up := strings.Repeat("../", 1+strings.Count(tt.link, "/"))
		fsys := fstest.MapFS{
			"private": {Data: []byte(tt.target)}, "s/" + tt.link: {Mode: fs.ModeSymlink, Data: []byte(up + "private")},
			"s/skills/a/SKILL.md": {Data: []byte("---\nname: a\ndescription: Does work.\n---\n")},
		}
		for name, text := range map[string]string{
			"s/forge.yaml": "agent_id: desk\n", "s/plugin.json": `{"skills": ["skills/private.md"]}`,
		} {
			if fsys[name] == nil {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		g, err := new(Reader).Read(t.Context(), treeAt(fsys, "s"), Source{Type: tt.kind, Path: "s"})
		if err != nil {
			t.Fatal(err)
		}
		read := fmt.Sprint(g.CardPart.Card, g.Skills)
		if !slices.Contains(placed(g.Found), tt.want) || strings.Contains(read, "rivate") {
			t.Errorf("%s %s: got %+v and %s", tt.kind, tt.link, g, ruled(g.Found))
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
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		g, err := new(Reader).Read(t.Context(), treeAt(fsys, "s"), src)
		if err != nil || len(g.Skills) != 3 || g.Skills[0].ID+g.Skills[1].ID+g.Skills[2].ID != "abtool" {
			t.Fatal(g.Skills, err)
		}
		want := []string{
			"s/bare/SKILL.md:2:1 warning source-description-missing", "s/dir/SKILL.md warning source-unreadable",
			"s/empty/SKILL.md warning source-frontmatter-missing", "s/half.md info source-excluded",
			"s/shut/SKILL.md warning source-link",
		}
		if d := cmp.Diff(want, placed(g.Found)); d != "" {
			t.Errorf("findings (-want +got):\n%s", d)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := new(Reader).Read(ctx, treeAt(fsys, "s"), src); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
