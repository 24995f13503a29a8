package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/fixture"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
)

// shards is how many jobs the trials of merge have at most.
var shards = fixture.Rounds(3, 8)

// fleet is a project of several agents with files about all of them.
func fleet(layout string, agents int, more string) map[string]string {
	files := map[string]string{}
	files["cardwright.yaml"] = fmt.Sprintf(
		"version: 1\nlayout: %s\nbaseUrl: https://agents.acme.example\n%s\ninclude: [\"teams/*/agents.yaml\"]\n",
		layout, more)
	versions := []string{`["1.0"]`, `["1.0", "0.3"]`}
	if strings.Contains(more, "signing") {
		versions = versions[:1] // others cannot be signed
	}
	for i := range agents {
		team := fmt.Sprintf("teams/t%02d", i/4)
		if i%4 == 0 {
			files[team+"/agents.yaml"] = "defaults:\n  version: 1.2.0\n" +
				"  provider: {organization: Acme Inc., url: https://acme.example}\nagents:\n"
		}
		host := ""
		if layout == "host" {
			host = fmt.Sprintf("host: agent-%02d.acme.example", i)
		}
		files[team+"/agents.yaml"] += fmt.Sprintf(`  - id: agent-%02d
    %s
    name: Agent %d
    description: Answers questions about the orders of region %d and corrects them.
    interfaces: [{url: /a2a/agent-%02d, versions: %s}]
    skills: {from: [{type: skills, path: skills-%d}]}
`, i, host, i, i, i, versions[i%len(versions)], i)
		for _, s := range []string{"shared", fmt.Sprintf("own-%d", i)} {
			files[fmt.Sprintf("%s/skills-%d/%s/SKILL.md", team, i, s)] = fmt.Sprintf(
				"---\nname: %s\ndescription: Finds the orders of a customer and explains each of their states.\n"+
					"metadata: {a2a-tags: orders}\n---\nText\n", s)
		}
	}
	return files
}

// The trees of several jobs make, merged, the bytes that one run makes: in every
// layout, signed or not, with all files about the agents of a site, and for every
// example project.
func TestMerge(t *testing.T) {
	const lists = "catalog: true\nard: true\nlink: true\nhtml: true\npublisher: acme.example\n" +
		"agentSkills: {publish: [\"own-*\", shared], legacy: true}\nservers: [nginx, apache, caddy]"
	const signed = "\ndefaults: {signing: {key: \"env:CARD_KEY_ES256\", kid: acme-2026}}"
	projects := map[string]map[string]string{
		"path":          fleet("path", fixture.Rounds(4, 20), ""),
		"path, lists":   fleet("path", fixture.Rounds(5, 20), lists),
		"path, signed":  fleet("auto", fixture.Rounds(4, 9), lists+signed),
		"host, lists":   fleet("host", fixture.Rounds(3, 10), lists),
		"host, signed":  fleet("host", fixture.Rounds(3, 5), lists+signed),
		"single, lists": fleet("single", 1, lists),
	}
	for _, alg := range sign.Algorithms() {
		t.Setenv("CARD_KEY_"+string(alg), string(signtest.PEM(t, string(alg))))
	}
	for name, files := range projects {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range files {
				write(t, dir, file, text)
			}
			mergeShards(t, dir)
		})
	}
	workspaces, err := filepath.Glob("../../testdata/workspaces/*/cardwright.yaml")
	if err != nil || len(workspaces) == 0 {
		t.Fatal("no workspaces")
	}
	for _, file := range workspaces {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			if len(agentIDs(t, filepath.Dir(file))) < fixture.Rounds(2, 1) {
				t.Skip("one agent makes one shard, which long trials try")
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Dir(file))); err != nil {
				t.Fatal(err)
			}
			mergeShards(t, dir)
		})
	}
}

// mergeShards compares the output of one run with that of several, merged.
func mergeShards(t *testing.T, dir string) {
	t.Helper()
	run := func(args ...string) {
		t.Helper()
		var out strings.Builder
		if code := Run(append([]string{"-C", dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &out},
			"test"); code != 0 {
			t.Fatalf("%q ends in %d: %s", args, code, out.String())
		}
	}
	run("generate", "--out", "single/dist", "--private-out", "single/private")
	ids := agentIDs(t, dir)
	jobs := min(shards, len(ids))
	merge, private := []string{"merge"}, []string{"merge"}
	for job := range jobs {
		out, extended := fmt.Sprintf("shards/%d", job), fmt.Sprintf("extended/%d", job)
		args := []string{"generate", "--out", out, "--private-out", extended}
		for i := job; i < len(ids); i += jobs {
			args = append(args, "--agent", ids[i])
		}
		run(args...)
		merge, private = append(merge, out), append(private, extended)
	}
	run(append(merge, "--out", "joined/dist")...)
	run(append(private, "--out", "joined/private")...)
	if diff := cmp.Diff(treeOf(t, filepath.Join(dir, "single")), treeOf(t, filepath.Join(dir, "joined"))); diff != "" {
		t.Errorf("merged trees differ (-one run +merged):\n%s", diff)
	}
}

func agentIDs(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "cardwright.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files := &config.Files{FS: os.DirFS(dir), Name: "cardwright.yaml", Show: func(name string) string { return name }}
	cfg, found := config.Load(data, config.Options{File: "cardwright.yaml", Files: files, Getenv: os.LookupEnv})
	if len(found) > 0 {
		t.Fatal(found)
	}
	var ids []string
	for _, a := range cfg.Agents {
		ids = append(ids, a.ID)
	}
	return ids
}

// treeOf are the files below a directory.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
