package mapping

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// discovered returns what FindSkills finds, in bytewise order of paths.
func discovered(tree Tree, o FindOptions) ([]Match, diag.List) { return FindSkills(tree, o) }

func pathsOf(files []Match) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// placed returns findings, one a line, in their order, as place, severity, rule
// and message.
func placed(found diag.List) []string {
	var out []string
	for _, d := range found.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s: %s", d.Span, d.Severity, d.Rule, d.Message))
	}
	return out
}

func TestDiscover(t *testing.T) {
	deep := strings.Repeat("d/", 15) + "d"
	tests := []struct {
		name  string
		fs    fstest.MapFS
		src   FindOptions
		want  []string
		found []string
	}{
		{
			name: "one skill",
			fs:   fileSystem("s/SKILL.md", "s/README.md"),
			want: []string{"s/SKILL.md"},
		},
		{
			name: "order of whole paths",
			fs:   fileSystem("s/a/x/SKILL.md", "s/a-b/x/SKILL.md", "s/a.b/SKILL.md", "s/B/SKILL.md"),
			want: []string{"s/B/SKILL.md", "s/a-b/x/SKILL.md", "s/a.b/SKILL.md", "s/a/x/SKILL.md"},
		},
		{
			name: "no dot directories, no node_modules",
			fs:   fileSystem("s/.claude/skills/a/SKILL.md", "s/.git/b/SKILL.md", "s/x/node_modules/c/SKILL.md"),
		},
		{
			name: "letter case",
			fs:   fileSystem("s/a/skill.md", "s/b/Skill.MD", "s/c/SKILLS.md", "s/d/\u017fkill.md"),
			want: []string{"s/a/skill.md", "s/b/Skill.MD"},
		},
		{
			name: "several side by side",
			fs:   fileSystem("s/a/SKILL.md", "s/a/SKILL.MD", "s/a/skill.md", "s/b/Skill.md", "s/b/skill.md"),
			want: []string{"s/a/SKILL.md", "s/b/Skill.md"},
			found: []string{
				`s/a/SKILL.MD:1:1 warning source-path-case: "SKILL.md" is in the same directory, ` +
					`so this file is left out of the card`,
				`s/a/skill.md:1:1 warning source-path-case: "SKILL.md" is in the same directory, ` +
					`so this file is left out of the card`,
				`s/b/skill.md:1:1 warning source-path-case: "Skill.md" is in the same directory, ` +
					`so this file is left out of the card`,
			},
		},
		{
			name: "nested is named",
			fs:   fileSystem("s/a/SKILL.md", "s/a/x/y/SKILL.md", "s/a/.git/SKILL.md"),
			want: []string{"s/a/SKILL.md"},
			found: []string{
				`s/a/x/y/SKILL.md:1:1 info source-excluded: the file is inside the skill "s/a/SKILL.md", ` +
					`so it is left out of the card`,
			},
		},
		{
			name: "excluded",
			fs: fileSystem("s/drafts/a/SKILL.md", "s/x/drafts/b/SKILL.md", "s/tmp-1/SKILL.md", "s/x/old/c/SKILL.md",
				"s/old/c/SKILL.md", "s/y/SKILL.md"),
			src:  FindOptions{Exclude: []string{"drafts", "tmp-?", "x/old/", "y/*"}},
			want: []string{"s/old/c/SKILL.md"},
			found: []string{
				`s/drafts/a/SKILL.md:1:1 info source-excluded: the file is left out of the card by the pattern "drafts" of exclude`,
				`s/tmp-1/SKILL.md:1:1 info source-excluded: the file is left out of the card by the pattern "tmp-?" of exclude`,
				`s/x/drafts/b/SKILL.md:1:1 info source-excluded: ` +
					`the file is left out of the card by the pattern "drafts" of exclude`,
				`s/x/old/c/SKILL.md:1:1 info source-excluded: the file is left out of the card by the pattern "x/old/" of exclude`,
				`s/y/SKILL.md:1:1 info source-excluded: the file is left out of the card by the pattern "y/*" of exclude`,
			},
		},
		{
			name: "malformed pattern",
			fs:   fileSystem("s/a/SKILL.md"),
			src:  FindOptions{Exclude: []string{"[a"}},
			want: []string{"s/a/SKILL.md"},
			found: []string{
				`config:1:1 error config-value: the pattern "[a" has a [ without a ] in the same segment, ` +
					"an empty [], or a \\ at the end",
			},
		},
		{
			name: "flat",
			fs:   fileSystem("s/a.md", "s/b.MD", "s/c.txt", "s/d/SKILL.md", "s/d/e.md", "s/f.md/", "s/g.md -> a.md"),
			src:  FindOptions{Flat: true},
			want: []string{"s/a.md", "s/b.MD", "s/d/SKILL.md", "s/g.md"},
		},
		{
			name: "no file",
			fs:   fileSystem("s/a/SKILL.md/x", "s/b/SKILL.md -> x", "s/b/x/", "s/b/skill.md", "s/c/SKILL.md -> nowhere"),
			want: []string{"s/b/skill.md"},
			found: []string{
				"s/a/SKILL.md warning source-unreadable: \"SKILL.md\" must be a file, this is a directory, " +
					"so this skill is left out of the card",
				"s/b/SKILL.md warning source-unreadable: \"SKILL.md\" must be a file, this is a directory, " +
					"so this skill is left out of the card",
				"s/c/SKILL.md warning source-link: the link cannot be followed: no such file or directory, " +
					"so this skill is left out of the card",
			},
		},
		{
			name: "link to a file",
			fs:   fileSystem("s/a/SKILL.md -> ../shared.md", "s/b/SKILL.md -> ../../out.md", "s/shared.md", "out.md"),
			want: []string{"s/a/SKILL.md"},
			found: []string{
				"s/b/SKILL.md warning source-link: the link cannot be followed: it leaves the directory of the source, " +
					"so this skill is left out of the card",
			},
		},
		{
			name: "links to directories are told",
			fs: fileSystem("s/a -> ../shared/a", "s/b/SKILL.md", "s/b/x -> ../../shared", "s/f -> ../shared/a/SKILL.md",
				"s/gone -> nowhere", "shared/a/SKILL.md"),
			want: []string{"s/b/SKILL.md"},
			found: []string{
				"s/a info source-link: the link to a directory is not followed",
				"s/gone info source-link: the link is not followed: no such file or directory",
			},
		},
		{
			name:  "depth",
			fs:    fileSystem("s/"+deep+"/SKILL.md", "s/"+deep+"b/3/SKILL.md", "s/"+deep+"c/3/SKILL.md"),
			want:  []string{"s/" + deep + "/SKILL.md"},
			found: []string{"s/" + deep + "b/3 error source-invalid: the directory is more than 16 levels below the source"},
		},
		{
			name: "one path on some systems",
			fs:   fileSystem("s/PDF/SKILL.md", "s/pdf/SKILL.md", "s/caf\u00e9/SKILL.md", "s/cafe\u0301/SKILL.md"),
			want: []string{"s/PDF/SKILL.md", "s/cafe\u0301/SKILL.md", "s/caf\u00e9/SKILL.md", "s/pdf/SKILL.md"},
			found: []string{
				"s/caf\u00e9/SKILL.md:1:1 warning source-path-case: some systems see the same path as " +
					"\"s/cafe\u0301/SKILL.md\", because they ignore letter case or the composition of characters",
				`s/pdf/SKILL.md:1:1 warning source-path-case: some systems see the same path as "s/PDF/SKILL.md", ` +
					`because they ignore letter case or the composition of characters`,
			},
		},
		{
			name:  "no such source",
			fs:    fileSystem("x/SKILL.md"),
			found: []string{`config:1:1 error source-unreadable: the source "s" cannot be read: no such file or directory`},
		},
		{
			name: "a source that is a file",
			fs:   fileSystem("s"),
			want: []string{"s"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.src.Path, tt.src.Span = "s", diag.Span{File: "config", Line: 1, Column: 1}
			for seed := range uint64(3) {
				got, found := discovered(treeAt(shuffled{tt.fs, seed}, "s"), tt.src)
				if d := cmp.Diff(tt.want, pathsOf(got)); d != "" {
					t.Errorf("files (-want +got):\n%s", d)
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
	got, found := discovered(treeAt(fsys, "s"), FindOptions{Path: "s", Flat: true})
	want := []string{"s/100000.md error source-invalid: the source holds more than 100000 skills"}
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
		src  FindOptions
		want map[string]named
	}{
		{".", FindOptions{Flat: true}, map[string]named{
			"SKILL.md": {"", true},
		}},
		{"s", FindOptions{}, map[string]named{"s/a/SKILL.md": {"a", false}}},
		{"s/a", FindOptions{}, map[string]named{"s/a/SKILL.md": {"a", true}}},
		{"s/a/SKILL.md", FindOptions{}, map[string]named{"s/a/SKILL.md": {"a", true}}},
	}
	for _, tt := range tests {
		t.Run(tt.root, func(t *testing.T) {
			tree := treeAt(fsys, tt.root)
			tree.Show = func(name string) string { return "elsewhere/" + name }
			found, _ := discovered(tree, tt.src)
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
