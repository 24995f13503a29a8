package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recipe runs the files of docs/recipes/fleet in a copy of an example project.
type recipe struct {
	*testing.T
	dir, bin string
}

func newRecipe(t *testing.T) recipe {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the recipes are for sh")
	}
	r := recipe{t, copyOf(t, "../testdata/workspaces/acme-agents"), build(t)}
	r.sh("cardwright generate --out single/dist")
	return r
}

// sh runs a command as a job does.
func (r recipe) sh(command string, env ...string) {
	r.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = r.dir
	cmd.Env = append([]string{"PATH=" + filepath.Dir(r.bin) + string(os.PathListSeparator) + os.Getenv("PATH")}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// sameAsOneRun compares the joined tree with that of one run.
func (r recipe) sameAsOneRun(joined string) {
	r.Helper()
	if diff := cmp.Diff(filesOf(r.T, filepath.Join(r.dir, "single/dist")),
		filesOf(r.T, filepath.Join(r.dir, joined))); diff != "" {
		r.Errorf("the recipe makes another tree (-one run +recipe):\n%s", diff)
	}
}

func filesOf(t *testing.T, dir string) map[string]string {
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

// The jobs of the GitHub matrix and of GitLab make, joined, what one run makes.
func TestShardRecipes(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the recipes need jq")
	}
	var github struct {
		Jobs map[string]struct {
			Strategy struct {
				Matrix struct{ Index []string }
			}
			Steps []struct{ Run string }
		}
	}
	decode(t, read(t, "recipes/fleet/github-matrix.yml"), &github)
	var gitlab struct {
		Shard struct {
			Parallel int
			Script   []string
		}
		Merge struct{ Script []string }
	}
	decode(t, read(t, "recipes/fleet/gitlab-parallel.yml"), &gitlab)
	jobs := func(t *testing.T) recipe {
		t.Helper()
		r := newRecipe(t)
		if err := os.WriteFile(filepath.Join(r.dir, "shard.sh"), []byte(read(t, "recipes/fleet/shard.sh")),
			0o644); err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("github", func(t *testing.T) {
		t.Parallel()
		r := jobs(t)
		shard, merge := github.Jobs["shard"], github.Jobs["merge"]
		for _, index := range shard.Strategy.Matrix.Index {
			for _, step := range shard.Steps {
				if strings.HasPrefix(step.Run, "sh ") {
					r.sh(strings.ReplaceAll(step.Run, "${{ matrix.index }}", index))
				}
			}
		}
		for _, step := range merge.Steps {
			if strings.HasPrefix(step.Run, "cardwright ") {
				r.sh(step.Run)
			}
		}
		r.sameAsOneRun("dist")
	})
	t.Run("gitlab", func(t *testing.T) {
		t.Parallel()
		r := jobs(t)
		for index := range gitlab.Shard.Parallel {
			r.sh(strings.Join(gitlab.Shard.Script, "\n"), "CI_NODE_INDEX="+string(rune('1'+index)),
				"CI_NODE_TOTAL="+string(rune('0'+gitlab.Shard.Parallel)))
		}
		r.sh(strings.Join(gitlab.Merge.Script, "\n"))
		r.sameAsOneRun("dist")
	})
}

// shard.sh fails when anything in it fails, and says what.
func TestShardFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the recipe is for sh")
	}
	script, err := filepath.Abs("recipes/fleet/shard.sh")
	if err != nil {
		t.Fatal(err)
	}
	const config = "#!/bin/sh\n[ $1 != config ] || { echo '{}'; exit 0; }\n"
	const two = "#!/bin/sh\ncat >/dev/null\nprintf 'a\\nb\\n'\n"
	tests := []struct {
		name, cardwright, jq, index, want string
		fails                             bool
	}{
		{"nothing", config + "echo made \"$@\"\n", two, "1", "made generate --agent b --out out", false},
		{"a broken configuration", "#!/bin/sh\necho broken >&2\nexit 2\n", two, "0", "broken", true},
		{"a configuration that breaks half way", "#!/bin/sh\necho '{}'\necho broken >&2\nexit 2\n", two, "0", "broken", true},
		{"jq", config, "#!/bin/sh\necho a\necho broken >&2\nexit 5\n", "0", "broken", true},
		{"no jq", config, "", "0", "jq: ", true},
		{"no cardwright", "", two, "0", "cardwright: ", true},
		{"generate", config + "echo broken >&2\nexit 1\n", two, "0", "broken", true},
		{"no agents", config, "#!/bin/sh\n", "0", "has none of the 0 agents", true},
		{"more jobs than agents", config, two, "2", "job 2 of 3 has none of the 2 agents", false},
		{"a job too many", config, two, "3", "job 3 of 3 has none of the 2 agents", true},
		{"no index", config, two, "x", "job x of 3 has none of the 2 agents", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bin := t.TempDir()
			for name, text := range map[string]string{"cardwright": tt.cardwright, "jq": tt.jq} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"sh", "cat"} {
				tool, err := exec.LookPath(name)
				if err == nil {
					err = os.Symlink(tool, filepath.Join(bin, name))
				}
				if err != nil {
					t.Skip(err)
				}
			}
			cmd := exec.Command(filepath.Join(bin, "sh"), script, tt.index, "3", "out")
			cmd.Env = []string{"PATH=" + bin}
			out, err := cmd.CombinedOutput()
			if failed := err != nil; failed != tt.fails || !strings.Contains(string(out), tt.want) {
				t.Errorf("got %v, want %q\n%s", err, tt.want, out)
			}
		})
	}
}

// The actions of the Bazel rule work under the conditions of its sandbox: inputs that
// are links to files which cannot be written, no home, no git, no other directory.
func TestBazelActions(t *testing.T) {
	t.Parallel()
	r := newRecipe(t)
	scripts, err := filepath.Abs("recipes/fleet")
	if err != nil {
		t.Fatal(err)
	}
	room, outside := t.TempDir(), t.TempDir()
	var config, all []string
	for name, text := range filesOf(t, r.dir) {
		if strings.HasPrefix(name, "single/") {
			continue
		}
		for _, dir := range []string{room, outside} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o444); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(outside, name), filepath.Join(room, name)); err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
		if name == "cardwright.yaml" {
			config = append(config, name)
		}
	}
	action := func(script string, args ...string) {
		t.Helper()
		cmd := exec.Command("sh", append([]string{filepath.Join(scripts, script), r.bin}, args...)...)
		cmd.Dir, cmd.Env = room, []string{"PATH=/usr/bin:/bin", "TMPDIR=" + t.TempDir(), "GIT_DIR=/nowhere"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", script, args, err, out)
		}
	}
	trees := []string{"out/dist", "--"}
	ids := regexp.MustCompile(`(?m)^  - id: (\S+)`).FindAllStringSubmatch(read(t, filepath.Join(r.dir, "cardwright.yaml")),
		-1)
	for _, m := range ids {
		tree := "out/" + m[1] + ".cards"
		action("agent.sh", append([]string{tree, m[1], "--"}, all...)...)
		trees = append(trees, tree)
	}
	action("merge.sh", append(append(trees, "--"), config...)...)
	if diff := cmp.Diff(filesOf(t, filepath.Join(r.dir, "single/dist")),
		filesOf(t, filepath.Join(room, "out/dist"))); diff != "" {
		t.Errorf("the actions make another tree (-one run +actions):\n%s", diff)
	}
}
