package mapping

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// fileSystem makes a file system of empty files; "name->target" is a link and
// "name/" a directory.
func fileSystem(names string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name := range strings.FieldsSeq(names) {
		if link, target, ok := strings.Cut(name, "->"); ok {
			fsys[link] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
		} else if dir, ok := strings.CutSuffix(name, "/"); ok {
			fsys[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			fsys[name] = &fstest.MapFile{Mode: 0o644}
		}
	}
	return fsys
}

// placed returns findings in their order, as place, severity and rule.
func placed(found diag.List) []string {
	var out []string
	for _, d := range found.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s", strings.TrimSuffix(d.Span.String(), ":1:1"), d.Severity, d.Rule))
	}
	return out
}

// foundSkills returns the paths of what is found, and the findings, one string each.
func foundSkills(tree Tree, src Source) (paths, found string) {
	var all []string
	list := findSkills(tree, src, func(f Match) bool {
		all = append(all, f.Path)
		return true
	})
	slices.Sort(all)
	return strings.Join(all, " "), strings.Join(placed(list), ", ")
}

func TestFindSkills(t *testing.T) {
	deep := "s/" + strings.Repeat("d/", 15) + "d"
	for _, tt := range []struct {
		files   string
		exclude string
		want    string
		found   string
	}{
		{files: "s/SKILL.md s/README.md", want: "s/SKILL.md"},
		{files: "s/SKILL.md s/cardwright.manifest.json", want: "s/SKILL.md"},
		{
			files: "s/a/x/SKILL.md s/a-b/x/SKILL.md s/a.b/SKILL.md s/B/SKILL.md",
			want:  "s/B/SKILL.md s/a-b/x/SKILL.md s/a.b/SKILL.md s/a/x/SKILL.md",
		},
		{files: "s/.claude/skills/a/SKILL.md s/.git/b/SKILL.md s/x/node_modules/c/SKILL.md"},
		{files: "s/a/skill.md s/b/Skill.MD s/c/SKILLS.md s/d/\u017fkill.md", want: "s/a/skill.md s/b/Skill.MD"},
		{
			files: "s/a/SKILL.md s/a/SKILL.MD s/a/skill.md s/b/Skill.md s/b/skill.md",
			want:  "s/a/SKILL.md s/b/Skill.md",
			found: "s/a/SKILL.MD warning source-id-collision, s/a/skill.md warning source-id-collision, " +
				"s/b/skill.md warning source-id-collision",
		},
		{
			files: "s/a/SKILL.md s/a/x/y/SKILL.md s/a/.git/SKILL.md", want: "s/a/SKILL.md",
			found: "s/a/x/y/SKILL.md info source-excluded",
		},
		{ // what a source or a skill is inside of hides the rest
			files: "s/SKILL.md s/x/SKILL.md", want: "s/SKILL.md", found: "s/x/SKILL.md warning source-excluded",
		},
		{
			files: "s/vendor/a/SKILL.md s/b/cardwright.manifest.json s/b/SKILL.md",
			found: "s/b/SKILL.md info source-excluded, s/vendor/a/SKILL.md info source-excluded",
		},
		{
			files: "s/drafts/a/SKILL.md s/x/drafts/b/SKILL.md s/tmp-1/SKILL.md s/x/old/c/SKILL.md " +
				"s/old/c/SKILL.md s/y/SKILL.md",
			exclude: "drafts tmp-? x/old/ y/*", want: "s/old/c/SKILL.md",
			found: "s/drafts/a/SKILL.md info source-excluded, s/tmp-1/SKILL.md info source-excluded, " +
				"s/x/drafts/b/SKILL.md info source-excluded, s/x/old/c/SKILL.md info source-excluded, " +
				"s/y/SKILL.md info source-excluded",
		},
		{files: "s/a/SKILL.md", exclude: "[a", want: "s/a/SKILL.md", found: "config error config-value"},
		{
			files: "s/a/SKILL.md/x s/b/SKILL.md->x s/b/x/ s/b/skill.md s/c/SKILL.md->nowhere", want: "s/b/skill.md",
			found: "s/a/SKILL.md warning source-unreadable, s/b/SKILL.md warning source-unreadable, " +
				"s/c/SKILL.md warning source-link",
		},
		{
			files: "s/a/SKILL.md->../shared.md s/b/SKILL.md->../../out.md s/shared.md out.md", want: "s/a/SKILL.md",
			found: "s/b/SKILL.md warning source-link",
		},
		{
			files: "s/a->../shared/a s/b/SKILL.md s/b/x->../../shared s/f->../shared/a/SKILL.md s/gone->nowhere " +
				"shared/a/SKILL.md",
			want: "s/b/SKILL.md", found: "s/a info source-link, s/gone info source-link",
		},
		{
			files: deep + "/SKILL.md " + deep + "b/3/SKILL.md " + deep + "c/3/SKILL.md",
			want:  deep + "/SKILL.md", found: deep + "b/3 error source-invalid",
		},
		{
			files: "s/PDF/SKILL.md s/pdf/SKILL.md s/caf\u00e9/SKILL.md s/cafe\u0301/SKILL.md",
			want:  "s/PDF/SKILL.md s/cafe\u0301/SKILL.md s/caf\u00e9/SKILL.md s/pdf/SKILL.md",
			found: "s/caf\u00e9/SKILL.md warning source-id-collision, s/pdf/SKILL.md warning source-id-collision",
		},
		{files: "x/SKILL.md", found: "config error source-unreadable"},
		{files: "s", want: "s"},
	} {
		src := Source{Path: "s", Span: diag.Span{File: "config", Line: 1, Column: 1}, Exclude: strings.Fields(tt.exclude)}
		for seed := range uint64(3) {
			got, found := foundSkills(treeAt(shuffled{fileSystem(tt.files), seed}, "s"), src)
			if got != tt.want || found != tt.found {
				t.Errorf("%s\n got %s, %s\nwant %s, %s", tt.files, got, found, tt.want, tt.found)
			}
		}
	}
	flat := fileSystem("s/a.md s/b.MD s/c.txt s/d/SKILL.md s/d/e.md s/f.md/ s/g.md->a.md")
	if got, found := foundSkills(treeAt(flat, "s"), Source{Flat: true}); got+found != "s/a.md s/b.MD s/d/SKILL.md s/g.md" {
		t.Errorf("got %s, %s", got, found)
	}
}

func TestMostSkills(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range source.MaxSkills + 2 {
		fsys[fmt.Sprintf("s/%06d.md", i)] = &fstest.MapFile{Mode: 0o644}
	}
	got, found := foundSkills(treeAt(fsys, "s"), Source{Path: "s", Flat: true})
	if n := strings.Count(got, " ") + 1; n != source.MaxSkills || found != "s/100000.md error source-invalid" {
		t.Errorf("%d skills, %s", n, found)
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

// A skill need not have the name of a directory that the configuration names.
func TestSkillDirectories(t *testing.T) {
	fsys := fileSystem("s/a/SKILL.md SKILL.md Flat.MD")
	for root, want := range map[string]Match{
		".":            {Name: "SKILL.md", Dir: "", AnyName: true},
		"s":            {Name: "s/a/SKILL.md", Dir: "a"},
		"s/a":          {Name: "s/a/SKILL.md", Dir: "a", AnyName: true},
		"s/a/SKILL.md": {Name: "s/a/SKILL.md", Dir: "a", AnyName: true},
	} {
		_ = findSkills(treeAt(fsys, root), Source{}, func(f Match) bool {
			want.Path = want.Name
			if f != want {
				t.Errorf("%s: got %+v, want %+v", root, f, want)
			}
			return false
		})
	}
}

// A run reads no more than its budget, whatever its configuration names.
func TestBudget(t *testing.T) {
	tree := treeAt(fileSystem("s/a/SKILL.md s/b/SKILL.md"), "s")
	tree.Budget = NewBudget()
	tree.Budget.Spend(source.MaxSkills*perSkill-5*entryCost, 0)
	if got, _ := foundSkills(tree, Source{}); got != "s/a/SKILL.md" || !tree.Budget.Empty() {
		t.Errorf("found %s", got)
	}
}
