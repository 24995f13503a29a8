package site

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/tree"
)

func exampleSkill(name string, more ...SkillFile) Skill {
	files := []SkillFile{{SkillName, []byte("---\nname: " + name + "\ndescription: Does it.\n---\n")}}
	return Skill{Name: name, Description: "Does it.", Agent: "a", Files: append(more, files...)}
}

// The bytes of an archive follow from its files alone: not from their order, the
// clock or the release of Go.
func TestPack(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789abcdef"), 5000) // more than a block of gzip holds
	files := []SkillFile{{"scripts/run.sh", []byte("#!/bin/sh\necho hi\n")}, {"data.bin", long}, {"empty.txt", nil}}
	for format, want := range map[Format]string{
		TarGz: "f6726ea1bdb0f8de079b9e1630284ebad278e245eed4482012fb13fa34a4db85",
		Zip:   "b99ee44820fb76397c19ab86e71f15d07dfd973dfe0e9d796267b2bdd8d72be3",
	} {
		skill := exampleSkill("example", slices.Clone(files)...)
		if err := skill.Pack(format); err != nil {
			t.Fatal(err)
		}
		if got := tree.DigestOf(skill.Packed).String(); got != want {
			t.Errorf("%s: the archive has the digest %s, want %s", format, got, want)
		}
		shuffled := exampleSkill("example", files[2], files[0], files[1])
		if err := shuffled.Pack(format); err != nil || !bytes.Equal(shuffled.Packed, skill.Packed) {
			t.Errorf("%s: the order of the files shows (%v)", format, err)
		}
		wantMembers := []string{"SKILL.md 644", "data.bin 644", "empty.txt 644", "scripts/run.sh 755"}
		if diff := cmp.Diff(wantMembers, members(t, format, skill)); diff != "" {
			t.Errorf("%s: members (-want +got)\n%s", format, diff)
		}
	}
	alone := exampleSkill("alone")
	if err := alone.Pack(TarGz); err != nil || alone.Packed != nil {
		t.Errorf("a skill of one file has an archive (%v)", err)
	}
}

// members lists an archive as other programs read it, whose bytes have to be those
// of the skill.
func members(t *testing.T, format Format, skill Skill) []string {
	t.Helper()
	var names []string
	check := func(i int, name string, mode int64, r io.Reader) {
		data, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(data, skill.Files[i].Data) {
			t.Errorf("%s has other bytes (%v)", name, err)
		}
		names = append(names, fmt.Sprintf("%s %o", name, mode))
	}
	if format == Zip {
		r, err := zip.NewReader(bytes.NewReader(skill.Packed), int64(len(skill.Packed)))
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range r.File {
			content, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			check(i, f.Name, int64(f.Mode().Perm()), content)
		}
		return names
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(skill.Packed))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(unzipped)
	for i := 0; ; i++ {
		h, err := r.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		check(i, h.Name, h.Mode, r)
	}
}

func TestFits(t *testing.T) {
	deep := strings.Repeat("d", 60)
	for name, want := range map[string]bool{
		"SKILL.md":                                  true,
		strings.Repeat("n", 100):                    true,
		strings.Repeat("n", 101):                    false,
		deep + "/" + deep:                           true,
		deep + "/" + deep + "/" + deep:              true,
		deep + "/" + deep + "/" + deep + "/" + deep: false,
		strings.Repeat("n", 156) + "/x":             false,
		"Übersicht.md":                              false,
	} {
		if got := TarGz.Fits(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
		if !Zip.Fits(name) {
			t.Errorf("%q does not fit into a zip", name)
		}
		if !want || TarGz.Fits(name) != want {
			continue
		}
		if _, err := TarGz.pack([]SkillFile{{name, nil}}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestIsSkillName(t *testing.T) {
	for name, want := range map[string]bool{
		"pdf": true, "a-b-2": true, strings.Repeat("a", 64): true,
		"": false, "-a": false, "a-": false, "a--b": false, "A": false, "a_b": false, "ü": false,
		strings.Repeat("a", 65): false,
	} {
		if got := IsSkillName(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

func TestCheckSkills(t *testing.T) {
	skill := exampleSkill("pdf", SkillFile{"a.txt", []byte("a")})
	if err := skill.Pack(TarGz); err != nil {
		t.Fatal(err)
	}
	skill.Listed = []string{SkillName, "a.txt"}
	set := SkillSet{Skills: []Skill{skill}, Format: TarGz, Legacy: true, AtRoot: true}
	for name, c := range map[string]struct {
		change func(files map[string]tree.File)
		want   int
	}{
		"whole":         {func(map[string]tree.File) {}, 0},
		"other archive": {func(f map[string]tree.File) { f[tree.SkillsDir+"/pdf.tar.gz"] = tree.File{Data: []byte("x")} }, 1},
		"no archive":    {func(f map[string]tree.File) { delete(f, tree.SkillsDir+"/pdf.tar.gz") }, 1},
		"no file":       {func(f map[string]tree.File) { delete(f, tree.LegacySkillsDir+"/pdf/a.txt") }, 1},
	} {
		files := map[string]tree.File{}
		for _, f := range set.Files() {
			files[f.Path] = f
		}
		c.change(files)
		n := 0
		for _, index := range set.Indexes() {
			n += len(CheckSkills(index.Path, index, files, ""))
		}
		if n != c.want {
			t.Errorf("%s: %d findings, want %d", name, n, c.want)
		}
	}
}
