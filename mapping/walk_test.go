package mapping

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// fileSystem makes a file system of empty files; "name -> target" is a link and
// "name/" a directory.
func fileSystem(names ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, name := range names {
		if link, target, ok := strings.Cut(name, " -> "); ok {
			fsys[link] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
		} else if dir, ok := strings.CutSuffix(name, "/"); ok {
			fsys[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			fsys[name] = &fstest.MapFile{Mode: 0o644}
		}
	}
	return fsys
}

func pathsOf(files []Match) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// placed returns findings, one a line, in their order, as place, severity and rule.
func placed(found diag.List) []string {
	var out []string
	for _, d := range found.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s", strings.TrimSuffix(d.Span.String(), ":1:1"), d.Severity, d.Rule))
	}
	return out
}

func TestDiscover(t *testing.T) {
	deep := strings.Repeat("d/", 15) + "d"
	tests := []struct {
		name  string
		files []string
		src   Source
		want  string
		found []string
	}{
		{name: "one skill", files: []string{"s/SKILL.md", "s/README.md"}, want: "s/SKILL.md"},
		{
			name:  "order of whole paths",
			files: []string{"s/a/x/SKILL.md", "s/a-b/x/SKILL.md", "s/a.b/SKILL.md", "s/B/SKILL.md"},
			want:  "s/B/SKILL.md s/a-b/x/SKILL.md s/a.b/SKILL.md s/a/x/SKILL.md",
		},
		{
			name:  "no dot directories, no node_modules",
			files: []string{"s/.claude/skills/a/SKILL.md", "s/.git/b/SKILL.md", "s/x/node_modules/c/SKILL.md"},
		},
		{
			name:  "letter case",
			files: []string{"s/a/skill.md", "s/b/Skill.MD", "s/c/SKILLS.md", "s/d/\u017fkill.md"},
			want:  "s/a/skill.md s/b/Skill.MD",
		},
		{
			name:  "several side by side",
			files: []string{"s/a/SKILL.md", "s/a/SKILL.MD", "s/a/skill.md", "s/b/Skill.md", "s/b/skill.md"},
			want:  "s/a/SKILL.md s/b/Skill.md",
			found: []string{
				"s/a/SKILL.MD warning source-id-collision", "s/a/skill.md warning source-id-collision",
				"s/b/skill.md warning source-id-collision",
			},
		},
		{
			name:  "nested is named",
			files: []string{"s/a/SKILL.md", "s/a/x/y/SKILL.md", "s/a/.git/SKILL.md"},
			want:  "s/a/SKILL.md",
			found: []string{"s/a/x/y/SKILL.md info source-excluded"},
		},
		{
			name: "excluded",
			files: []string{
				"s/drafts/a/SKILL.md", "s/x/drafts/b/SKILL.md", "s/tmp-1/SKILL.md", "s/x/old/c/SKILL.md",
				"s/old/c/SKILL.md", "s/y/SKILL.md",
			},
			src:  Source{Exclude: []string{"drafts", "tmp-?", "x/old/", "y/*"}},
			want: "s/old/c/SKILL.md",
			found: []string{
				"s/drafts/a/SKILL.md info source-excluded", "s/tmp-1/SKILL.md info source-excluded",
				"s/x/drafts/b/SKILL.md info source-excluded", "s/x/old/c/SKILL.md info source-excluded",
				"s/y/SKILL.md info source-excluded",
			},
		},
		{
			name:  "malformed pattern",
			files: []string{"s/a/SKILL.md"},
			src:   Source{Exclude: []string{"[a"}},
			want:  "s/a/SKILL.md",
			found: []string{"config error config-value"},
		},
		{
			name:  "flat",
			files: []string{"s/a.md", "s/b.MD", "s/c.txt", "s/d/SKILL.md", "s/d/e.md", "s/f.md/", "s/g.md -> a.md"},
			src:   Source{Flat: true},
			want:  "s/a.md s/b.MD s/d/SKILL.md s/g.md",
		},
		{
			name: "no file",
			files: []string{
				"s/a/SKILL.md/x", "s/b/SKILL.md -> x", "s/b/x/", "s/b/skill.md", "s/c/SKILL.md -> nowhere",
			},
			want: "s/b/skill.md",
			found: []string{
				"s/a/SKILL.md warning source-unreadable", "s/b/SKILL.md warning source-unreadable",
				"s/c/SKILL.md warning source-link",
			},
		},
		{
			name:  "link to a file",
			files: []string{"s/a/SKILL.md -> ../shared.md", "s/b/SKILL.md -> ../../out.md", "s/shared.md", "out.md"},
			want:  "s/a/SKILL.md",
			found: []string{"s/b/SKILL.md warning source-link"},
		},
		{
			name: "links to directories are reported",
			files: []string{
				"s/a -> ../shared/a", "s/b/SKILL.md", "s/b/x -> ../../shared", "s/f -> ../shared/a/SKILL.md",
				"s/gone -> nowhere", "shared/a/SKILL.md",
			},
			want:  "s/b/SKILL.md",
			found: []string{"s/a info source-link", "s/gone info source-link"},
		},
		{
			name:  "depth",
			files: []string{"s/" + deep + "/SKILL.md", "s/" + deep + "b/3/SKILL.md", "s/" + deep + "c/3/SKILL.md"},
			want:  "s/" + deep + "/SKILL.md",
			found: []string{"s/" + deep + "b/3 error source-invalid"},
		},
		{
			name:  "one path on some systems",
			files: []string{"s/PDF/SKILL.md", "s/pdf/SKILL.md", "s/caf\u00e9/SKILL.md", "s/cafe\u0301/SKILL.md"},
			want:  "s/PDF/SKILL.md s/cafe\u0301/SKILL.md s/caf\u00e9/SKILL.md s/pdf/SKILL.md",
			found: []string{"s/caf\u00e9/SKILL.md warning source-id-collision", "s/pdf/SKILL.md warning source-id-collision"},
		},
		{name: "no such source", files: []string{"x/SKILL.md"}, found: []string{"config error source-unreadable"}},
		{name: "a source that is a file", files: []string{"s"}, want: "s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.src.Path, tt.src.Span = "s", diag.Span{File: "config", Line: 1, Column: 1}
			for seed := range uint64(3) {
				got, found := foundSkills(treeAt(shuffled{fileSystem(tt.files...), seed}, "s"), tt.src)
				if paths := strings.Join(pathsOf(got), " "); paths != tt.want {
					t.Errorf("got %s, want %s", paths, tt.want)
				}
				if d := cmp.Diff(tt.found, placed(found)); d != "" {
					t.Errorf("findings (-want +got):\n%s", d)
				}
			}
		})
	}
}

func TestDiscoverCount(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range source.MaxSkills + 2 {
		fsys[fmt.Sprintf("s/%06d.md", i)] = &fstest.MapFile{Mode: 0o644}
	}
	got, found := foundSkills(treeAt(fsys, "s"), Source{Path: "s", Flat: true})
	want := []string{"s/100000.md error " + diag.SourceInvalid.String()}
	if d := cmp.Diff(want, placed(found)); d != "" || len(got) != source.MaxSkills {
		t.Errorf("%d skills, findings (-want +got):\n%s", len(got), d)
	}
}

// shuffled is a file system that lists directories in another order each time.
type shuffled struct {
	fstest.MapFS
	seed uint64
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.MapFS.ReadDir(name)
	r := rand.New(rand.NewPCG(s.seed, uint64(len(name))))
	r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}

func TestDiscoverDir(t *testing.T) {
	fsys := fileSystem("s/a/SKILL.md", "SKILL.md", "Flat.MD")
	type named struct {
		Dir     string
		AnyName bool
	}
	tests := []struct {
		root string
		src  Source
		want map[string]named
	}{
		{".", Source{Flat: true}, map[string]named{
			"SKILL.md": {"", true},
		}},
		{"s", Source{}, map[string]named{"s/a/SKILL.md": {"a", false}}},
		{"s/a", Source{}, map[string]named{"s/a/SKILL.md": {"a", true}}},
		{"s/a/SKILL.md", Source{}, map[string]named{"s/a/SKILL.md": {"a", true}}},
	}
	for _, tt := range tests {
		t.Run(tt.root, func(t *testing.T) {
			tree := treeAt(fsys, tt.root)
			tree.Show = func(name string) string { return "elsewhere/" + name }
			found, _ := foundSkills(tree, tt.src)
			got := map[string]named{}
			for _, f := range found {
				got[strings.TrimPrefix(f.Path, "elsewhere/")] = named{f.Dir, f.AnyName}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("directories (-want +got):\n%s", d)
			}
		})
	}
}

// touch makes an empty file and the directories above it.
func touch(tb testing.TB, name string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		tb.Fatal(err)
	}
}

func foundSkills(tree Tree, o Source) (all []Match, found diag.List) {
	found = findSkills(tree, o, func(f Match) bool {
		all = append(all, f)
		return true
	})
	slices.SortFunc(all, func(a, b Match) int { return strings.Compare(a.Name, b.Name) })
	return all, found
}
