package discovery

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The skills program lists and installs every skill, byte for byte. It drops what it
// does not like and says nothing, so that the files are compared.
func TestSkillsInstalls(t *testing.T) {
	t.Parallel()
	node := install(t)
	for _, index := range golden(t, "/.well-known/agent-skills/index.json") {
		tree := filepath.Dir(filepath.Dir(filepath.Dir(index)))
		skills := sources(t, filepath.Join("../../testdata/workspaces", filepath.Base(tree)))
		t.Run(filepath.Base(tree), func(t *testing.T) {
			t.Parallel()
			installs(t, node, tree, skills)
		})
	}
}

// sources are the files of the skills of a workspace, each below its skill.
func sources(t *testing.T, workspace string) map[string]string {
	t.Helper()
	skills := map[string]string{}
	for name, text := range files(t, workspace) {
		if _, file, ok := strings.Cut("/"+name, "/skills/"); ok {
			skills[file] = text
		}
	}
	return skills
}

func installs(t *testing.T, node, tree string, want map[string]string) {
	t.Helper()
	address := serve(t, tree)
	names := map[string]bool{}
	for name := range want {
		skill, _, _ := strings.Cut(name, "/")
		names[skill] = true
	}
	const cli = "node_modules/skills/bin/cli.mjs"
	listed := run(t, node, t.TempDir(), cli, "add", address, "--list")
	if found := fmt.Sprintf("Found %d skill", len(names)); !strings.Contains(listed, found) {
		t.Errorf("the list does not say %q:\n%s", found, listed)
	}
	for name := range names {
		if !strings.Contains(listed, name) {
			t.Errorf("%s is not listed", name)
		}
	}
	dir := t.TempDir()
	run(t, node, dir, cli, "add", address, "--skill", "*", "-a", "claude-code", "-y", "--copy")
	got := files(t, filepath.Join(dir, ".claude", "skills"))
	if !maps.Equal(want, got) {
		t.Errorf("installed (-want +got)\n%s", cmp.Diff(want, got))
	}
}
