package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A coding agent that does what our skill says, line by line, has a card without
// warnings in the end.
func TestSkillIsFollowed(t *testing.T) {
	t.Parallel()
	const file = "skills/cardwright/SKILL.md" // where tools that install skills look
	skill := read(t, "../"+file)
	if read(t, "../testdata/workspaces/cardwright-skill/"+file) != skill {
		t.Errorf("the example publishes another %s", file)
	}
	steps := fenced(skill, "sh")
	if len(steps) != 5 {
		t.Fatalf("the skill has %d steps", len(steps))
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "cardwright.yaml")
	edit := func(old, changed string) {
		t.Helper()
		text := read(t, config)
		if !strings.Contains(text, old) {
			t.Fatalf("the configuration has no %q:\n%s", old, text)
		}
		writeFile(t, config, strings.Replace(text, old, changed, 1))
	}
	write := func(name, tags string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, "skills", name, "SKILL.md"),
			"---\nname: "+name+"\ndescription: Books "+name+".\nmetadata: {a2a-tags: \""+tags+"\"}\n---\n")
	}
	write("rooms", "rooms")
	must(t, dir, "git init -q; git add .; git commit -qm Start\n"+steps[0]+steps[1])
	edit("# baseUrl: ", "baseUrl: ")
	first := must(t, dir, steps[2])
	must(t, dir, "git add .; git commit -qm 'Add the agent card'")
	write("desks", "desks, booking")
	edit("version: 0.1.0", "version: 0.2.0")
	second := must(t, dir, steps[3])
	unclean := strings.Contains(first+second, "warning") || strings.Contains(first, "error")
	if unclean || !strings.Contains(second, "desks") {
		t.Errorf("the new skill is not shown, or the cards are not clean:\n%s%s", first, second)
	}
	must(t, dir, steps[4])
	if _, err := os.Stat(filepath.Join(dir, "dist", ".well-known", "agent-card.json")); err != nil {
		t.Error(err)
	}
}
