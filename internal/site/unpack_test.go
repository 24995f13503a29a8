package site

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"testing"
)

// An archive tells its files, and one that somebody else made costs no more than one of
// ours.
func TestMembers(t *testing.T) {
	files := []SkillFile{{"SKILL.md", []byte("# x")}, {"a/b.md", nil}, {"a/c.sh", []byte("#!/bin/sh")}}
	var many []SkillFile
	for i := range MostSkillFiles + 1 {
		many = append(many, SkillFile{Path: strconv.Itoa(i)})
	}
	pack := func(format Format, files []SkillFile) []byte {
		data, err := format.pack(files)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	all := []string{"SKILL.md", "a/b.md", "a/c.sh"}
	for name, tt := range map[string]struct {
		format Format
		data   []byte
		want   []string // nil for an error
	}{
		"tar.gz":              {TarGz, pack(TarGz, files), all},
		"zip":                 {Zip, pack(Zip, files), all},
		"packed by others":    {TarGz, tarOf(t, "d/", "./b", "a", "a"), []string{"./b", "a"}},
		"most, tar":           {TarGz, pack(TarGz, many[1:]), namesOf(many[1:])},
		"most, zip":           {Zip, pack(Zip, many[1:]), namesOf(many[1:])},
		"too many, tar":       {TarGz, pack(TarGz, many), nil},
		"too many, zip":       {Zip, pack(Zip, many), nil},
		"bomb":                {TarGz, bomb(t), nil},
		"list without end":    {Zip, endlessZip(t), nil},
		"cut, tar":            {TarGz, pack(TarGz, files)[:700], nil},
		"cut, zip":            {Zip, pack(Zip, files)[:100], nil},
		"another format":      {Zip, pack(TarGz, files), nil},
		"no archive":          {TarGz, []byte("text"), nil},
		"nothing":             {Zip, nil, nil},
		"tar in no gzip":      {TarGz, make([]byte, 1024), nil},
		"no member":           {Zip, pack(Zip, nil), []string{}},
		"directories of zips": {Zip, pack(Zip, []SkillFile{{Path: "d/"}, {Path: "e"}}), []string{"e"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tt.format.Members(tt.data)
			if (err == nil) != (tt.want != nil) {
				t.Fatalf("error %v", err)
			}
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func namesOf(files []SkillFile) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Path)
	}
	return names
}

func tarOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range names {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb is a small archive of one large file, and of one behind it.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	zeros := make([]byte, 4<<20) // of which gzip makes four thousandths
	for _, f := range []SkillFile{{"zeros", zeros}, {"behind", nil}} {
		if err := w.WriteHeader(&tar.Header{Name: f.Path, Size: int64(len(f.Data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// endlessZip is an archive whose list of files is much longer than it says.
func endlessZip(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 10_000 {
		if _, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%0300d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	binary.LittleEndian.PutUint16(data[len(data)-12:], 1) // how many files the end tells of
	return data
}

// What is a file of a skill, by its path.
func TestFileOfSkill(t *testing.T) {
	const in = ".well-known/agent-skills/"
	for file, want := range map[string]PublishedFile{
		in + "pdf/SKILL.md":                        {Skill: "pdf", Path: "SKILL.md"},
		in + "pdf/a/b.md":                          {Skill: "pdf", Path: "a/b.md"},
		in + "pdf.tar.gz":                          {Skill: "pdf", Format: TarGz},
		"a.example/" + in + "pdf.zip":              {Site: "a.example", Skill: "pdf", Format: Zip},
		"a/b/.well-known/skills/pdf/SKILL.md":      {Site: "a/b", Skill: "pdf", Path: "SKILL.md", Legacy: true},
		in + "index.json":                          {},
		in + "pdf/SKILL.md.etag":                   {},
		in + "pdf.zip.sha256":                      {},
		"x" + in + "pdf.zip":                       {},
		".well-known/agent-card.json":              {},
		".well-known/skills/index.json":            {},
		"skills/pdf/SKILL.md":                      {},
		".well-known/agent-skills":                 {},
		in + "pdf/.well-known/skills/x/deep/SKILL": {Skill: "pdf", Path: ".well-known/skills/x/deep/SKILL"},
	} {
		got, ok := FileOfSkill(file)
		if ok != (want != PublishedFile{}) || ok && got != want {
			t.Errorf("%s: %+v, %v, want %+v", file, got, ok, want)
		}
	}
}
