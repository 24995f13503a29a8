package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A coding agent that does what our skill says, line by line, has a card without
// warnings in the end.
func TestSkillIsFollowed(t *testing.T) {
	t.Parallel()
	bin := build(t)
	const file = "skills/cardwright/SKILL.md" // where tools that install skills look
	skill := read(t, "../"+file)
	if read(t, "../testdata/workspaces/cardwright-skill/"+file) != skill {
		t.Errorf("the example publishes another %s", file)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "skills", "rooms", "SKILL.md"),
		"---\nname: rooms\ndescription: Books meeting rooms.\nmetadata: {a2a-tags: \"rooms\"}\n---\n# Rooms\n")
	run := func(commands string) string {
		t.Helper()
		cmd := exec.Command("sh", "-euc", commands)
		cmd.Dir, cmd.Env = dir, environment(bin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", commands, err, out)
		}
		return string(out)
	}
	run("git init -q && git add . && git commit -qm Start")
	steps := fenced(skill, "sh")
	if len(steps) != 5 {
		t.Fatalf("the skill has %d steps", len(steps))
	}
	config := filepath.Join(dir, "cardwright.yaml")
	edit := func(old, changed string) {
		t.Helper()
		text := read(t, config)
		if !strings.Contains(text, old) {
			t.Fatalf("the configuration has no %q:\n%s", old, text)
		}
		writeFile(t, config, strings.Replace(text, old, changed, 1))
	}
	run(steps[0])
	run(steps[1])
	edit("# baseUrl: ", "baseUrl: ")
	if out := run(steps[2]); strings.Contains(out, "warning") || strings.Contains(out, "error") {
		t.Errorf("the first card is not clean:\n%s", out)
	}
	run("git add . && git commit -qm 'Add the agent card'")
	writeFile(t, filepath.Join(dir, "skills", "desks", "SKILL.md"),
		"---\nname: desks\ndescription: Books desks.\nmetadata: {a2a-tags: \"desks, booking\"}\n---\n# Desks\n")
	edit("version: 0.1.0", "version: 0.2.0")
	if out := run(steps[3]); !strings.Contains(out, "desks") || strings.Contains(out, "warning") {
		t.Errorf("the new skill is not shown, or not clean:\n%s", out)
	}
	run(steps[4])
	if _, err := os.Stat(filepath.Join(dir, "dist", ".well-known", "agent-card.json")); err != nil {
		t.Error(err)
	}
}
