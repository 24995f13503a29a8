package recipes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// The images are put together here as the Dockerfile says, without a container
// engine: the stage of the cards runs, and what it hands over is served by the
// real server with the configuration of the image.
func TestNginxImage(t *testing.T) {
	root := image(t, project(t, "nginx-image"))
	served(t, "http://"+nginx(t, root), filepath.Join(root, "srv/agents"))
}

func TestCaddyImage(t *testing.T) {
	caddy := find(t, "caddy")
	root := image(t, project(t, "caddy-image"))
	port := port(t)
	conf := filepath.Join(root, "etc/caddy/Caddyfile")
	write(t, conf, replaced(t, read(t, conf), ":8080 {", "http://127.0.0.1:"+port+" {", "/srv/agents", root+"/srv/agents",
		"/etc/caddy/a2a", root+"/etc/caddy/a2a"))
	start(t, port, caddy, "run", "--config", conf, "--adapter", "caddyfile")
	served(t, "http://127.0.0.1:"+port, filepath.Join(root, "srv/agents"))
}

// image is the root of the files that the last stage of a Dockerfile holds
// beside those of its base.
func image(t *testing.T, dir string) string {
	t.Helper()
	stages := parse(t, filepath.Join(dir, "Dockerfile"))
	cards, ok := instructions.HasStage(stages, "cards")
	if !ok {
		t.Fatal("the Dockerfile has no stage cards")
	}
	made := filepath.Join(t.TempDir(), "cards")
	for _, command := range stages[cards].Commands {
		if run, ok := command.(*instructions.RunCommand); ok {
			sh(t, dir, replaced(t, strings.Join(run.CmdLine, " "), "/cards/", made+"/cards/"))
		}
	}
	root := t.TempDir()
	last := stages[len(stages)-1]
	for _, command := range last.Commands {
		copied, ok := command.(*instructions.CopyCommand)
		if !ok {
			continue
		}
		from := dir
		if copied.From == "cards" {
			from = made
		}
		source := filepath.Join(from, copied.SourcePaths[0])
		target := filepath.Join(root, copied.DestPath)
		if info, err := os.Stat(source); err != nil {
			t.Fatal(err)
		} else if info.IsDir() {
			if err := os.CopyFS(target, os.DirFS(source)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		write(t, target, read(t, source))
	}
	return root
}

// parse reads a Dockerfile as docker build does, with its warnings as faults.
func parse(t *testing.T, path string) []instructions.Stage {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tree, err := parser.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, warning := range tree.Warnings {
		t.Errorf("%s: %s", path, warning.Short)
	}
	lint := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		t.Errorf("%s: %s: %s", path, rule, message)
	}})
	stages, _, err := instructions.Parse(tree.AST, lint)
	if err != nil {
		t.Fatal(err)
	}
	return stages
}
