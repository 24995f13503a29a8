package site_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/site"
	"cardwright/internal/walk"
)

// What goes out with a skill, and what is reported about the rest of its directory.
func TestGather(t *testing.T) {
	const header = "---\nname: pdf\ndescription: Reads PDF files.\n---\nSee [the key](id_rsa).\n"
	fsys := fstest.MapFS{
		"skills/pdf/SKILL.md":        {Data: []byte(header)},
		"skills/pdf/scripts/run.bat": {Data: []byte("echo hi\r\n")},
		"skills/pdf/notes.txt":       {Data: []byte("a\r\nb\r\n")},
		"skills/pdf/a.php":           {Data: []byte("x")},
		"skills/pdf/.env":            {Data: []byte("A=1")},
		"skills/pdf/id_rsa":          {Data: []byte("x")},
	}
	tree := walk.Tree{FS: fsys, Root: "skills", Show: func(name string) string { return name }}
	b := site.Gather(tree, "skills/pdf/SKILL.md", site.Options{Format: site.Zip})
	got := map[string]string{}
	for _, f := range b.Skill.Files {
		got[f.Path] = string(f.Data)
	}
	want := map[string]string{
		"SKILL.md": header, "a.php": "x", "notes.txt": "a\nb\n", "scripts/run.bat": "echo hi\r\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"SKILL.md", "notes.txt"}, b.Skill.Listed); diff != "" {
		t.Errorf("files to fetch (-want +got):\n%s", diff)
	}
	var found []string
	for _, d := range b.Found.Sorted() {
		found = append(found, d.Span.File+" "+d.Severity.String()+" "+d.Rule)
	}
	if diff := cmp.Diff([]string{
		"skills/pdf/.env warning agent-skills-excluded",
		"skills/pdf/SKILL.md warning agent-skills-excluded",
		"skills/pdf/a.php info agent-skills-file",
		"skills/pdf/id_rsa warning agent-skills-excluded",
		"skills/pdf/scripts/run.bat info agent-skills-file",
	}, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if b.Skill.Name != "pdf" || b.Skill.Description != "Reads PDF files." {
		t.Errorf("the header is read as %q, %q", b.Skill.Name, b.Skill.Description)
	}
}
