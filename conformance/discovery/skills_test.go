package discovery

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// host is the golden tree with everything that a host can be found by.
const host = "../../golden/agent-host"

// manySkills is a project with so many skills that are published, and what their
// files are below the directory of all skills.
func manySkills(t *testing.T, n int) (dir string, skills map[string]string) {
	t.Helper()
	skills = map[string]string{}
	for i := range n {
		name := fmt.Sprintf("skill-%03d", i)
		skills[name+"/SKILL.md"] = fmt.Sprintf(
			"---\nname: %s\ndescription: \"Does number %d: well, and quickly.\"\nmetadata: {a2a-tags: test}\n---\n# Number %d\n",
			name, i, i)
		switch i % 4 {
		case 1:
			skills[name+"/scripts/run.sh"] = "#!/bin/sh\necho " + name + "\n"
		case 2:
			skills[name+"/references/deep/er/notes.md"] = strings.Repeat("Notes about it.\n", 5000)
			skills[name+"/data.bin"] = "\x00\x01\xff" + name
		}
	}
	dir = t.TempDir()
	project := map[string]string{"cardwright.yaml": `version: 1
agentSkills: ["skill-*"]
agents:
  - id: many
    name: Many
    description: Does very many things.
    version: 1.0.0
    interfaces: [{url: "https://many.example/"}]
    skills: {from: [{type: skills, path: skills}]}
`}
	for name, text := range skills {
		project["skills/"+name] = text
	}
	write(t, dir, project)
	cardwright(t, dir, "generate", "-q")
	return dir, skills
}

// The skills program lists and installs every skill, byte for byte. It drops what it
// does not like and says nothing, so that the files are compared.
func TestSkillsInstalls(t *testing.T) {
	t.Parallel()
	node := install(t)
	t.Run("many", func(t *testing.T) {
		t.Parallel()
		dir, skills := manySkills(t, 200)
		installs(t, node, filepath.Join(dir, "dist"), skills)
	})
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

// opencode loads the skills of the index. It has 185 MB, so only the long trials install
// it, and not every change.
func TestOpencodeLoads(t *testing.T) {
	if os.Getenv("LONG_TRIALS") == "" {
		t.Skip("LONG_TRIALS is not set: opencode does not read the index of skills in this run")
	}
	packages := t.TempDir()
	npm := exec.CommandContext(t.Context(), "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
		"opencode-linux-x64@1.18.33")
	npm.Dir = packages
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	program := filepath.Join(packages, "node_modules", "opencode-linux-x64", "bin", "opencode")
	address := serve(t, host)
	dir := t.TempDir()
	write(t, dir, map[string]string{"opencode.json": `{"autoupdate": false, "skills": {"urls": ["` + address +
		"/.well-known/agent-skills/" + `"]}}`})
	cmd := exec.CommandContext(t.Context(), program, "debug", "skill")
	cmd.Dir = dir
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+t.TempDir())
	}
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("opencode: %v\n%s", err, out)
	}
	for _, name := range []string{"correct-invoice", "explain-invoice", "review-change"} {
		if !strings.Contains(string(out), `"`+name+`"`) {
			t.Errorf("opencode does not load %s:\n%s", name, out)
		}
	}
}
